"""Catalogs of many nodes, compiled in parallel by processes of this machine or of others.

:mod:`bunraku.engine.parallel` runs the tasks. Nodes that share their exports are compiled in rounds. The first round compiles all nodes
and gathers the exports. Nodes that collect exported resources are then compiled again with the
exports of all others, until the exports stay the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from time import perf_counter
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.catalog.wire import catalog_to_data, exported_data
from bunraku.engine.compile import compile_collecting
from bunraku.engine.dependencies import Checker, Dependencies, Digest
from bunraku.engine.finding_data import FindingReader
from bunraku.engine.kept_catalogs import CatalogStore, Keeping, Kept, recorded
from bunraku.engine.parallel import Work, failure, for_each
from bunraku.engine.request import Request, fact_table, nodes_from, with_facts_file
from bunraku.engine.sealed import is_sealed, sealed_contents, with_contents
from bunraku.facts.documents import facts_files
from bunraku.formats.json import lenient_json_text
from bunraku.limits.limits import Limited, Limits
from bunraku.modules.fact_reads import FactTable
from bunraku.puppetdb.site.documents import exported_resource
from bunraku.runtime.issues import DEPENDENCY_CYCLE
from bunraku.runtime.log import LogEntry
from bunraku.world.recording import Recording

Facts = Mapping[str, Any]
Nodes = Mapping[str, Facts] | str | os.PathLike[str]
Render = Callable[[CompiledCatalog], str]
SHARED = ""
"""The group of nodes that collect each other's exports, where there is only one."""


@record(frozen=True)
class StandIn:
    """A node that no site has: its facts, its trusted data, and its classes.

    Without classes (None), a classifier and node definitions decide, as for other nodes; with classes, they
    do not count. ``manifests`` are those that run after the main ones. The program ``config_version`` is not
    run: often it needs the directories of a server.
    """

    facts: Mapping[str, Any]
    classes: Sequence[str] | None = None
    trusted: Mapping[str, Any] | None = None
    manifests: Sequence[tuple[str, str]] = ()

    def request(self, request: Request) -> Request:
        """Return the request of the node, with what all nodes have."""
        return replace(
            request,
            facts={**self.facts, **request.facts},
            trusted={**(self.trusted or {}), **(request.trusted or {})} or None,
            node_classes=request.node_classes if self.classes is None else self.classes,
            later_manifests=[*request.later_manifests, *self.manifests],
            node_definitions=self.classes is None,
            run_config_version=False,
        )


@record(frozen=True)
class Task:
    """A node to compile: the request, and the file with its facts unless the request has them.

    ``render`` turns the catalog into text in the process that compiled it; ``save`` gets the text
    there so that it need not be sent around. Both must be functions of a module. ``share`` names a
    group of nodes that collect each other's exported resources. A task on ``hold`` does not render a
    catalog that depends on the exports of others. ``limits`` are those of time and memory; one of
    time requires that tasks run in the main threads of their processes. A task with ``keeping`` is
    recorded, and its catalog kept there. ``kept`` is the catalog of an earlier run, if all that it
    depends on is unchanged; ``is_saved`` is whether its text, by the digest, is where ``save`` writes it.
    ``is_sent`` is whether it is the copy for a worker of an executor, which has no store.
    ``failure`` has the findings if that run had no catalog. ``exported_before`` are the exported resources that others collect if the node fails: a site keeps
    those of its last catalog.
    """

    request: Request
    facts_file: str | None = None
    render: Render | None = None
    save: Callable[[str], None] | None = None
    share: str | None = None
    hold: bool = False
    limits: Limits | None = None
    keeping: Keeping | None = None
    kept: Kept | None = None
    is_saved: Callable[[Digest], bool] | None = None
    is_sent: bool = False
    exported_before: Sequence[dict[str, Any]] = ()
    failure: Sequence[Diagnostic] = ()

    @property
    def node(self) -> str:
        """The node's name."""
        return self.request.node


