"""ERB texts as Ruby programs, the way Ruby's own ``ERB.new(text, trim_mode: '-')`` takes them apart.

Text between tags becomes a call that names the text by number so that blocks may reach over tags and
each statement is on the same line as in the template.
"""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record

TEXT = "__text__"
"""The call that text between tags becomes: ``__text__(0)``."""
PUT = "__put__"
"""The call that ``<%= x %>`` becomes: ``__put__((x).to_s)``."""
OPENING = lazy_pattern(r"(?:^[ \t]*)?<%-|<%[%=#]?", re.MULTILINE)
CLOSING = lazy_pattern(r"-%>|%%?>")
TRIMMED_END = lazy_pattern(r"\r?\n|\Z")
MAGIC_COMMENT = lazy_pattern(r"<%#.*?(?:coding|frozen[-_]string[-_]literal)\s*[=:]\s*([\w-]+)")


class Unsupported(Exception):
    """A construct that only Ruby can render: its name and its line."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


@record()
class RubyText:
    """A template as Ruby code: the code, its texts, and the template's line of each line of code."""

    parts: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=lambda: [1])
    line: int = 1
    pending: str = ""
    joined: bool = False

    @property
    def code(self) -> str:
        """The Ruby code."""
        return "".join(self.parts)

    def push(self, statement: str, newlines: int = 0) -> None:
        """Add a statement, and as many line ends as its text has."""
        if self.joined:
            self.parts.append("; ")
        self.parts.append(statement)
        self.lines += range(self.line + 1, self.line + statement.count("\n") + 1)
        self.line += statement.count("\n")
        self.end_line(newlines)
        self.joined = True

    def end_line(self, count: int = 1) -> None:
        """End the line of code; the next statement is on the template's next line."""
        self.parts.append("\n" * count)
        self.lines += range(self.line + 1, self.line + count + 1)
        self.line += count

    def flush(self) -> None:
        """Add the text read up to here."""
        if self.pending:
            self.push(f"{TEXT}({len(self.texts)})", self.pending.count("\n"))
            self.texts.append(self.pending)
            self.pending = ""

    def comment(self, content: str) -> None:
        """Leave out a comment; the lines after it keep their numbers."""
        self.line += content.count("\n")
        self.lines[-1] = self.line


def ruby_text(text: str) -> RubyText:
    """Return a template as Ruby code; raise Unsupported for other encodings and open tags.

    >>> ruby_text("a<% if x -%>\\nb<%= y %><% end %>").code
    '__text__(0);  if x \\n__text__(1); __put__(( y ).to_s);  end '
    """
    refuse_foreign(text)
    found = RubyText()
    at = 0
    while match := OPENING.search(text, at):
        found.pending += text[at : match.start()]
        at = match.end()
        opening = match[0]
        if opening == "<%%":
            found.pending += "<%"
            continue
        found.flush()
        kind = opening if opening in ("<%=", "<%#") else "<%"
        content, trims, at = tag_content(text, at, found.line)
        add_tag(found, kind, content)
        if trims and (end := TRIMMED_END.match(text, at)):
            found.joined = False
            at = end.end()
            found.end_line()
            if not end[0]:
                found.lines[-1] = found.line = found.line - 1
    found.pending += text[at:]
    found.flush()
    return found


def refuse_foreign(text: str) -> None:
    """Refuse text that is not UTF-8, or declares another encoding."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Unsupported("text that is not UTF-8", 1) from None
    magic = MAGIC_COMMENT.match(text)
    if magic is not None and magic[1].lower() not in ("utf-8", "utf8"):
        raise Unsupported("a comment that says how to read the template", 1)


def tag_content(text: str, at: int, line: int) -> tuple[str, bool, int]:
    """Return a tag's content from an offset on, whether its end trims, and the end offset."""
    content = ""
    while match := CLOSING.search(text, at):
        content += text[at : match.start()]
        at = match.end()
        if match[0] != "%%>":
            return content, match[0] == "-%>", at
        content += "%>"
    raise Unsupported("a tag without end", line)


def add_tag(found: RubyText, kind: str, content: str) -> None:
    """Add the code of a tag."""
    if kind == "<%#":
        found.comment(content)
    elif kind == "<%=":
        found.push(f"{PUT}(({content}).to_s)")
    elif content.endswith("\n"):
        found.push(content[:-1])
        found.end_line()
        found.joined = False
    elif content:
        found.push(content)
