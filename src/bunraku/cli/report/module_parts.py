"""Versions, dependencies and differences of modules, for people."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.excerpt import visible
from bunraku.jobs.finding_data import finding_data
from bunraku.jobs.module_checks import ABSENT, BEHIND, UNKNOWN, ModuleDifference
from bunraku.jobs.module_edits import EditResult
from bunraku.jobs.module_graph import Graph, GraphModule
from bunraku.jobs.module_locking import Dependency, LockResult
from bunraku.jobs.module_versions import ModuleAge


def columns(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as lines with columns of the same width."""
    listed = [list(map(visible, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    lines = [
        "  ".join(f"{text:{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in listed
    ]
    return "".join(f"{line}\n" for line in lines)


def lock_text(result: LockResult) -> str:
    """Return what changed in a lock file, and what should be known about it."""
    text = columns((one.name, change_text(one.before, one.after)) for one in result.changes)
    lines = [f"note: {need_text(one)}, which nothing declares" for one in result.missing]
    if lines:
        lines.append("note: --add-dependencies locks and installs what nothing declares")
    lines += [f"note: {need_text(need)}, but {version} is locked" for need, version in result.unmet]
    lines += [
        f"note: {os.path.basename(one.path)}:{one.line} pins {one.title}" for one in result.pinned
    ]
    count = len(result.lock.modules)
    state = "written" if result.is_written else "up to date"
    lines.append(f"{os.path.relpath(result.path)} is {state}: {count} modules")
    return text + "".join(f"{visible(line)}\n" for line in lines)


def change_text(before: str, after: str) -> str:
    """Return what became of a version, in words."""
    if not before:
        return f"added {after}"
    return f"{before} → {after}" if after else f"removed {before}"


def need_text(need: Dependency) -> str:
    """Return what a module needs, in words."""
    return f"{need.module} needs {need.slug} {need.versions}"


def outdated_text(ages: Sequence[ModuleAge]) -> str:
    """Return a table of the modules that have newer versions."""
    rows = [
        (one.module.title, one.current or "none", one.permitted, one.newest, "moved" * one.is_moved)
        for one in ages
        if one.is_outdated or one.is_moved
    ]
    if not rows:
        return f"{len(ages)} modules: all are up to date\n"
    return columns([("module", "current", "permitted", "newest", ""), *rows])


Chain = Sequence[GraphModule]


def tree_text(graph: Graph) -> str:
    """Return the declared modules, below each what it needs; what was shown before has no branches."""
    lines: list[str] = []
    shown: set[str] = set()
    for one in graph.values():
        if one.module is not None:
            lines.append(f"{one.slug} {one.version}".rstrip())
            lines += branches(graph, one, "", shown, (one.name,))
    return "".join(f"{visible(line)}\n" for line in lines)


def branches(
    graph: Graph, one: GraphModule, indent: str, shown: set[str], above: tuple[str, ...]
) -> Iterator[str]:
    """Yield the lines for what a module needs."""
    shown.add(one.name)
    for number, need in enumerate(one.dependencies, 1):
        is_last = number == len(one.dependencies)
        other = graph.get(need.name)
        again = other is not None and need.name in shown and bool(other.dependencies)
        yield f"{indent}{'└── ' if is_last else '├── '}{need_line(need, other)}{' …' * again}"
        if other is not None and not again and need.name not in above:
            deeper = indent + ("    " if is_last else "│   ")
            yield from branches(graph, other, deeper, shown, (*above, need.name))


def need_line(need: Dependency, other: GraphModule | None) -> str:
    """Return a needed module with its version and the range that it is needed in."""
    version = "not declared" if other is None else other.version or "not installed"
    return f"{need.slug} {version} ({need.versions})"


def why_text(chains: Sequence[Chain]) -> str:
    """Return a line for each chain, which begins in the Puppetfile."""
    return "".join(f"{visible(chain_text(chain))}\n" for chain in chains)


def chain_text(chain: Chain) -> str:
    """Return a chain of modules with the ranges between them."""
    first = chain[0].module
    place = f"{os.path.relpath(first.path)}:{first.line}: " if first is not None else ""
    parts = [f"{chain[0].slug} {chain[0].version}".rstrip()]
    for above, one in pairwise(chain):
        versions = next(need.versions for need in above.dependencies if need.name == one.name)
        parts.append(f"{one.slug} {one.version or 'not declared'} ({versions})")
    return place + " → ".join(parts)


def list_text(graph: Graph) -> str:
    """Return a table of the modules with their versions."""
    rows = [
        (one.slug, one.kind, one.asked or "any", one.locked or "–", one.installed or "–")
        for one in graph.values()
    ]
    return columns([("module", "source", "declared", "locked", "installed"), *rows])


SENTENCES = {
    ABSENT: "not installed",
    UNKNOWN: "bunraku has not installed it",
    BEHIND: "{version} is installed, and another version is declared",
}
"""Kind of a difference of a whole module → what is said about it."""


def verify_text(result: tuple[int, Sequence[ModuleDifference]]) -> str:
    """Return a line for each difference, and one about all."""
    count, found = result
    lines = [f"{one.module.name}: {difference_text(one)}" for one in found]
    word = "module" if count == 1 else "modules"
    names = {one.module.name for one in found}
    lines.append(f"{count} {word} compared: {len(names) or 'none'} with differences")
    return "".join(f"{visible(line)}\n" for line in lines)


def difference_text(one: ModuleDifference) -> str:
    """Return a difference in words."""
    if one.kind in SENTENCES:
        return SENTENCES[one.kind].format(version=one.version)
    return f"{one.kind} {one.path}"


def check_text(result: tuple[int, Sequence[Diagnostic]]) -> str:
    """Return a line about all modules."""
    count, found = result
    word = "module" if count == 1 else "modules"
    problems = f"{len(found)} dependencies are not met" if found else "all dependencies are met"
    return f"{count} installed {word}: {problems}\n"


def check_data(result: tuple[int, Sequence[Diagnostic]]) -> dict[str, Any]:
    """Return the findings for programs."""
    return {"schema": 1, "modules": result[0], "findings": [finding_data(one) for one in result[1]]}


def edit_text(result: EditResult) -> str:
    """Return what became of the Puppetfile."""
    path = os.path.relpath(result.path)
    if not result.versions:
        return visible(f"{path} no longer declares {', '.join(result.names)}") + "\n"
    pairs = zip(result.names, result.versions, strict=True)
    listed = ", ".join(f"{name} {version}" for name, version in pairs)
    return visible(f"{path} declares {listed}; 'bunraku modules install' installs it") + "\n"
