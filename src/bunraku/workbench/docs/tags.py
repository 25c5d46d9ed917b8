"""The tags of a comment, such as ``@param name text``: their names and the form of each."""

from __future__ import annotations

import re
from collections.abc import Callable

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.workbench.docs.texts import first_word, ruby_lines, stripped, without_indent

OPENING = "[({<"
CLOSING = ">})]"
QUOTED = {quote: lazy_pattern(f"{quote}.+?{quote}") for quote in "\"'"}
METHOD_NAME = lazy_pattern(
    r"[a-zA-Z_]\w*[!?=]?|[-+~]@|<<|>>|=~|===?|![=~]?|<=>|[<>]=?|\*\*|[-/+%^&*~`|]|\[\]=?", re.ASCII
)
WORD = lazy_pattern(r"[\w:.]+")
BLANKS_IN_TITLE = lazy_pattern(" {2,}")
NAME_IN_SIGNATURE = lazy_pattern(r"(?:def\s)?\s*([\w.:]+[!?=]?)", re.ASCII)


class InvalidTag(Exception):
    """The text of a tag has not the form that the tag needs."""


@record(eq=False)
class Tag:
    """A tag: its name, what it names (``subject``), types in brackets, and the text.

    ``pair`` is what ``@option`` and ``@enum`` describe of their subject. ``line`` counts the lines of
    the comment before the tag. An ``@overload`` has a ``signature`` and a ``body`` that is a comment.
    """

    name: str
    text: str | None = None
    types: list[str | None] | None = None
    subject: str | None = None
    pair: Tag | None = None
    line: int = 0
    signature: str = ""
    body: str = ""

    def copy(self) -> Tag:
        """Return another tag with the same content; ``replace`` is slow for so many."""
        return Tag(
            self.name,
            self.text,
            self.types,
            self.subject,
            self.pair,
            self.line,
            self.signature,
            self.body,
        )


TagForm = Callable[[str, str], Tag]
"""Makes the tag of a name and of the text behind it."""


def plain(name: str, text: str) -> Tag:
    """Return a tag that has a text only."""
    return Tag(name, stripped(text))


def with_name(name: str, text: str) -> Tag:
    """Return a tag whose first word names something."""
    subject, rest = first_word(text)
    return Tag(name, rest, None, subject)


def with_types(name: str, text: str) -> Tag:
    """Return a tag with types before its text."""
    subject, types, rest = types_and_name(text)
    if subject:
        raise InvalidTag
    return Tag(name, rest, types)


def with_types_and_name(name: str, text: str) -> Tag:
    """Return a tag with types and a name before its text, in any order."""
    subject, types, rest = types_and_name(text)
    word: str | None = rest
    if not subject:
        subject, word = first_word(rest)
    return Tag(name, word, types, subject)


def with_title(name: str, text: str) -> Tag:
    """Return a tag whose first line is a title."""
    if not text:
        raise InvalidTag
    if text.startswith((" \n", "\t\n")):
        return Tag(name, text)
    lines = ruby_lines(text)
    if not lines:
        raise InvalidTag
    title = stripped(BLANKS_IN_TITLE.sub(" ", lines[0]) if "  " in lines[0] else lines[0])
    return Tag(name, "\n".join(lines[1:]), None, title)


def with_option(name: str, text: str) -> Tag:
    """Return a tag for an option of a hash: the hash, types, the option, a default, the text."""
    subject, rest = first_word(text)
    if rest is None:
        raise InvalidTag
    option, types, after = types_and_name(rest, "[{<", ">}]")
    word: str | None = after
    if not option:
        option, word = first_word(after)
    if word and word.startswith("("):
        word = types_and_name(word, "(", ")")[2]
    return Tag(name, None, None, subject, Tag(name, word, types, option))


def with_enum(name: str, text: str) -> Tag:
    """Return a tag for a possible value of a parameter."""
    subject, rest = first_word(text)
    if rest is None:
        raise InvalidTag
    return Tag(name, None, None, subject, with_name(name, rest))


def overload(name: str, text: str) -> Tag:
    """Return a tag that documents one way to call a function: a signature and a comment."""
    lines = text.split("\n", 1)
    body = lines[1] if len(lines) > 1 else ""
    indent = len(body) - len(body.lstrip())
    body = stripped(without_indent(body, indent))
    signature = stripped(lines[0])
    if not signature:
        raise InvalidTag
    found = NAME_IN_SIGNATURE.match(signature)
    return Tag(name, subject=found[1] if found else None, signature=signature, body=body)


