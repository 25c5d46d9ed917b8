"""Payloads of commands in their newest wire format, for tests."""

from __future__ import annotations


def time_of(day: int) -> str:
    """Return a day of January 2026."""
    return f"2026-01-{day:02}T00:00:00.000Z"


def resource(type_="File", title="/etc/motd", **other):
    plain = {"type": type_, "title": title, "exported": False, "tags": ["file"]}
    return {**plain, "file": None, "line": 1, "parameters": {"ensure": "file"}, **other}


def edge(source, target, relationship="contains"):
    ends = {"source": reference(source), "target": reference(target)}
    return {**ends, "relationship": relationship}


def reference(found):
    return {"type": found["type"], "title": found["title"]}


def catalog(certname="a", day=1, resources=None, edges=(), **other):
    return {
        "certname": certname,
        "version": "1",
        "environment": "production",
        "transaction_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000001",
        "catalog_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000002",
        "code_id": None,
        "job_id": None,
        "producer": "server",
        "producer_timestamp": time_of(day),
        "resources": [resource()] if resources is None else resources,
        "edges": list(edges),
        **other,
    }


def facts(certname="a", day=1, **values):
    return {
        "certname": certname,
        "environment": "production",
        "producer": None,
        "producer_timestamp": time_of(day),
        "values": values,
    }


def event(**other):
    plain = {"name": "n", "property": "ensure", "timestamp": time_of(1), "status": "success"}
    values = {"old_value": "absent", "new_value": "file", "message": "created"}
    return {**plain, **values, "corrective_change": False, **other}


def changed(title="/etc/motd", events=None, **other):
    return {
        "timestamp": time_of(1),
        "resource_type": "File",
        "resource_title": title,
        "skipped": False,
        "events": [event()] if events is None else events,
        "file": "/site.pp",
        "line": 3,
        "containment_path": ["Stage[main]", "Motd", "File[/etc/motd]"],
        "corrective_change": False,
        **other,
    }


def report(certname="a", day=1, **other):
    time = time_of(day)
    return {
        "certname": certname,
        "environment": "production",
        "puppet_version": "8",
        "report_format": 12,
        "configuration_version": "1",
        "start_time": time,
        "end_time": time,
        "producer_timestamp": time,
        "producer": None,
        "resources": [],
        "metrics": [{"category": "time", "name": "total", "value": 1.5}],
        "logs": [
            {
                "file": None,
                "line": None,
                "level": "notice",
                "message": "done",
                "source": "Puppet",
                "tags": ["notice"],
                "time": time,
            }
        ],
        "transaction_uuid": None,
        "catalog_uuid": None,
        "code_id": None,
        "cached_catalog_status": None,
        "status": "unchanged",
        "noop": False,
        "noop_pending": False,
        "corrective_change": False,
        **other,
    }


def without(payload, *keys):
    return {key: value for key, value in payload.items() if key not in keys}
