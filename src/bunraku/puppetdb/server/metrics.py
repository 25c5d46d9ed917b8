"""Metrics: as Jolokia gives those of PuppetDB below ``/metrics/v2``, and for Prometheus.

PuppetDB's metrics of the Java process do not exist here; the others have its names and attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from bunraku.puppetdb.commands.counts import Count
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.jolokia import Attributes, answer_jolokia
from bunraku.puppetdb.server.pages import not_found
from bunraku.puppetdb.server.process import processor_seconds, resident_bytes, up_milliseconds
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request, Response

PREFIX = "/metrics"
PROMETHEUS_TYPE = "text/plain;version=0.0.4;charset=utf-8"
POPULATION = "puppetlabs.puppetdb.population"
QUEUE = "puppetlabs.puppetdb.mq"
MEMORY = "java.lang:type=Memory"
SECONDS = 30.0
COUNTS = Statement(
    "SELECT"
    " (SELECT count(*) FROM nodes WHERE deactivated IS NULL AND expired IS NULL),"
    " (SELECT count(*) FROM nodes WHERE deactivated IS NOT NULL OR expired IS NOT NULL),"
    " (SELECT count(*) FROM catalog_resources),"
    " (SELECT count(*) FROM resources)"
)

METERS: Mapping[str, Callable[[Count], int]] = {
    "seen": lambda count: count.received,
    "processed": lambda count: count.processed,
    "retried": lambda count: count.retried,
    "fatal": lambda count: count.fatal,
    "discarded": lambda count: count.discarded,
    "ignored": lambda count: count.obsolete,
}
"""What is counted of commands, by PuppetDB's names."""


def answer_metrics(service: Service, request: Request) -> Response:
    """Return the response to a request below ``/metrics``."""
    if request.path == PREFIX:
        return Response(200, {"content-type": PROMETHEUS_TYPE}, [prometheus(service)])
    route = request.path.removeprefix(f"{PREFIX}/v2")
    if route == request.path or (route and not route.startswith("/")):
        return not_found(request.path)
    return answer_jolokia(partial(beans, service), request, route)


# -- values ------------------------------------------------------------------------------------------


def beans(service: Service) -> dict[str, Attributes]:
    """Return the attributes of each bean."""
    active, inactive, resources, distinct = population(service)
    nodes = active + inactive
    shared = 1 - distinct / resources if resources else 0.0
    values = {
        "num-nodes": active,
        "num-active-nodes": active,
        "num-inactive-nodes": inactive,
        "num-resources": resources,
        "avg-resources-per-node": resources / nodes if nodes else 0.0,
        "pct-resource-dupes": max(0.0, shared),
    }
    found: dict[str, Attributes] = {
        f"{POPULATION}:name={name}": {"Value": value} for name, value in values.items()
    }
    found[f"{QUEUE}:name=global.depth"] = {"Count": service.queue_depth}
    found[f"{QUEUE}:name=global.awaiting-retry"] = {"Count": service.awaiting_retry}
    for command, count in service.command_counts.items():
        title, space, version = command.rpartition(" ")
        for name, attributes in command_attributes(count).items():
            bean = f"{title}.{version}.{name}" if space else f"{command}.{name}"
            found[f"{QUEUE}:name={bean}"] = attributes
    found[MEMORY] = {"HeapMemoryUsage": {"used": resident_bytes()}}
    found["java.lang:type=Runtime"] = {"Uptime": up_milliseconds()}
    return found


def population(service: Service) -> tuple[int, int, int, int]:
    """Return the numbers of active and of inactive nodes, of resources and of different ones."""
    ((active, inactive, resources, distinct),) = service.database.rows(COUNTS, SECONDS)
    return int(active or 0), int(inactive or 0), int(resources or 0), int(distinct or 0)


def prometheus(service: Service) -> str:
    """Return the metrics in Prometheus's text format."""
    active, inactive, resources, distinct = population(service)
    lines = [
        "# HELP puppetdb_nodes Nodes in the database.",
        "# TYPE puppetdb_nodes gauge",
        f'puppetdb_nodes{{state="active"}} {active}',
        f'puppetdb_nodes{{state="inactive"}} {inactive}',
        *gauge("puppetdb_resources", "Resources in the catalogs of all nodes.", resources),
        *gauge("puppetdb_distinct_resources", "Resources that are stored.", distinct),
        *gauge("puppetdb_queue_depth", "Commands that are not processed yet.", service.queue_depth),
        *gauge("process_resident_memory_bytes", "Memory of the process.", resident_bytes()),
        "# HELP process_cpu_seconds_total Processor time of the process.",
        "# TYPE process_cpu_seconds_total counter",
        f"process_cpu_seconds_total {processor_seconds():.2f}",
    ]
    return "".join(f"{line}\n" for line in [*lines, *command_lines(service)])


def gauge(name: str, text: str, value: int) -> list[str]:
    """Return the lines of a metric with one value."""
    return [f"# HELP {name} {text}", f"# TYPE {name} gauge", f"{name} {value}"]


def command_attributes(count: Count) -> dict[str, Attributes]:
    """Return the attributes of the metrics of commands, by the names that PuppetDB gives them."""
    minutes = max(up_milliseconds() / 60_000, 1 / 60)
    meters = {name: value(count) for name, value in METERS.items()}
    found: dict[str, Attributes] = {
        name: {"Count": number, "MeanRate": number / minutes / 60, "RateUnit": "events/second"}
        for name, number in meters.items()
    }
    for name, seconds in (
        ("processing-time", count.processing_seconds),
        ("queue-time", count.queue_seconds),
    ):
        mean = seconds / count.processed * 1000 if count.processed else 0.0
        found[name] = {"Count": count.processed, "Mean": mean, "DurationUnit": "milliseconds"}
    mean = count.size / count.received if count.received else 0.0
    found["size"] = {"Count": count.received, "Mean": mean}
    return found


def command_lines(service: Service) -> list[str]:
    """Return the lines of the counts of commands."""
    lines = [
        "# HELP puppetdb_commands_total Commands by name and version, and by what happened to them.",
        "# TYPE puppetdb_commands_total counter",
    ]
    for command, count in service.command_counts.items():
        name, space, version = command.rpartition(" ")
        for event, value in METERS.items() if space else ():
            labels = f'command="{name}",version="{version}",event="{event}"'
            lines.append(f"puppetdb_commands_total{{{labels}}} {value(count)}")
    return lines
