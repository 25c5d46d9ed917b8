"""Reading the nodes of tree-sitter's syntax trees of Ruby."""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING, Protocol
from bunraku.ruby.syntax.erb import Unsupported

if TYPE_CHECKING:
    from tree_sitter import Node


def source(node: Node) -> str:
    """Return the text of a node."""
    return content(node).decode()


def content(node: Node) -> bytes:
    """Return the bytes of a node."""
    text = node.text
    assert text is not None  # only trees that were edited have none
    return text


def named(node: Node) -> list[Node]:
    """Return the named children of a node, without comments."""
    return [child for child in node.named_children if child.type != "comment"]


def part(node: Node, name: str) -> Node:
    """Return a part that this type of node has; Unsupported where this one has none."""
    found = node.child_by_field_name(name)
    if found is None:
        raise Unsupported(f"'{node.type.replace('_', ' ')}' of this form")
    return found


def sides(node: Node) -> tuple[Node, Node]:
    """Return left and right of an operator or assignment."""
    return part(node, "left"), part(node, "right")


def operator_of(node: Node) -> str:
    """Return the operator of a node."""
    found = node.child_by_field_name("operator")
    return "" if found is None else source(found)


class Block(Protocol):
    """A block, or a lambda."""

    @property
    def start_point(self) -> tuple[int, int]:
        """Row and column, both from 0."""

    def child_by_field_name(self, name: str, /) -> Node | None:
        """Return a part of it."""


class Lambda:
    """A lambda with the parts that a block has."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.start_point = node.start_point

    def child_by_field_name(self, name: str) -> Node | None:
        """Return a part of it."""
        if name == "parameters":
            return self.node.child_by_field_name("parameters")
        body = self.node.child_by_field_name("body")
        return None if body is None else body.child_by_field_name("body")
