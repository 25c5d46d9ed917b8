"""The texts of expressions as Puppet's syntax tree records them, which Puppet Strings prints.

Puppet's tree has for an operator the place of its sign, for a selector that of its left side, for a call
with a dot that of its end, and for a parenthesis only where it opens. So Puppet Strings prints
``Default value: `+``` for ``$a + $b``; here it does the same, because REFERENCE.md is compared. Since release 3, it
prints from the first to the last place that the tree has for an expression or anything in it: all but what
closes a selector, a parenthesis or an ``else``.
"""

from __future__ import annotations

from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children

SIGNS: dict[type[Node], str] = {
    nodes.In: "in",
    nodes.And: "and",
    nodes.Or: "or",
    nodes.Not: "!",
    nodes.UnaryMinus: "-",
    nodes.Unfold: "*",
    nodes.Parenthesized: "(",
}
OPERATORS = (
    nodes.Arithmetic,
    nodes.Comparison,
    nodes.Match,
    nodes.Assignment,
    nodes.Relationship,
)


PARTLY_RECORDED = (
    *SIGNS,
    *OPERATORS,
    nodes.Selector,
    nodes.SelectorEntry,
    nodes.MethodCall,
    nodes.If,
)
"""Nodes whose ends are those of what is in them."""


def recorded_text(node: Node, text: str) -> str:
    """Return the text of an expression that Puppet's syntax tree has."""
    sign = SIGNS.get(type(node))
    if sign is not None:
        return sign
    if isinstance(node, OPERATORS):
        return node.operator
    if isinstance(node, nodes.Selector):
        return recorded_text(node.left, text)
    if isinstance(node, nodes.MethodCall):
        return call_end(node, text)
    if isinstance(node, nodes.If) and not isinstance(node.otherwise, nodes.Nop):
        return text[node.start : text.rindex("{", node.start, node.otherwise.start)]
    return text[node.start : node.end]


def tree_text(node: Node, text: str) -> str:
    """Return the text of an expression from the first to the last place that Puppet's syntax tree has in it."""
    start, end = tree_span(node, text)
    return text[start:end]


def tree_span(node: Node, text: str) -> tuple[int, int]:
    """Return the first and the last place that Puppet's syntax tree has in an expression."""
    is_whole = isinstance(node, nodes.If) and isinstance(node.otherwise, nodes.Nop)
    if is_whole or not isinstance(node, PARTLY_RECORDED):
        return node.start, node.end
    end = max(tree_span(one, text)[1] for one in children(node))
    if isinstance(node, nodes.MethodCall):
        last = call_end(node, text)
        end = max(end, text.rindex(last, node.start, node.end) + len(last))
    return node.start, end


def call_end(node: nodes.MethodCall, text: str) -> str:
    """Return the end of a call with a dot: its arguments in parentheses, else the dot and the name."""
    name_end = node.name.end
    block_start = node.end if node.block is None else node.block.start
    between = text[name_end:block_start].strip()
    if between.startswith("("):
        return text[text.index("(", name_end) : text.rindex(")", name_end, block_start) + 1]
    return text[text.rindex(".", node.start, node.name.start) : name_end]
