"""The names that Puppet gives to expressions in errors: ``Error while evaluating a Function Call``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

RESOURCE = "a Resource Statement"


def with_operator(node: Any) -> str:
    """Return the name of an expression with an operator."""
    return f"'{node.operator}' expression"


def query(node: nodes.Collector) -> str:
    """Return the name of a collector: Puppet names its query."""
    return "Exported Query" if node.query.exported else "Virtual Query"


NAMES: dict[type[Node], str | Callable[[Any], str]] = {
    nodes.Call: "Function Call",
    nodes.MethodCall: "Method call",
    nodes.Resource: "Resource Statement",
    nodes.ResourceBody: "Resource Statement",
    nodes.ResourceOverride: "Resource Override",
    nodes.ResourceDefaults: "Resource Defaults Expression",
    nodes.Collector: query,
    nodes.Relationship: with_operator,
    nodes.Arithmetic: with_operator,
    nodes.Comparison: with_operator,
    nodes.Match: with_operator,
    nodes.Assignment: with_operator,
    nodes.Attribute: with_operator,
    nodes.In: "'in' expression",
    nodes.And: "'and' expression",
    nodes.Or: "'or' expression",
    nodes.Not: "'not' expression",
    nodes.Access: "'[]' expression",
    nodes.NamedAccess: "'.' expression",
    nodes.Selector: "Selector Expression",
    nodes.Case: "'case' statement",
    nodes.If: "'if' statement",
    nodes.Unless: "'unless' Statement",
    nodes.Variable: "Variable",
    nodes.Concatenation: "Double Quoted String",
    nodes.Interpolation: "Expression in Interpolated String",
    nodes.UnaryMinus: "Unary Minus",
    nodes.Unfold: "Unfold",
    nodes.Lambda: "Lambda",
    nodes.List: "Array Expression",
    nodes.Hash: "Hash Expression",
    nodes.Reference: "Type-Name",
    nodes.Name: "Name",
    nodes.Render: "Epp Interpolated Expression",
}


def with_article(node: Node) -> str | None:
    """Return Puppet's name of an expression with its article; None for others.

    >>> with_article(nodes.Assignment(0, 1, "=", nodes.Undef(0, 1), nodes.Undef(0, 1), 0))
    "a '=' expression"
    """
    name = NAMES.get(node.__class__)
    if name is None:
        return None
    text = name if isinstance(name, str) else name(node)
    return f"{'an' if text.lstrip(chr(39))[0] in 'AEIOUYaeiouy' else 'a'} {text}"
