"""Apply a catalog: check it, run the transaction, keep the state, make the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.apply.graph import Vertex
from bunraku.apply.issues import DEPENDENCY_CYCLES, UNKNOWN_SCHEDULE
from bunraku.apply.log import Destination, RunLog
from bunraku.apply.report import Report
from bunraku.apply.resources import AppliedCatalog
from bunraku.apply.state import State
from bunraku.apply.transaction import Options, Transaction
from bunraku.catalog.catalog import Catalog
from bunraku.providers.base import ManagedResource, Run
from bunraku.world.host import Host


def apply_catalog(
    catalog: Catalog,
    host: Host,
    settings: Mapping[str, Any],
    *,
    state: State | None = None,
    options: Options | None = None,
    destinations: Sequence[Destination] = (),
    level: str = "notice",
    modules: Sequence[str] = (),
) -> Report:
    """Bring a machine to the state of a catalog and return the report.

    Nothing is changed if a value is wrong, a type is unknown or the relationships have a cycle: then
    PuppetError is raised. A resource that fails does not stop the run; the report has it.
    """
    report = Report(
        catalog.name, catalog.environment, catalog.version, host.now(), bool(settings["noop"])
    )
    log = RunLog(level, host.now, [report.logs.append, *destinations])
    run = Run(host, log, settings)
    run.modules = modules
    applied = AppliedCatalog(catalog, run)
    applied.add_defaults()
    applied.complete()
    check_schedules(applied)
    applied.generate()
    graph = applied.graph()
    if cycles := graph.cycles():
        raise DEPENDENCY_CYCLES(cycles=cycles_text(cycles), count=len(cycles))
    log("info", f"Applying configuration version '{catalog.version}'")
    transaction = Transaction(applied, run, state or State(), options or Options())
    begin = host.now()
    transaction.evaluate(graph)
    report.times["transaction_evaluation"] = host.now() - begin
    for vertex, status in transaction.statuses.items():
        if isinstance(vertex, ManagedResource):
            report.statuses[vertex.reference] = status
            report.paths[vertex.reference] = (*vertex.containers, vertex.reference)
    report.generation_failed = transaction.generation_failed
    report.completed = transaction.completed
    seconds = host.now() - report.time
    report.times["catalog_application"] = seconds
    log("notice", f"Applied catalog in {seconds:.2f} seconds")
    return report


def check_schedules(applied: AppliedCatalog) -> None:
    """Raise PuppetError for a resource whose schedule is not in the catalog."""
    for resource in applied.resources():
        name = resource.schedule
        if name is not None and applied.run.find("schedule", name) is None:
            raise UNKNOWN_SCHEDULE(name=name).at(resource.place)


def cycles_text(cycles: Sequence[Sequence[Vertex]]) -> str:
    """Return the cycles as lines of references."""
    lines = []
    for cycle in cycles:
        names = list(dict.fromkeys(vertex.reference for vertex in cycle))
        lines.append("(" + " => ".join([*names, names[0]]) + ")")
    return "\n".join(lines)
