"""Damaged and generated commands: each is stored or refused by one clear error."""

from __future__ import annotations

import json
import random

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.process import Command, prepare
from support.damage import damaged
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
REFUSALS = {
    issue.code for issue in (issues.INVALID_DOCUMENT, issues.UNSTORABLE_DOCUMENT, issues.NOT_JSON)
}


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
