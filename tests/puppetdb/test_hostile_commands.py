"""Damaged and generated commands: each is stored or refused by one clear error."""

from __future__ import annotations

import copy
import json
import random

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.process import Command, prepare
from support.puppetdb_commands import catalog, changed, edge, facts, report, resource, time_of

PARTS = [resource(title="/a"), resource(title="/b")]
COMMANDS = {
    "replace catalog": (range(4, 10), catalog(resources=PARTS, edges=[edge(*PARTS)])),
    "replace facts": (
        range(2, 6),
        {**facts(x={"a": [1, None, "y"]}), "package_inventory": [["a", "1", "b"]]},
    ),
    "store report": (range(3, 9), report(resources=[changed()])),
    "deactivate node": (range(1, 4), {"certname": "a", "producer_timestamp": time_of(1)}),
    "configure expiration": ([1], {"certname": "a", "expire": {"facts": True}}),
    "replace catalog inputs": (
        [1],
        {
            "certname": "a",
            "catalog_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000002",
            "inputs": [["hiera", "a"]],
        },
    ),
}
ODD_TEXTS = [
    *("", "x", "\0", "\ud800", "é" * 300, "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    *("9999-12-31T23:59:59.999Z", "-9999999999999", "'; DROP TABLE nodes; --"),
]
ODD_NUMBERS = [0, -1, 1 << 31, 1 << 52, -(1 << 52), 1 << 63, 10**400, 1.5, -0.0, 1e308]
ODD_OTHERS = [None, True, False, [], {}, [[]], [{}], {"a": {"b": []}}, ["x"] * 3, [1, 2]]
ODD = [*ODD_TEXTS, *ODD_NUMBERS, *ODD_OTHERS]
NAMES = ["x", "name", "", "a\0", "certname", "resource_events", "producer-timestamp"]
REFUSALS = {
    issue.code for issue in (issues.INVALID_DOCUMENT, issues.UNSTORABLE_DOCUMENT, issues.NOT_JSON)
}


def places(value, path=()):
    """Yield the way to each part of a value but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in items:
        yield (*path, step)
        if isinstance(item, dict | list):
            yield from places(item, (*path, step))


def damaged(source, value):
    """Return a value with some parts removed, added, doubled or replaced."""
    value = copy.deepcopy(value)
    for _ in range(source.choice((1, 1, 2, 3))):
        found = list(places(value))
        if not found:
            break
        *way, last = source.choice(found)
        parent = value
        for step in way:
            parent = parent[step]
        odd = copy.deepcopy(source.choice(ODD))
        change = source.random()
        if change < 0.2 and isinstance(parent, dict):
            del parent[last]
        elif change < 0.3 and isinstance(parent, dict):
            parent[source.choice(NAMES)] = odd
        elif change < 0.4 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        else:
            parent[last] = odd
    return value


@pytest.mark.parametrize("seed", range(3))
def test_damaged_commands(database, seed):
    source = random.Random(seed)
    outcomes = []
    for _ in range(300):
        name, (versions, payload) = source.choice(list(COMMANDS.items()))
        body = bytearray(json.dumps(damaged(source, payload)).encode())
        if source.random() < 0.1:
            body[source.randrange(len(body))] = source.randrange(256)
        command = Command(name, source.choice(versions), "a", bytes(body), 1_767_225_600_000)
        try:
            database.write(prepare(command))
            outcomes.append("stored")
        except PuppetError as error:
            outcomes.append(error.diagnostic.code)
    assert set(outcomes) <= {"stored", *REFUSALS}
    assert outcomes.count("stored") > 20
