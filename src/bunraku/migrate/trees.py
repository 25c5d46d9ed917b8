"""The syntax tree of a manifest of the old language: the nodes by place, and their parents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bunraku.base.source import Source, Span
from bunraku.migrate.marked import modern_number
from bunraku.syntax import nodes
from bunraku.syntax.nodes import FIELDS, Node, Program, children

NUMBER_CALL: Final = "number as written"
"""The function that numbers in code are calls of, in a run that is watched."""

PLACED = tuple(kind for kind in FIELDS if kind not in (Node, nodes.Interpolation))
"""Nodes that are found by place; an interpolation has the same place as its content."""
SIMPLE = (nodes.Variable, nodes.String, nodes.Name, nodes.Boolean, nodes.Undef)


class Tree:
    """A program's nodes by their place, and the node above each."""

    def __init__(self, source: Source, program: Program) -> None:
        self.source = source
        self.program = program
        self.by_place: dict[tuple[int, int], list[Node]] = {}
        self.above: dict[int, Node] = {}
        self.unknown: dict[int, str] = {}  # unset variables and their replacements
        self.numbers: dict[tuple[int, int], Node] = {}
        late: list[Node] = []  # whose code has the position of their last character
        roots = [program.body, *program.definitions]
        stack: list[Node] = list(roots)
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            self.by_place.setdefault((node.start, node.end), []).append(node)
            if isinstance(node, nodes.Resource | nodes.Selector):
                late.append(node)
            for child in children(node):
                self.above.setdefault(id(child), node)
                stack.append(child)
        for node in late:
            self.by_place.setdefault((node.end - 1, node.end), []).append(node)

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, by their place."""
        for place in sorted(self.by_place):
            for node in self.by_place[place]:
                if node.start == place[0]:
                    yield node

    def span(self, node: Node) -> Span:
        """Return the place of a node."""
        return self.source.span(node.start, node.end)

    def text(self, node: Node) -> str:
        """Return a node as written."""
        return self.source.text[node.start : node.end]

    def parent(self, node: Node) -> Node | None:
        """Return the node above one."""
        return self.above.get(id(node))

    def find(self, start: int, end: int, *kinds: type) -> Any:
        """Return the node at a place, of one of the kinds if any are given."""
        for node in self.by_place.get((start, end), ()):
            if isinstance(node, kinds or PLACED):
                return node
        return None

    def expression(self, node: Node) -> str | None:
        """Return an expression outside strings if it may be written twice, else None."""
        if isinstance(node, nodes.Parenthesized):
            return self.expression(node.expression)
        if isinstance(node, nodes.Variable):
            return self.unknown.get(node.start, f"${node.name}")
        if isinstance(node, nodes.Access) and isinstance(node.left, nodes.Variable | nodes.Access):
            left = self.expression(node.left)
            return left and f"{left}[{', '.join(map(self.text, node.keys))}]"
        return self.text(node) if isinstance(node, SIMPLE) else None


def mark_literals(tree: Tree) -> None:
    """Change a tree so that its run can be watched: numbers become calls, which distinguish them from text
    that looks the same; text to compare with is put in parentheses, so it is left to a helper.
    """
    for node in list(tree.nodes()):
        if isinstance(node, nodes.Comparison) and isinstance(node.right, nodes.String | nodes.Name):
            if not in_query(tree, node):
                put_in_parentheses(node)
        for field in FIELDS[node.__class__]:
            if (node.__class__, field) in NAMES:
                continue
            value = getattr(node, field)
            if isinstance(value, nodes.Name):
                setattr(node, field, number_call(tree, value))
            elif isinstance(value, list):
                value[:] = [
                    number_call(tree, item) if isinstance(item, nodes.Name) else item
                    for item in value
                ]


def put_in_parentheses(node: nodes.Comparison) -> None:
    """Put the right side of a comparison in parentheses."""
    right = node.right
    if isinstance(right, nodes.Name) and modern_number(right.value) is not None:
        return
    node.right = nodes.Parenthesized(right.start, right.end, right)  # type: ignore[misc]


NAMES = frozenset(
    {
        (nodes.Call, "callee"),
        (nodes.Resource, "type_name"),
        (nodes.NodeDefinition, "matches"),
        (nodes.NodeDefinition, "parent"),
        (nodes.Query, "expression"),
        (nodes.MethodCall, "name"),
    }
)
"""Places in which a bare word is not a value."""


def number_call(tree: Tree, name: nodes.Name) -> Node:
    """Return a bare word; a call if it is a number."""
    if modern_number(name.value) is None or in_query(tree, name):
        return name
    tree.numbers[name.start, name.end] = name
    start, end = name.start, name.end
    text = nodes.String(start, end, name.value)
    return nodes.Call(start, end, nodes.Name(start, end, NUMBER_CALL), [text], None, True)


def in_query(tree: Tree, node: Node) -> bool:
    """Return whether a node is part of a collector's query."""
    above = tree.parent(node)
    while above is not None:
        if isinstance(above, nodes.Query):
            return True
        above = tree.parent(above)
    return False
