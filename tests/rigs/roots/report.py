"""Read a report of a run (Puppet's format, with or without tags of Ruby) as plain data."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from typing import Any

import yaml

from rigs.roots.masks import steady

FOLDERS = (
    "/var/cache/puppet",
    "/var/lib/puppet",
    "/opt/puppetlabs/puppet/cache",
    "/var/cache/bunraku",
    "/var/lib/bunraku",
)
PLACES = [f"{folder}/state/last_run_report.yaml" for folder in FOLDERS]

# Puppet adds these resources to every catalog.
ADDED = re.compile(
    r"(Schedule\[(puppet|hourly|daily|weekly|monthly|never)\]|Filebucket\[puppet\])$"
)
SUMMARY = ("status", "noop", "noop_pending", "corrective_change", "transaction_completed")
METRICS = ("resources", "events", "changes")
FLAGS = (
    "failed",
    "failed_to_restart",
    "skipped",
    "changed",
    "out_of_sync",
    "noop",
    "corrective_change",
)
EVENT = {
    "property": "property",
    "previous_value": "old",
    "desired_value": "new",
    "status": "status",
    "name": "name",
}
WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def read(text: str) -> dict[str, Any]:
    """Return the parts of a report by which two programs can be compared."""
    report = plain(yaml.compose(text, yaml.CLoader))
    statuses = report.get("resource_statuses") or {}
    own = {name: status for name, status in statuses.items() if not ADDED.match(name)}
    metrics = report.get("metrics") or {}
    return {
        **{key: report.get(key) for key in SUMMARY},
        "metrics": {
            name: {key: value for key, _, value in metrics.get(name, {}).get("values", [])}
            for name in METRICS
        },
        "events": [
            event_of(name, event)
            for name, status in statuses.items()
            for event in status.get("events") or []
        ],
        "statuses": {
            name: [flag for flag in FLAGS if status.get(flag)] for name, status in own.items()
        },
        "order": list(own),
        "containment": {name: status.get("containment_path") for name, status in own.items()},
        "logs": [
            [log.get("level"), steady(str(log.get("source"))), steady(str(log.get("message")))]
            for log in report.get("logs") or []
        ],
    }


def plain(node: yaml.Node) -> Any:
    """Return the value of a node. Only true, false, null and decimal integers are not strings; tags are ignored."""
    if isinstance(node, yaml.MappingNode):
        return {plain(key): plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(item) for item in node.value]
    text = str(node.value)
    if node.style or node.tag.startswith("!"):
        return text
    if text in WORDS:
        return WORDS[text]
    return int(text) if re.fullmatch(r"-?(0|[1-9]\d*)", text) else text


def event_of(resource: str, event: dict[str, Any]) -> dict[str, Any]:
    """Return one event with the names of the recorded outcomes."""
    found = {"resource": resource, "message": steady(str(event.get("message")))}
    found |= {short: event.get(key) for key, short in EVENT.items()}
    found |= {
        flag: True for flag in ("audited", "corrective_change", "redacted") if event.get(flag)
    }
    if event.get("historical_value") is not None:
        found["historical"] = event["historical_value"]
    for key in ("old", "new", "historical"):
        if isinstance(found.get(key), str):
            found[key] = steady(checksum(found[key]))
    return found


def checksum(text: str) -> str:
    """Return the checksum in a text: Puppet 7 writes the new value of ``content`` in base64."""
    try:
        decoded = base64.b64decode(text, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return text
    return decoded if re.match(r"\{\w+\}[0-9a-f]+$", decoded) else text


def find(root: Path) -> Path | None:
    """Return the report that a run wrote, None if it wrote none."""
    return next((file for file in (root / place[1:] for place in PLACES) if file.is_file()), None)


def remove(root: Path) -> None:
    """Remove the reports of earlier runs."""
    for place in PLACES:
        (root / place[1:]).unlink(missing_ok=True)
