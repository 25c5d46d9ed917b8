"""What nodes of Ruby's syntax tree are: constants, names that get values, and the code around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bunraku.ruby.syntax.pure_names import listed_words

if TYPE_CHECKING:
    from tree_sitter import Node

PARAMETERS = listed_words(
    """
    method_parameters block_parameters lambda_parameters destructured_parameter optional_parameter
    keyword_parameter splat_parameter hash_splat_parameter block_parameter
    """
)
"""Nodes whose names become variables."""
TEXTS = frozenset({"string", "heredoc_beginning"})
WORDS = frozenset({"string_array", "symbol_array"})
LITERALS = listed_words(
    """
    integer float rational regex simple_symbol hash_key_symbol true false nil
    """
)
METHODS = frozenset({"method", "singleton_method"})
CLASSES = frozenset({"class", "module"})
LATER = METHODS | {"block", "do_block", "lambda"}
"""Nodes whose code does not run where it is written."""


def is_frozen(node: Node | None, literals: bool) -> bool:
    """Return whether a constant keeps its value: ``literals`` is whether texts cannot be changed."""
    if node is None:
        return False
    if node.type == "call" and content(node.child_by_field_name("method")) == "freeze":
        inner = node.child_by_field_name("receiver")
        return inner is not None and (is_literal(inner, literals) or inner.type in TEXTS)
    return is_literal(node, literals) and node.type not in ("array", "hash", *WORDS)


def is_literal(node: Node, literals: bool) -> bool:
    """Return whether an expression is made of constants that cannot be changed."""
    if node.type in TEXTS:
        return literals and all(one.type != "interpolation" for one in node.named_children)
    if node.type in WORDS:
        return literals or node.type == "symbol_array"
    if node.type in ("array", "hash", "pair", "range", "unary"):
        return all(
            is_literal(one, literals) for one in node.named_children if one.type != "comment"
        )
    return node.type in LITERALS


def bound_by(node: Node) -> Iterator[Node]:
    """Yield the names of variables that a node gives a value."""
    kind = node.type
    if kind in ("assignment", "operator_assignment"):
        left = node.child_by_field_name("left")
        found = [] if left is None else [left] if left.type == "identifier" else left_names(left)
    elif kind in PARAMETERS:
        found = [one for one in node.children if one.type == "identifier"]
    elif kind == "exception_variable":
        found = list(node.named_children)
    elif kind == "for":
        pattern = node.child_by_field_name("pattern")
        found = [] if pattern is None else list(nodes_below(pattern))
    else:
        found = []
    yield from [one for one in found if one.type == "identifier"]


def left_names(left: Node) -> list[Node]:
    """Return the names in the left side of an assignment of several values."""
    if left.type not in ("left_assignment_list", "rest_assignment", "destructured_left_assignment"):
        return []
    return [
        name
        for one in left.named_children
        for name in ([one] if one.type == "identifier" else left_names(one))
    ]


def method_around(node: Node) -> int:
    """Return where the method begins that a node is in; -1 outside of methods."""
    around = method_of(node)
    return -1 if around is None else around.start_byte


def method_of(node: Node) -> Node | None:
    """Return the method that a node is in."""
    around = node.parent
    while around is not None and around.type not in METHODS:
        around = around.parent
    return around


def owners(node: Node) -> Iterator[str]:
    """Yield the full names of the classes and modules around a node, the innermost first; the last is empty."""
    around = node.parent
    while around is not None:
        if around.type in CLASSES:
            yield full_name(around)
        around = around.parent
    yield ""


def owner_of(node: Node) -> str:
    """Return the full name of the innermost class or module around a node."""
    return next(owners(node))


def full_name(node: Node) -> str:
    """Return the full name of a class or module that a node defines."""
    name = content(node.child_by_field_name("name"))
    outer = "" if name.startswith("::") else owner_of(node)
    return f"{outer}::{name}" if outer else name.removeprefix("::")


def is_of_object(node: Node) -> bool:
    """Return whether code runs in a method of the objects of a class."""
    around = node.parent
    while around is not None and around.type != "class":
        if around.type in ("singleton_method", "singleton_class", "module"):
            return False
        around = around.parent
    return (
        around is not None
        and (found := method_of(node)) is not None
        and found.start_byte > (around.start_byte)
    )


def runs_at_load(node: Node) -> bool:
    """Return whether code runs when its file is loaded, once."""
    around = node.parent
    while around is not None and around.type not in LATER:
        around = around.parent
    return around is None


def is_named_by(node: Node, field: str) -> bool:
    """Return whether a node is in a field of the node around."""
    return node.parent is not None and node.parent.child_by_field_name(field) == node


def symbols_in(call: Node) -> list[str]:
    """Return the symbols among the arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    found = [] if arguments is None else arguments.named_children
    return [content(one)[1:] for one in found if one.type == "simple_symbol"]


def is_raised(node: Node) -> bool:
    """Return whether a class of errors is the argument of ``raise``."""
    arguments = node.parent
    call = None if arguments is None or arguments.type != "argument_list" else arguments.parent
    return call is not None and content(call.child_by_field_name("method")) in ("raise", "fail")


def called_around(node: Node, name: str) -> bool:
    """Return whether a node is in a call of a method."""
    around: Node | None = node
    while around is not None:
        if around.type == "call" and content(around.child_by_field_name("method")) == name:
            return True
        around = around.parent
    return False


def nodes_below(root: Node) -> Iterator[Node]:
    """Yield the nodes of a tree."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def content(node: Node | None) -> str:
    """Return the text of a node."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def names_a_method(node: Node, methods: frozenset[str]) -> bool:
    """Return whether ``inject`` or ``reduce`` gets a block, or the name of a known method."""
    if node.child_by_field_name("block") is not None:
        return True
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_children:
        return False
    last = arguments.named_children[-1]
    known = last.type == "simple_symbol" and content(last)[1:].strip("'\"") in methods
    return known or last.type == "block_argument"
