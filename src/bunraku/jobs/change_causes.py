"""Why the catalogs of nodes differ in two states: the origins of what differs are compared.

Nodes with the same changes, which the same inputs reach, share their causes: only the first one is compiled
again, with its origins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from bunraku.base.errors import Diagnostic
from bunraku.base.moved_paths import Moved, relative_paths
from bunraku.base.records import record, replace
from bunraku.catalog.compare import Difference
from bunraku.engine.affected import Reason, reasons_of_changes
from bunraku.engine.compile import compile_resolved
from bunraku.engine.nodes import Outcome, StandIn, Task
from bunraku.engine.parallel import Work, for_each
from bunraku.engine.request import Request, resolve, with_facts_file
from bunraku.engine.revisions import Side, node_tasks
from bunraku.jobs.change_groups import items_of
from bunraku.jobs.compare_sources import CONTENT
from bunraku.jobs.comparison import NodeComparison
from bunraku.jobs.context import Context
from bunraku.limits.limits import Limited, Limits
from bunraku.runtime.state import DeclaredResource, Scope
from bunraku.workbench.origins.causes import Cause, Comparer, SourcePlace, StateFiles, source_places
from bunraku.workbench.origins.origins import Origins

Subject = tuple[str, str]
"""The reference of a resource and the name of a parameter, which is empty for the resource itself."""
Places = Mapping[Subject, tuple[SourcePlace, ...]]
MOST_TRACED = 24
"""Nodes that are compiled again for their causes; the others have the inputs that changed."""


@record(frozen=True)
class Traced:
    """A node of one state whose origins are wanted: see :class:`bunraku.engine.parallel.NodeTask`."""

    task: Task
    side: str
    subjects: Sequence[Subject]

    @property
    def node(self) -> str:
        """The name of the node."""
        return self.task.node

    @property
    def share(self) -> str:
        """The state: its nodes have the same code."""
        return self.side

    @property
    def limits(self) -> Limits | None:
        """The limits of the compile."""
        return self.task.limits


def with_causes(
    context: Context,
    both: tuple[Side, Side],
    requests: Sequence[Request],
    outcomes: tuple[Sequence[Outcome], Sequence[Outcome]],
    nodes: Sequence[NodeComparison],
    files: Mapping[str, str | None],
    stand_ins: Mapping[str, StandIn] | None = None,
) -> list[NodeComparison]:
    """Return comparisons of nodes with the causes of what differs."""
    differing = [one for one in nodes if one.difference and not one.missing]
    if not differing:
        return list(nodes)
    tasks = [
        {one.node: one for one in node_tasks(request, files, context.limits, stand_ins or {})}
        for request in requests
    ]
    reasons = reasons_of_changes(both, requests[1], [tasks[0][one.node] for one in differing])
    groups: dict[object, list[NodeComparison]] = {}
    for one, known in zip(differing, reasons, strict=True):
        groups.setdefault((tuple(items_of(one)), known), []).append(one)
    chosen = sorted(groups.values(), key=lambda those: -len(those))[:MOST_TRACED]
    traced = [
        Traced(
            with_exports(tasks[at][first.node], outcomes[at]),
            both[at].name,
            subjects_of(first.difference, at),
        )
        for first, *_ in chosen
        for at in (0, 1)
    ]
    work = Work(places_of, no_places)
    found = for_each(
        work, traced, executor=None, jobs=context.options.jobs, done=lambda _at, one: one
    )
    comparer, moved = Comparer(*map(state_files, both, reversed(both))), relative_paths()
    causes = {
        first.node: causes_of(comparer, found[2 * at], found[2 * at + 1], moved)
        for at, (first, *_) in enumerate(chosen)
    }
    leaders = {one.node: those[0].node for those in groups.values() for one in those}
    inputs = {
        one.node: tuple(input_causes(known, comparer, both, moved))
        for one, known in zip(differing, reasons, strict=True)
    }
    return [
        one
        if one.node not in leaders
        else replace(one, causes=causes.get(leaders[one.node], {}), inputs=inputs[one.node])
        for one in nodes
    ]


def with_exports(task: Task, outcomes: Sequence[Outcome]) -> Task:
    """Return a task with the exported resources of all nodes, if nodes share them."""
    if task.share is None:
        return task
    exports = {one.node: one.exported for one in outcomes}
    return replace(task, request=replace(task.request, exports=exports))


def subjects_of(difference: Difference, state: int) -> list[Subject]:
    """Return what differs and is in the catalog of a state (0 is the old one)."""
    whole = difference.added if state else difference.removed
    changed = [(one.reference, part.name) for one in difference.changed for part in one.changes]
    return [*((one.reference, "") for one in whole), *changed]


def state_files(side: Side, other: Side) -> StateFiles:
    """Return the files of a state; paths are those of either."""

    def moved_here(path: str) -> str:
        return side.concrete(other.neutral(path))

    return StateFiles(side.world, moved_here, side.shown)


# -- in the process of a compile -------------------------------------------------------------------


def places_of(traced: Traced) -> Places:
    """Return the places that the subjects of a node come from."""
    request = with_facts_file(traced.task.request, traced.task.facts_file)
    with Limited(traced.limits):
        _catalog, found = compile_resolved(
            resolve(request, lambda _entry: None), then=partial(places_in, traced.subjects)
        )
    places: Places = found
    return places


def no_places(_traced: Traced, _findings: Sequence[Diagnostic]) -> Places:
    """Return the result for a node that does not compile again, such as one that reaches its limit of time."""
    return {}


def places_in(subjects: Sequence[Subject], scope: Scope) -> Places:
    """Return the places that subjects come from, in a catalog that is compiled."""
    origins = Origins(scope.compilation)
    found = {}
    for reference, name in subjects:
        type_, _, title = reference.partition("[")
        resource = scope.compilation.catalog.find(type_, title.removesuffix("]"))
        if resource is not None:
            found[reference, name] = tuple(
                dict.fromkeys(places_of_subject(origins, resource, name))
            )
    return found


def places_of_subject(
    origins: Origins, resource: DeclaredResource, name: str
) -> Iterator[SourcePlace]:
    """Yield the places that a resource or one of its parameters comes from."""
    if not name:
        at: DeclaredResource | None = resource
        while at is not None:
            yield from source_places(origins.presence(at))
            at = None if at.scope.resource is at else at.scope.resource
        return
    if name.startswith(CONTENT):
        yield from files_behind(origins, resource, name.removeprefix(CONTENT))
        name = "source"
    if name in resource.parameters:
        yield from source_places(origins.parameter(resource, name))


def files_behind(origins: Origins, resource: DeclaredResource, below: str) -> Iterator[SourcePlace]:
    """Yield the files of modules that the sources of a file name."""
    sources = resource.parameters.get("source")
    for source in sources if isinstance(sources, list) else [sources]:
        _, is_of_module, name = str(source).partition(":///modules/")
        path = origins.reads.template_path("file", f"{name}{below}") if is_of_module else None
        if path is not None:
            yield SourcePlace(path)


# -- causes ----------------------------------------------------------------------------------------


def causes_of(
    comparer: Comparer, old: Places, new: Places, moved: Moved
) -> Mapping[Subject, tuple[Cause, ...]]:
    """Return the causes by what differs."""
    found = {}
    for subject in {**old, **new}:
        causes = comparer.causes(old.get(subject, ()), new.get(subject, ()))
        if causes:
            found[subject] = tuple([portable_cause(one, moved) for one in causes])
    return found


def portable_cause(cause: Cause, moved: Moved) -> Cause:
    """Return a cause with relative paths."""
    return replace(cause, text=moved(cause.text), path=moved(cause.path))


def input_causes(
    reasons: Sequence[Reason], comparer: Comparer, both: Sequence[Side], moved: Moved
) -> Iterator[Cause]:
    """Yield the inputs of a node that changed, as causes; each module that has another version once."""
    seen: set[str] = set()
    for one in reasons:
        cause = input_cause(one, comparer, both)
        if cause is not None and cause.text not in seen:
            seen.add(cause.text)
            yield portable_cause(cause, moved)


def input_cause(reason: Reason, comparer: Comparer, both: Sequence[Side]) -> Cause | None:
    """Return a reason as a cause; None for a listing of a directory, which other reasons explain."""
    name, shown = reason.name, both[1].repository.shown
    if reason.kind == "file":
        if name.endswith("/") or name.startswith("*/"):
            return None
        place, path = SourcePlace(f"{both[1].directory}/{name}"), f"{shown}/{name}"
        found = comparer.changed(place, 1) or comparer.module(place, 1)
        return found or Cause("file", f"file {path} changed", path)
    if reason.kind == "key":
        path = f"{shown}/{reason.path}"
        return Cause("key", f"key {name} in {path} changed", path, 0, name)
    what = {
        "exported": f"exported {name} resources of other nodes",
        "program": f"the output of {name}",
        "project": "the settings of the project",
        "time": f"the time that {name} reads",
    }.get(reason.kind, reason.text)
    return Cause("input", f"{what} changed", name=name)
