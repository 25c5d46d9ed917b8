"""Heredocs: the tag, where the text ends, and the margin that is taken off its lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from bunraku.base.errors import Issue
from bunraku.base.records import record
from bunraku.syntax import issues
from bunraku.syntax.escapes import SWITCHES, Escapes, switched_escapes
from bunraku.syntax.rules import SyntaxRules

BLANK = " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
TAG = (
    rf"@\(([^:/\r\n)]+)(?::[{BLANK}]*([a-z][a-zA-Z0-9_+]+)[{BLANK}]*)?"
    rf"(?:/([0-9A-Za-z_$]*)[{BLANK}]*)?\)"
)


class TagError(Exception):
    """A heredoc that cannot be read."""

    def __init__(self, issue: Issue, place: int | None = None, **arguments: object) -> None:
        super().__init__(issue.code)
        self.issue = issue
        self.place = place
        self.arguments = arguments


@record(frozen=True)
class Tag:
    """The content of a heredoc tag."""

    end_text: str
    interpolates: bool
    syntax: str | None
    escapes: Escapes


@record(frozen=True)
class HeredocText:
    """The text without its margin, the origins of its lines, and the position where code continues."""

    text: str
    lines: list[int]
    origins: list[int]
    next_line: int

    def place(self, offset: int) -> int:
        """Return the offset in the source of a character of the text."""
        if not self.lines:
            return self.next_line
        line = bisect_right(self.lines, offset) - 1
        return self.origins[line] + offset - self.lines[line]


def heredoc_tag(text: str) -> Tag:
    """Read a tag, from ``@(`` to ``)``.

    >>> tag = heredoc_tag('@("END":json/tn)')
    >>> tag.end_text, tag.interpolates, tag.syntax, sorted(tag.escapes)
    ('END', True, 'json', ['\\\\', 'n', 't'])
    """
    match = re.search(TAG, text)
    if not match:
        raise TagError(issues.HEREDOC_INVALID_SYNTAX)
    end_text, interpolates = match[1].strip(), False
    if len(end_text) > 1 and end_text[0] == end_text[-1] == '"':
        end_text, interpolates = end_text[1:-1].strip(), True
    if not end_text:
        raise TagError(issues.HEREDOC_EMPTY_END_TEXT)
    return Tag(end_text, interpolates, match[2], tag_escapes(match[3]))


def tag_escapes(switches: str | None) -> Escapes:
    """Return the escapes of the letters after ``/``; all of them if no letter follows."""
    if switches is None:
        return {}
    if len(set(switches)) != len(switches):
        listed = ", ".join(switches)
        raise TagError(issues.HEREDOC_REPEATED_ESCAPE, escapes=switches, listed=listed)
    for switch in switches:
        if switch not in SWITCHES:
            raise TagError(issues.HEREDOC_UNKNOWN_ESCAPE, escape=switch)
    return switched_escapes(switches or "trnsuL$")


def heredoc_text(
    text: str, tag: Tag, after: int, begins: int | None, dialect: SyntaxRules
) -> HeredocText:
    """Find the text of a heredoc whose tag ends at ``after``.

    ``begins`` is where the text of an earlier heredoc of the same line ended.
    """
    if begins is None:
        begins = text.find("\n", after) + 1
        if not begins:
            raise TagError(issues.HEREDOC_WITHOUT_TEXT)
    starts: list[int] = []
    at, size = begins, len(text)
    while at < size:
        end = text.find("\n", at) + 1 or size
        if text.find(tag.end_text, at, end) >= 0:
            line = end_line(text[at:end], tag.end_text, dialect.end_text_after_text)
            if line is not None:
                return cut(text, starts, at, end, line, dialect)
        starts.append(at)
        at = end
    raise TagError(issues.HEREDOC_WITHOUT_END, begins, end_text=tag.end_text)


@record(frozen=True)
class EndLine:
    """The marks before the end text: the margin (None without ``|``), and a ``-``."""

    margin: str | None
    trims: bool


def end_line(line: str, end_text: str, after_text: bool) -> EndLine | None:
    """Read a line as the end of a heredoc, if it is one.

    >>> end_line("  | - END\\n", "END", True)
    EndLine(margin='  ', trims=True)
    """
    line = line.removesuffix("\n").removesuffix("\r").rstrip(BLANK)
    if not line.endswith(end_text):
        return None
    before = line[: len(line) - len(end_text)]
    bare = before.rstrip(BLANK)
    trims = bare.endswith("-")
    if trims:
        before = bare[:-1]
        bare = before.rstrip(BLANK)
    margin = None
    if bare.endswith("|"):
        before = bare[:-1]
        bare = before.rstrip(BLANK)
        margin = before[len(bare) :]
    return EndLine(margin, trims) if after_text or not bare else None


def cut(
    text: str, starts: list[int], end: int, next_line: int, line: EndLine, dialect: SyntaxRules
) -> HeredocText:
    """Take the margin off the lines, and the last line end if the end line requires it."""
    pieces, lines, origins, length = [], [], [], 0
    margin = line.margin or ""
    for start, stop in pairwise([*starts, end]):
        piece = text[start:stop]
        if margin:
            if piece.startswith(margin):
                taken = len(margin)
            elif dialect.margin_all_or_nothing:
                taken = 0
            else:
                taken = common_length(piece, margin)
            piece = piece[taken:]
            start += taken
        lines.append(length)
        origins.append(start)
        pieces.append(piece)
        length += len(piece)
    whole = "".join(pieces)
    if line.trims and whole.endswith("\n"):
        whole = whole[:-1].removesuffix("\r")
    return HeredocText(whole, lines, origins, next_line)


def common_length(line: str, margin: str) -> int:
    """Return the number of margin characters at the start of a line."""
    count = 0
    while count < len(margin) and line.startswith(margin[count], count):
        count += 1
    return count
