"""The syntax trees of the manifests that a compile loaded: what stands on a line, and what surrounds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from bunraku.base.source import Source
from bunraku.runtime.state import Loader
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children
from bunraku.workbench.origins.origin import CodePlace

Owner = nodes.ClassDefinition | nodes.DefineDefinition | nodes.NodeDefinition
Holder = nodes.ResourceBody | nodes.ResourceDefaults | nodes.ResourceOverride | nodes.Collector
"""Nodes with attributes."""
HOLDERS = (
    nodes.ResourceBody,
    nodes.ResourceDefaults,
    nodes.ResourceOverride,
    nodes.Collector,
)
Call = nodes.Call | nodes.MethodCall
CALLS = (nodes.Call, nodes.MethodCall)


class ManifestTree:
    """The tree of one manifest: its nodes in order, and the parent of each."""

    def __init__(self, source: Source, loader: Loader) -> None:
        self.source = source
        self.program = loader.parse(source).program
        self.parents: dict[int, Node] = {}
        self.nodes: list[Node] = []
        self.add(self.program.body)
        self.assignments: dict[str, list[nodes.Assignment]] = {}
        """The assignments by the names of their variables."""
        for one in self.nodes:
            if isinstance(one, nodes.Assignment):
                for target in targets_of(one):
                    self.assignments.setdefault(target.name, []).append(one)

    def add(self, node: Node) -> None:
        """Add a node and those below it."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            self.nodes.append(node)
            for child in reversed(children(node)):
                self.parents[id(child)] = node
                waiting.append(child)

    def line(self, node: Node) -> int:
        """Return the line that a node starts on."""
        return self.source.line(node.start)

    def place(self, node: Node) -> CodePlace:
        """Return the place of a node; of a lambda, only the line that it begins on."""
        line = self.line(node)
        last = line if isinstance(node, nodes.Lambda) else self.source.line(node.end)
        return CodePlace(self.source.path, line, last if last > line else 0)

    def around(self, node: Node) -> Iterator[Node]:
        """Yield the nodes that a node is in, the innermost first."""
        while id(node) in self.parents:
            node = self.parents[id(node)]
            yield node

    def owner(self, node: Node) -> Owner | None:
        """Return the class, defined type or node definition that a node is in."""
        return next((one for one in self.around(node) if isinstance(one, Owner)), None)

    def controls(self, node: Node) -> list[Node]:
        """Return the expressions that decide whether, or how often, the code of a definition runs a node."""
        found: list[Node] = []
        inner = node
        for one in self.around(node):
            if isinstance(one, nodes.ClassDefinition | nodes.DefineDefinition):
                break
            if isinstance(one, nodes.If | nodes.Unless | nodes.Case):
                found += [one.test] if inner is not one.test else []
            elif isinstance(one, nodes.CaseOption):
                found += one.values
            elif isinstance(one, CALLS) and inner is one.block:
                found += [one.receiver] if isinstance(one, nodes.MethodCall) else []
                found += one.arguments
            inner = one
        return found

    def holders(self, line: int) -> list[Holder]:
        """Return the nodes with attributes that are stated on a line, the innermost first."""
        return [
            one for one in self.nodes if isinstance(one, HOLDERS) and line in self.lines_of(one)
        ]

    def lines_of(self, holder: Holder) -> set[int]:
        """Return the lines that a compile can have for a node with attributes."""
        lines = {self.line(holder), *map(self.line, holder.operations)}
        if isinstance(holder, nodes.ResourceBody):
            lines |= {self.line(holder.title), self.line(self.parents[id(holder)])}
        return lines

    def calls(self, line: int) -> list[Call]:
        """Return the calls of functions that are on a line, or reach over it, the smallest first."""
        found = [
            one
            for one in self.nodes
            if isinstance(one, CALLS) and self.line(one) <= line <= self.source.line(one.end)
        ]
        return sorted(found, key=lambda one: (self.line(one) != line, one.end - one.start))


def targets_of(assignment: nodes.Assignment) -> list[nodes.Variable]:
    """Return the variables that an assignment sets."""
    left = assignment.left
    targets = left.values if isinstance(left, nodes.List) else [left]
    return [one for one in targets if isinstance(one, nodes.Variable)]


class Trees:
    """The trees of manifests by path, made when they are first asked for."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self.made: dict[str, ManifestTree] = {}

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """The sources of the compile by path, which is empty for code without a file."""
        return {one.path: one for one in self.loader.sources.values()}

    def of(self, path: str | None, *, template: bool = False) -> ManifestTree | None:
        """Return the tree of a manifest, or of an EPP template; None for what was not loaded."""
        source = self.sources.get(path or "")
        if source is None or source.is_template is not template:
            return None
        if source.path not in self.made:
            self.made[source.path] = ManifestTree(source, self.loader)
        return self.made[source.path]

    def all(self) -> Iterator[ManifestTree]:
        """Yield the trees of all manifests in the order of their paths."""
        for path in sorted(self.sources):
            tree = self.of(path)
            if tree is not None:
                yield tree

    def definition(self, kind: str, name: str, path: str) -> tuple[ManifestTree, Owner] | None:
        """Return the tree and the node of a class or a defined type."""
        wanted = nodes.ClassDefinition if kind == "class" else nodes.DefineDefinition
        tree = self.of(path)
        for one in tree.nodes if tree is not None else ():
            if isinstance(one, wanted) and one.name.lower().removeprefix("::") == name:
                return (tree, one) if tree is not None else None
        return None


def attribute_of(holder: Holder, name: str) -> nodes.AttributeOperation | None:
    """Return the attribute of a name, or the hash that may have it."""
    splat = None
    for one in holder.operations:
        if isinstance(one, nodes.AttributeSplat):
            splat = one
        elif one.name == name:
            return one
    return splat


def call_arguments(call: Call) -> list[Node]:
    """Return the arguments of a call; the object of a call with a dot is the first."""
    before = [call.receiver] if isinstance(call, nodes.MethodCall) else []
    return [*before, *call.arguments]


def name_of_call(call: Call) -> str:
    """Return the name of the function that is called; empty for the call of a type."""
    callee = call.callee if isinstance(call, nodes.Call) else call.name
    return callee.value if isinstance(callee, nodes.Name | nodes.Reference) else ""
