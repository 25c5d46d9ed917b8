"""Expressions with a value, and expressions with an effect."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
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
    Float,
    FunctionDefinition,
    Hash,
    Heredoc,
    If,
    In,
    Integer,
    List,
    Name,
    Node,
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


COMPOSED: Final[frozenset[type]] = frozenset({Parenthesized, Block, If, Unless, Case})
"""Expressions whose effect is that of their parts."""


def idle(node: Node) -> bool:
    """Return whether an expression has a value but does nothing."""
    kind = node.__class__
    if kind in IDLE:
        return True
    return kind in COMPOSED and all_idle(node)


def all_idle(node: Node) -> bool:
    """Return whether all that an expression consists of does nothing."""
    if isinstance(node, Parenthesized):
        return idle(node.expression)
    if isinstance(node, Block):
        return all(map(idle, node.statements))
    if isinstance(node, If | Unless):
        return idle(node.test) and idle(node.then) and idle(node.otherwise)
    assert isinstance(node, Case)
    return idle(node.test) and all(
        idle(option.then) and all(map(idle, option.values)) for option in node.options
    )
