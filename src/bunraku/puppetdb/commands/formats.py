"""The wire formats of commands: their payloads, checked, as the documents that are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, KeysView, Mapping
from itertools import chain
from typing import Any, TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.failure import invalid, unstorable
from bunraku.puppetdb.commands.metadata import CONTENT
from bunraku.puppetdb.commands.shapes import Document, document
from bunraku.puppetdb.commands.tags import PATTERN, first_invalid_tag
from bunraku.puppetdb.documents import (
    Catalog,
    CatalogInputs,
    Deactivation,
    Edge,
    Event,
    Expiration,
    Factset,
    Package,
    Reference,
    Report,
    StoredResource,
)
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.timestamps import is_point_in_time, to_milliseconds

RELATIONSHIPS = frozenset(
    ["contains", "before", "required-by", "notifies", "subscription-of"],
)
PACKAGE_PARTS = 3
LARGEST_LINE = 1 << 31

READERS: Mapping[str, Callable[[Document, str], Any]] = {
    "str": Document.text,
    "str | None": Document.optional_text,
    "Uuid | None": Document.optional_uuid,
    "int": Document.integer,
    "bool | None": Document.optional_flag,
    "Time": Document.time,
}
"""Annotation of a field → how its value is read."""


def scalars(data: Document, kind: type) -> dict[str, Any]:
    """Return the fields of a document that one value of the command has."""
    annotations = kind.__annotations__.items()
    return {name: READERS[one](data, name) for name, one in annotations if one in READERS}


# -- catalogs ----------------------------------------------------------------------------------------


def read_catalog(payload: Json) -> Catalog:
    """Return the catalog of ``replace catalog``, version 9; PuppetError if it is invalid.

    As in PuppetDB, keys that the format does not have are ignored, and some may be missing.
    """
    data = document("catalog", payload)
    data.has("certname", "version", "edges", "resources", "producer_timestamp")
    data.has("producer", "catalog_uuid", "code_id")
    resources = [read_resource(item) for item in data.objects("resources")]
    edges = [read_edge(item) for item in data.objects("edges")]
    check_references(resources, edges)
    return Catalog(**scalars(data, Catalog), resources=tuple(resources), edges=tuple(edges))


def read_renewal(payload: Json) -> tuple[Catalog, str]:
    """Return the catalog of a renewal, which has no resources and edges, and the hash of its content."""
    data = document("catalog", payload)
    return Catalog(**scalars(data, Catalog), resources=(), edges=()), data.text(CONTENT)


def read_resource(values: dict[str, Json]) -> StoredResource:
    """Return a resource.

    Most resources of a catalog have the usual types, which one look at all values shows.
    """
    get = values.get
    type_, title, exported, tags = get("type"), get("title"), get("exported"), get("tags")
    file, line, parameters = get("file"), get("line"), get("parameters")
    if (
        type(type_) is str
        and type(title) is str
        and type(exported) is bool
        and type(tags) is list
        and (file is None or type(file) is str)
        and (line is None or (type(line) is int and abs(line) < LARGEST_LINE))
        and (parameters is None or type(parameters) is dict)
    ):
        return StoredResource(
            type_, title, exported, read_tags(type_, title, tags), file, line, parameters or {}
        )
    raise wrong_resource(Document("resource", values))


def wrong_resource(data: Document) -> PuppetError:
    """Return the error of a resource with a value of a wrong type."""
    try:
        data.text("type"), data.text("title"), data.texts("tags")
        data.optional_object("parameters")
    except PuppetError as error:
        return error
    reference = f"{data.text('type')}[{data.text('title')}]"
    if not isinstance(data.values.get("exported"), bool):
        return unstorable(
            "catalog", f"the value of 'exported' of {reference} must be true or false"
        )
    if not isinstance(data.values.get("file"), str | None):
        return unstorable("catalog", f"the value of 'file' of {reference} must be a string")
    return unstorable("catalog", f"the value of 'line' of {reference} must be an integer")


def read_tags(type_: str, title: str, tags: list[Json]) -> tuple[str, ...]:
    """Return the tags of a resource, each once; PuppetError if one is invalid."""
    found = dict.fromkeys([tag for tag in tags if type(tag) is str])
    if len(found) != len(tags) and not all(isinstance(tag, str) for tag in tags):
        raise invalid("resource", "the value of 'tags' must be an array of strings")
    wrong = first_invalid_tag(found)
    if wrong is not None:
        reason = f"resource '{type_}[{title}]' has an invalid tag '{wrong}'."
        raise invalid("catalog", f"{reason} Tags must match the pattern /{PATTERN}/.")
    return tuple(found)


def read_edge(values: dict[str, Json]) -> Edge:
    """Return an edge."""
    relationship = values.get("relationship")
    if not isinstance(relationship, str) or relationship not in RELATIONSHIPS:
        raise invalid("edge", f"unknown relationship '{relationship}'")
    return Edge(
        read_reference(values.get("source")), read_reference(values.get("target")), relationship
    )


def read_reference(value: Json) -> Reference:
    """Return the resource at one end of an edge."""
    if isinstance(value, dict):
        type_, title = value.get("type"), value.get("title")
        if isinstance(type_, str) and isinstance(title, str):
            return type_, title
    raise invalid("edge", "expected a source and a target, each with type and title")


def check_references(resources: list[StoredResource], edges: list[Edge]) -> None:
    """Refuse resources that appear twice and edges to resources that the catalog lacks."""
    known = {(resource.type, resource.title) for resource in resources}
    if len(known) != len(resources):
        raise invalid("catalog", "a resource appears twice")
    for edge in edges:
        for type_, title in (edge.source, edge.target):
            if (type_, title) not in known:
                raise invalid("catalog", f"an edge refers to {type_}[{title}], which is missing")


# -- facts -------------------------------------------------------------------------------------------

FACTSET_KEYS = (
    "certname",
    "environment",
    "producer",
    "producer_timestamp",
    "values",
    "package_inventory",
    "timestamp",
)


def read_factset(payload: Json) -> Factset:
    """Return the facts of ``replace facts``, version 5; PuppetError if they are invalid."""
    data = document("factset", payload)
    data.has("certname", "environment", "producer", "producer_timestamp", "values")
    data.allows(*FACTSET_KEYS)
    return Factset(
        certname=data.text("certname"),
        environment=data.optional_text("environment"),
        producer=data.optional_text("producer"),
        producer_timestamp=data.timestamp("producer_timestamp"),
        values=data.object("values"),
        packages=read_packages(data.values.get("package_inventory")),
    )


def read_packages(value: Json) -> tuple[Package, ...] | None:
    """Return the packages of a node: arrays of name, version and provider."""
    if value is None:
        return None
    if not isinstance(value, list):
        raise invalid("factset", "the value of 'package_inventory' must be an array")
    return tuple(map(read_package, value))


def read_package(value: Json) -> Package:
    """Return a package."""
    parts = [part for part in value if isinstance(part, str)] if isinstance(value, list) else []
    if not isinstance(value, list) or not len(parts) == len(value) == PACKAGE_PARTS:
        raise invalid("package", "expected an array of name, version and provider")
    return Package(*parts)


# -- reports -----------------------------------------------------------------------------------------


def keys(*names: str) -> KeysView[str]:
    """Return the keys of a kind of document as a set that keeps their order."""
    return dict.fromkeys(names).keys()


REPORT_KEYS = keys(
    "certname",
    "environment",
    "puppet_version",
    "report_format",
    "configuration_version",
    "start_time",
    "end_time",
    "producer_timestamp",
    "producer",
    "resources",
    "metrics",
    "logs",
    "transaction_uuid",
    "catalog_uuid",
    "code_id",
    "cached_catalog_status",
    "status",
    "noop",
    "noop_pending",
    "corrective_change",
)
RESOURCE_KEYS = keys(
    "skipped",
    "timestamp",
    "resource_type",
    "resource_title",
    "file",
    "line",
    "containment_path",
    "corrective_change",
    "events",
)
EVENT_KEYS = keys(
    "status",
    "timestamp",
    "property",
    "name",
    "new_value",
    "old_value",
    "message",
    "corrective_change",
)
NOT_IN_REPORTS = frozenset({"certname", "events"})
"""Fields of a stored report that are no keys of its command, or that every command has."""
METRIC_KEYS = keys("category", "name", "value")
LOG_KEYS = keys("file", "line", "level", "message", "source", "tags", "time")
TYPES = frozenset(["agent", "plan"])
NUMBERS = frozenset([int, float])
TEXT = frozenset([str])
OPTIONAL_TEXT = frozenset([str, type(None)])
OPTIONAL_FLAG = frozenset([bool, type(None)])


def read_report(payload: Json) -> Report:
    """Return the report of ``store report``, version 8; PuppetError if it is invalid."""
    data = document("report", payload)
    data.has_only(REPORT_KEYS, Report.__annotations__.keys() - NOT_IN_REPORTS)
    type_ = data.text("type") if "type" in data.values else "agent"
    if type_ not in TYPES:
        raise invalid("report", f"unknown type '{type_}'; expected 'agent' or 'plan'")
    data.optional_flag("corrective_change")
    check_details(data)
    return Report(
        **scalars(data, Report),
        type=type_,
        events=tuple(chain.from_iterable(map(read_events, data.optional_objects("resources")))),
        metrics=data.values["metrics"],
        logs=data.values["logs"],
    )


def check_details(data: Document) -> None:
    """Check the metrics and the logs of a report, which are stored as they are."""
    for metric in data.optional_objects("metrics"):
        if not is_usual_metric(metric):
            check_metric(Document("metric", metric))
    for log in data.optional_objects("logs"):
        if not is_usual_log(log):
            check_log(Document("log", log))


def is_usual_metric(values: dict[str, Json]) -> bool:
    """Return whether a metric is valid at one look, as nearly all are."""
    return (
        values.keys() == METRIC_KEYS
        and type(values["category"]) is str
        and type(values["name"]) is str
        and type(values["value"]) in NUMBERS
    )


def check_metric(metric: Document) -> None:
    """Refuse a metric that is invalid."""
    metric.has_only(METRIC_KEYS)
    metric.text("category"), metric.text("name"), metric.number("value")


def is_usual_log(values: dict[str, Json]) -> bool:
    """Return whether a line of a log is valid at one look, as most are."""
    tags = values.get("tags")
    return (
        values.keys() == LOG_KEYS
        and type(values["level"]) is type(values["message"]) is type(values["source"]) is str
        and type(values["file"]) in OPTIONAL_TEXT
        and values["line"] is None
        and type(tags) is list
        and TEXT.issuperset(map(type, tags))
        and is_time(values["time"])
    )


def check_log(log: Document) -> None:
    """Refuse a line of a log that is invalid."""
    log.has_only(LOG_KEYS)
    log.optional_text("file"), log.optional_integer("line"), log.text("level")
    log.text("message"), log.text("source"), log.time("time")
    if log.values["tags"] is not None:
        log.texts("tags")


def is_time(value: Json) -> bool:
    """Return whether a value is a text that names a point in time."""
    return type(value) is str and is_point_in_time(value)


def is_uneventful(values: dict[str, Json]) -> bool:
    """Return whether a resource of a report is valid and has no event, as most are."""
    return (
        values.keys() == RESOURCE_KEYS
        and values["skipped"] is False
        and (values["events"] is None or values["events"] == [])
        and type(values["corrective_change"]) in OPTIONAL_FLAG
        and is_time(values["timestamp"])
    )


def read_events(values: dict[str, Json]) -> Iterable[Event]:
    """Return the events of a resource; a skipped resource is an event, too."""
    if is_uneventful(values):
        return ()
    data = Document("resource of a report", values)
    data.has_only(RESOURCE_KEYS)
    data.time("timestamp")
    data.optional_flag("corrective_change")
    if data.flag("skipped"):
        for event in data.optional_objects("events"):
            check_event(Document("event", event))
        skipped: dict[str, Json] = {"status": "skipped", "timestamp": values["timestamp"]}
        return (read_event(data, Document("event", skipped)),)
    place = place_of(data)
    events = data.optional_objects("events")
    return [usual_event(place, one) or read_checked(data, Document("event", one)) for one in events]


EventPlace: TypeAlias = "tuple[str, str, str | None, int | None, tuple[str, ...] | None]"
"""Type, title, file, line and containers of the resource of an event."""


def place_of(resource: Document) -> EventPlace | None:
    """Return where the events of a resource happen; None if something in it has a wrong type."""
    get = resource.values.get
    type_, title, file, line = (
        get("resource_type"),
        get("resource_title"),
        get("file"),
        get("line"),
    )
    path = get("containment_path")
    if (
        type(type_) is str
        and type(title) is str
        and (file is None or type(file) is str)
        and (line is None or (type(line) is int and abs(line) < LARGEST_LINE))
    ):
        if path is None:
            return type_, title, file, line, None
        if type(path) is list and TEXT.issuperset(map(type, path)):
            return type_, title, file, line, resource.texts("containment_path")
    return None


def usual_event(place: EventPlace | None, values: dict[str, Json]) -> Event | None:
    """Return an event that is valid at one look, as nearly all are; None for another one."""
    if place is None or values.keys() != EVENT_KEYS:
        return None
    status, text = values["status"], values["timestamp"]
    property_, name, message = values["property"], values["name"], values["message"]
    time = to_milliseconds(text) if type(text) is str else None
    if (
        time is None
        or type(status) is not str
        or not (property_ is None or type(property_) is str)
        or not (name is None or type(name) is str)
        or not (message is None or type(message) is str)
        or type(values["corrective_change"]) not in OPTIONAL_FLAG
    ):
        return None
    type_, title, file, line, path = place
    return Event(
        status,
        time,
        type_,
        title,
        property_,
        name,
        values["old_value"],
        values["new_value"],
        message,
        file,
        line,
        path,
    )


def read_checked(resource: Document, event: Document) -> Event:
    """Return an event of a resource after a check of its keys; PuppetError if it is invalid."""
    check_event(event)
    return read_event(resource, event)


def check_event(event: Document) -> None:
    """Refuse an event with other keys."""
    event.has_only(EVENT_KEYS)
    event.optional_flag("corrective_change")


def read_event(resource: Document, event: Document) -> Event:
    """Return an event of a resource."""
    path = resource.values["containment_path"]
    return Event(
        status=event.text("status"),
        timestamp=event.time("timestamp"),
        resource_type=resource.text("resource_type"),
        resource_title=resource.text("resource_title"),
        property=event.optional_text("property"),
        name=event.optional_text("name"),
        old_value=event.values.get("old_value"),
        new_value=event.values.get("new_value"),
        message=event.optional_text("message"),
        file=resource.optional_text("file"),
        line=resource.optional_integer("line"),
        containment_path=None if path is None else resource.texts("containment_path"),
    )


# -- nodes -------------------------------------------------------------------------------------------


def read_deactivation(payload: Json, received: int) -> Deactivation:
    """Return the node of ``deactivate node``, version 3; PuppetError if it is invalid."""
    data = document("deactivation", payload)
    data.allows("certname", "producer_timestamp")
    return Deactivation(data.text("certname"), data.optional_time("producer_timestamp", received))


def read_expiration(payload: Json, received: int) -> Expiration:
    """Return the setting of ``configure expiration``; PuppetError if it is invalid."""
    data = document("expiration", payload)
    data.has("certname", "expire")
    data.allows("certname", "expire", "producer_timestamp")
    expire = document("value of 'expire'", data.values["expire"])
    expire.allows("facts")
    time = data.optional_time("producer_timestamp", received)
    return Expiration(data.text("certname"), time, expire.flag("facts"))


def read_catalog_inputs(payload: Json, received: int) -> CatalogInputs:
    """Return the inputs of ``replace catalog inputs``; PuppetError if they are invalid."""
    data = document("catalog inputs", payload)
    inputs = data.values.get("inputs")
    if inputs is not None and not isinstance(inputs, list):
        raise unstorable("catalog inputs", "the value of 'inputs' must be an array")
    uuid = data.optional_uuid("catalog_uuid")
    if uuid is None:
        raise unstorable("catalog inputs", "the value of 'catalog_uuid' must be a UUID")
    return CatalogInputs(
        data.text("certname"),
        data.optional_time("producer_timestamp", received),
        uuid,
        tuple(map(read_input, inputs or [])),
    )


def read_input(value: Json) -> tuple[str, str]:
    """Return the type and the name of an input."""
    if isinstance(value, list) and len(value) == 2:
        kind, name = value
        if isinstance(kind, str) and isinstance(name, str):
            return kind, name
    raise unstorable("catalog inputs", "expected an array of type and name for each input")
