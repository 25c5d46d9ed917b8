"""Store reports with their events; a node's latest report of an agent is marked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha1

from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.databases.statement import Row
from bunraku.puppetdb.documents import Event, Report, columns_of
from bunraku.puppetdb.json_values import canonical_json
from bunraku.puppetdb.storage.nodes import name_ids, node_id, reactivate
from bunraku.puppetdb.timestamps import to_text

COLUMNS = tuple(one.name for one in columns_of(Report))
ALL_COLUMNS = ("hash", "node_id", "receive_time", "environment_id", "producer_id", *COLUMNS)
STORE_REPORT = (
    f"INSERT INTO reports ({', '.join(ALL_COLUMNS)}) VALUES ({', '.join('?' * len(ALL_COLUMNS))})"
    " ON CONFLICT DO NOTHING RETURNING id"
)
STORE_EVENT = """
INSERT INTO events (
    report_id, status, timestamp, resource_type, resource_title, property, name, old_value,
    new_value, message, file, line, containment_path, containing_class
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
MARK_LATEST = """
UPDATE nodes SET latest_report_id = ? WHERE id = ? AND (
    latest_report_id IS NULL
    OR ? >= (SELECT producer_timestamp FROM reports WHERE id = latest_report_id)
)
"""


def store_report(
    connection: Connection, report: Report, received: int, since: int | None = None
) -> None:
    """Store a report, with its events after ``since``; one that is stored already changes nothing."""
    node = node_id(connection, report.certname)
    new = connection.execute(STORE_REPORT, report_row(connection, node, report, received))
    for (number,) in new.fetchall():
        connection.execute(
            "INSERT INTO report_details (report_id, metrics, logs) VALUES (?, ?, ?)",
            (number, canonical_json(report.metrics), canonical_json(report.logs)),
        )
        kept = [event for event in report.events if since is None or event.timestamp > since]
        events = dict.fromkeys(map(event_row, kept))
        connection.executemany(STORE_EVENT, [(number, *event) for event in events])
        if report.type == "agent":
            connection.execute(MARK_LATEST, (number, node, report.producer_timestamp))
    reactivate(connection, node, report.producer_timestamp)


def report_row(connection: Connection, node: int, report: Report, received: int) -> Row:
    """Return the row of a report."""
    return (
        report_hash(report),
        node,
        received,
        *name_ids(connection, report.environment, report.producer),
        *(getattr(report, name) for name in COLUMNS),
    )


def report_hash(report: Report) -> str:
    """Return the identity of a report, the SHA-1 that PuppetDB gives it."""
    text = json.dumps(
        {
            "certname": report.certname,
            "configuration_version": report.configuration_version,
            "end_time": to_text(report.end_time),
            "producer_timestamp": to_text(report.producer_timestamp),
            "puppet_version": report.puppet_version,
            "report_format": report.report_format,
            "start_time": to_text(report.start_time),
            "transaction_uuid": report.transaction_uuid,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return sha1(text.encode(), usedforsecurity=False).hexdigest()


def event_row(event: Event) -> Row:
    """Return the row of an event, without the number of its report."""
    path = event.containment_path
    return (
        event.status,
        event.timestamp,
        event.resource_type,
        event.resource_title,
        event.property,
        event.name,
        canonical_json(event.old_value),
        canonical_json(event.new_value),
        event.message,
        event.file,
        event.line,
        None if path is None else canonical_json(list(path)),
        containing_class(path or ()),
    )


def containing_class(path: Sequence[str]) -> str | None:
    """Return the innermost class that contains a resource.

    >>> containing_class(["Stage[main]", "Main", "Role::Web", "File[/etc/motd]"])
    'Role::Web'
    """
    classes = [name for name in path if "[" not in name]
    return classes[-1] if classes else None
