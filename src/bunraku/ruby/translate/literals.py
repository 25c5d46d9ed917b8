"""Literals of Ruby in ERB templates as Python expressions."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.ruby.translate.nodes import content, named, source
from bunraku.ruby.translate.translator import Translator, expression_of

if TYPE_CHECKING:
    from tree_sitter import Node


ESCAPES = {
    "n": "\n",
    "t": "\t",
    "s": " ",
    "r": "\r",
    "0": "\0",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}
SINGLE_ESCAPE = lazy_pattern(r"\\(['\\])")
REGEXP_OPTIONS = {"i": 1, "x": 2, "m": 4}


# -- literals --------------------------------------------------------------------------------


@expression_of("nil")
def nil_value(ruby: Translator, _node: Node) -> ast.expr:
    """Translate ``nil``."""
    return ruby.constant(None)


@expression_of("true")
def true(ruby: Translator, _node: Node) -> ast.expr:
    """Translate ``true``."""
    return ruby.constant(True)


@expression_of("false")
def false(ruby: Translator, _node: Node) -> ast.expr:
    """Translate ``false``."""
    return ruby.constant(False)


@expression_of("integer")
def integer_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``12``: decimal digits."""
    digits = source(node)
    if not re.fullmatch(r"0|[1-9][0-9]*(_[0-9]+)*", digits) or len(digits) > 1000:
        raise ruby.refuse(node, f"the number {digits[:40]}")
    return ruby.constant(int(digits))


@expression_of("float")
def float_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``1.5``."""
    return ruby.constant(float(source(node)))


@expression_of("simple_symbol")
def simple_symbol(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``:name``."""
    return ruby.call(":symbol", ruby.constant(source(node)[1:]))


@expression_of("hash_key_symbol")
def hash_key_symbol(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``name:`` in a hash."""
    return ruby.call(":symbol", ruby.constant(source(node)))


@expression_of("string")
def string(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``'text'`` and ``"text #{value}"``."""
    parts = string_parts(ruby, node)
    if all(isinstance(part, str) for part in parts):
        return ruby.constant("".join(str(part) for part in parts))
    pieces: list[ast.expr] = [
        ruby.constant(part)
        if isinstance(part, str)
        else ruby.stamp(ast.FormattedValue(as_text(ruby, part), -1, None))
        for part in parts
    ]
    return ruby.stamp(ast.JoinedStr(pieces))


def string_parts(ruby: Translator, node: Node) -> list[str | ast.expr]:
    """Texts and interpolated values of a string."""
    opening = source(node.children[0])
    if opening not in ('"', "'") and not re.fullmatch(r"%[qQ]?[(\[{|!]", opening):
        raise ruby.refuse(node, "a string of this form")
    single = opening == "'" or opening.startswith("%q")
    if single and opening != "'" and "\\" in source(node):
        raise ruby.refuse(node, "a string of this form")
    parts: list[str | ast.expr] = []
    for child in named(node):
        if child.type == "string_content":
            content = source(child)
            parts.append(SINGLE_ESCAPE.sub(r"\1", content) if single else content)
        elif child.type == "escape_sequence":
            parts.append(escaped(ruby, child))
        elif child.type == "interpolation":
            parts.append(interpolated(ruby, child))
        else:
            raise ruby.refuse(child, "a string of this form")
    return parts


def escaped(ruby: Translator, node: Node) -> str:
    """Return the letter of an escape sequence in double quotes."""
    written = source(node)[1:]
    if written in ESCAPES:
        return ESCAPES[written]
    if written == "\n":
        return ""
    if len(written) == 1 and not written.isalnum() and written.isascii():
        return written
    if re.fullmatch(r"u[0-9a-fA-F]{4}", written) and not "d800" <= written[1:].lower() < "e000":
        return chr(int(written[1:], 16))
    raise ruby.refuse(node, f"the escape sequence \\{written[:10]}")


def interpolated(ruby: Translator, node: Node) -> ast.expr:
    """Return the content of ``#{}``."""
    inner = named(node)
    if len(inner) != 1:
        raise ruby.refuse(node, "an interpolation of several statements")
    return ruby.value(inner[0])


def as_text(ruby: Translator, value: ast.expr) -> ast.expr:
    """Return a value's ``to_s``."""
    if isinstance(value, ast.JoinedStr):
        return value
    if isinstance(value, ast.Constant) and value.value.__class__ is str:
        return value
    return ruby.call(":text", value)


@expression_of("string_array")
def string_array(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``%w(a b)``."""
    items: list[ast.expr] = []
    for child in named(node):
        parts = named(child)
        if "\\" in source(child) or any(part.type != "string_content" for part in parts):
            raise ruby.refuse(child, "a string of this form")
        items.append(ruby.constant(source(child)))
    return ruby.array(items)


@expression_of("array")
def array_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``[a, b]``."""
    return ruby.array(plain_values(ruby, named(node)))


def plain_values(ruby: Translator, nodes: list[Node]) -> list[ast.expr]:
    """Arguments or items, none of them a splat, a pair or a block."""
    return [ruby.value(node) for node in nodes if node.type != "comment"]


@expression_of("hash")
def hash_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``{ 'a' => 1, b: 2 }``."""
    made: list[ast.expr] = []
    for child in named(node):
        if child.type == "comment":
            continue
        key, value = (child.child_by_field_name(name) for name in ("key", "value"))
        if child.type != "pair" or key is None or value is None:
            raise ruby.refuse(child, "a hash of this form")
        made.append(ruby.tuple_of([hash_key(ruby, ruby.value(key)), ruby.value(value)]))
    return ruby.call(":Hash", ruby.tuple_of(made))


def hash_key(ruby: Translator, value: ast.expr) -> ast.expr:
    """Return the code for a key of a hash."""
    if isinstance(value, ast.Constant) and value.value.__class__ is str:
        return value
    return ruby.call(":plain_key", value)


@expression_of("regex")
def regex(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``/pattern/i``."""
    options = 0
    for letter in source(node.children[-1])[1:]:
        if letter not in REGEXP_OPTIONS:
            raise ruby.refuse(node, f"the option {letter} of a regular expression")
        options |= REGEXP_OPTIONS[letter]
    if any(child.type == "interpolation" for child in named(node)):
        raise ruby.refuse(node, "a regular expression with interpolation")
    data = content(node)
    start = node.children[0].end_byte - node.start_byte
    end = node.children[-1].start_byte - node.start_byte
    pattern = data[start:end].decode()
    return ruby.call(":regexp", ruby.constant(pattern), ruby.constant(options))
