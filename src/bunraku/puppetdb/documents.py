"""What commands bring, in the shape of the newest wire format: catalogs, facts, reports.

The annotation of a field says how commands are read, and the type of the field in queries. The
columns of tables have the names of the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from bunraku.base.records import record
from bunraku.puppetdb.json_values import Json

Time: TypeAlias = "int"
"""A point in time: milliseconds since 1970."""
Uuid: TypeAlias = "str"
ReportType: TypeAlias = "str"
"""``agent`` or ``plan``."""
Reference: TypeAlias = "tuple[str, str]"
"""The type and the title of a resource in a catalog."""


@record(frozen=True)
class StoredResource:
    """A resource of a catalog."""

    type: str
    title: str
    exported: bool
    tags: tuple[str, ...]
    file: str | None
    line: int | None
    parameters: Mapping[str, Json]


@record(frozen=True)
class Edge:
    """A relationship between two resources of a catalog."""

    source: Reference
    target: Reference
    relationship: str


@record(frozen=True)
class Catalog:
    """The payload of ``replace catalog``, version 9."""

    certname: str
    version: str
    environment: str | None
    transaction_uuid: Uuid | None
    catalog_uuid: Uuid | None
    code_id: str | None
    job_id: str | None
    producer: str | None
    producer_timestamp: Time
    resources: tuple[StoredResource, ...]
    edges: tuple[Edge, ...]


@record(frozen=True)
class Package:
    """An installed package."""

    name: str
    version: str
    provider: str


@record(frozen=True)
class Factset:
    """The payload of ``replace facts``, version 5; ``packages`` is None without an inventory."""

    certname: str
    environment: str | None
    producer: str | None
    producer_timestamp: int
    values: Mapping[str, Json]
    packages: tuple[Package, ...] | None


class Event(NamedTuple):
    """What happened to a property of a resource, or that the resource was skipped."""

    status: str
    timestamp: int
    resource_type: str
    resource_title: str
    property: str | None
    name: str | None
    old_value: Json
    new_value: Json
    message: str | None
    file: str | None
    line: int | None
    containment_path: tuple[str, ...] | None


@record(frozen=True)
class Report:
    """The payload of ``store report``, version 8."""

    certname: str
    environment: str
    type: ReportType
    status: str | None
    puppet_version: str
    report_format: int
    configuration_version: str
    start_time: Time
    end_time: Time
    producer: str | None
    producer_timestamp: Time
    transaction_uuid: Uuid | None
    catalog_uuid: Uuid | None
    code_id: str | None
    job_id: str | None
    cached_catalog_status: str | None
    noop: bool | None
    noop_pending: bool | None
    events: tuple[Event, ...]
    metrics: Json
    logs: Json


@record(frozen=True)
class Deactivation:
    """The payload of ``deactivate node``, version 3."""

    certname: str
    producer_timestamp: int


@record(frozen=True)
class Expiration:
    """The payload of ``configure expiration``, version 1: whether a node's facts expire."""

    certname: str
    producer_timestamp: int
    facts: bool


@record(frozen=True)
class CatalogInputs:
    """The payload of ``replace catalog inputs``, version 1: types and names, such as Hiera keys."""

    certname: str
    producer_timestamp: int
    catalog_uuid: str
    inputs: tuple[tuple[str, str], ...]


FieldKind: TypeAlias = Literal["text", "number", "boolean", "timestamp"]
KINDS: Mapping[str, FieldKind] = {
    "str": "text",
    "Uuid": "text",
    "ReportType": "text",
    "int": "number",
    "bool": "boolean",
    "Time": "timestamp",
}
"""Annotation → the type of the field in queries."""
IN_OTHER_TABLES = frozenset({"certname", "environment", "producer"})


class Column(NamedTuple):
    """A field of a document that is a column of its table."""

    name: str
    kind: FieldKind
    nullable: bool


def columns_of(document: type) -> tuple[Column, ...]:
    """Return the fields of a kind of documents that are columns of one table, in order.

    >>> columns_of(Catalog)[1]
    Column(name='transaction_uuid', kind='text', nullable=True)
    """
    annotations = {name: str(one) for name, one in document.__annotations__.items()}
    return tuple(
        Column(name, KINDS[one.removesuffix(" | None")], one.endswith(" | None"))
        for name, one in annotations.items()
        if one.removesuffix(" | None") in KINDS and name not in IN_OTHER_TABLES
    )
