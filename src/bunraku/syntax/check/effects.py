"""Expressions with a value, and expressions with an effect."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax import nodes

WITHOUT_VALUE: Final[frozenset[type]] = frozenset(
    {
        nodes.ClassDefinition,
        nodes.Collector,
        nodes.DefineDefinition,
        nodes.FunctionDefinition,
        nodes.NodeDefinition,
        nodes.PlanDefinition,
        nodes.Query,
        nodes.TypeAlias,
        nodes.TypeDefinition,
        nodes.TypeMapping,
    }
)

IDLE: Final[frozenset[type]] = frozenset(
    {
        nodes.Access,
        nodes.And,
        nodes.Arithmetic,
        nodes.Boolean,
        nodes.Comparison,
        nodes.Concatenation,
        nodes.Default,
        nodes.Float,
        nodes.Hash,
        nodes.Heredoc,
        nodes.In,
        nodes.Integer,
        nodes.List,
        nodes.Name,
        nodes.Nop,
        nodes.Not,
        nodes.Or,
        nodes.Reference,
        nodes.Regexp,
        nodes.ReservedWord,
        nodes.Selector,
        nodes.String,
        nodes.UnaryMinus,
        nodes.Undef,
        nodes.Unfold,
        nodes.Variable,
    }
)


COMPOSED: Final[frozenset[type]] = frozenset(
    {nodes.Parenthesized, nodes.Block, nodes.If, nodes.Unless, nodes.Case}
)
"""Expressions whose effect is that of their parts."""


def idle(node: nodes.Node) -> bool:
    """Return whether an expression has a value but does nothing."""
    kind = node.__class__
    if kind in IDLE:
        return True
    return kind in COMPOSED and all_idle(node)


def all_idle(node: nodes.Node) -> bool:
    """Return whether all that an expression consists of does nothing."""
    if isinstance(node, nodes.Parenthesized):
        return idle(node.expression)
    if isinstance(node, nodes.Block):
        return all(map(idle, node.statements))
    if isinstance(node, nodes.If | nodes.Unless):
        return idle(node.test) and idle(node.then) and idle(node.otherwise)
    assert isinstance(node, nodes.Case)
    return idle(node.test) and all(
        idle(option.then) and all(map(idle, option.values)) for option in node.options
    )
