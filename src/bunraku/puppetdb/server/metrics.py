"""Metrics: as Jolokia gives those of PuppetDB below ``/metrics/v2``, and for Prometheus.

PuppetDB's metrics of the Java process do not exist here; the others have its names and attributes.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from time import time
from typing import TypeAlias
from urllib.parse import unquote

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.counts import Count
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.json_values import Json, read_json
from bunraku.puppetdb.server.pages import not_found
from bunraku.puppetdb.server.process import processor_seconds, resident_bytes, up_milliseconds
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Document, Request, Response, json_response

PREFIX = "/metrics"
PROMETHEUS_TYPE = "text/plain;version=0.0.4;charset=utf-8"
POPULATION = "puppetlabs.puppetdb.population"
QUEUE = "puppetlabs.puppetdb.mq"
MEMORY = "java.lang:type=Memory"
LONGEST_REQUEST = 1024 * 1024
SECONDS = 30.0
PROTOCOL: Document = {"agent": "1.7.2", "protocol": "7.2", "info": {}}
Attributes: TypeAlias = "dict[str, Document]"
ESCAPED = re.compile(r"!(.)")
SEPARATOR = re.compile(r"(?<!!)((?:!!)*)/")
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


class Failure(Exception):
    """Raised with the status and the message of a request that Jolokia refuses."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


def answer_metrics(service: Service, request: Request) -> Response:
    """Return the response to a request below ``/metrics``."""
    if request.path == PREFIX:
        return Response(200, {"content-type": PROMETHEUS_TYPE}, [prometheus(service)])
    route = request.path.removeprefix(f"{PREFIX}/v2")
    if route == request.path or (route and not route.startswith("/")):
        return not_found(request.path)
    if request.method == "POST" and not route.strip("/"):
        return json_response(answer_body(service, request.read(LONGEST_REQUEST)))
    return json_response(answered(service, request_in(route.removeprefix("/"))))


# -- requests ----------------------------------------------------------------------------------------


def request_in(route: str) -> dict[str, Json]:
    """Return the request that a path describes; ``!/`` is a slash within a part.

    >>> request_in("read/java.lang:type=Memory/HeapMemoryUsage/used")["attribute"]
    'HeapMemoryUsage'
    """
    parts = [ESCAPED.sub(r"\\1", part) for part in re.split(r"(?<!!)/", unquote(route))]
    found: dict[str, Json] = {"type": parts[0] or "version"}
    if found["type"] in {"read", "search"}:
        names = ("mbean", "attribute", "path")
        found.update(zip(names, [*parts[1:3], *filter(None, ["/".join(parts[3:])])], strict=False))
    elif parts[1:] and parts[1]:
        found["path"] = "/".join(parts[1:])
    return found


def answer_body(service: Service, body: bytes) -> Document:
    """Return the responses to the requests in a body: one object, or a list of them."""
    try:
        value = read_json(body)
    except PuppetError as error:
        return {
            "status": 400,
            "error_type": "java.lang.IllegalArgumentException",
            "error": error.message,
        }
    if isinstance(value, list):
        return [answered(service, one if isinstance(one, dict) else {}) for one in value]
    return answered(service, value if isinstance(value, dict) else {})


def answered(service: Service, request: Mapping[str, Json]) -> Document:
    """Return the response to one request, with its own status."""
    try:
        return {
            "request": request,
            "value": value_of(service, request),
            "timestamp": int(time()),
            "status": 200,
        }
    except Failure as failure:
        return {
            "request": request,
            "error_type": failure.kind,
            "error": f"{failure.kind} : {failure}",
            "status": failure.status,
        }


def value_of(service: Service, request: Mapping[str, Json]) -> Document:
    """Return the value of a request; raise Failure if there is none."""
    match request.get("type"):
        case "version":
            return PROTOCOL
        case "list":
            return listed(service)
        case "search":
            pattern = str(request.get("mbean", ""))
            return [name for name in beans(service) if fits(name, pattern)]
        case "read":
            return read(beans(service), request)
    raise Failure(
        400, "java.lang.IllegalArgumentException", f"Unsupported type '{request.get('type')}'"
    )


def read(found: Mapping[str, Attributes], request: Mapping[str, Json]) -> Document:
    """Return the attributes of a bean, or of the beans that a pattern fits, by name."""
    name, wanted = str(request.get("mbean", "")), request.get("attribute")
    if "*" in name or "?" in name:
        fitting = [one for one in found if fits(one, name)]
        return {one: attributes_of(one, found[one], wanted) for one in fitting}
    exact = next((one for one in found if fits(one, name)), None)
    if exact is None:
        raise Failure(
            404, "javax.management.InstanceNotFoundException", f"No MBean '{name}' exists"
        )
    return attributes_of(exact, found[exact], wanted)


def attributes_of(name: str, attributes: Attributes, wanted: Json) -> Document:
    """Return all attributes, the one that a text names, or those that a list or commas name."""
    if isinstance(wanted, str) and "," in wanted:
        wanted = [*wanted.split(",")]
    if not wanted:
        return attributes
    names = [str(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
    for one in names:
        if one not in attributes:
            raise Failure(
                404,
                "javax.management.AttributeNotFoundException",
                f"No attribute '{one}' in {name}",
            )
    if isinstance(wanted, list):
        return {one: attributes[one] for one in names}
    return attributes[names[0]]


def fits(name: str, pattern: str) -> bool:
    """Return whether the name of a bean fits a pattern; the order of properties does not matter.

    >>> fits("a:name=x,type=T", "a:type=T,name=*"), fits("a:name=x", "b:*")
    (True, False)
    """
    domain, _, properties = name.partition(":")
    domains, _, wanted = pattern.partition(":")
    if not fnmatch.fnmatchcase(domain, domains):
        return False
    patterns = set(wanted.split(","))
    some = "*" in patterns
    patterns.discard("*")
    own = properties.split(",")
    matched = all(any(fnmatch.fnmatchcase(one, pattern) for one in own) for pattern in patterns)
    return matched and (some or len(patterns) == len(own))


def listed(service: Service) -> Document:
    """Return the beans by domain and properties, with their attributes."""
    found: dict[str, dict[str, Document]] = {}
    for name, attributes in beans(service).items():
        domain, _, properties = name.partition(":")
        found.setdefault(domain, {})[properties] = {
            "attr": {key: {"rw": False, "type": "double", "desc": key} for key in attributes},
            "desc": "Information on the management interface of the MBean",
        }
    return found


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
