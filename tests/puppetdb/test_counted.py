"""Stored counts of resources: what they answer is what the rows answer."""

from __future__ import annotations

import json
from random import Random

import pytest

from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.entities import RESOURCES
from bunraku.puppetdb.queries.counted import counted_entity
from bunraku.puppetdb.queries.root import answer_to, root_query
from bunraku.puppetdb.queries.sql import selection
from bunraku.puppetdb.queries.syntax import read_from
from bunraku.puppetdb.settings import DAY
from bunraku.puppetdb.storage.expiry import delete_node, expire_nodes, purge_nodes
from support.puppetdb_commands import catalog, facts, resource, time_of

FIRST = 1_767_225_600_000
"""The first day of January 2026."""
COUNT = ["function", "count"]
TYPES = ("File", "Service", "User", "Größe")
COUNTED = [
    ["from", "resources", ["extract", ["type", COUNT], ["group_by", "type"]]],
    ["from", "resources", ["extract", [COUNT]]],
    ["from", "resources", ["extract", ["type"], ["group_by", "type"]]],
    ["from", "resources", ["extract", [COUNT, "certname"], ["group_by", "certname"]]],
    ["from", "resources", ["extract", [COUNT], ["=", "type", "File"]]],
    ["from", "resources", ["extract", [COUNT], ["~", "type", "^[FS]"]]],
    ["from", "resources", ["extract", [COUNT], ["=", "type", "Nothing"]]],
    ["from", "resources", ["extract", [COUNT], ["in", "type", ["array", ["File", "User"]]]]],
    ["from", "resources", ["extract", [COUNT], ["=", "node_state", "any"]]],
    ["from", "resources", ["extract", [COUNT], ["=", "node_state", "inactive"]]],
    ["from", "resources", ["extract", ["type", COUNT],
        ["and", ["not", ["=", "type", "File"]], ["=", "environment", "staging"]],
        ["group_by", "type", "environment"]]],
    ["from", "resources", ["extract", ["type", COUNT],
        ["subquery", "nodes", ["~", "certname", "[12]$"]], ["group_by", "type"]],
        ["order_by", [["type", "desc"]]], ["limit", 2]],
]  # fmt: skip
OTHERS = [
    ["from", "resources"],
    ["from", "resources", ["extract", ["type"]]],
    ["from", "resources", ["extract", ["title", COUNT], ["group_by", "title"]]],
    ["from", "resources", ["extract", [["function", "count", "file"]]]],
    ["from", "resources", ["extract", [COUNT], ["=", "exported", False]]],
    ["from", "resources", ["extract", [COUNT], ["=", "tag", "file"]]],
    ["from", "resources", ["extract", [COUNT], ["=", ["parameter", "ensure"], "file"]]],
    ["from", "resources", ["extract", [COUNT], ["or", ["=", "type", "File"], ["=", "title", "x"]]]],
    ["from", "edges", ["extract", [COUNT]]],
]


def send(database, name, version, payload):
    process(database, Command(name, version, "x", json.dumps(payload).encode(), FIRST))


def store_random_catalog(database, random, number):
    count = random.randrange(6)
    environment = random.choice(("production", "staging"))
    resources = [resource(random.choice(TYPES), f"/{place}") for place in range(count)]
    day = random.randrange(1, 20)
    payload = catalog(f"node{number}", day, resources, environment=environment)
    send(database, "replace catalog", 9, payload)


def change(database, random):
    """Change the database at random, in each way that adds, replaces or hides catalogs."""
    number, day = random.randrange(5), random.randrange(1, 25)
    certname = f"node{number}"
    match random.randrange(8):
        case 0:
            payload = {"certname": certname, "producer_timestamp": time_of(day)}
            send(database, "deactivate node", 3, payload)
        case 1:
            database.write(lambda one: expire_nodes(one, FIRST + day * DAY, 5 * DAY))
        case 2:
            database.write(lambda one: purge_nodes(one, FIRST + day * DAY, 3 * DAY))
        case 3:
            database.write(lambda one: delete_node(one, certname))
        case 4:
            send(database, "replace facts", 5, facts(certname, day, a=1))
        case _:
            store_random_catalog(database, random, number)


def rows_of(database, query):
    """Return the answer that the rows of resources give."""
    found = selection(root_query(query), database.dialect, RESOURCES)
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in database.rows(found.statement, 60)]


def in_order(found):
    return sorted(json.dumps(row, sort_keys=True) for row in found)


@pytest.mark.parametrize("seed", range(3))
def test_the_counts_are_those_of_the_rows(database, seed):
    random = Random(seed)
    for number in range(5):
        store_random_catalog(database, random, number)
    for _ in range(25):
        change(database, random)
        for query in COUNTED:
            assert in_order(answer_to(database, query)) == in_order(rows_of(database, query))


@pytest.mark.parametrize("query", COUNTED, ids=str)
def test_queries_that_the_counts_answer(query):
    assert counted_entity(read_from(query)) is not None


@pytest.mark.parametrize("query", OTHERS, ids=str)
def test_queries_that_need_the_rows(query):
    assert counted_entity(read_from(query)) is None


COUNTS = Statement("SELECT certname, type, count FROM resource_counts JOIN nodes ON id = node_id")


def make_older(connection: Connection, database):
    """Make a database one of the version before."""
    connection.execute("DROP TABLE resource_counts")
    if isinstance(database, SqliteDatabase):
        connection.execute("PRAGMA user_version = 2")
    else:
        connection.execute("DELETE FROM schema_version WHERE version > 2")


def test_an_older_database_gets_the_counts(database_name):
    database = open_database(database_name)
    resources = [resource("File", "/a"), resource("File", "/b"), resource("User", "c")]
    for certname in ("a", "b"):
        send(database, "replace catalog", 9, catalog(certname, 1, resources))
    expected = sorted(database.rows(COUNTS, 60))
    assert expected == [("a", "File", 2), ("a", "User", 1), ("b", "File", 2), ("b", "User", 1)]
    with database.transaction() as connection:
        make_older(connection, database)
    database.close()
    again = open_database(database_name)
    assert sorted(again.rows(COUNTS, 60)) == expected
    again.close()
