"""Whether Ruby code reads only keys of the hash of all facts, so that it depends on no other facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bunraku.ruby.syntax.code_nodes import content, is_named_by, symbols_in
from bunraku.ruby.syntax.pure_names import SCOPES

if TYPE_CHECKING:
    from tree_sitter import Node

FACTS = frozenset({"'facts'", '"facts"', "'::facts'", '"::facts"'})
SCOPE_CALLS = SCOPES | {"find_global_scope", "topscope"}
LOOKUPS = frozenset({"lookupvar", "get_local_variable", "lookup_qualified_variable"})


def reads_facts_by_key(nodes: Sequence[Node], is_keyed: Callable[[Node], bool]) -> bool:
    """Return whether code reads only keys of what may be the hash of facts.

    The names of the other variables that it reads must be known, as must all that may be a scope.
    """
    return all(is_harmless(node, is_keyed) for node in nodes if node.is_named) and all(
        has_scope_first(node, nodes) for node in nodes if takes_scope(node)
    )


def is_harmless(node: Node, is_keyed: Callable[[Node], bool]) -> bool:
    """Return whether a node does not get hold of the hash of facts, or only reads keys of it."""
    kind = node.type
    if kind == "instance_variable":
        return content(node) != "@facts" or is_keyed(node)
    if kind == "element_reference":
        receiver, *keys = node.named_children
        return is_harmless_read(node, keys, is_scope(receiver), is_keyed)
    if kind == "call":
        method, arguments = node.child_by_field_name("method"), values_passed(node)
        if content(method) in LOOKUPS:
            return is_harmless_read(node, arguments, True, is_keyed)
        called = node.child_by_field_name("receiver")
        if content(method) == "[]" and called is not None:
            return is_harmless_read(node, arguments, is_scope(called), is_keyed)
    return not is_scope(node) or is_receiver(node)


def is_harmless_read(
    node: Node, arguments: Sequence[Node], is_variable: bool, is_keyed: Callable[[Node], bool]
) -> bool:
    """Return whether a read of a key or variable is not that of the facts, or only reads keys of them."""
    first = arguments[0] if arguments else None
    if content(first) in FACTS:
        return is_keyed(node)
    is_known = first is not None and first.type == "string" and "#{" not in content(first)
    return is_known or not is_variable


def values_passed(node: Node) -> Sequence[Node]:
    """Return the arguments of a call."""
    arguments = node.child_by_field_name("arguments")
    return [] if arguments is None else arguments.named_children


def is_scope(node: Node) -> bool:
    """Return whether an expression may be a scope: one by name, or a call that returns one."""
    if node.type == "call":
        return content(node.child_by_field_name("method")) in SCOPE_CALLS
    return node.type == "self" or (node.type == "identifier" and content(node) in SCOPE_CALLS)


def is_receiver(node: Node) -> bool:
    """Return whether a scope is only what a method is called on, or the name in a definition or call."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "call":
        return is_named_by(node, "receiver") or is_named_by(node, "method")
    if parent.type == "element_reference":
        return bool(parent.children[0] == node)
    if parent.type == "assignment":
        return (
            all(is_scope(one) for one in parent.named_children)
            and content(parent.children[0]) in SCOPES
        )
    return parent.type in ("method_parameters", "singleton_method", "singleton_class")


def takes_scope(node: Node) -> bool:
    """Return whether a node declares that a function gets the scope of its caller."""
    return node.type == "identifier" and content(node) == "scope_param"


def has_scope_first(node: Node, nodes: Sequence[Node]) -> bool:
    """Return whether the methods that get the scope of the caller call it ``scope``."""
    around = node.parent
    while around is not None and content(around.child_by_field_name("method")) != "dispatch":
        around = around.parent
    names = [] if around is None else symbols_in(around)
    methods = [
        one
        for one in nodes
        if one.type == "method" and content(one.child_by_field_name("name")) in names
    ]
    return bool(methods) and all(first_parameter(one) == "scope" for one in methods)


def first_parameter(method: Node) -> str:
    """Return the name of the first parameter of a method."""
    parameters = method.child_by_field_name("parameters")
    found = [] if parameters is None else parameters.named_children
    return content(found[0]) if found else ""
