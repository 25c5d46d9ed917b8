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
    nodes.Boolean: "Boolean",
    nodes.Integer: "Literal Integer",
    nodes.Float: "Literal Float",
    nodes.String: "String",
    nodes.Regexp: "Regular Expression",
    nodes.Default: "'default' expression",
    nodes.Undef: "'undef' expression",
    nodes.Heredoc: lambda node: f"'@({node.syntax or ''})' expression",
    nodes.Parenthesized: "Parenthesized Expression",
    nodes.ReservedWord: lambda node: f"Reserved Word '{node.word}'",
    nodes.Nop: "Nop Expression",
    nodes.Block: "Block Expression",
    nodes.Apply: "'apply' expression",
    nodes.Epp: "Epp Template",
    nodes.RenderString: "Epp Text",
    nodes.ClassDefinition: "Host Class Definition",
    nodes.DefineDefinition: "'define' expression",
    nodes.FunctionDefinition: "Function Definition",
    nodes.PlanDefinition: "Plan Definition",
    nodes.NodeDefinition: "Node Definition",
    nodes.TypeAlias: "Type Alias",
    nodes.TypeMapping: "Type Mapping",
    nodes.TypeDefinition: "Type Definition",
    nodes.List: "Array Expression",
    nodes.Hash: "Hash Expression",
    nodes.Reference: "Type-Name",
    nodes.Name: "Name",
    nodes.Render: "Epp Interpolated Expression",
}


KINDS = {
    "a class": "Host Class Definition",
    "a defined type": "'define' expression",
    "a function": "Function Definition",
    "a function call": "Function Call",
    "a collector": "Virtual Query",
    "a node": "Node Definition",
    "a plan": "Plan Definition",
    "a type alias": "Type Alias",
    "a type definition": "Type Definition",
    "a template": "Epp Template",
    "case statement": "'case' statement",
    "selector": "Selector Expression",
}
"""The names for bunraku's descriptions of what contains something."""


def expression_name(node: Node) -> str | None:
    """Return Puppet's name of an expression; None for others."""
    name = NAMES.get(node.__class__)
    return name if name is None or isinstance(name, str) else name(node)


def with_article(node: Node) -> str | None:
    """Return Puppet's name of an expression with its article; None for others.

    >>> with_article(nodes.Assignment(0, 1, "=", nodes.Undef(0, 1), nodes.Undef(0, 1), 0))
    "a '=' expression"
    """
    text = expression_name(node)
    if text is None:
        return None
    return f"{'an' if text.lstrip(chr(39))[0] in 'AEIOUYaeiouy' else 'a'} {text}"
