"""Reading a run's report (Puppet's report format, YAML with or without Ruby's tags) as plain data."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import yaml

from support.rig.state import steady

CANDIDATES = (
    "/var/cache/puppet/state/last_run_report.yaml",
    "/var/lib/puppet/state/last_run_report.yaml",
    "/opt/puppetlabs/puppet/cache/state/last_run_report.yaml",
    "/var/cache/bunraku/state/last_run_report.yaml",
    "/var/lib/bunraku/state/last_run_report.yaml",
)
FLAGS = (
    "failed",
    "failed_to_restart",
    "skipped",
    "changed",
    "out_of_sync",
    "noop",
    "corrective_change",
)
COUNTERS = ("resources", "events", "changes")


class Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
    """Strings stay strings, but true, false, null and decimal integers are typed; any tag is looked through."""


Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("null", r"~|null|", ["~", "n", ""]),
    ("int", r"-?(0|[1-9]\d*)", "-0123456789"),
):
    Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )
Loader.add_constructor("tag:yaml.org,2002:bool", lambda loader, node: node.value == "true")
Loader.add_constructor("tag:yaml.org,2002:null", lambda loader, node: None)
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))


def plain(loader: Any, suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


Loader.add_multi_constructor("!", plain)
Loader.add_multi_constructor("tag:", plain)


def read(text: str) -> dict[str, Any]:
    """The parts of a report that two programs can be compared by."""
    report = yaml.load(text, Loader)
    statuses = report.get("resource_statuses") or {}
    quiet = [
        name
        for name in statuses
        if re.match(
            r"(Schedule\[(puppet|hourly|daily|weekly|monthly|never)\]|Filebucket\[puppet\])$", name
        )
    ]
    return {
        "status": report.get("status"),
        "noop": report.get("noop"),
        "noop_pending": report.get("noop_pending"),
        "corrective_change": report.get("corrective_change"),
        "transaction_completed": report.get("transaction_completed"),
        "metrics": {
            name: {
                value[0]: value[2]
                for value in (report.get("metrics") or {}).get(name, {}).get("values", [])
            }
            for name in COUNTERS
        },
        "events": [
            event_facts(name, event)
            for name, status in statuses.items()
            for event in status.get("events") or []
        ],
        "statuses": {
            name: [flag for flag in FLAGS if status.get(flag)]
            for name, status in statuses.items()
            if name not in quiet
        },
        "containment": {
            name: status.get("containment_path")
            for name, status in statuses.items()
            if name not in quiet
        },
        "logs": [
            [log.get("level"), steady(str(log.get("source"))), steady(str(log.get("message")))]
            for log in report.get("logs") or []
        ],
    }


def event_facts(resource: str, event: dict[str, Any]) -> dict[str, Any]:
    fact = {
        "resource": resource,
        "property": event.get("property"),
        "old": event.get("previous_value"),
        "new": event.get("desired_value"),
        "status": event.get("status"),
        "name": event.get("name"),
        "message": steady(str(event.get("message"))),
    }
    for flag in ("audited", "corrective_change", "redacted"):
        if event.get(flag):
            fact[flag] = True
    if event.get("historical_value") is not None:
        fact["historical"] = event["historical_value"]
    for key in ("old", "new", "historical"):
        if isinstance(fact.get(key), str):
            fact[key] = steady(checksum(fact[key]))
    return fact


def checksum(text: str) -> str:
    """The text, or the checksum in it: Puppet 7 writes the new value of `content` in base64, without saying so."""
    try:
        plain = base64.b64decode(text, validate=True).decode("ascii")
    except ValueError:
        return text
    return plain if re.match(r"\{\w+\}[0-9a-f]+$", plain) else text


def find(root: Path, wanted: str | None) -> Path | None:
    """The report that a run left in the root, if any."""
    places = [wanted] if wanted else list(CANDIDATES)
    return next(
        (root / place.lstrip("/") for place in places if (root / place.lstrip("/")).is_file()), None
    )
