"""Going on after a mistake: commas that are missing, and where the next statement begins."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax import issues
from bunraku.syntax.parser.state import Parser, SyntaxFailure
from bunraku.syntax.tokens import Finding

ELEMENT_MARKS: Final = frozenset("_\"'$:")
ERROR_LIMIT: Final = 50
OPENERS: Final = frozenset({"{", "SELBRACE"})
QUOTED: Final = frozenset({"STRING", "DQPRE", "DQMID", "DQPOST"})


# -- missing commas ------------------------------------------------------------------------------


def expect_end(parser: Parser, kind: str, *following: str) -> int:
    """Pass over the token that ends a list, where a mistake may be a forgotten comma."""
    at = parser.at
    if parser.kinds[at] == kind:
        parser.at = at + 1
        return parser.ends[at]
    if lacks_comma(parser, following):
        raise SyntaxFailure(without_comma(parser, kind))
    return parser.expect(kind)


def lacks_comma(parser: Parser, following: tuple[str, ...]) -> bool:
    """Return whether one more element of a list begins at the current token.

    ``following`` are the kinds that its second token may have, where not all are possible.
    """
    at = parser.at
    return parser.kinds[at] not in ("ERROR", "END") and (
        begins_element(parser.source.text[parser.starts[at]])
        and (not following or parser.kinds[at + 1] in following)
    )


def begins_element(character: str) -> bool:
    """Return whether an element of a list may begin with a character: a word, text or variable.

    >>> [begins_element(one) for one in "a$'}"]
    [True, True, True, False]
    """
    return character.isalnum() or character in ELEMENT_MARKS


def without_comma(parser: Parser, kind: str) -> Finding:
    """Return the mistake of a comma that is missing before the current token."""
    arguments = {**parser.unexpected().finding.arguments, "end": kind}
    start, end = parser.starts[parser.at], parser.ends[parser.at]
    return Finding(issues.MISSING_COMMA, arguments, start, end)


def supplies_comma(parser: Parser, kind: str, *following: str) -> bool:
    """Report a missing comma and go on as if it were there.

    This is done once in a line, so text that only looks like a list is one mistake.
    """
    if not lacks_comma(parser, following) or turned_inside_out(parser, parser.at):
        return False
    line = parser.source.line
    here = line(parser.starts[parser.at])
    if any(line(parser.starts[at]) == here for at in parser.supplied):
        return False
    parser.supplied.append(parser.at)
    parser.findings.append(without_comma(parser, kind))
    return True


# -- the next statement --------------------------------------------------------------------------


def next_statement(parser: Parser, begin: int) -> bool:
    """Go to the token where the next statement begins; return whether there is one.

    It is after the braces that the failed statement opened are closed, or at a line that
    is indented no deeper than the statement was. The end of input, a string that runs over several
    lines just before the mistake (a forgotten quote turns the rest inside out) and too many
    mistakes end the parsing.
    """
    at = parser.at
    if len(parser.findings) >= ERROR_LIMIT or turned_inside_out(parser, at):
        return False
    kinds = parser.kinds
    braces = 0
    for index in range(begin, at):
        kind = kinds[index]
        if kind in OPENERS:
            braces += 1
        elif kind == "}":
            braces -= 1
    parser.at = boundary(parser, at, begin, braces)
    return kinds[parser.at] != "END"


def note_mistake(parser: Parser, failure: SyntaxFailure, begin: int) -> Finding:
    """Add a mistake, unless it follows from a missing comma in the code that begins at a token."""
    if parser.findings and any(begin <= at <= parser.at for at in parser.supplied):
        return parser.findings[-1]
    parser.findings.append(failure.finding)
    return failure.finding


def body_follows(parser: Parser, begin: int, failure: SyntaxFailure) -> None:
    """Go on at the ``{`` that ends the line of a mistaken condition.

    Without that brace the whole statement fails.
    """
    kinds, at = parser.kinds, max(parser.at, begin)
    source, starts = parser.source, parser.starts
    line = source.line(starts[begin])
    while kinds[at] not in ("END", "ERROR") and source.line(starts[at]) == line:
        if kinds[at] == "{" and starts_line(parser, at + 1):
            break
        at += 1
    if failure.fatal or failure.late or kinds[at] != "{" or turned_inside_out(parser, parser.at):
        raise failure
    if source.line(starts[at]) != line or not starts_line(parser, at + 1):
        raise failure
    note_mistake(parser, failure, begin)
    parser.at = at


def boundary(parser: Parser, at: int, begin: int, braces: int) -> int:
    """Return the token where a statement can begin, or where the block around ends."""
    kinds, first = parser.kinds, at
    margin = indentation(parser, begin)
    if kinds[at] == "ERROR":
        at += 1
    while True:
        kind = kinds[at]
        if kind == "END":
            return at
        if kind == "ERROR" and at > first and len(parser.findings) < ERROR_LIMIT:
            parser.findings.append(parser.values[at])
        if kind == "}":
            braces -= 1
            if braces < 0 and parser.depth > 1:
                return at
            if braces <= 0:
                return at + 1
        elif at > begin and starts_line(parser, at) and kind not in (")", "]", ","):
            here = indentation(parser, at)
            if here < margin or (here == margin and (braces <= 0 or kind not in OPENERS)):
                return at
        if kind in OPENERS:
            braces += 1
        at += 1


def starts_line(parser: Parser, at: int) -> bool:
    """Return whether a token is the first on its line."""
    if at == 0:
        return True
    return "\n" in parser.source.text[parser.ends[at - 1] : parser.starts[at]]


def indentation(parser: Parser, at: int) -> int:
    """Return the column where the text on the line of a token begins."""
    text, start = parser.source.text, parser.starts[at]
    line = text.rfind("\n", 0, start) + 1
    begin = line
    while begin < start and text[begin] in " \t":
        begin += 1
    return begin - line


def turned_inside_out(parser: Parser, at: int) -> bool:
    """Return whether a quoted string over several lines is at the mistake or right before it."""
    for index in (at - 1, at):
        if index >= 0 and parser.kinds[index] in QUOTED:
            piece = parser.source.text[parser.starts[index] : parser.ends[index]]
            if "\n" in piece:
                return True
    return False