@record(slots=False)
class Outcome:
    """The result of a node: its catalog as text, or the findings that explain its absence.

    The text is empty where the task saves it; ``unsaved`` is the reason if that failed. ``exported`` are the
    resources that the node exports, ``collects`` is whether its code collects exported resources.
    ``unchanged`` is whether nothing was compiled, because the catalog of an earlier run is the same.
    ``unkept`` is the reason why a catalog cannot be used again. ``entry`` is what a worker without a
    store recorded. ``ruby`` has what a recorded compile needed Ruby for.
    """

    node: str
    text: str | None = field(default=None, shown=False)
    unsaved: str | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    log: list[LogEntry] = field(default_factory=list)
    resources: int = 0
    seconds: float = 0.0
    exported: list[dict[str, Any]] = field(default_factory=list)
    collects: bool = False
    unchanged: bool = False
    unkept: str | None = None
    entry: Kept | None = field(default=None, shown=False)
    ruby: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a catalog."""
        return self.text is not None

    @property
    def error(self) -> PuppetError | None:
        """The error of a failed compile."""
        return PuppetError(self.findings[0], self.findings[1:]) if self.findings else None

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings that Puppet does not have when it compiles."""
        return [
            Diagnostic(entry.code, entry.message, Place(entry.file, entry.line), "warning")
            for entry in self.log
            if entry.code == DEPENDENCY_CYCLE.code
        ]

    @property
    def puppet_log(self) -> list[LogEntry]:
        """The log messages that Puppet has, too."""
        return [entry for entry in self.log if entry.code != DEPENDENCY_CYCLE.code]

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog; raises the PuppetError when there is none."""
        if self.text is None:
            raise self.error or RuntimeError(f"{self.node} was not compiled")
        return Catalog.from_json(self.text)


def as_json(catalog: CompiledCatalog) -> str:
    """Return the catalog as JSON on one line."""
    return lenient_json_text(catalog_to_data(catalog))


def compile_node(task: Task) -> Outcome:
    """Compile one node in a worker; all errors are in the outcome."""
    with PATIENT:  # until the catalog is freed
        return outcome_of_task(task)


def outcome_of_task(task: Task) -> Outcome:
    """Compile, render and save the catalog of a node."""
    outcome = Outcome(task.node)
    start = perf_counter()
    try:
        with Limited(task.limits):
            fill_outcome(outcome, task)
        save_text(outcome, task)
    except PuppetError as error:
        outcome.text = None
        outcome.findings = list(error)
    except Exception as error:  # an internal error must not stop the others
        outcome.findings = [failure(error)]
    outcome.seconds = perf_counter() - start
    return outcome


def save_text(outcome: Outcome, task: Task) -> None:
    """Save the catalog of a node as the task wants it; its text is not kept then."""
    if task.save is not None and outcome.text is not None:
        text, outcome.text = outcome.text, ""
        try:
            task.save(text)
        except OSError as error:
            outcome.unsaved = error.strerror or str(error)


def fill_outcome(outcome: Outcome, task: Task) -> None:
    """Compile a node and render its catalog, within the limits of the task."""

    def collects() -> None:
        outcome.collects = True

    request = with_facts_file(task.request, task.facts_file)
    keeping, recording = task.keeping, None
    if keeping is not None:
        request, recording = recorded(request)
    try:
        catalog = compile_collecting(request, outcome.log.append, collects)
    except PuppetError as error:
        if recording is not None:
            keep_failure(outcome, task, recording, fact_table(request), error)
        raise
    if task.share is not None:
        resources = exported_data(catalog)
        outcome.exported = [exported_resource(task.node, one) for one in resources]
    outcome.resources = len(catalog.resources)
    outcome.ruby = tuple(recording.ruby) if recording is not None else ()
    if not (task.hold and outcome.collects):
        outcome.text = (task.render or as_json)(catalog)
        if keeping is not None and recording is not None and not depends_on_itself(outcome, task):
            facts = fact_table(request)
            made = keeping.entry(
                recording,
                facts,
                catalog,
                outcome.text,
                collects=outcome.collects,
                exported=outcome.exported,
                log=outcome.log,
                seal=partial(sealed_contents, keeping, recording, facts),
            )
            keep_entry(outcome, task, made)


def keep_entry(outcome: Outcome, task: Task, made: Kept | str) -> None:
    """Keep the entry of a catalog: here, or in the outcome for the process that has the store."""
    if isinstance(made, str):
        outcome.unkept = made
    elif task.is_sent:
        outcome.entry = made if is_sealed(made) else replace(made, text=None)
    elif task.keeping is not None:
        task.keeping.write(made)


def keep_failure(
    outcome: Outcome, task: Task, recording: Recording, facts: FactTable, error: PuppetError
) -> None:
    """Keep the findings of a node that has no catalog, where catalogs are kept as text.

    What depends on the exports of others is not kept: a failure does not show what was collected.
    """
    keeping = task.keeping
    if keeping is None or task.is_sent or outcome.collects or not keeping.store.with_text:
        return
    made = keeping.failure(recording, facts, list(error), outcome.log)
    if made is not None:
        keeping.write(made)


def keep_received(outcome: Outcome, task: Task) -> None:
    """Keep the entry of a catalog that a worker of an executor compiled."""
    made, outcome.entry = outcome.entry, None
    if made is None or task.keeping is None or outcome.text is None:
        return
    store = task.keeping.store
    if store.with_text and made.complete and not is_sealed(made):
        made = replace(made, text=store.paths.shown(outcome.text))
    task.keeping.write(made)


def depends_on_itself(outcome: Outcome, task: Task) -> bool:
    """Return whether the exports of a node changed with those that it collects."""
    before = (task.request.exports or {}).get(task.node, [])
    return outcome.collects and before != outcome.exported


def outcome_of_kept(task: Task, exports: ExportsByType) -> Outcome | None:
    """Return the outcome of a task whose catalog was kept; None if it must be compiled."""
    kept = task.kept
    if kept is None:
        return None
    outcome = Outcome(
        task.node,
        None if task.failure else kept.text or "",
        findings=list(task.failure),
        log=list(kept.log),
        resources=kept.resources,
        exported=list(kept.exported),
        collects=kept.collects,
        unchanged=True,
        ruby=kept.ruby,
    )
    if task.hold and kept.collects:
        outcome.text = None
    elif kept.collects and not exports.are_same(task, kept):
        return None
    return outcome


class ExportsByType:
    """Digests of the exported resources of a run, by type and node."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, dict[str, list[Any]]]] = {}

    def are_same(self, task: Task, kept: Kept) -> bool:
        """Return whether the other nodes export what they did when the catalog was compiled."""
        if task.keeping is None:
            return False
        digests = task.keeping.store.digests
        return all(
            digests.of(self.of_others(task, type_)) == digest
            for type_, digest in kept.dependencies.exported
        )

    def of_others(self, task: Task, type_: str) -> list[Any]:
        """Return the resources of a type that other nodes export, in the order of a compile."""
        given = task.request.exports or {}
        by_node = {node: self.of_node(given[node]) for node in given if node != task.node}
        found = [one for node in given if node in by_node for one in by_node[node].get(type_, ())]
        return sorted(found, key=lambda one: str(one["certname"]))

    def of_node(self, exported: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """Return the exported resources of a node by type."""
        known = self.known.get(id(exported))
        if known is None or known[0] is not exported:
            by_type: dict[str, list[Any]] = {}
            for one in exported:
                by_type.setdefault(one["type"], []).append(one)
            known = self.known[id(exported)] = exported, by_type
        return known[1]


Notify = Callable[[Outcome, Task], Outcome]
"""Reports an outcome as it comes, and returns it."""
Exports = dict[str, dict[str, list[dict[str, Any]]]]
"""Group → node → its exported resources."""
MOST_ROUNDS = 4
"""Rounds after which exports that still change are used as they are."""


def compile_tasks(
    tasks: Sequence[Task],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    done: Callable[[Outcome], None] = lambda _: None,
    held: Callable[[Outcome], None] = lambda _: None,
) -> list[Outcome]:
    """Compile nodes and return the outcomes in the order of the tasks.

    ``done`` is called with each outcome as soon as it is known; in the rare case that a node's
    exports depend on the resources it collects, it is called again with the later outcome. ``held``
    is called instead for nodes that wait for the exports of others. The outcomes do not depend on
    ``jobs``. Without an executor, ``jobs`` processes are forked (default: one per CPU).
    """
    found: dict[int, Outcome] = {}
    exports: Exports = {}
    for task in tasks:
        if task.share is not None:
            exports.setdefault(task.share, {})[task.node] = []
    waiting = list(range(len(tasks)))
    for number in range(MOST_ROUNDS):
        known = {group: dict(nodes) for group, nodes in exports.items()}
        current = [with_exports(tasks[at], known, hold=number == 0) for at in waiting]
        outcomes = compile_round(current, executor, jobs, done, held)
        found.update(zip(waiting, outcomes, strict=True))
        changed = False
        for at in waiting:
            share, outcome = tasks[at].share, found[at]
            exported = list(tasks[at].exported_before) if outcome.findings else outcome.exported
            if share is not None and exports[share][tasks[at].node] != exported:
                exports[share][tasks[at].node] = exported
                changed = True
        waiting = [at for at in waiting if tasks[at].share is not None and found[at].collects]
        if not waiting or not (changed or number == 0):
            break
    return [found[at] for at in range(len(tasks))]


def with_exports(task: Task, exports: Exports, *, hold: bool) -> Task:
    """Return a task that gets the exports of its group, as far as they are known."""
    if task.share is None:
        return task
    return replace(task, request=replace(task.request, exports=exports[task.share]), hold=hold)


def compile_round(
    tasks: Sequence[Task],
    executor: Executor | None,
    jobs: int | None,
    done: Callable[[Outcome], None],
    held: Callable[[Outcome], None],
) -> list[Outcome]:
    """Compile nodes once, each with the exports that its task has, or use the catalogs kept."""

    def notify(outcome: Outcome, task: Task) -> Outcome:
        (held if task.hold and outcome.collects else done)(outcome)
        return outcome

    by_type = ExportsByType()
    kept = {at: outcome_of_kept(task, by_type) for at, task in enumerate(tasks)}
    found = {at: notify(one, tasks[at]) for at, one in kept.items() if one is not None}
    rest = [at for at in range(len(tasks)) if at not in found]
    compiled = compile_each([tasks[at] for at in rest], executor, jobs, notify)
    found.update(zip(rest, compiled, strict=True))
    return [found[at] for at in range(len(tasks))]


def compile_each(
    tasks: Sequence[Task], executor: Executor | None, jobs: int | None, notify: Notify
) -> list[Outcome]:
    """Compile nodes, in this process or in others.

    The workers of an executor may be on other machines: their catalogs are saved and kept in this
    process.
    """
    sent = list(tasks)
    if executor is not None:
        sent = [
            replace(one, save=None, kept=None, is_saved=None, is_sent=True, exported_before=())
            for one in tasks
        ]

    def done(at: int, outcome: Outcome) -> Outcome:
        if executor is not None:
            keep_received(outcome, tasks[at])
            save_text(outcome, tasks[at])
        return notify(outcome, tasks[at])

    work = Work(compile_node, failed_outcome)
    return for_each(work, sent, executor=executor, jobs=jobs, done=done)


def failed_outcome(task: Task, findings: list[Diagnostic]) -> Outcome:
    """Return the outcome of a node that has no catalog."""
    return Outcome(task.node, findings=findings)


def node_tasks(
    request: Request,
    nodes: Nodes | None,
    render: Render | None = None,
) -> list[Task]:
    """Return the tasks for nodes in the order of their names; they share their exports.

    ``nodes`` are facts by node, or the path of a directory of facts files; without them, those that
    ``facts_from`` of the request has. Exports are not shared if the setting ``storeconfigs`` is false.
    """
    share = shared_group(request)
    if nodes is None:
        return [
            Task(replace(request, node=node), None, render, share=share)
            for node in nodes_from(request)
        ]
    if isinstance(nodes, str | os.PathLike):
        files = facts_files(os.fspath(nodes))
        return [
            Task(replace(request, node=node), files[node], render, share=share)
            for node in sorted(files)
        ]
    return [
        Task(
            replace(request, node=node, facts={**request.facts, **nodes[node]}),
            None,
            render,
            share=share,
        )
        for node in sorted(nodes)
    ]


def with_kept(task: Task, store: CatalogStore, checker: Checker | None) -> Task:
    """Return a task whose catalog is kept in a store, with the one of an earlier run if it is valid.

    Without a checker, the catalog of an earlier run is not used.
    """
    keeping = store.keeping(task.request, task.facts_file)
    if keeping is None:
        return task
    kept = None if checker is None else keeping.find(checker)
    if kept is not None and checker is not None:
        kept = with_contents(kept, keeping, checker)
    if kept is None or not is_usable(kept, task, store):
        return replace(task, keeping=keeping)
    # The other answers were checked, and take much memory.
    exported = Dependencies(exported=kept.dependencies.exported)
    findings: Sequence[Diagnostic] | None = ()
    if kept.failure is not None and checker is not None:
        reader = FindingReader(store.digests, checker.content, checker.concrete)
        findings = reader.read(kept.failure)
    if findings is None:
        return replace(task, keeping=keeping)
    kept = replace(kept, dependencies=exported, failure=None)
    return replace(task, keeping=keeping, kept=kept, failure=findings)


def is_usable(kept: Kept, task: Task, store: CatalogStore) -> bool:
    """Return whether the text of a catalog is there: in the store, or in the file it belongs to."""
    if kept.failure is not None:
        return True
    if not kept.complete or (store.with_text and kept.text is None):
        return False
    return task.is_saved is None or task.is_saved(kept.digest)


def shared_group(request: Request) -> str | None:
    """Return the group for tasks of one run: None if ``storeconfigs`` was switched off."""
    return None if request.settings.get("storeconfigs") is False else SHARED
