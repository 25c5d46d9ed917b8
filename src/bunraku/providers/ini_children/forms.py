"""Ruby code in one form: without comments, layout, kinds of quotes and names of block parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.ruby.syntax.tree import parse_ruby

SEPARATED = frozenset({"body_statement", "block_body", "then", "program"})
"""The nodes whose children are statements."""
BLOCKS = frozenset({"block", "do_block"})
AMBIGUOUS = frozenset('\\"#')
"""What texts in single and double quotes write differently."""
UNBOUND: Mapping[str, str] = {}


def ruby_statements(node: Any) -> list[Any]:
    """Return the statements of a node without comments."""
    return [one for one in node.named_children if one.type != "comment"]


def ruby_tree(source: str) -> Any:
    """Return the syntax tree of a Ruby file, None if it is not Ruby."""
    root = parse_ruby(source)
    return None if root.has_error else root


def form(node: Any, names: Mapping[str, str] = UNBOUND) -> str:
    """Return the code of a node in its normal form; ``names`` renames parameters.

    >>> form(ruby_tree("a :b => 'c' # d")) == form(ruby_tree('a(b: "c")'))
    True
    """
    match node.type:
        case "comment":
            return ""
        case "identifier":
            return names.get(text(node), text(node))
        case "string" | "regex":
            return literal_form(node, names)
        case "pair":
            return f"{pair_key(node, names)}: {form(node.child_by_field_name('value'), names)}"
        case "argument_list":
            return f"({', '.join(form(one, names) for one in ruby_statements(node))})"
        case "block" | "do_block" | "method" | "singleton_method":
            return scope_form(node, names)
        case "else":
            return f"else {joined(node, names)}"
        case kind if kind in SEPARATED:
            return joined(node, names)
    if not node.children:
        return text(node)
    inner = (form(one, names) for one in node.children if one.type not in {";", "\n"})
    return " ".join(filter(None, inner))


def joined(node: Any, names: Mapping[str, str]) -> str:
    """Return the statements of a node."""
    return "; ".join(form(one, names) for one in ruby_statements(node))


def text(node: Any) -> str:
    """Return the text of a node."""
    return bytes(node.text).decode("utf-8", "surrogateescape")


def literal_form(node: Any, names: Mapping[str, str]) -> str:
    """Return a text or a pattern with one kind of delimiters."""
    start, *parts, end = node.children
    inner = "".join(form(one, names) if one.children else text(one) for one in parts)
    if node.type == "regex":
        return f"/{inner.replace(chr(92) + '/', '/')}/{text(end)[1:]}"
    if text(start) == "'" and AMBIGUOUS.isdisjoint(inner):
        return f'"{inner}"'
    return f"{text(start)}{inner}{text(end)}"


def pair_key(node: Any, names: Mapping[str, str]) -> str:
    """Return the key of a pair; symbols are written without colons."""
    key = node.child_by_field_name("key")
    if key.type in {"hash_key_symbol", "simple_symbol"}:
        return text(key).strip(":")
    return f"{form(key, names)} =>"


def scope_form(node: Any, names: Mapping[str, str]) -> str:
    """Return a block or a method; its parameters are numbered."""
    listed = node.child_by_field_name("parameters")
    inner = ruby_statements(listed) if listed is not None else []
    plain = [text(one) for one in inner if one.type == "identifier"]
    names = {**names, **{name: f"${number}" for number, name in enumerate(plain, 1)}}
    head = "do" if node.type in BLOCKS else f"def {method_name(node)}"
    shown = "".join(f" {form(one, names)}" for one in inner)
    return f"{head}{shown}: {body_form(node, names)} end"


def body_form(node: Any, names: Mapping[str, str]) -> str:
    """Return the statements of a block or a method."""
    body = node.child_by_field_name("body")
    return "" if body is None else form(body, names)


def method_name(node: Any) -> str:
    """Return the name of a method, with ``self.`` for a method of the class."""
    own = "self." if node.type == "singleton_method" else ""
    return own + text(node.child_by_field_name("name"))
