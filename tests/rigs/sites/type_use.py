"""The resource types that catalogs of real sites use, and those that modules declare.

A folder of catalogs has a folder for each site, and in it a file for each node; the facts of the nodes
are in a folder of the same shape.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bunraku.catalog.catalog import Catalog
from bunraku.jobs.fleet import FleetJudge, FleetNode, FleetOptions
from bunraku.jobs.fleet_sources import NodeCatalog, family_in
from bunraku.providers.registry import type_names

FEWEST_MODULES = 3
"""A type that no node uses counts if so many modules declare it."""
WITHOUT_TYPE = "bunraku does not have the type"
CONTAINERS = frozenset({"class", "node", "stage"})
DECLARATION = re.compile(r"(?:^|[\s;{}(@])@{0,2}([a-z][a-z0-9_]*)\s*\{\s*[^|\s]", re.MULTILINE)
CREATED = re.compile(r"create_resources\s*\(\s*['\"]?(?:::)?([a-z][a-z0-9_]*)")
COMMENT = re.compile(r"(?m)^\s*#.*$")


@dataclass
class TypeUse:
    """How often a type is used: nodes, sites, resources, providers, and declarations in modules."""

    nodes: int = 0
    sites: set[str] = field(default_factory=set)
    resources: int = 0
    providers: Counter[str] = field(default_factory=Counter)
    declarations: int = 0
    modules: set[str] = field(default_factory=set)

    def data(self) -> dict[str, Any]:
        """Return the numbers as data."""
        return {
            "nodes": self.nodes,
            "sites": len(self.sites),
            "resources": self.resources,
            "providers": dict(self.providers.most_common()),
            "declarations": self.declarations,
            "modules": len(self.modules),
        }


@dataclass
class Counted:
    """The use of all types, and what could manage the nodes."""

    types: dict[str, TypeUse] = field(default_factory=dict)
    nodes: list[FleetNode] = field(default_factory=list)
    lacks_without_types: list[frozenset[str]] = field(default_factory=list)
    """What each node would lack if bunraku had no types."""
    sites: set[str] = field(default_factory=set)
    modules: int = 0

    def add_catalogs(
        self, catalogs: Path, facts: Path, module_paths: Mapping[str, str] | None = None
    ) -> None:
        """Count the catalogs of all sites; ``module_paths`` has the modules of sites that are known."""
        known = module_paths or {}
        judges: dict[str, FleetJudge] = {}
        for path in sorted(catalogs.glob("*/*.json")):
            site, node = path.parent.name, path.stem
            if site not in judges:
                judges[site] = FleetJudge(FleetOptions([], module_path=known.get(site, "")))
            judge = judges[site]
            data = json.loads(path.read_bytes())
            beside = facts / site / path.name
            family = family_in(json.loads(beside.read_bytes())) if beside.exists() else None
            found = judge.node(NodeCatalog(node, data, family))
            if any(one.missing == "catalog" for one in found.lacks):
                continue
            self.nodes.append(found)
            self.lacks_without_types.append(frozenset(lacks_of_types(Catalog(data))))
            self.sites.add(site)
            if found.way != "none":
                self.add_resources(site, Catalog(data))

    def add_resources(self, site: str, catalog: Catalog) -> None:
        """Count the resources of a catalog."""
        used = set()
        for resource in catalog.resources:
            name = resource.type.lower()
            if name in CONTAINERS or "::" in name or resource.kind == "defined_type":
                continue
            use = self.types.setdefault(name, TypeUse())
            use.resources += 1
            use.sites.add(site)
            provider = resource.parameters.get("provider")
            if provider is not None:
                use.providers[str(provider)] += 1
            used.add(name)
        for name in used:
            self.types[name].nodes += 1

    def add_modules(self, modules: Iterable[Path]) -> None:
        """Count the declarations in the manifests of modules."""
        listed = list(modules)
        self.modules += len(listed)
        names = {path.stem for one in listed for path in one.glob("lib/puppet/type/*.rb")}
        names |= {*self.types, *type_names()}
        for module in listed:
            for name in declared(module):
                if name in names:
                    use = self.types.setdefault(name, TypeUse())
                    use.declarations += 1
                    use.modules.add(module.name)

    def added_to(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return numbers of an earlier count of more sites; types that bunraku has since then make nodes native."""
        listed = {one["lacks"]: dict(one) for one in data["next"]}
        native = data["native"]
        for node, lacks in zip(self.nodes, self.lacks_without_types, strict=True):
            before = [one for one in listed if one in lacks]
            if before and node.way == "native":
                native += 1
                listed[before[-1]]["native"] -= 1
                for one in before:
                    listed[one]["nodes"] -= 1
        left = [one for one in listed.values() if one["nodes"]]
        return {**data, "native": native, "next": left}

    def data(self) -> dict[str, Any]:
        """Return all numbers as data, the types of most nodes first."""
        ranked = sorted(
            self.types.items(),
            key=lambda pair: (-pair[1].nodes, -len(pair[1].modules), pair[0]),
        )
        usable = [one for one in self.nodes if (one.family or "").lower() != "windows"]
        return {
            "nodes": len(self.nodes),
            "sites": len(self.sites),
            "windows": len(self.nodes) - len(usable),
            "native": sum(1 for one in usable if one.way == "native"),
            "modules": self.modules,
            "next": list(greedy(usable)),
            "types": {
                name: use.data()
                for name, use in ranked
                if use.nodes or len(use.modules) >= FEWEST_MODULES
            },
        }


def lacks_of_types(catalog: Catalog) -> Iterator[str]:
    """Yield what a node lacks if bunraku has none of the types of its catalog."""
    for resource in catalog.resources:
        name = resource.type.lower()
        yield f"{name}: {WITHOUT_TYPE}"
        if name == "resources":
            purged = str(resource.parameters.get("name") or resource.title).lower()
            yield f"{name}: {WITHOUT_TYPE} {purged}"


def declared(module: Path) -> Iterator[str]:
    """Yield the names before braces in the manifests of a module, and those of ``create_resources``."""
    for path in sorted(module.glob("manifests/**/*.pp")):
        text = COMMENT.sub("", path.read_text("utf-8", "replace"))
        yield from DECLARATION.findall(text)
        yield from CREATED.findall(text)


def greedy(nodes: Iterable[FleetNode]) -> Iterator[Mapping[str, Any]]:
    """Yield what nodes lack, in the order in which adding it soonest makes most of them native.

    Each step takes what weighs most: a node counts for one divided by the square of what it lacks.
    """
    left = [{f"{one.type}: {one.reason}" for one in node.lacks} for node in nodes if node.lacks]
    while left:
        weights: dict[str, float] = {}
        for lacks in left:
            for one in lacks:
                weights[one] = weights.get(one, 0) + 1 / len(lacks) ** 2
        name = max(weights, key=lambda one: (weights[one], one))
        having = sum(1 for lacks in left if name in lacks)
        for lacks in left:
            lacks.discard(name)
        done = sum(1 for lacks in left if not lacks)
        left = [lacks for lacks in left if lacks]
        yield {"lacks": name, "nodes": having, "native": done}
