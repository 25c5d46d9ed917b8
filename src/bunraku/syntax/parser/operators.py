"""Expressions: the beginnings of operands, and operators by their power in one loop.

The rules of operands and of their continuations are registered by the token that they begin with:
in :data:`PREFIXES` as functions of the parser, in :data:`INFIXES` as functions of the parser and
of the expression on the left.
"""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_typing import Any, Final, TypeVar
from bunraku.syntax.nodes import (
    And,
    Arithmetic,
    Comparison,
    Expression,
    In,
    Match,
    Name,
    Not,
    Or,
    Reference,
    String,
    UnaryMinus,
    Unfold,
    Variable,
)
from bunraku.syntax.parser.state import NESTING_LIMIT, Parser, R, Rule, begins

Infix = Callable[[Parser, Expression], Expression]
A = TypeVar("A", bound=Infix)

PREFIXES: dict[str, Rule] = {}
"""The parser of an operand by its first token."""
INFIXES: dict[str, Infix] = {}
"""The parser of a form after an operand by its first token, apart from binary operators."""

LEAVES: Final[dict[str, Callable[[int, int, Any], Expression]]] = {
    "VARIABLE": Variable, "NAME": Name, "CLASSREF": Reference, "STRING": String, "WORD": String,
}  # fmt: skip
"""The nodes of operands that are one token; their rules in :data:`PREFIXES` make the same."""
UNARY: Final = 90
POWER: Final = {
    "(": 97, ".": 96, "[": 95, "<|": 94, "<<|": 94,
    "in": 80, "=~": 75, "!~": 75, "*": 70, "/": 70, "%": 70, "+": 65, "-": 65, "<<": 60, ">>": 60,
    "==": 55, "!=": 55, "<": 50, "<=": 50, ">": 50, ">=": 50, "?": 45, "and": 40, "or": 35,
}  # fmt: skip
"""Precedence of the operators; all group to the left."""
POWER_OF_SELECTORS_FIRST: Final = {**POWER, "?": 94}
"""The same in Puppet 3, where a selector is nearly part of its operand."""

WITH_OPERATOR: Final[dict[str, Any]] = {
    **dict.fromkeys(("+", "-", "*", "/", "%", "<<", ">>"), Arithmetic),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), Comparison),
    **dict.fromkeys(("=~", "!~"), Match),
}
WITHOUT_OPERATOR: Final = {"in": In, "and": And, "or": Or}


def prefix(*kinds: str) -> Callable[[R], R]:
    """Register the rule that tokens of some kinds begin."""
    return begins(PREFIXES, *kinds)


def infix(*kinds: str) -> Callable[[A], A]:
    """Register the rule that tokens of some kinds begin after an operand."""

    def register(function: A) -> A:
        INFIXES.update(dict.fromkeys(kinds, function))
        return function

    return register


def expression(parser: Parser) -> Expression:
    """Parse ``expression``: operators and their operands."""
    parser.depth += 1
    if parser.depth > NESTING_LIMIT:
        parser.deeper()
    found = operation(parser, 0)
    parser.depth -= 1
    return found


def operation(parser: Parser, limit: int) -> Expression:
    """Parse an operand and the operators after it that bind more tightly than ``limit``."""
    kinds, at = parser.kinds, parser.at
    kind = kinds[at]
    leaf = LEAVES.get(kind)
    if leaf is not None:  # most operands: a call of their rule would take as long as the rest
        left = leaf(parser.starts[at], parser.ends[at], parser.values[at])
        parser.at = at = at + 1
        kind = kinds[at]
    else:
        begin = parser.prefixes.get(kind)
        if begin is None:
            raise parser.unexpected()
        left = begin(parser)
        kind = kinds[parser.at]
    powers = parser.powers
    while (power := powers.get(kind, 0)) > limit:
        after = INFIXES.get(kind)
        if after is not None:
            left = after(parser, left)
        else:
            place = parser.starts[parser.at]
            parser.at += 1
            right = operation(parser, power)
            node = WITH_OPERATOR.get(kind)
            if node is not None:
                left = node(left.start, right.end, kind, left, right, place)
            else:
                left = WITHOUT_OPERATOR[kind](left.start, right.end, left, right, place)
        kind = kinds[parser.at]
    return left


def operand(parser: Parser) -> tuple[int, Expression]:
    """Return the operand of a unary operator, and the place of the operator."""
    start = parser.starts[parser.at]
    parser.at += 1
    parser.deeper()
    found = operation(parser, UNARY)
    parser.depth -= 1
    return start, found


@prefix("!")
def negation(parser: Parser) -> Not:
    """Parse ``! expression``."""
    start, found = operand(parser)
    return Not(start, found.end, found)


@prefix("-")
def minus(parser: Parser) -> UnaryMinus:
    """Parse ``- expression``."""
    start, found = operand(parser)
    return UnaryMinus(start, found.end, found)


@prefix("*")
def unfold(parser: Parser) -> Unfold:
    """Parse ``* expression``."""
    start, found = operand(parser)
    return Unfold(start, found.end, found)
