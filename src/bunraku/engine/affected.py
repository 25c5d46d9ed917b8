"""The nodes that a change of a control repository can reach, without compiling the new state."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from bunraku.base.disk_cache import DiskCache
from bunraku.base.records import field, record, replace
from bunraku.engine.dependencies import Checker, Dependencies, Digest, Digests
from bunraku.engine.kept_catalogs import CatalogStore, Keeping, open_store
from bunraku.engine.nodes import Outcome, StandIn, Task, compile_tasks, with_kept
from bunraku.engine.request import Request, world_of
from bunraku.engine.revisions import (
    NEUTRAL,
    Side,
    State,
    moved_path,
    node_tasks,
    requests_of,
    sides_of,
)
from bunraku.limits.limits import Limits
from bunraku.modules.fact_reads import NAMES
from bunraku.world.protocol import World
from bunraku.world.recording import FactQuestion, Question
from bunraku.world.scratch import scratch_directory

ChangedFiles = Callable[[Mapping[str, Any]], Iterator[str]]
"""A catalog → the paths in the old state of the files behind its sources that differ."""
Sides = Callable[[str, tuple[State, State]], AbstractContextManager[tuple[Side, Side]]]
PROJECT = "project"
"""The kind of the reason that the request itself is another one."""


@record(frozen=True)
class Reason:
    """Why a change can reach a node: a kind, and the name of what changed.

    Kinds are ``file``, ``key``, ``fact``, ``exported``, ``program``, ``environment variable``,
    ``time`` (with the line of code that computes something from it), ``project``, ``failed`` (the node has no catalog in the old state) and ``unknown``. ``path`` is the file of a key.

    >>> Reason("key", "nginx::workers", "data/common.yaml").text
    'key nginx::workers'
    """

    kind: str
    name: str
    path: str | None = None

    @property
    def text(self) -> str:
        """The reason on one line."""
        return self.name if self.kind == "file" else f"{self.kind} {self.name}"


@record(frozen=True)
class Affected:
    """A node and the reasons why a change can reach it; without reasons, it cannot."""

    node: str
    reasons: tuple[Reason, ...]


def find_affected(
    repository: str,
    states: tuple[State, State],
    request_for: Callable[[str, World], Request],
    files: Mapping[str, str | None],
    *,
    compile_all: Callable[[Sequence[Task]], list[Outcome]] = compile_tasks,
    limits: Limits | None = None,
    sources_of: Callable[[Sequence[Side], Sequence[Request]], ChangedFiles] | None = None,
    stand_ins: Mapping[str, StandIn] | None = None,
    sides: Sides = sides_of,
) -> list[Affected]:
    """Return the nodes (facts files by name), each with the reasons why the change can reach it.

    Nodes are compiled in the old state, unless what they depend on is kept. The arguments are those of
    :func:`bunraku.engine.revisions.compile_sides`. ``sources_of`` returns what finds the files behind the
    sources of a catalog that differ. ``sides`` provides the files of the states.
    """
    with sides(repository, states) as both, scratch_directory() as scratch:
        old, new = both
        old_request, new_request = requests = requests_of(both, request_for)
        changed_files = None if sources_of is None else sources_of(both, requests)
        store = open_store(*old.labels, with_text=True, paths=old.paths)
        store = store or temporary_store(scratch, old)
        checker = Checker(world_of(old_request), store.digests, old.concrete)
        old_tasks, new_tasks = (
            node_tasks(request, files, limits, stand_ins or {})
            for request in (old_request, new_request)
        )
        tasks = [with_kept(task, store, checker) for task in old_tasks]
        outcomes = compile_all(tasks)
        records = [record_of(*pair) for pair in zip(tasks, outcomes, strict=True)]
        checker = Checker(world_of(new_request), store.digests, new.concrete)
        as_old = CatalogStore(store.disk, store.digests, *old.labels, paths=new.paths)
        found = {}
        for known, task, outcome in zip(records, new_tasks, outcomes, strict=True):
            keeping = as_old.keeping(task.request, task.facts_file)
            reasons = [*known.reasons(old, checker), *known.changed_facts(keeping)]
            if as_old.names_of(task.request) != known.names:
                reasons = [Reason(PROJECT, "settings"), *reasons]
            if changed_files is not None and outcome.text:
                paths = sorted(set(changed_files(json.loads(outcome.text))))
                reasons += [Reason("file", shown_path(old.neutral(path), old)) for path in paths]
            found[task.node] = reasons
    add_exports(found, {known.node: known.types for known in records})
    return [Affected(node, tuple(reasons)) for node, reasons in found.items()]


def reasons_of_changes(
    both: tuple[Side, Side], request: Request, tasks: Sequence[Task]
) -> list[tuple[Reason, ...]]:
    """Return the reasons why the catalogs of nodes can differ, from what is kept of the old state.

    ``request`` is that of the new state, ``tasks`` are those of the old one. Nothing is compiled: nodes of which
    nothing is kept have no reasons.
    """
    old, new = both
    store = open_store(*old.labels, with_text=True, paths=old.paths)
    if store is None:
        return [() for _ in tasks]
    checker = Checker(world_of(request), store.digests, new.concrete)
    found: list[tuple[Reason, ...]] = []
    for task in tasks:
        keeping = store.keeping(task.request, task.facts_file)
        known = None if keeping is None else keeping.dependencies()
        if known is None:
            found.append(())
            continue
        reasons = sorted_reasons(known, old, checker)
        found.append(tuple(reasons or [Reason("exported", type_) for type_, _ in known.exported]))
    return found


def sorted_reasons(dependencies: Dependencies, side: Side, checker: Checker) -> list[Reason]:
    """Return the reasons for the answers that changed, files first."""
    found = (reason_of(one, side) for one in checker.changes(dependencies))
    return sorted(set(found), key=lambda one: (one.kind != "file", one.kind, one.name))


def temporary_store(folder: str, side: Side) -> CatalogStore:
    """Return a store in a private temporary directory, where the cache is not used."""
    disk = DiskCache(folder)
    disk.is_on = True
    return CatalogStore(
        disk, Digests(os.urandom(16)), *side.labels, with_text=True, paths=side.paths
    )


@record(frozen=True)
class Record:
    """What is known of a node in the old state: what it depends on, or the reason why not."""

    node: str
    names: tuple[str, ...]
    facts: Digest
    dependencies: Dependencies | None
    otherwise: Reason = field(default=Reason("unknown", "not recorded"))

    @property
    def types(self) -> list[str]:
        """The types of exported resources that the node collects."""
        return [type_ for type_, _ in self.dependencies.exported] if self.dependencies else []

    def reasons(self, side: Side, checker: Checker) -> list[Reason]:
        """Return why the new state, which the checker asks, can have another catalog."""
        if self.dependencies is None:
            name = self.otherwise.name.replace(f"{side.repository.shown}/", "")
            return [replace(self.otherwise, name=name)]
        return sorted_reasons(self.dependencies, side, checker)

    def changed_facts(self, keeping: Keeping | None) -> list[Reason]:
        """Return the facts that were read and are others in the new state."""
        if self.dependencies is None or keeping is None or keeping.facts == self.facts:
            return []
        names = sorted(map(fact_name, keeping.changed_facts(self.dependencies)))
        return [Reason("fact", name) for name in dict.fromkeys(names)]


def record_of(task: Task, outcome: Outcome) -> Record:
    """Return what is known of a node after it was compiled in the old state."""
    if task.keeping is None:
        return Record(task.node, (), None, None, Reason("unknown", "the data of a site"))
    names, facts = task.keeping.names, task.keeping.facts
    if not outcome.ok:
        return Record(task.node, names, facts, None, Reason("failed", outcome.findings[0].code))
    if outcome.unkept is not None:
        return Record(task.node, names, facts, None, Reason("unknown", outcome.unkept))
    return Record(task.node, names, facts, task.keeping.dependencies())


def reason_of(question: Question, side: Side) -> Reason:
    """Return the reason for a question that has another answer."""
    kind, *arguments = question
    match kind:
        case "key" if not isinstance(arguments[1], tuple):
            return Reason("key", str(arguments[1]), shown_path(arguments[0], side))
        case "names" | "list_directory":
            return Reason("file", f"{shown_path(arguments[0], side)}/")
        case "first_holder":
            return Reason("file", f"*/{arguments[1]}")
        case "run":
            return Reason("program", str(arguments[0][0]))
        case "environment_variable":
            return Reason("environment variable", str(arguments[0]))
        case "time":
            return Reason("time", shown_path(arguments[1], side))
        case _ if arguments:
            return Reason("file", shown_path(arguments[0], side))
        case _:
            return Reason("unknown", kind)


def fact_name(question: FactQuestion) -> str:
    """Return the name of a fact, with dots between the keys of hashes; ``*`` stands for all facts.

    >>> fact_name(("fact", "os", "family")), fact_name(("hash", "a.b", "c")), fact_name(("fact",))
    ('os.family', '"a.b".c', '*')
    >>> fact_name(("names", "os")), fact_name(("names",))
    ('keys of os', 'keys of *')
    """
    name = ".".join([f'"{key}"' if "." in key else key for key in question[1:]]) or "*"
    return f"keys of {name}" if question[0] == NAMES else name


def shown_path(path: str, side: Side) -> str:
    """Return a path of a record relative to the directory that is compiled."""
    repository = side.repository
    full = moved_path(path, NEUTRAL, repository.shown_top)
    return full.removeprefix(f"{repository.shown}/")


def add_exports(found: Mapping[str, list[Reason]], types: Mapping[str, Sequence[str]]) -> None:
    """Add to nodes that collect exported resources that other nodes, which are affected, may export.

    >>> nodes = {"a": [Reason("key", "x")], "b": [], "c": []}
    >>> add_exports(nodes, {"a": [], "b": ["File"], "c": []})
    >>> nodes["b"], nodes["c"]
    ([Reason(kind='exported', name='File', path=None)], [])
    """
    collectors = [node for node in found if types[node]]
    for _ in collectors:
        affected = {node for node, reasons in found.items() if reasons}
        for node in collectors:
            added = [Reason("exported", type_) for type_ in types[node]]
            if affected - {node} and not set(added) <= set(found[node]):
                found[node].extend(added)
