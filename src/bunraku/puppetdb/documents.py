"""What commands bring, in the shape of the newest wire format: catalogs, facts, reports.

Points in time are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from bunraku.base.records import record
from bunraku.puppetdb.json_values import Json

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
    transaction_uuid: str | None
    catalog_uuid: str | None
    code_id: str | None
    job_id: str | None
    producer: str | None
    producer_timestamp: int
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
    environment: str | None
    type: str
    status: str | None
    puppet_version: str
    report_format: int
    configuration_version: str
    start_time: int
    end_time: int
    producer: str | None
    producer_timestamp: int
    transaction_uuid: str | None
    catalog_uuid: str | None
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
