"""Apply a catalog: check it, run the transaction, keep the state, write the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.apply.coverage import log_ways
from bunraku.apply.events import Status
from bunraku.apply.graph import Graph, Vertex
from bunraku.apply.harness import add_failure
from bunraku.apply.issues import DEPENDENCY_CYCLES
from bunraku.apply.log import Destination, Message, RunLog
from bunraku.apply.records import NoRecords
from bunraku.apply.report import Report
from bunraku.apply.resources import AppliedCatalog
from bunraku.apply.transaction import Options, Transaction
from bunraku.base.errors import PuppetError
from bunraku.base.random_names import random_uuid
from bunraku.catalog.catalog import Catalog
from bunraku.providers.managed_resource import ManagedResource, bare, holds_deferred
from bunraku.providers.registry import BUILTIN_TYPES
from bunraku.providers.run import Run
from bunraku.providers.secrets import computes_secret
from bunraku.values.sensitive import Sensitive
from bunraku.world.host import Host


def apply_catalog(
    catalog: Catalog,
    host: Host,
    settings: Mapping[str, Any],
    *,
    records: NoRecords | None = None,
    options: Options | None = None,
    destinations: Sequence[Destination] = (),
    level: str = "notice",
    modules: Sequence[str] = (),
    resolve: Callable[[Any], Any] | None = None,
) -> Report:
    """Bring a machine to the state of a catalog and return the report.

    ``records`` holds the state of earlier runs and stores that of this one. If a value is wrong, a
    type is unknown or the relationships have a cycle, PuppetError is raised and nothing is changed. A
    failing resource does not stop the run; the report contains it. ``resolve`` computes deferred
    values, at the start with the setting ``preprocess_deferred``, otherwise just before their resource
    is applied. If an exception ends the run, the report is still stored.
    """
    options, records = options or Options(), records or NoRecords()
    agent = options.agent
    report, start = agent.report, host.monotonic()
    if report is None:
        report = new_report(catalog, host.now(), settings)
    log = RunLog(level, host.now, [report.logs.append, *destinations])
    run = Run(host, log, settings, BUILTIN_TYPES)
    run.level, run.facts, run.modules = level, options.facts, modules
    run.node, run.environment = catalog.name, catalog.environment
    run.web = options.web
    run.file_server, run.libraries = agent.files, agent.libraries
    if resolve is not None:
        run.resolve = resolve
        if settings.get("preprocess_deferred"):
            catalog = with_results(catalog, resolve)
    try:
        complete_run(AppliedCatalog(catalog, run), options, records, report, start)
    finally:
        run.end()
    return report


def complete_run(
    applied: AppliedCatalog, options: Options, records: NoRecords, report: Report, start: float
) -> None:
    """Check all values, apply the resources, and complete and store the report."""
    run, agent = applied.run, options.agent
    host, log = run.host, run.write
    applied.add_defaults()
    applied.complete()
    for error in applied.unknown_schedules():
        raise error
    applied.generate()
    graph = applied.graph()
    if cycles := graph.cycles():
        log("info", f"Applying configuration version '{applied.catalog.version}'")
        error = cyclic(graph, cycles, report)
        if agent.report is None:
            records.keep_report(report, log)
        raise error
    state, values = records.state(log), records.values(log)
    if agent.announced:
        log("info", f"Applying configuration version '{applied.catalog.version}'")
    log_ways(applied.choices.values(), run)
    if reads_facts(applied):
        run.facts()  # once, as the machine is before any change
    transaction = Transaction(applied, run, state, values, options)
    begin = host.monotonic()
    try:
        transaction.evaluate(graph)
    finally:
        report.times["transaction_evaluation"] = host.monotonic() - begin
        take_over(transaction, report)
        records.keep(state, values, log)
        seconds = report.times["catalog_application"] = host.monotonic() - start
        if agent.announced:
            log("notice", f"Applied catalog in {seconds:.2f} seconds")
        if agent.report is None:  # an agent has more to add
            report.times["total"] = seconds
            records.keep_report(report, log)
            report.start_commands(host)


def reads_facts(applied: AppliedCatalog) -> bool:
    """Return whether code of a run may read facts: that of Ruby providers, and deferred functions."""
    return any(one.way == "ruby" for one in applied.choices.values()) or any(
        holds_deferred(value)
        for resource in applied.catalog.resources
        for value in resource.parameters.values()
    )


def with_results(catalog: Catalog, resolve: Callable[[Any], Any]) -> Catalog:
    """Return a catalog with its deferred values computed, all in one scope.

    What is computed from secrets is a secret.
    """
    waiting: dict[str, dict[str, Any]] = {}
    for resource in catalog.resources:
        for name, value in resource.parameters.items():
            if holds_deferred(value):
                waiting.setdefault(resource.reference, {})[name] = value
    if waiting:
        results: dict[str, dict[str, Any]] = resolve(waiting)
        for resource in catalog.resources:
            for name, value in results.get(resource.reference, {}).items():
                secret = computes_secret(waiting[resource.reference][name])
                resource.parameters[name] = Sensitive(bare(value)) if secret else value
    return catalog


def new_report(catalog: Catalog, now: float, settings: Mapping[str, Any]) -> Report:
    """Return the report of a run that begins now.

    ``settings`` are ``noop``, ``puppet_version`` and ``config_retrieval`` (seconds).
    """
    report = Report(
        catalog.name,
        catalog.environment,
        catalog.version,
        now,
        bool(settings["noop"]),
        str(settings.get("puppet_version", "")),
        random_uuid(),
        catalog.uuid,
    )
    if "config_retrieval" in settings:
        report.times["config_retrieval"] = settings["config_retrieval"]
    return report


def take_over(transaction: Transaction, report: Report) -> None:
    """Add the outcome of a transaction to a report."""
    secrets = transaction.run.secrets
    for vertex, status in transaction.statuses.items():
        if isinstance(vertex, ManagedResource):
            for event in status.events:
                event.hide(secrets)
            report.statuses[vertex.reference] = status
            report.resources[vertex.reference] = vertex
    report.refreshes.update(transaction.refreshed)
    report.generation_failed = transaction.generation_failed
    report.completed = transaction.completed
    report.afterwards += transaction.run.afterwards


def cyclic(graph: Graph, cycles: list[list[Vertex]], report: Report) -> PuppetError:
    """Report the resources of cycles as failed; return the error, at the place of one of them."""
    paths = [graph.cycle_through(part) for part in cycles]
    lines = [[*dict.fromkeys(one.reference for one in path), path[0].reference] for path in paths]
    count = f"{len(cycles)} dependency cycle" + ("s" if len(cycles) > 1 else "")
    text = "\n".join(f"({' => '.join(line)})" for line in lines)
    error = DEPENDENCY_CYCLES(count=count, cycles=text)
    resources = [one for part in cycles for one in part if isinstance(one, ManagedResource)]
    for resource in resources:
        status = report.statuses[resource.reference] = Status(resource.reference, report.time)
        report.resources[resource.reference] = resource
        add_failure(resource, status, "resource is part of a dependency cycle")
    report.logs.append(Message("err", error.diagnostic.message, "Puppet", report.time))
    return error.at(resources[0].place) if resources else error
