"""The recorded queries of a real PuppetDB, and random ones that it was asked, on the recorded load."""

from __future__ import annotations

import tomllib

import pytest

from bunraku.puppetdb.databases.dialect import POSTGRESQL
from bunraku.puppetdb.databases.opening import open_database
from support.puppetdb import DATA, ask, difference, lines, load, recorded_queries

QUERIES = [
    *recorded_queries(),
    *lines("random_queries.jsonl"),
    *lines("logic_queries.jsonl"),
]
KNOWN = tomllib.loads((DATA.parent / "known_differences.toml").read_text())
BY_CHANCE = {"pql-021", "paging-017"}
"""Queries without an order: PostgreSQL can answer with the recorded rows, too."""


@pytest.fixture(scope="module")
def database(new_name):
    found = open_database(new_name())
    load(found)
    yield found
    found.close()


@pytest.mark.parametrize("item", QUERIES, ids=lambda item: item["id"])
def test_answers_as_the_real_one(database, item):
    found = difference(item, ask(database, item))
    if item["id"] in BY_CHANCE and database.dialect is POSTGRESQL:
        return
    if item["id"] in KNOWN:
        assert found, "agrees now: remove it from known_differences.toml"
    else:
        assert found is None


def test_known_differences_are_recorded_queries():
    assert KNOWN.keys() <= {item["id"] for item in QUERIES}


def test_loading_again_changes_no_answer(database):
    load(database)
    differences = {item["id"] for item in QUERIES if difference(item, ask(database, item))}
    assert differences - BY_CHANCE == KNOWN.keys() - BY_CHANCE
