"""Descriptions of nodes in findings: the place, and the name of the node in the message.

A finding points at the operator of an expression, where it has one, else at its first character.
"""

from __future__ import annotations

import re

from bunraku.base.errors import Words
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Final
from bunraku.syntax import nodes

BLANK = lazy_pattern(r"(?:[ \t\r\n\f\v]+|#[^\n]*|/\*.*?\*/)*", re.DOTALL)


def place(node: nodes.Node, text: str) -> tuple[int, int]:
    """Return where a finding about a node points: character offsets, the end not included.

    An operator represents its expression. An access and a selector begin where the expression on
    their left begins, a method call at its parenthesis or dot.
    """
    end = node.end
    while isinstance(node, nodes.Access | nodes.Selector):
        node = node.left
    if isinstance(
        node,
        nodes.Arithmetic
        | nodes.Comparison
        | nodes.Match
        | nodes.In
        | nodes.And
        | nodes.Or
        | nodes.Assignment
        | nodes.Relationship,
    ):
        return node.operator_start, end
    if isinstance(node, nodes.MethodCall):
        after_name = skip_blank(text, node.name.end)
        called = text.startswith("(", after_name) and after_name < node.end
        return after_name if called else skip_blank(text, node.receiver.end), end
    if isinstance(node, nodes.Parameter):
        return text.index("$", node.start if node.type is None else node.type.end), end
    if isinstance(node, nodes.TypeAlias):
        return node.name_start, end
    if isinstance(node, nodes.TypeMapping):
        return node.left.start, end
    if isinstance(node, nodes.Entry):
        return skip_blank(text, node.key.end), end
    return node.start, end


def skip_blank(text: str, offset: int) -> int:
    """Return the offset of the token at or after an offset."""
    found = BLANK.match(text, offset)
    assert found is not None
    return found.end()


NOUNS: Final[dict[type, str]] = {
    nodes.Access: "an access with '[…]'",
    nodes.And: "an 'and' expression",
    nodes.Apply: "an 'apply' expression",
    nodes.Assignment: "an assignment",
    nodes.Block: "a block",
    nodes.Boolean: "a Boolean",
    nodes.Call: "a function call",
    nodes.Case: "a 'case' statement",
    nodes.ClassDefinition: "a class",
    nodes.Collector: "a collector",
    nodes.Concatenation: "a string",
    nodes.Default: "'default'",
    nodes.DefineDefinition: "a defined type",
    nodes.Epp: "a template",
    nodes.Float: "a number",
    nodes.FunctionDefinition: "a function",
    nodes.Hash: "a hash",
    nodes.Heredoc: "a heredoc",
    nodes.If: "an 'if' statement",
    nodes.In: "an 'in' expression",
    nodes.Integer: "a number",
    nodes.Interpolation: "an interpolation",
    nodes.Lambda: "a lambda",
    nodes.List: "an array",
    nodes.MethodCall: "a function call",
    nodes.Name: "a name",
    nodes.NamedAccess: "an access with '.'",
    nodes.NodeDefinition: "a node definition",
    nodes.Nop: "nothing",
    nodes.Not: "a '!' expression",
    nodes.Or: "an 'or' expression",
    nodes.Parenthesized: "an expression in parentheses",
    nodes.PlanDefinition: "a plan",
    nodes.Reference: "a type name",
    nodes.Regexp: "a regular expression",
    nodes.Render: "'<%='",
    nodes.RenderString: "the text of a template",
    nodes.ReservedWord: "a reserved word",
    nodes.Resource: "a resource",
    nodes.ResourceDefaults: "a resource default",
    nodes.ResourceOverride: "a resource override",
    nodes.Selector: "a selector",
    nodes.String: "a string",
    nodes.TypeAlias: "a type alias",
    nodes.TypeDefinition: "a type definition",
    nodes.TypeMapping: "a type mapping",
    nodes.UnaryMinus: "a '-' expression",
    nodes.Undef: "'undef'",
    nodes.Unfold: "a '*' expression",
    nodes.Unless: "an 'unless' statement",
    nodes.Variable: "a variable",
}


def noun(node: nodes.Node) -> Words:
    """Return the description of a node in messages, with its article."""

    def in_puppet() -> str:
        from bunraku.syntax.expression_names import with_article

        return with_article(node) or own

    if isinstance(node, nodes.Arithmetic | nodes.Comparison | nodes.Match | nodes.Relationship):
        own = f"a '{node.operator}' expression"
    else:
        own = NOUNS[node.__class__]
    return Words(own, in_puppet)


def bare_noun(node: nodes.Node) -> Words:
    """Return the description of a node at the start of a sentence; Puppet's has no article."""

    def in_puppet() -> str:
        from bunraku.syntax.expression_names import expression_name

        return expression_name(node) or str(noun(node))

    return Words(capitalized(noun(node)), in_puppet)


def capital(text: Words) -> Words:
    """Return a description with a capital first letter."""
    return Words(capitalized(text), lambda: capitalized(text.in_puppet()))


def capitalized(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[0].upper() + text[1:]


def of_kind(kind: str, phrase: str = "a {}") -> Words:
    """Return a kind of definition or statement; the phrase is for Puppet's name of it."""

    def in_puppet() -> str:
        from bunraku.syntax.expression_names import KINDS

        return phrase.format(KINDS[kind.lower()])

    return Words(kind, in_puppet)
