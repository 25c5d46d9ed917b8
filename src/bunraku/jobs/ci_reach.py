"""The nodes that a mistake in a manifest reaches: those whose catalogs have the code around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.engine.programs import parse_program
from bunraku.jobs.ci_result import line_of, with_nodes
from bunraku.runtime.node_names import node_name
from bunraku.syntax.nodes import (
    ClassDefinition,
    Default,
    DefineDefinition,
    Node,
    NodeDefinition,
    Regexp,
)
from bunraku.workbench.analysis.names import written_name
from bunraku.world.protocol import World

Container = tuple[str, str]
"""The kind and the name of a class, a defined type or a node definition."""


def is_in_manifest(finding: Diagnostic) -> bool:
    """Return whether a finding is a mistake on a line of a manifest."""
    return finding.severity == "error" and bool(finding.line) and str(finding.file).endswith(".pp")


class Reach:
    """What the new catalogs of nodes have; ``world`` has the manifests."""

    def __init__(self, world: World, dialect: Dialect) -> None:
        self.world = world
        self.dialect = dialect
        self.nodes: dict[Container, dict[str, None]] = {}

    def add(self, new: Mapping[str, Any] | None) -> None:
        """Take in the catalog of a node; None for one that has none."""
        if new is None:
            return
        for one in new["resources"]:
            kind = one["type"].lower()
            name = one["title"].lower() if kind in {"class", "node"} else ""
            self.nodes.setdefault((kind, name), {})[str(new["name"])] = None

    def named(
        self, findings: Sequence[Diagnostic], of_nodes: Sequence[Diagnostic]
    ) -> list[Diagnostic]:
        """Return findings of which mistakes in manifests name their nodes; ``of_nodes`` name them already."""
        known = {(one.code, line_of(one)) for one in of_nodes}
        return [
            self.with_names(one)
            if is_in_manifest(one) and (one.code, line_of(one)) not in known
            else one
            for one in findings
        ]

    def with_names(self, finding: Diagnostic) -> Diagnostic:
        """Return a mistake with the names of its nodes; those of a function are not known."""
        nodes = [node for one in self.containers(finding) for node in self.nodes.get(one, ())]
        return with_nodes(finding, list(dict.fromkeys(nodes)), "reaches") if nodes else finding

    def containers(self, finding: Diagnostic) -> Sequence[Container]:
        """Return what a catalog has if it has the code of a line: one name, or several of a node definition."""
        path = str(finding.file)
        try:
            text = self.world.read(path).decode("utf-8", "surrogateescape")
        except OSError:
            return ()
        source = Source(text, path)
        around = [
            one
            for one in parse_program(source, self.dialect).program.definitions
            if source.line(one.start) <= (finding.line or 0) <= source.line(one.end)
        ]
        return names_of(max(around, key=lambda one: one.start)) if around else ()


def names_of(definition: Node) -> Sequence[Container]:
    """Return how a catalog names what a definition makes; nothing for functions and types."""
    match definition:
        case ClassDefinition(name=name):
            return [("class", name.lower().removeprefix("::"))]
        case DefineDefinition(name=name):
            return [(name.lower().removeprefix("::"), "")]
        case NodeDefinition(matches=matches):
            return [("node", name_of_node(one)) for one in matches]
    return ()


def name_of_node(match: Node) -> str:
    """Return the name that a catalog has for a name or a pattern of a node definition."""
    if isinstance(match, Default):
        return node_name("default", "")
    if isinstance(match, Regexp):
        return node_name("regexp", match.pattern)
    return node_name("name", written_name(match) or "")
