"""Which modules need which: as the lock file says it, else the metadata of what is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.deployment import issues
from bunraku.deployment.lock_file import kind_of_source
from bunraku.deployment.locked_sources import absolute
from bunraku.deployment.site_contents import Log
from bunraku.jobs.module_locking import Dependency, dependencies_in, is_slug, locked_text
from bunraku.jobs.module_site import ModuleSite, ModulesOptions
from bunraku.project.declared_modules import DeclaredModule
from bunraku.project.missing import asked_for


@record(frozen=True)
class GraphModule:
    """A module: its name with the owner, its version, what it needs, and its declaration.

    ``module`` is None for one that is there only because others need it. ``version`` is empty for one that is not
    there. ``locked`` is the version in the lock file, ``installed`` that in the directory.
    """

    name: str
    slug: str
    version: str
    dependencies: tuple[Dependency, ...] = ()
    module: DeclaredModule | None = None
    locked: str = ""
    installed: str = ""
    directory: str = ""

    @property
    def asked(self) -> str:
        """What the declaration asks for."""
        return "" if self.module is None else asked_for(self.module)

    @property
    def kind(self) -> str:
        """The kind of the source; ``local`` for a module of the project."""
        return "" if self.module is None else kind_of_source(self.module) or "local"


Graph = Mapping[str, GraphModule]


def read_graph(options: ModulesOptions, log: Log = lambda _level, _text: None) -> Graph:
    """Return the modules of a project by their names. Raise PuppetError."""
    with ModuleSite(options, log) as site:
        declared = {one.directory: one for one in site.declarations.modules}
        locked = (
            {}
            if site.lock is None
            else {absolute(one, site.declarations.root): one for one in site.lock.modules}
        )
        graph = {}
        for directory in dict.fromkeys([*declared, *locked]):
            module, lock = declared.get(directory), locked.get(directory)
            metadata = read_metadata(directory)
            name = os.path.basename(directory)
            owner = f"{module.owner}-{name}" if module and module.owner else name
            slug = str(metadata.get("name") or (lock.slug if lock else "") or owner)
            slug = slug.replace("/", "-")
            installed = str(metadata.get("version") or "")
            needs = lock.dependencies if lock else dependencies_in(metadata)
            text = locked_text(lock) if lock else ""
            graph[name] = GraphModule(
                name,
                slug,
                (lock.version if lock else "") or installed or text,
                tuple(Dependency(slug, other, versions) for other, versions in needs),
                module,
                text,
                installed,
                directory,
            )
        return graph


def read_metadata(directory: str) -> dict[str, Any]:
    """Return the metadata of an installed module; nothing for damaged or absent metadata."""
    try:
        found = json.loads(read_whole(f"{directory}/metadata.json").decode("utf-8", "replace"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def named_module(graph: Graph, name: str) -> GraphModule:
    """Return the module, declared or needed, with a name; raise UNKNOWN_DEPENDENCY."""
    plain = name.replace("/", "-")
    plain = plain.partition("-")[2] if is_slug(plain) else plain
    if plain in graph:
        return graph[plain]
    for one in graph.values():
        for need in one.dependencies:
            if need.name == plain:
                return GraphModule(plain, need.slug, "")
    known = {*graph, *(need.name for one in graph.values() for need in one.dependencies)}
    raise issues.UNKNOWN_DEPENDENCY(name=name, near=suggestion(plain, known))


def chains(graph: Graph, name: str) -> Iterator[Sequence[GraphModule]]:
    """Yield the shortest chain from each declared module that leads to a module, itself first if declared.

    Each chain begins with a module of the Puppetfile and ends with the one that is asked for.
    """
    for start in graph.values():
        if start.module is not None:
            found = shortest(graph, start, name)
            if found:
                yield found


def shortest(graph: Graph, start: GraphModule, name: str) -> Sequence[GraphModule]:
    """Return the shortest chain of dependencies from a module to another one; empty without one."""
    waiting: list[list[GraphModule]] = [[start]]
    seen = {start.name}
    while waiting:
        chain = waiting.pop(0)
        if chain[-1].name == name:
            return chain
        for need in chain[-1].dependencies:
            if need.name not in seen:
                seen.add(need.name)
                waiting.append(
                    [*chain, graph.get(need.name) or GraphModule(need.name, need.slug, "")]
                )
    return []


def tree_data(graph: Graph) -> dict[str, Any]:
    """Return the modules with what they need for programs."""
    return {
        "schema": 1,
        "modules": [
            {
                "name": one.name,
                "slug": one.slug,
                "version": one.version or None,
                "declared": one.module is not None,
                "dependencies": [
                    {"slug": need.slug, "versions": need.versions} for need in one.dependencies
                ],
            }
            for one in graph.values()
        ],
    }


def list_data(graph: Graph) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "schema": 1,
        "modules": [
            {
                "name": one.name,
                "slug": one.slug,
                "source": one.kind or None,
                "asked": one.asked or None,
                "locked": one.locked or None,
                "installed": one.installed or None,
                "directory": one.directory,
                "file": one.module.path if one.module else None,
                "line": one.module.line if one.module else None,
            }
            for one in graph.values()
        ],
    }


def why_data(chains: Sequence[Sequence[GraphModule]]) -> dict[str, Any]:
    """Return the chains for programs."""
    return {"schema": 1, "chains": [[one.slug for one in chain] for chain in chains]}