FORMS: dict[str, TagForm] = {
    **dict.fromkeys(
        ["abstract", "api", "author", "deprecated", "note", "private", "since", "summary"], plain
    ),
    **dict.fromkeys(["todo", "version"], plain),
    **dict.fromkeys(["attr", "attr_reader", "attr_writer", "param"], with_types_and_name),
    "yieldparam": with_types_and_name,
    **dict.fromkeys(["raise", "return", "yield", "yieldreturn"], with_types),
    "see": with_name,
    "example": with_title,
    "option": with_option,
    "enum": with_enum,
    "overload": overload,
}
"""The tags of YARD and of Puppet Strings, and how the text of each is read."""
VISIBLE = frozenset(FORMS) - {"api", "private", "summary", "attr", "attr_reader", "attr_writer"}
"""The tags that make a comment more than empty."""


def types_and_name(
    text: str, opening: str = OPENING, closing: str = CLOSING
) -> tuple[str | None, list[str | None] | None, str]:
    """Return the name before a list of types, the types, and the text behind them.

    >>> types_and_name("[String, Array[Integer]] name text")
    (None, ['String', 'Array[Integer]'], 'name text')
    >>> types_and_name("name [String] text"), types_and_name("name text")
    (('name', ['String'], 'text'), (None, None, 'name text'))
    """
    scan = TypeScan(text, opening, closing)
    if scan.types == [""]:
        return None, None, stripped(text)
    name = stripped(scan.before) if scan.before else None
    return name, [stripped(one) for one in scan.types], stripped(text[scan.end + 1 :])


class TypeScan:
    """Reads a list of types in brackets, as YARD does: also where it begins and ends oddly."""

    def __init__(self, text: str, opening: str, closing: str) -> None:
        self.text = text
        self.opening = opening
        self.closing = closing
        self.before = ""
        self.types = [""]
        self.level = 0
        self.seen_space = False
        self.last = ""
        self.end = self.scan()

    def scan(self) -> int:
        """Return the offset of the last character that was read; 0 at the end of the text."""
        at = 0
        while at < len(self.text):
            length = self.run(at) or self.whole(at)
            if length:
                at += length
                continue
            character = self.text[at]
            if self.stops(character):
                return at
            self.last = character
            at += 1
        return 0

    def run(self, at: int) -> int:
        """Take the letters of a word at once, which mean nothing by themselves; return their number."""
        if self.level < 0 or (self.level == 0 and self.seen_space):
            return 0
        word = WORD.match(self.text, at)
        if word is None:
            return 0
        letters = word[0]
        if self.level:
            self.types[-1] += letters
        else:
            self.before += letters
        self.last = letters[-1]
        return len(letters)

    def whole(self, at: int) -> int:
        """Take what is read as one: a quoted text, or a method's name behind ``#``; return its length."""
        character = self.text[at]
        if character in QUOTED and (quoted := QUOTED[character].search(self.text, at)):
            self.types[-1] += quoted[0]
            return len(quoted[0])
        if self.level > 0 and character == "#":
            method = METHOD_NAME.search(self.text, at + 1)
            if method:
                self.types[-1] += f"#{method[0]}"
                return len(method[0]) + 1
        return 0

    def stops(self, character: str) -> bool:
        """Take one character; return whether the list ends with it."""
        if character in self.opening:
            if self.level > 0:
                self.types[-1] += character
            self.level += 1
        elif character in self.closing:
            if not (self.last == "=" and character == ">"):
                self.level -= 1
            if self.level == 0:
                return True
            self.types[-1] += character
        elif character == "," and self.level == 1:
            self.types.append("")
        elif self.level == 0:
            return self.stops_outside(character)
        elif self.level >= 1:
            self.types[-1] += character
        return False

    def stops_outside(self, character: str) -> bool:
        """Take a character that is not in brackets."""
        if character == "\n":
            return not self.seen_space or True
        if character in " \t":
            self.seen_space = self.seen_space or bool(self.before)
        elif character not in "\r\f\v":
            if self.seen_space and self.types == [""]:
                return True
            self.before += character
        return False
