"""Literals of Ruby, read from the syntax tree without running anything, and why other code is none."""

from __future__ import annotations

import re

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import record
from bunraku.ruby.translate.nodes import named

if TYPE_CHECKING:
    from tree_sitter import Node

ESCAPES = {"n": "\n", "t": "\t", "s": " ", "r": "\r", "0": "\0", "e": "\x1b", "\n": ""}
SINGLE_QUOTED = ("'", "%q")
CONDITIONS = "a condition"
LOOP = "a loop or a block"
REASONS = {
    "assignment": "a variable",
    "operator_assignment": "a variable",
    "identifier": "the variable or method '{text}'",
    "global_variable": "the variable '{text}'",
    "instance_variable": "the variable '{text}'",
    "constant": "the constant '{text}'",
    "scope_resolution": "the constant '{text}'",
    "interpolation": "a text with #{{…}}",
    "method": "the definition of a method",
    "binary": "an operator",
    "unary": "an operator",
    "element_reference": "an element of '{text}'",
    "if": CONDITIONS,
    "unless": CONDITIONS,
    "case": CONDITIONS,
    "conditional": CONDITIONS,
    "if_modifier": CONDITIONS,
    "unless_modifier": CONDITIONS,
    "while": LOOP,
    "until": LOOP,
    "for": LOOP,
    "block": LOOP,
    "do_block": LOOP,
    "call": "a call of '{text}'",
    "hash_splat_argument": "an unpacked hash",
    "splat_argument": "an unpacked array",
    "escape_sequence": "the escape sequence '{text}'",
    "heredoc_beginning": "a here-document",
    "subshell": "a command",
    "block_argument": LOOP,
    "begin": "a block of statements",
}
"""Type of a node → what it is, for people; ``text`` is the beginning of its first line."""
LONGEST = 40


@record(frozen=True)
class Symbol:
    """A symbol such as ``:latest``."""

    name: str


@record(frozen=True)
class Collection:
    """An array or a hash whose elements do not matter; ``kind`` is the name for people."""

    kind: str


Literal = str | Symbol | int | float | bool | Collection | None


class NotLiteral(Exception):
    """Code that has to be run to know its value; ``node`` is the first such part."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.type)
        self.node = node


def literal(node: Node) -> Literal:
    """Return the value of a literal; raise NotLiteral for other code."""
    while node.type == "parenthesized_statements" and len(inner := named(node)) == 1:
        node = inner[0]
    kind = node.type
    if kind in CONSTANTS:
        return CONSTANTS[kind]
    if kind in ("string", "chained_string"):
        return text(node)
    if kind in ("simple_symbol", "delimited_symbol", "hash_key_symbol"):
        return symbol(node)
    if kind in ("array", "string_array", "symbol_array"):
        return Collection("an array")
    if kind == "hash":
        return Collection("a hash")
    if kind in ("integer", "float"):
        return number(node)
    raise NotLiteral(node)


CONSTANTS: dict[str, Literal] = {"nil": None, "true": True, "false": False}


def symbol(node: Node) -> Symbol:
    """Return the symbol that ``:name``, ``:'name'`` or the key ``name:`` spells."""
    if node.type == "delimited_symbol":
        return Symbol(text(node))
    return Symbol(code(node).strip(":"))


def number(node: Node) -> int | float:
    """Return the value of a number in decimal digits."""
    digits = code(node).replace("_", "")
    try:
        return float(digits) if node.type == "float" else int(digits)
    except ValueError:
        raise NotLiteral(node) from None


def text(node: Node) -> str:
    """Return the text of a string in quotes, or of several strings side by side."""
    if node.type == "chained_string":
        return "".join(text(part) for part in node.named_children)
    opening, closing = code(node.children[0]).lstrip(":"), code(node.children[-1])
    is_single = opening.startswith(SINGLE_QUOTED)
    parts = "".join(part_of_text(part) for part in node.named_children)
    if not is_single or "\\" not in parts:
        return parts
    return re.sub(rf"\\([\\{re.escape(opening[-1])}{re.escape(closing)}])", r"\1", parts)


def part_of_text(node: Node) -> str:
    """Return the text of a part of a string; those in single quotes have one part, with its escapes."""
    written = code(node)
    if node.type == "string_content":
        return written
    escaped = written[1:]
    if node.type == "escape_sequence" and (escaped in ESCAPES or not escaped.isalnum()):
        return ESCAPES.get(escaped, escaped)
    raise NotLiteral(node)


def element_of(pair: Node) -> tuple[Literal, Literal]:
    """Return key and value of an element of a hash.

    The key is a symbol in ``'name': 1`` and a string in ``'name' => 1``.
    """
    key, value = (pair.child_by_field_name(part) for part in ("key", "value"))
    if key is None or value is None:
        raise NotLiteral(pair)
    found = literal(key)
    if isinstance(found, str) and code(pair.children[1]) == ":":
        found = Symbol(found)
    return found, literal(value)


def code(node: Node) -> str:
    """Return the code of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def construct_name(node: Node) -> str:
    """Return the name of a construct that is not a literal, as people call it.

    >>> from bunraku.ruby.syntax.grammar import parse
    >>> construct_name(parse(b"ENV['branch']").children[0])
    "an element of 'ENV'"
    """
    named_part = node.child_by_field_name(
        {"call": "method", "element_reference": "object"}.get(node.type, "")
    )
    first_line = code(named_part or node).partition("\n")[0][:LONGEST]
    default = node.type.replace("_", " ")
    return REASONS.get(node.type, f"code of the kind '{default}'").format(text=first_line)
