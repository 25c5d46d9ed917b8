"""Load the synthetic site into a database, with times that end now."""

from __future__ import annotations

import re

from bunraku.demonstration import synthetic_site
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.json_values import Json, canonical_json
from bunraku.puppetdb.timestamps import to_milliseconds, to_text

RUNS = 6
"""Reports of each node: all outcomes of the synthetic site."""
RESOURCES = 60
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", re.ASCII)


def load_demonstration(database: Database, nodes: int, now: int) -> None:
    """Store facts, a catalog and reports of a number of nodes; the last run ends at ``now``.

    ``now`` is in milliseconds since 1970.
    """
    newest = max(synthetic_site.end_of_run(number, RUNS - 1) for number in range(nodes))
    delay = now - newest
    for number in range(nodes):
        last = RUNS - 1
        store(database, "replace facts", 5, synthetic_site.facts(number, last), delay)
        catalog = synthetic_site.catalog(number, last, RESOURCES)
        store(database, "replace catalog", 9, catalog, delay)
        for run in range(RUNS):
            store(database, "store report", 8, synthetic_site.report(number, run), delay)


def store(
    database: Database, name: str, version: int, payload: dict[str, Json], delay: int
) -> None:
    """Process a command whose times are moved."""
    moved = later(payload, delay)
    content = canonical_json(moved).encode()
    time = to_milliseconds(payload["producer_timestamp"]) or 0
    process(database, Command(name, version, str(payload["certname"]), content, time + delay))


def later(value: Json, delay: int) -> Json:
    """Return a document whose times are moved by milliseconds.

    >>> later({"a": ["2026-01-01T00:00:00.000Z", 1]}, 60_000)
    {'a': ['2026-01-01T00:01:00.000Z', 1]}
    """
    if isinstance(value, dict):
        return {name: later(item, delay) for name, item in value.items()}
    if isinstance(value, list):
        return [later(item, delay) for item in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        return to_text((to_milliseconds(value) or 0) + delay)
    return value
