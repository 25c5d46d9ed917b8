"""Blocks of statements and the conditions before them, the same in both grammars."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax.nodes import (
    Block,
    Call,
    Concatenation,
    Expression,
    If,
    Interpolation,
    Nop,
    String,
)
from bunraku.syntax.parser.recovery import body_follows, next_statement, note_mistake
from bunraku.syntax.parser.state import Parser, SyntaxFailure
from bunraku.syntax.tokens import Finding

OTHER_ELSIF: Final = frozenset({"elseif", "elif"})
"""The words of other languages for ``elsif``."""


# -- statements ----------------------------------------------------------------------------------


def program(parser: Parser) -> Expression:
    """Parse ``statements``: a whole manifest."""
    found = statements(parser, "END")
    if len(found) == 1:
        return found[0]
    end = len(parser.source.text)
    if not found:
        return Nop(end, end)
    return Block(found[0].start, found[-1].end, found)


def block(parser: Parser) -> Expression:
    """Parse ``{ statements }`` as the body of a definition: a Block, or Nop when empty."""
    start = parser.starts[parser.at]
    parser.expect("{")
    found = statements(parser, "}")
    end = parser.expect("}")
    return Block(start, end, found) if found else Nop(start, end)


def branch(parser: Parser) -> Expression:
    """Parse ``{ statements }`` after a condition: a single statement is not wrapped in a block."""
    return single(block(parser))


def single(body: Expression) -> Expression:
    """Return the statement of a block that has just one, else the block."""
    if body.__class__ is Block and len(body.statements) == 1:
        return body.statements[0]
    return body


def statements(parser: Parser, closer: str) -> list[Expression]:
    """Parse statements up to a token that the caller consumes (``}`` or END)."""
    kinds, statement = parser.kinds, parser.grammar.statement
    found: list[Expression] = []
    parser.deeper()
    depth, names = parser.depth, len(parser.namespace)
    late: list[Finding] = []
    while kinds[parser.at] != closer:
        begin = parser.at
        try:
            statement(parser, found)
        except SyntaxFailure as failure:
            failure.forget_frames()
            parser.depth = depth
            del parser.namespace[names:]
            if failure.late:
                late.append(failure.finding)
            else:
                if parser.at == begin:
                    # Nothing can begin here, so the block has ended for Puppet.
                    parser.findings += late
                    late = []
                resume(parser, failure, begin, late)
            # A Nop keeps the statements before and after the mistake from being joined.
            place = parser.starts[parser.at]
            found.append(Nop(place, place))
    parser.depth = depth - 1
    parser.findings += late
    return found


def resume(parser: Parser, failure: SyntaxFailure, begin: int, late: list[Finding]) -> None:
    """Add a mistake and go to the next statement; raise it again if there is none."""
    if failure.fatal:
        parser.findings += late
        raise failure
    finding = note_mistake(parser, failure, begin)
    if goes_on_as_elsif(parser, begin) or next_statement(parser, begin):
        return
    parser.findings += late
    raise SyntaxFailure(finding, fatal=True)


def as_statement(call: Call) -> Call:
    """Return a call whose value is not used."""
    callee, arguments = call.callee, call.arguments
    return Call(call.start, call.end, callee, arguments, call.block, False, call.is_statement)


# -- conditions ----------------------------------------------------------------------------------


def if_expression(parser: Parser) -> Expression:
    """Parse ``if test { … } elsif test { … } else { … }``."""
    kinds, branch = parser.kinds, parser.grammar.branch
    parts: list[tuple[int, Expression, Expression]] = []
    depth = parser.depth
    while True:
        start = parser.starts[parser.at]
        parser.at += 1
        parser.deeper()
        test = condition(parser)
        parts.append((start, test, branch(parser)))
        if kinds[parser.at] != "elsif":
            break
    last = otherwise(parser)
    parser.depth = depth
    end = parser.ends[parser.at - 1]
    for start, test, then in reversed(parts):
        last = If(start, end, test, then, last)
    return last


def condition(parser: Parser) -> Expression:
    """Parse an expression before the ``{`` of a block."""
    begin, depth = parser.at, parser.depth
    try:
        test = parser.grammar.expression(parser)
        if parser.kinds[parser.at] != "{":
            raise parser.unexpected(", expected '{'")
    except SyntaxFailure as failure:
        body_follows(parser, begin, failure)
        parser.depth = depth
        place = parser.starts[begin]
        return Nop(place, place)
    return test


def otherwise(parser: Parser) -> Expression:
    """Parse ``else { … }``, if present."""
    if parser.accept("else"):
        return parser.grammar.branch(parser)
    place = parser.ends[parser.at - 1]
    return Nop(place, place)


def goes_on_as_elsif(parser: Parser, begin: int) -> bool:
    """Try to parse a failed statement as the rest of an ``elsif`` with a wrong keyword.

    Return whether that succeeded.
    """
    first = begin if is_other_elsif(parser, begin) else begin - 1
    if not is_other_elsif(parser, first):
        return False
    at, depth = parser.at, parser.depth
    count, supplied = len(parser.findings), parser.supplied.copy()
    parser.at = first
    try:
        if_expression(parser)
    except SyntaxFailure as failure:
        if failure.fatal:
            raise
        parser.at, parser.depth, parser.supplied = at, depth, supplied
        del parser.findings[count:]
        return False
    return True


def is_other_elsif(parser: Parser, at: int) -> bool:
    """Return whether a token is a word of other languages for ``elsif``, after a block."""
    kinds = parser.kinds
    return (
        at > 0 and kinds[at] == "NAME" and kinds[at - 1] == "}" and parser.values[at] in OTHER_ELSIF
    )


# -- strings -------------------------------------------------------------------------------------


def concatenation(parser: Parser) -> Expression:
    """Parse ``"text ${expression} text"``."""
    kinds, values, starts, ends = parser.kinds, parser.values, parser.starts, parser.ends
    interpolated = parser.grammar.interpolated
    start = starts[parser.at]
    segments: list[Expression] = []
    while True:
        at = parser.at
        parser.at = at + 1
        if values[at]:
            segments.append(String(starts[at], ends[at], values[at]))
        if kinds[at] == "DQPOST":
            return Concatenation(start, ends[at], segments)
        inner = interpolated(parser)
        if kinds[parser.at] not in ("DQMID", "DQPOST"):
            raise parser.unexpected()
        segments.append(Interpolation(inner.start, inner.end, inner))
