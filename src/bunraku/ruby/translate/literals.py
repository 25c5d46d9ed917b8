"""Literals of Ruby in ERB templates as Python expressions."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.ruby.translate.names import Maker

Node = Any
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


class Literals(Maker):
    """Makes Python expressions of literals."""

    @abstractmethod
    def value(self, node: Node) -> ast.expr:
        """A node as an expression."""

    # -- literals --------------------------------------------------------------------------------

    def on_nil(self, _node: Node) -> ast.expr:
        """``nil``."""
        return self.constant(None)

    def on_true(self, _node: Node) -> ast.expr:
        """``true``."""
        return self.constant(True)

    def on_false(self, _node: Node) -> ast.expr:
        """``false``."""
        return self.constant(False)

    def on_integer(self, node: Node) -> ast.expr:
        """``12``: decimal digits."""
        digits = source(node)
        if not re.fullmatch(r"0|[1-9][0-9]*(_[0-9]+)*", digits) or len(digits) > 1000:
            raise self.refuse(node, f"the number {digits[:40]}")
        return self.constant(int(digits))

    def on_float(self, node: Node) -> ast.expr:
        """``1.5``."""
        return self.constant(float(source(node)))

    def on_simple_symbol(self, node: Node) -> ast.expr:
        """``:name``."""
        return self.call(":symbol", self.constant(source(node)[1:]))

    def on_hash_key_symbol(self, node: Node) -> ast.expr:
        """``name:`` in a hash."""
        return self.call(":symbol", self.constant(source(node)))

    def on_string(self, node: Node) -> ast.expr:
        """``'text'`` and ``"text #{value}"``."""
        parts = self.string_parts(node)
        if all(isinstance(part, str) for part in parts):
            return self.constant("".join(str(part) for part in parts))
        pieces = [
            self.constant(part)
            if isinstance(part, str)
            else self.stamp(ast.FormattedValue(self.as_text(part), -1, None))
            for part in parts
        ]
        found: ast.expr = self.stamp(ast.JoinedStr(pieces))
        return found

    def string_parts(self, node: Node) -> list[str | ast.expr]:
        """Texts and interpolated values of a string."""
        opening = source(node.children[0])
        if opening not in ('"', "'") and not re.fullmatch(r"%[qQ]?[(\[{|!]", opening):
            raise self.refuse(node, "a string of such a form")
        single = opening == "'" or opening.startswith("%q")
        if single and opening != "'" and "\\" in source(node):
            raise self.refuse(node, "a string of such a form")
        parts: list[str | ast.expr] = []
        for child in named(node):
            if child.type == "string_content":
                content = source(child)
                parts.append(SINGLE_ESCAPE.sub(r"\1", content) if single else content)
            elif child.type == "escape_sequence":
                parts.append(self.escape(child))
            elif child.type == "interpolation":
                parts.append(self.interpolated(child))
            else:
                raise self.refuse(child, "a string of such a form")
        return parts

    def escape(self, node: Node) -> str:
        """The letter of an escape sequence in double quotes."""
        written = source(node)[1:]
        if written in ESCAPES:
            return ESCAPES[written]
        if written == "\n":
            return ""
        if len(written) == 1 and not written.isalnum() and written.isascii():
            return written
        if re.fullmatch(r"u[0-9a-fA-F]{4}", written) and not "d800" <= written[1:].lower() < "e000":
            return chr(int(written[1:], 16))
        raise self.refuse(node, f"the escape sequence \\{written[:10]}")

    def interpolated(self, node: Node) -> ast.expr:
        """What stands in ``#{}``."""
        inner = named(node)
        if len(inner) != 1:
            raise self.refuse(node, "an interpolation of several statements")
        return self.value(inner[0])

    def as_text(self, value: ast.expr) -> ast.expr:
        """A value's ``to_s``."""
        if isinstance(value, ast.JoinedStr):
            return value
        if isinstance(value, ast.Constant) and value.value.__class__ is str:
            return value
        return self.call(":text", value)

    def on_string_array(self, node: Node) -> ast.expr:
        """``%w(a b)``."""
        items = []
        for child in named(node):
            parts = named(child)
            if "\\" in source(child) or any(part.type != "string_content" for part in parts):
                raise self.refuse(child, "a string of such a form")
            items.append(self.constant(source(child)))
        return self.array(items)

    def on_array(self, node: Node) -> ast.expr:
        """``[a, b]``."""
        return self.array(self.plain_values(named(node)))

    def plain_values(self, nodes: list[Node]) -> list[ast.expr]:
        """Arguments or items, none of them a splat, a pair or a block."""
        return [self.value(node) for node in nodes if node.type != "comment"]

    def on_hash(self, node: Node) -> ast.expr:
        """``{ 'a' => 1, b: 2 }``."""
        made = []
        for child in named(node):
            if child.type == "comment":
                continue
            key, value = (child.child_by_field_name(name) for name in ("key", "value"))
            if child.type != "pair" or key is None or value is None:
                raise self.refuse(child, "a hash of such a form")
            made.append(self.sequence([self.key(self.value(key)), self.value(value)]))
        return self.call(":Hash", self.sequence(made))

    def key(self, value: ast.expr) -> ast.expr:
        """What stands for a key of a hash."""
        if isinstance(value, ast.Constant) and value.value.__class__ is str:
            return value
        return self.call(":plain_key", value)

    def on_regex(self, node: Node) -> ast.expr:
        """``/pattern/i``."""
        options = 0
        for letter in source(node.children[-1])[1:]:
            if letter not in REGEXP_OPTIONS:
                raise self.refuse(node, f"the option {letter} of a regular expression")
            options |= REGEXP_OPTIONS[letter]
        if any(child.type == "interpolation" for child in named(node)):
            raise self.refuse(node, "a regular expression with interpolation")
        data = node.text
        start = node.children[0].end_byte - node.start_byte
        end = node.children[-1].start_byte - node.start_byte
        pattern = data[start:end].decode()
        return self.call(":regexp", self.constant(pattern), self.constant(options))


def source(node: Node) -> str:
    """The text of a node."""
    found: str = node.text.decode()
    return found


def named(node: Node) -> list[Node]:
    """The named children of a node, without comments."""
    return [child for child in node.named_children if child.type != "comment"]
