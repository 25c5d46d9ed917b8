"""The nodes of definitions that a symbol names."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import FUNCTION, Kind, PuppetSymbol
from bunraku.workbench.editor.resolution import OWNERS
from bunraku.workbench.editor.snapshot import Snapshot


def definition_node(snapshot: Snapshot, one: IndexedDefinition) -> Node | None:
    """Return the node of a definition; None of one that is not in Puppet code."""
    parsed = snapshot.parsed(one.path)
    for node in parsed.program.definitions if parsed else ():
        if node.start == one.whole.start:
            return node
    return None


def definition_nodes(snapshot: Snapshot, kind: Kind, name: str) -> Iterator[Node]:
    """Yield the nodes of the definitions of a canonical name."""
    for one in snapshot.index.definitions(kind, name):
        node = definition_node(snapshot, one)
        if node is not None:
            yield node


def parameter_nodes(snapshot: Snapshot, symbol: PuppetSymbol) -> Iterator[nodes.Parameter]:
    """Yield the declarations of a parameter of a class, defined type or function."""
    kinds, owner = OWNERS, symbol.owner
    if owner.startswith(FUNCTION):
        kinds, owner = ("function",), owner.removeprefix(FUNCTION)
    for kind in kinds:
        for node in definition_nodes(snapshot, kind, owner):
            for one in getattr(node, "parameters", ()):
                if one.name == symbol.name:
                    yield one
