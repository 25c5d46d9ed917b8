"""Statements: resources, relationships, assignments, and calls without parentheses."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax import issues
from bunraku.syntax.nodes import (
    Assignment,
    AssignmentOperator,
    Call,
    Expression,
    Name,
    Parenthesized,
    Relationship,
    RelationshipOperator,
)
from bunraku.syntax.parser.blocks import as_statement
from bunraku.syntax.parser.operators import operation, prefix
from bunraku.syntax.parser.resources import FORMS, resource, resource_after
from bunraku.syntax.parser.state import NESTING_LIMIT, Parser, SyntaxFailure
from bunraku.syntax.tokens import Finding

EDGES: Final[dict[str, RelationshipOperator]] = {"->": "->", "~>": "~>", "<-": "<-", "<~": "<~"}
ASSIGNMENTS: Final[dict[str, AssignmentOperator]] = {"=": "=", "+=": "+=", "-=": "-="}
AFTER_EXPRESSION: Final = frozenset({*EDGES, *ASSIGNMENTS, "{"})


def statement(parser: Parser, found: list[Expression]) -> None:
    """Parse one statement and add it; after the name of a statement function it is its arguments."""
    kinds = parser.kinds
    value = assignment(parser)
    values, comma = None, 0
    if kinds[parser.at] == ",":
        comma = parser.at
        values = [value]
        while parser.accept(","):
            values.append(assignment(parser))
    if kinds[parser.at] == ";":
        parser.at += 1
        if kinds[parser.at] in ("}", "END"):
            raise parser.unexpected()
    last = found[-1] if found else None
    if last.__class__ is Name and last.value in parser.dialect.statement_functions:
        arguments = values or [value]
        end = arguments[-1].end
        found[-1] = Call(last.start, end, last, arguments, None, False, True)
    elif values is not None:
        raise stray_list(parser, last, comma)
    else:
        found.append(as_statement(value) if value.__class__ is Call else value)


def stray_list(parser: Parser, last: Expression | None, comma: int) -> SyntaxFailure:
    """Parse ``1, 2`` where no function takes it."""
    start, end = parser.starts[comma], parser.ends[comma]
    finding = Finding(issues.STRAY_COMMA, {}, start, end)
    if isinstance(last, Name):
        finding = Finding(issues.ARGUMENTS_TO_NON_CALL, {"name": last.value}, start, end)
    return SyntaxFailure(finding, late=True)


def assignment(parser: Parser) -> Expression:
    """Parse ``assignment``: the widest form, with resources, relationships and ``=``."""
    kinds = parser.kinds
    kind = kinds[parser.at]
    if kind in FORMS or (kind == "class" and kinds[parser.at + 1] == "{"):
        left = resource(parser)
    else:
        parser.depth += 1
        if parser.depth > NESTING_LIMIT:
            parser.deeper()
        left = operation(parser, 0)
        parser.depth -= 1
        if kinds[parser.at] not in AFTER_EXPRESSION:
            return left
        left = resource_after(parser, left)
    if kinds[parser.at] in EDGES:
        left = relationship(parser, left)
    if kinds[parser.at] in ASSIGNMENTS:
        left = assigned(parser, left)
    return left


def relationship(parser: Parser, left: Expression) -> Expression:
    """Parse ``left -> right ~> …``."""
    kinds = parser.kinds
    while kinds[parser.at] in EDGES:
        at = parser.at
        parser.at = at + 1
        right = resource(parser)
        operator = EDGES[kinds[at]]
        left = Relationship(left.start, right.end, operator, left, right, parser.starts[at])
    return left


def assigned(parser: Parser, left: Expression) -> Expression:
    """Parse ``left = middle = right``, grouped to the right."""
    kinds = parser.kinds
    chain: list[tuple[Expression, int]] = []
    depth = parser.depth
    while kinds[parser.at] in ASSIGNMENTS:
        chain.append((left, parser.at))
        parser.at += 1
        parser.deeper()
        left = resource(parser)
        if kinds[parser.at] in EDGES:
            left = relationship(parser, left)
    parser.depth = depth
    for target, at in reversed(chain):
        operator = ASSIGNMENTS[kinds[at]]
        left = Assignment(target.start, left.end, operator, target, left, parser.starts[at])
    return left


@prefix("(", "WSLPAREN")
def parenthesized(parser: Parser) -> Parenthesized:
    """Parse ``( assignment )``."""
    start = parser.starts[parser.at]
    parser.at += 1
    inner = assignment(parser)
    return Parenthesized(start, parser.expect(")"), inner)
