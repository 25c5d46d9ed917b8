"""Descriptions of nodes in findings: the place, and the name of the node in the message.

A finding points at the operator of an expression, where it has one, else at its first character.
"""

from __future__ import annotations

import re

from bunraku.base.errors import Words
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Final
from bunraku.syntax.nodes import (
    Access,
    And,
    Apply,
    Arithmetic,
    Assignment,
    Block,
    Boolean,
    Call,
    Case,
    ClassDefinition,
    Collector,
    Comparison,
    Concatenation,
    Default,
    DefineDefinition,
    Entry,
    Epp,
    Float,
    FunctionDefinition,
    Hash,
    Heredoc,
    If,
    In,
    Integer,
    Interpolation,
    Lambda,
    List,
    Match,
    MethodCall,
    Name,
    NamedAccess,
    Node,
    NodeDefinition,
    Nop,
    Not,
    Or,
    Parameter,
    Parenthesized,
    PlanDefinition,
    Reference,
    Regexp,
    Relationship,
    Render,
    RenderString,
    ReservedWord,
    Resource,
    ResourceDefaults,
    ResourceOverride,
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

BLANK = lazy_pattern(r"(?:[ \t\r\n\f\v]+|#[^\n]*|/\*.*?\*/)*", re.DOTALL)


def place(node: Node, text: str) -> tuple[int, int]:
    """Return where a finding about a node points: character offsets, the end not included.

    An operator represents its expression. An access and a selector begin where the expression on
    their left begins, a method call at its parenthesis or dot.
    """
    end = node.end
    while isinstance(node, Access | Selector):
        node = node.left
    if isinstance(
        node, Arithmetic | Comparison | Match | In | And | Or | Assignment | Relationship
    ):
        return node.operator_start, end
    if isinstance(node, MethodCall):
        after_name = skip_blank(text, node.name.end)
        called = text.startswith("(", after_name) and after_name < node.end
        return after_name if called else skip_blank(text, node.receiver.end), end
    if isinstance(node, Parameter):
        return text.index("$", node.start if node.type is None else node.type.end), end
    if isinstance(node, TypeAlias):
        return node.name_start, end
    if isinstance(node, TypeMapping):
        return node.left.start, end
    if isinstance(node, Entry):
        return skip_blank(text, node.key.end), end
    return node.start, end


def skip_blank(text: str, offset: int) -> int:
    """Return the offset of the token at or after an offset."""
    found = BLANK.match(text, offset)
    assert found is not None
    return found.end()


NOUNS: Final[dict[type, str]] = {
    Access: "an access with '[…]'",
    And: "an 'and' expression",
    Apply: "an 'apply' expression",
    Assignment: "an assignment",
    Block: "a block",
    Boolean: "a Boolean",
    Call: "a function call",
    Case: "a 'case' statement",
    ClassDefinition: "a class",
    Collector: "a collector",
    Concatenation: "a string",
    Default: "'default'",
    DefineDefinition: "a defined type",
    Epp: "a template",
    Float: "a number",
    FunctionDefinition: "a function",
    Hash: "a hash",
    Heredoc: "a heredoc",
    If: "an 'if' statement",
    In: "an 'in' expression",
    Integer: "a number",
    Interpolation: "an interpolation",
    Lambda: "a lambda",
    List: "an array",
    MethodCall: "a function call",
    Name: "a name",
    NamedAccess: "an access with '.'",
    NodeDefinition: "a node definition",
    Nop: "nothing",
    Not: "a '!' expression",
    Or: "an 'or' expression",
    Parenthesized: "an expression in parentheses",
    PlanDefinition: "a plan",
    Reference: "a type name",
    Regexp: "a regular expression",
    Render: "'<%='",
    RenderString: "the text of a template",
    ReservedWord: "a reserved word",
    Resource: "a resource",
    ResourceDefaults: "a resource default",
    ResourceOverride: "a resource override",
    Selector: "a selector",
    String: "a string",
    TypeAlias: "a type alias",
    TypeDefinition: "a type definition",
    TypeMapping: "a type mapping",
    UnaryMinus: "a '-' expression",
    Undef: "'undef'",
    Unfold: "a '*' expression",
    Unless: "an 'unless' statement",
    Variable: "a variable",
}


def noun(node: Node) -> Words:
    """Return the description of a node in messages, with its article."""

    def in_puppet() -> str:
        from bunraku.syntax.expression_names import with_article

        return with_article(node) or own

    if isinstance(node, Arithmetic | Comparison | Match | Relationship):
        own = f"a '{node.operator}' expression"
    else:
        own = NOUNS[node.__class__]
    return Words(own, in_puppet)


def bare_noun(node: Node) -> Words:
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
