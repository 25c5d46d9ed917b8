"""Older wire formats, brought to the shape of the newest one as PuppetDB does it.

Each function changes one version into a later one. The result is not checked: that is the work of
:mod:`bunraku.puppetdb.commands.formats`.
"""

# ruff: noqa: ARG001 - functions of one table have one signature

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.failure import invalid
from bunraku.puppetdb.json_values import Json, canonical_json, read_json
from bunraku.puppetdb.timestamps import to_text

Payload: TypeAlias = "dict[str, Json]"
Upgrade = Callable[[Payload, str], Payload]
"""Changes a payload; the text is the time of arrival, which older formats lack."""

# -- catalogs ----------------------------------------------------------------------------------------


def catalog_from_4(payload: Payload, received: str) -> Payload:
    """Version 4 has no time of its own."""
    return {**payload, "producer_timestamp": received}


def catalog_from_5(payload: Payload, received: str) -> Payload:
    """Version 5 has dashes in its keys, and the node's name in ``name``."""
    found = with_underscores(renamed(payload, "name", "certname"))
    return {key: value for key, value in found.items() if key != "api_version"}


def catalog_from_6(payload: Payload, received: str) -> Payload:
    """Version 6 does not identify the code."""
    return {**payload, "code_id": None}


def catalog_from_7(payload: Payload, received: str) -> Payload:
    """Version 7 identifies the catalog by the run of the agent."""
    return {**payload, "catalog_uuid": payload.get("transaction_uuid")}


def catalog_from_8(payload: Payload, received: str) -> Payload:
    """Version 8 does not name the server."""
    return {**payload, "producer": None, "job_id": None}


# -- facts -------------------------------------------------------------------------------------------


def facts_from_2(payload: Payload, received: str) -> Payload:
    """Version 2 has no time of its own."""
    return {**payload, "producer-timestamp": received}


def facts_from_3(payload: Payload, received: str) -> Payload:
    """Version 3 has a dash in a key, and the node's name in ``name``."""
    return renamed(renamed(payload, "producer-timestamp", "producer_timestamp"), "name", "certname")


def facts_from_4(payload: Payload, received: str) -> Payload:
    """Version 4 does not name the server."""
    return {**payload, "producer": None}


# -- reports -----------------------------------------------------------------------------------------

OF_RESOURCE = ("file", "line", "timestamp", "resource_type", "resource_title", "containment_path")
NOT_OF_EVENT = frozenset(["file", "line", "resource_type", "resource_title", "containment_path"])


def report_from_3(payload: Payload, received: str) -> Payload:
    """Version 3 has no status."""
    return {**payload, "status": None}


def report_from_4(payload: Payload, received: str) -> Payload:
    """Version 4 has dashes in its keys, and neither metrics nor logs."""
    found = with_underscores(payload)
    events = [with_underscores(event) for event in objects(found, "resource_events")]
    added: Payload = {"metrics": None, "logs": None, "noop": None, "producer_timestamp": received}
    return {**found, **added, "resource_events": [*events]}


def report_from_5(payload: Payload, received: str) -> Payload:
    """Version 5 has events with the data of their resources instead of resources with events."""
    resources: dict[str, Payload] = {}
    events: dict[str, list[Json]] = {}
    for event in objects(payload, "resource_events"):
        resource: Payload = {key: event[key] for key in OF_RESOURCE if key in event}
        resource["skipped"] = event.get("status") == "skipped"
        key = canonical_json(resource)
        resources.setdefault(key, resource)
        own = {key: value for key, value in event.items() if key not in NOT_OF_EVENT}
        events.setdefault(key, []).append(own)
    found: list[Json] = [{**resource, "events": events[key]} for key, resource in resources.items()]
    rest = {key: value for key, value in payload.items() if key != "resource_events"}
    return {**rest, "resources": found}


def report_from_6(payload: Payload, received: str) -> Payload:
    """Version 6 does not identify the catalog and the code."""
    return {
        "catalog_uuid": payload.get("transaction_uuid"),
        "cached_catalog_status": None,
        "code_id": None,
        **payload,
    }


def report_from_7(payload: Payload, received: str) -> Payload:
    """Version 7 lacks corrective changes, the server, and the names of events."""
    resources: list[Json] = []
    for resource in objects(payload, "resources"):
        events: list[Json] = [
            {"corrective_change": None, "name": None, **event}
            for event in objects(resource, "events")
        ]
        resources.append({"corrective_change": None, **resource, "events": events})
    added: Payload = dict.fromkeys(["noop_pending", "corrective_change", "producer", "job_id"])
    return {**added, **payload, "resources": resources}


# -- nodes -------------------------------------------------------------------------------------------


def deactivation_from(version: int, payload: Json) -> Json:
    """Return the newest form of a deactivation: version 1 is JSON in a text, version 2 a name."""
    if version == 1:
        if not isinstance(payload, str):
            raise invalid("deactivation", "expected a string with JSON")
        payload = read_json(payload.encode("utf-8", "replace"))
    return {"certname": payload}


# -- all ---------------------------------------------------------------------------------------------

UPGRADES: Mapping[str, Mapping[int, Upgrade]] = {
    "replace catalog": {
        4: catalog_from_4,
        5: catalog_from_5,
        6: catalog_from_6,
        7: catalog_from_7,
        8: catalog_from_8,
    },
    "replace facts": {2: facts_from_2, 3: facts_from_3, 4: facts_from_4},
    "store report": {
        3: report_from_3,
        4: report_from_4,
        5: report_from_5,
        6: report_from_6,
        7: report_from_7,
    },
}
SUPPORTED: Mapping[str, range] = {
    "replace catalog": range(4, 10),
    "replace facts": range(2, 6),
    "store report": range(3, 9),
    "deactivate node": range(1, 4),
    "configure expiration": range(1, 2),
    "replace catalog inputs": range(1, 2),
}
"""The versions of each command that can be processed."""


def newest(command: str, version: int, payload: Json, received: int) -> Json:
    """Return the payload of a command in its newest format; PuppetError for an unknown version."""
    if version not in SUPPORTED.get(command, ()):
        raise issues.UNSUPPORTED_COMMAND(command=command, version=version)
    if command == "deactivate node":
        return payload if version == 3 else deactivation_from(version, payload)
    upgrades = UPGRADES.get(command, {})
    if not isinstance(payload, dict):
        return payload
    for step in range(version, max(upgrades, default=0) + 1):
        payload = upgrades[step](payload, to_text(received))
    return payload


def objects(payload: Payload, key: str) -> Iterator[Payload]:
    """Yield the objects in an array; PuppetError if it has other values. Null is an empty array."""
    values = payload.get(key)
    if values is None:
        return
    if not isinstance(values, list):
        raise invalid(key, "expected an array of objects")
    for value in values:
        if not isinstance(value, dict):
            raise invalid(key, "expected an array of objects")
        yield value


def renamed(payload: Payload, old: str, new: str) -> Payload:
    """Return an object with another name for a key, if it has the key."""
    if old not in payload:
        return payload
    rest = {key: value for key, value in payload.items() if key != old}
    return {**rest, new: payload[old]}


def with_underscores(payload: Payload) -> Payload:
    """Return an object with underscores for the dashes in its keys."""
    return {key.replace("-", "_"): value for key, value in payload.items()}
