"""The wire formats of commands: their payloads, checked, as the documents that are stored."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.puppetdb.commands.failure import invalid
from bunraku.puppetdb.commands.shapes import Document, document
from bunraku.puppetdb.documents import (
    Catalog,
    Deactivation,
    Edge,
    Event,
    Factset,
    Package,
    Reference,
    Report,
    Resource,
)
from bunraku.puppetdb.json_values import Json

RELATIONSHIPS = frozenset(
    ["contains", "before", "required-by", "notifies", "subscription-of"],
)
PACKAGE_PARTS = 3

# -- catalogs ----------------------------------------------------------------------------------------


def read_catalog(payload: Json) -> Catalog:
    """Return the catalog of ``replace catalog``, version 9; PuppetError if it is invalid."""
    data = document("catalog", payload)
    data.has("certname", "version", "edges", "resources", "producer_timestamp")
    resources = tuple(map(read_resource, data.documents("resources", "resource")))
    edges = tuple(map(read_edge, data.documents("edges", "edge")))
    check_references(resources, edges)
    return Catalog(
        certname=data.text("certname"),
        version=data.text("version"),
        environment=data.optional_text("environment"),
        transaction_uuid=data.optional_text("transaction_uuid"),
        catalog_uuid=data.optional_text("catalog_uuid"),
        code_id=data.optional_text("code_id"),
        job_id=data.optional_text("job_id"),
        producer=data.optional_text("producer"),
        producer_timestamp=data.timestamp("producer_timestamp"),
        resources=resources,
        edges=edges,
    )


def read_resource(data: Document) -> Resource:
    """Return a resource."""
    return Resource(
        type=data.text("type"),
        title=data.text("title"),
        exported=data.flag("exported"),
        tags=data.texts("tags"),
        file=data.optional_text("file"),
        line=data.optional_integer("line"),
        parameters=data.object("parameters"),
    )


def read_edge(data: Document) -> Edge:
    """Return an edge."""
    relationship = data.text("relationship")
    if relationship not in RELATIONSHIPS:
        raise invalid("edge", f"unknown relationship '{relationship}'")
    return Edge(read_reference(data, "source"), read_reference(data, "target"), relationship)


def read_reference(data: Document, name: str) -> Reference:
    """Return the resource at one end of an edge."""
    end = document(f"{name} of an edge", data.values.get(name))
    return Reference(end.text("type"), end.text("title"))


def check_references(resources: tuple[Resource, ...], edges: tuple[Edge, ...]) -> None:
    """Refuse resources that appear twice and edges to resources that the catalog lacks."""
    known = {Reference(resource.type, resource.title) for resource in resources}
    if len(known) != len(resources):
        raise invalid("catalog", "a resource appears twice")
    for edge in edges:
        for end in (edge.source, edge.target):
            if end not in known:
                raise invalid(
                    "catalog", f"an edge refers to {end.type}[{end.title}], which is missing"
                )


# -- facts -------------------------------------------------------------------------------------------

FACTSET_KEYS = (
    "certname",
    "environment",
    "producer",
    "producer_timestamp",
    "values",
    "package_inventory",
)


def read_factset(payload: Json) -> Factset:
    """Return the facts of ``replace facts``, versions 4 and 5; PuppetError if they are invalid."""
    data = document("factset", payload)
    data.has("certname", "environment", "producer_timestamp", "values")
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


def read_report(payload: Json) -> Report:
    """Return the report of ``store report``, version 8; PuppetError if it is invalid."""
    data = document("report", payload)
    data.has("certname", "resources", "metrics", "logs", "status", "producer_timestamp")
    resources = data.documents("resources", "resource of a report")
    return Report(
        certname=data.text("certname"),
        environment=data.optional_text("environment"),
        type=data.optional_text("type") or "agent",
        status=data.optional_text("status"),
        puppet_version=data.text("puppet_version"),
        report_format=data.integer("report_format"),
        configuration_version=data.text("configuration_version"),
        start_time=data.timestamp("start_time"),
        end_time=data.timestamp("end_time"),
        producer=data.optional_text("producer"),
        producer_timestamp=data.timestamp("producer_timestamp"),
        transaction_uuid=data.optional_text("transaction_uuid"),
        catalog_uuid=data.optional_text("catalog_uuid"),
        code_id=data.optional_text("code_id"),
        job_id=data.optional_text("job_id"),
        cached_catalog_status=data.optional_text("cached_catalog_status"),
        noop=data.optional_flag("noop"),
        noop_pending=data.optional_flag("noop_pending"),
        events=tuple([event for resource in resources for event in read_events(resource)]),
        metrics=data.values["metrics"],
        logs=data.values["logs"],
    )


def read_events(data: Document) -> Iterator[Event]:
    """Yield the events of a resource; a skipped resource is an event, too."""
    for event in data.documents("events", "event"):
        event.has("status", "timestamp", "property", "name", "old_value", "new_value", "message")
        yield read_event(data, event)
    if data.flag("skipped"):
        skipped: dict[str, Json] = {"status": "skipped", "timestamp": data.values.get("timestamp")}
        yield read_event(data, Document("event", skipped))


def read_event(resource: Document, event: Document) -> Event:
    """Return an event of a resource."""
    path = resource.values.get("containment_path")
    return Event(
        status=event.text("status"),
        timestamp=event.timestamp("timestamp"),
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


def read_deactivation(payload: Json) -> Deactivation:
    """Return the node of ``deactivate node``, version 3; PuppetError if it is invalid."""
    data = document("deactivation", payload)
    return Deactivation(data.text("certname"), data.timestamp("producer_timestamp"))
