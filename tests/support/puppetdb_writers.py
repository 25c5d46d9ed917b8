"""Commands that several threads and processes store at the same time."""

from __future__ import annotations

import json
import random
import threading
from itertools import pairwise

from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database

NODES, MINUTES = ("a", "b", "c"), 8
RECEIVED = 1_800_000_000_000


def commands() -> list[Command]:
    """Return the commands of all nodes: each value is shared by nodes, for some of the time."""
    return [
        Command(name, version, node, json.dumps(payload).encode(), RECEIVED)
        for node in NODES
        for minute in range(MINUTES)
        for name, version, payload in (
            ("replace facts", 5, facts(node, minute)),
            ("replace catalog", 9, catalog(node, minute)),
            ("store report", 8, report(node, minute)),
        )
    ]


def common(node: str, minute: int) -> dict:
    """Return what all commands have."""
    return {
        "certname": node,
        "environment": f"environment{minute % 3}",
        "producer": f"server{minute % 2}",
        "producer_timestamp": time_of(minute),
    }


def time_of(minute: int) -> str:
    """Return the time of a command."""
    return f"2026-01-01T00:{minute:02}:00Z"


def facts(node: str, minute: int) -> dict:
    """Return facts: ``shared`` is that of all nodes at a minute, ``nested`` that of two of them."""
    nested = {"pair": minute // 2, "list": ["x", minute % 3]}
    return {**common(node, minute), "values": {"shared": minute, "nested": nested, "own": node}}


def catalog(node: str, minute: int) -> dict:
    """Return a catalog of ten resources that shift by one every minute, with a chain of edges."""
    titles = [f"/{number}" for number in range(minute, minute + 10)]
    ends = [{"type": "File", "title": title} for title in titles]
    return {
        **common(node, minute),
        "version": str(minute),
        "transaction_uuid": None,
        "catalog_uuid": None,
        "code_id": None,
        "job_id": None,
        "resources": [
            {
                **end,
                "exported": False,
                "tags": ["file", f"tag{minute % 2}"],
                "file": None,
                "line": 1,
                "parameters": {"ensure": "file"},
            }
            for end in ends
        ],
        "edges": [
            {"source": first, "target": second, "relationship": "before"}
            for first, second in pairwise(ends)
        ],
    }


def report(node: str, minute: int) -> dict:
    """Return a report with one event."""
    time = time_of(minute)
    event = {
        "name": "changed",
        "property": "ensure",
        "timestamp": time,
        "status": "success",
        "old_value": "absent",
        "new_value": "file",
        "message": None,
        "corrective_change": False,
    }
    resource = {
        "resource_type": "File",
        "resource_title": f"/{minute}",
        "timestamp": time,
        "skipped": False,
        "events": [event],
        "file": None,
        "line": None,
        "containment_path": ["Stage[main]"],
        "corrective_change": False,
    }
    return {
        **common(node, minute),
        "puppet_version": "8",
        "report_format": 12,
        "configuration_version": "1",
        "start_time": time,
        "end_time": time,
        "resources": [resource],
        "metrics": [],
        "logs": [],
        "transaction_uuid": None,
        "catalog_uuid": None,
        "code_id": None,
        "cached_catalog_status": None,
        "status": "changed",
        "noop": False,
        "noop_pending": False,
        "corrective_change": False,
    }


def write(name: str, seed: int, threads: int) -> None:
    """Store all commands in several threads, each in an order of its own."""
    database = open_database(name)
    failures: list[BaseException] = []

    def store(number: int) -> None:
        order = commands()
        random.Random(seed + number).shuffle(order)
        try:
            for command in order:
                process(database, command)
        except BaseException as error:
            failures.append(error)
            raise

    running = [threading.Thread(target=store, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    database.close()
    if failures:
        raise failures[0]
