"""Questions about single expressions: have they a value, an effect, is their value known?"""

from __future__ import annotations

from collections.abc import Hashable

from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax.nodes import (
    Access,
    And,
    Arithmetic,
    Block,
    Boolean,
    Case,
    ClassDefinition,
    Collector,
    Comparison,
    Concatenation,
    Default,
    DefineDefinition,
    Expression,
    Float,
    FunctionDefinition,
    Hash,
    Heredoc,
    If,
    In,
    Integer,
    List,
    Name,
    NodeDefinition,
    Nop,
    Not,
    Or,
    Parenthesized,
    PlanDefinition,
    Query,
    Reference,
    Regexp,
    ReservedWord,
    Selector,
    String,
    TypeAlias,
    TypeDefinition,
    TypeMapping,
    UnaryMinus,
    Undef,
    Unfold,
    Unless,
    Variable,
)

WITHOUT_VALUE: Final[frozenset[type]] = frozenset(
    {
        ClassDefinition,
        Collector,
        DefineDefinition,
        FunctionDefinition,
        NodeDefinition,
        PlanDefinition,
        Query,
        TypeAlias,
        TypeDefinition,
        TypeMapping,
    }
)

IDLE: Final[frozenset[type]] = frozenset(
    {
        Access,
        And,
        Arithmetic,
        Boolean,
        Comparison,
        Concatenation,
        Default,
        Float,
        Hash,
        Heredoc,
        In,
        Integer,
        List,
        Name,
        Nop,
        Not,
        Or,
        Reference,
        Regexp,
        ReservedWord,
        Selector,
        String,
        UnaryMinus,
        Undef,
        Unfold,
        Variable,
    }
)


def idle(node: Any) -> bool:
    """Whether an expression has a value but does nothing."""
    kind = node.__class__
    if kind in IDLE:
        return True
    if kind is Parenthesized:
        return idle(node.expression)
    if kind is Block:
        return all(idle(statement) for statement in node.statements)
    if kind is If or kind is Unless:
        return idle(node.test) and idle(node.then) and idle(node.otherwise)
    if kind is Case:
        return idle(node.test) and all(
            idle(option.then) and all(idle(value) for value in option.values)
            for option in node.options
        )
    return False


UNKNOWN: Final = object()


def literal(node: Any) -> Hashable:
    """A stand-in for the value of a literal, equal for equal values only; UNKNOWN for others.

    >>> literal(Integer(0, 1, 1, 10)) == literal(Float(0, 3, 1.0, "1.0"))
    False
    """
    kind = node.__class__
    if kind is String or kind is Name:
        return str, node.value
    if kind is Integer:
        return int, node.value
    if kind is Float:
        return float, node.value
    if kind is Boolean:
        return bool, node.value
    if kind is Undef:
        return None
    if kind is Default:
        return "default"
    if kind is Regexp:
        return Regexp, node.pattern
    if kind is List:
        return all_known(List, [literal(value) for value in node.values])
    if kind is Hash:
        sides = [literal(side) for entry in node.entries for side in (entry.key, entry.value)]
        return all_known(Hash, sides)
    return UNKNOWN


def all_known(kind: type, values: list[Hashable]) -> Hashable:
    """A stand-in made of others, UNKNOWN if one of them is."""
    return UNKNOWN if UNKNOWN in values else (kind, *values)


def shown(node: Expression, text: str) -> str:
    """A short expression as written."""
    written = text[node.start : node.end].split("\n", 1)[0]
    return written if len(written) <= 40 else f"{written[:39]}…"
