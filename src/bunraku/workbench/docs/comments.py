"""Comments as YARD and Puppet Strings read them: a text and tags."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.workbench.docs.tags import FORMS, VISIBLE, InvalidTag, Tag, with_types_and_name
from bunraku.workbench.docs.texts import WHITE, ruby_lines, stripped, without_indent

TAG = lazy_pattern(r"@(!)?((?:\w\.?)+)(?:\s+(.*))?$", re.ASCII | re.IGNORECASE)
REFERENCE_TO_TAGS = lazy_pattern(r"\s*(?:(\S+)\s+)?\(\s*see\s+(\S+)\s*\)\s*\Z", re.ASCII)
REFERENCE_TO_COMMENT = lazy_pattern(r"\s*\(see (\S+)\s*\)(?:\s|$)", re.ASCII)
DIRECTIVES = frozenset(
    ["attribute", "endgroup", "group", "macro", "method", "parse", "scope", "visibility"]
)
WITHOUT_MARK = DIRECTIVES - {"parse"}
"""Directives that need no ``!``."""
OF_TYPES = {"puppet.type.param": "parameter", "puppet.type.property": "property"}
"""Directives that add an attribute to a resource type."""


@record(eq=False)
class Comment:
    """The comment of one thing: its text, and its tags in the order of their names.

    ``line`` is the line of the file on which it begins, 0 if that is unknown. ``unknown`` are names
    that are no tags, and ``invalid`` tags without the form that they need, with their lines. ``written``
    are the tags as they stand in the comment; ``tags`` get types of the code, and tags for other parameters.
    """

    text: str = ""
    all_tags: list[Tag] = field(default_factory=list)
    line: int = 0
    directives: list[Tag] = field(default_factory=list)
    unknown: list[tuple[str, int]] = field(default_factory=list)
    invalid: list[tuple[str, int]] = field(default_factory=list)
    written: list[Tag] = field(default_factory=list)

    @property
    def tags(self) -> list[Tag]:
        """The tags, sorted by name; those of one name in their order."""
        return sorted(self.all_tags, key=lambda tag: tag.name)

    def named(self, name: str) -> list[Tag]:
        """Return the tags of one name."""
        return [tag for tag in self.all_tags if tag.name == name]

    def first(self, name: str) -> Tag | None:
        """Return the first tag of a name."""
        return next((tag for tag in self.all_tags if tag.name == name), None)

    def has(self, name: str) -> bool:
        """Return whether the comment has a tag of a name."""
        return any(tag.name == name for tag in self.all_tags)

    def remove(self, names: Iterable[str]) -> None:
        """Remove the tags of some names."""
        self.all_tags = [tag for tag in self.all_tags if tag.name not in names]

    @property
    def is_blank(self) -> bool:
        """Whether it says nothing that is printed."""
        return not self.text and not any(tag.name in VISIBLE for tag in self.all_tags)


def read_comment(text: str, line: int = 0) -> Comment:
    """Return the text and the tags of a comment.

    >>> comment = read_comment("Adds.\\n@param a\\n  the first\\n@since 1.0")
    >>> comment.text, [(tag.name, tag.subject, tag.text) for tag in comment.tags]
    ('Adds.', [('param', 'a', 'the first'), ('since', None, '1.0')])
    """
    comment = Comment(line=line)
    reference = REFERENCE_TO_COMMENT.match(text) if "(see " in text else None
    if reference:
        text = text[reference.end() :]
    comment.text = stripped(CommentReader(comment).read(ruby_lines(text)))
    comment.written = [tag.copy() for tag in comment.all_tags]
    return comment


class CommentReader:
    """Splits the lines of a comment into its text and its tags, by YARD's rules for indentation."""

    def __init__(self, comment: Comment) -> None:
        self.comment = comment
        self.name: str | None = None
        self.is_directive = False
        self.start = 0
        self.buffer: list[str] = []
        self.indent = 0

    def read(self, lines: list[str]) -> str:
        """Return the text outside of tags; the comment gets the tags."""
        text: list[str] = []
        last_indent, last_line = 0, ""
        for number, line in enumerate([*lines, ""] if lines else []):
            indent = len(line) - len(line.lstrip(WHITE))
            tag = TAG.match(line) if line[:1] == "@" else None
            if tag is None and self.name is None:
                text.append(line)
                last_indent, last_line = indent, line
                continue
            is_empty = indent == len(line)
            if self.name is not None and (
                number == len(lines)
                or (not is_empty and (indent < self.indent or indent == 0))
                or (indent <= last_indent and tag)
            ):
                self.close()
            if tag:
                self.open(tag, number)
            elif self.name is not None and indent >= self.indent and not is_empty:
                self.add(line, indent, last_line)
            elif self.name is None:
                text.append(line)
            last_indent, last_line = indent, line
        return "\n".join(text)

    def open(self, tag: re.Match[str], number: int) -> None:
        """Begin a tag."""
        self.is_directive = tag[1] is not None
        self.name = tag[2]
        self.buffer = [tag[3] or ""]
        self.start = number

    def add(self, line: str, indent: int, last_line: str) -> None:
        """Add a line to the tag; several empty lines before it become one."""
        if self.indent == 0:
            self.indent = indent
        if not last_line.strip(" \t"):
            self.buffer.append("")
        self.buffer.append(without_indent(line, self.indent))

    def close(self) -> None:
        """End the tag."""
        name, text = self.name or "", "\n".join(self.buffer)
        if self.is_directive or name in WITHOUT_MARK:
            self.add_directive(name, text)
        else:
            self.add_tag(name, text)
        self.name, self.buffer, self.indent, self.is_directive = None, [], 0, False

    def add_tag(self, name: str, text: str) -> None:
        """Add a tag to the comment; one that copies the tags of another thing adds nothing."""
        if "see" in text and REFERENCE_TO_TAGS.match(text):
            return
        form = FORMS.get(name.replace(".", "_"))
        if form is None:
            self.comment.unknown.append((name, self.start))
            return
        try:
            tag = form(name, text)
        except InvalidTag:
            self.comment.invalid.append((name, self.start))
            return
        tag.line = self.start
        self.comment.all_tags.append(tag)

    def add_directive(self, name: str, text: str) -> None:
        """Add a directive to the comment."""
        if name in OF_TYPES:
            tag = with_types_and_name(name, text)
        elif name in DIRECTIVES:
            tag = Tag(name, text)
        else:
            self.comment.unknown.append((f"!{name}", self.start))
            return
        tag.line = self.start
        self.comment.directives.append(tag)
