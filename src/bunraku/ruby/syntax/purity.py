"""Whether Ruby code of a template computes only from the variables that it reads by name.

Such a template has the same text for the same values, also if Ruby renders it. Everything that is not known to be
so is refused: methods and constants by name, and nodes by type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bunraku.ruby.syntax.erb import PUT, TEXT, Unsupported, ruby_text
from bunraku.ruby.syntax.tree import parse_ruby

if TYPE_CHECKING:
    from tree_sitter import Node

REFUSED_NODES = frozenset(
    [
        *("subshell", "global_variable", "class_variable", "class", "singleton_class", "module"),
        *("self", "super", "yield", "alias", "undef", "lambda", "singleton_method", "retry"),
        *("scope_resolution", "begin_block", "end_block", "file", "uninterpreted", "redo", "ERROR"),
        *("rescue", "rescue_modifier", "setter", "forward_argument", "forward_parameter"),
    ]
)
CONSTANTS = frozenset(
    [
        "Array",
        "Hash",
        "String",
        "Symbol",
        "Integer",
        "Fixnum",
        "Float",
        "Numeric",
        "NilClass",
        "TrueClass",
        "FalseClass",
    ]
)
METHODS = frozenset(
    [
        "each",
        "each_pair",
        "each_with_index",
        "each_index",
        "each_key",
        "each_value",
        "reverse_each",
        "each_slice",
        "times",
        "map",
        "collect",
        "flat_map",
        "select",
        "reject",
        "find",
        "detect",
        "find_all",
        "partition",
        "group_by",
        "sort",
        "sort_by",
        "uniq",
        "compact",
        "flatten",
        "join",
        "split",
        "strip",
        "lstrip",
        "rstrip",
        "chomp",
        "chop",
        "gsub",
        "sub",
        "tr",
        "squeeze",
        "delete",
        "delete_if",
        "keys",
        "values",
        "key?",
        "has_key?",
        "include?",
        "member?",
        "empty?",
        "nil?",
        "is_a?",
        "kind_of?",
        "instance_of?",
        "to_s",
        "to_i",
        "to_f",
        "to_a",
        "to_sym",
        "length",
        "size",
        "count",
        "first",
        "last",
        "push",
        "concat",
        "unshift",
        "merge",
        "update",
        "upcase",
        "downcase",
        "capitalize",
        "swapcase",
        "start_with?",
        "end_with?",
        "match",
        "match?",
        "any?",
        "all?",
        "none?",
        "max",
        "min",
        "sum",
        "reverse",
        "zip",
        "index",
        "fetch",
        "dig",
        "ljust",
        "rjust",
        "center",
        "values_at",
        "slice",
        "reduce",
        "inject",
        "upto",
        "downto",
        "even?",
        "odd?",
        "zero?",
        "abs",
        "succ",
        "next",
    ]
)
"""Methods of Ruby's own values that compute only from their receiver and arguments."""
OWN_CALLS = frozenset(
    {TEXT, PUT, "format", "sprintf", "has_variable?", "Array", "Integer", "String"}
)
SCOPE = "scope"
SCOPE_METHODS = frozenset({"lookupvar", "[]"})
PARAMETERS = frozenset(
    {"method_parameters", "block_parameters", "destructured_parameter", "optional_parameter"}
)
"""Nodes whose identifiers become variables."""
TARGETS = frozenset({"assignment", "operator_assignment"})
KERNEL = frozenset(
    [
        "rand",
        "srand",
        "gets",
        "fork",
        "exit",
        "abort",
        "binding",
        "caller",
        "sleep",
        "readline",
        "readlines",
        "local_variables",
        "global_variables",
        "block_given?",
        "__dir__",
        "__method__",
        "__callee__",
        "object_id",
        "hash",
        "inspect",
        "method",
    ]
)
"""Methods without arguments that a variable of the same name may not hide."""


def is_pure(text: str) -> bool:
    """Return whether a template computes only from the variables that it reads by name.

    >>> is_pure("<% def f(v) v.to_s.strip end %><%= f(@a) %> <%= scope.lookupvar('b') %>")
    True
    >>> [is_pure(f"<%= {one} %>") for one in ("Time.now", "rand", "`id`", "scope.x", "@a.send(:x)")]
    [False, False, False, False, False]
    """
    try:
        root = parse_ruby(ruby_text(text).code)
    except Unsupported:
        return False
    if root.has_error:
        return False
    nodes = list(nodes_below(root))
    methods = {content(one.child_by_field_name("name")) for one in nodes if one.type == "method"}
    if (methods | METHODS) & (KERNEL | {SCOPE}) or methods & METHODS:
        return False
    variables = set(variables_in(nodes)) - KERNEL - {SCOPE}
    return all(is_pure_node(one, methods, variables) for one in nodes)


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


def variables_in(nodes: list[Node]) -> Iterator[str]:
    """Yield the names that are assigned to, and those of parameters."""
    for node in nodes:
        if node.type in TARGETS:
            left = node.child_by_field_name("left")
            found = [] if left is None else [left, *left.children]
        elif node.type in PARAMETERS:
            found = node.children
        else:
            continue
        yield from [content(one) for one in found if one.type == "identifier"]


def is_pure_node(node: Node, methods: set[str], variables: set[str]) -> bool:
    """Return whether a node does nothing but compute, apart from the nodes in it."""
    if node.type in REFUSED_NODES:
        return False
    if node.type == "constant":
        return content(node) in CONSTANTS
    if node.type == "call":
        return is_pure_call(node, methods)
    if node.type == "block_argument":
        inner = node.named_children
        return (
            len(inner) == 1
            and inner[0].type == "simple_symbol"
            and content(inner[0])[1:] in METHODS
        )
    if node.type == "identifier":
        return is_pure_identifier(node, methods, variables)
    return True


def is_pure_call(node: Node, methods: set[str]) -> bool:
    """Return whether a method that is called is known."""
    receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
    name = content(method)
    if receiver is None:
        return name in OWN_CALLS or name in methods
    if receiver.type == "identifier" and content(receiver) == SCOPE:
        return name in SCOPE_METHODS
    return receiver.type != "constant" and name in METHODS


def is_pure_identifier(node: Node, methods: set[str], variables: set[str]) -> bool:
    """Return whether an identifier is a variable, a method of the template, or part of a call."""
    parent, name = node.parent, content(node)
    if parent is not None and parent.type in ("call", "method"):
        named_by = "method" if parent.type == "call" else "name"
        if parent.child_by_field_name(named_by) == node:
            return True  # the call was looked at
        if name == SCOPE and parent.child_by_field_name("receiver") == node:
            return True
    if name == SCOPE:
        return (
            parent is not None
            and parent.type == "element_reference"
            and parent.child_by_field_name("object") == node
        )
    return name in variables or name in methods
