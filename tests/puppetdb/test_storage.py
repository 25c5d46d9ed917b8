"""What commands change: only newer data count, shared content is stored once, unused content goes."""

from __future__ import annotations

import json
import sqlite3
import threading
from time import process_time

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.process import Command, prepare, process
from bunraku.puppetdb.databases.dialect import SQLITE
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.documents import Catalog, Factset, Report, columns_of
from bunraku.puppetdb.entities import ENTITIES
from bunraku.puppetdb.hashes import factset_hash
from support.puppetdb_commands import catalog, edge, facts, report, resource, time_of


def send(database, name, version, payload, received=1_800_000_000_000):
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    process(database, Command(name, version, "unused", body, received))


def rows(database, text):
    return list(database.rows(Statement(text), 10))


def deactivation(certname="a", day=1):
    return {"certname": certname, "producer_timestamp": time_of(day)}


ACTIVE = "SELECT certname FROM nodes WHERE deactivated IS NULL AND expired IS NULL"


def test_nodes_share_resources_and_edges(database):
    ends = [resource(title="/a"), resource(title="/b")]
    before = edge(*ends, "before")
    for name in ("a", "b", "c"):
        send(database, "replace catalog", 9, catalog(name, resources=ends, edges=[before]))
    assert rows(database, "SELECT count(*) FROM resources") == [(2,)]
    assert rows(database, "SELECT count(*) FROM catalog_resources") == [(6,)]
    assert rows(database, "SELECT count(*) FROM edges") == [(1,)]
    assert rows(database, "SELECT count(*) FROM catalog_edges") == [(3,)]


def test_resources_that_no_node_has_are_deleted_with_their_tags(database):
    send(database, "replace catalog", 9, catalog(resources=[resource(tags=["old"])]))
    send(database, "replace catalog", 9, catalog(day=2, resources=[resource(tags=["new"])]))
    assert rows(database, "SELECT tags FROM resources") == [('["new"]',)]
    assert rows(database, "SELECT tag FROM resource_tags") == [("new",)]


def test_an_unchanged_catalog_changes_its_metadata_only(database):
    send(database, "replace catalog", 9, catalog())
    before = rows(database, "SELECT * FROM catalog_resources")
    send(database, "replace catalog", 9, catalog(day=2, version="2"), received=5)
    assert rows(database, "SELECT version, timestamp FROM catalogs") == [("2", 5)]
    assert rows(database, "SELECT * FROM catalog_resources") == before


@pytest.mark.parametrize(
    ("name", "version", "old", "new", "query"),
    [
        ("replace catalog", 9, catalog(day=1), catalog(day=2), "SELECT timestamp FROM catalogs"),
        ("replace facts", 5, facts(day=1, x=1), facts(day=2, x=2), "SELECT value FROM fact_values"),
    ],
)
def test_older_data_change_nothing(database, name, version, old, new, query):
    send(database, name, version, new)
    before = rows(database, query)
    send(database, name, version, old, received=1)
    assert rows(database, query) == before


def test_leaves_of_facts_are_stored_once_for_a_value(database):
    for name in ("a", "b"):
        send(
            database, "replace facts", 5, facts(name, os={"family": "Debian", "tags": ["x", None]})
        )
    found = rows(
        database,
        "SELECT path, kind, value FROM fact_leaves JOIN fact_paths ON id = path_id ORDER BY path",
    )
    assert found == [
        ('["os", "family"]', "string", '"Debian"'),
        ('["os", "tags", 0]', "string", '"x"'),
        ('["os", "tags", 1]', "null", "null"),
    ]


def test_facts_that_stay_the_same_keep_their_rows(database):
    query = "SELECT name, value, id FROM fact_values ORDER BY name"
    send(database, "replace facts", 5, facts(kernel="Linux", uptime={"seconds": 1}, gone=1))
    before = rows(database, query)
    send(database, "replace facts", 5, facts(day=2, kernel="Linux", uptime={"seconds": 2}))
    found = rows(database, query)
    assert [row[:2] for row in found] == [("kernel", '"Linux"'), ("uptime", '{"seconds": 2}')]
    assert found[0] in before
    assert rows(database, "SELECT value FROM fact_leaves ORDER BY 1") == [('"Linux"',), ("2",)]
    assert len(rows(database, "SELECT * FROM facts")) == 2


def test_facts_that_differ_in_their_type_are_other_facts(database):
    for day, value in enumerate([1, 1.0, True, "1", [1], {"a": 1}, {"a": 1.0}, 0.0, -0.0, 0], 1):
        send(database, "replace facts", 5, facts(day=day, x=value))
        ((found, kind),) = rows(
            database,
            "SELECT v.value, f.hash FROM fact_values AS v, factsets AS f",
        )
        assert (json.loads(found), type(json.loads(found))) == (value, type(value))
        assert kind == factset_hash(
            Factset("a", "production", None, 1, {"x": value or abs(value)}, None)
        )


def test_the_latest_report_is_that_of_an_agent_with_the_newest_time(database):
    send(database, "store report", 8, report(day=2))
    send(database, "store report", 8, report(day=1))
    send(database, "store report", 8, report(day=3, type="plan"))
    query = "SELECT r.producer_timestamp FROM reports AS r JOIN nodes ON latest_report_id = r.id"
    assert rows(database, query) == [(1_767_312_000_000,)]


def test_a_report_that_arrives_twice_is_stored_once(database):
    event = {
        "name": "n",
        "property": "p",
        "timestamp": "2026-01-01T00:00:00Z",
        "status": "success",
        "old_value": None,
        "new_value": [1],
        "message": None,
        "corrective_change": False,
    }
    changed = {
        "resource_type": "File",
        "resource_title": "/a",
        "timestamp": "2026-01-01T00:00:00Z",
        "skipped": False,
        "events": [event],
        "file": None,
        "line": None,
        "containment_path": ["Stage[main]", "A", "File[/a]"],
        "corrective_change": False,
    }
    skipped = {**changed, "skipped": True, "resource_title": "/b"}
    for _ in range(2):
        send(database, "store report", 8, report(resources=[changed, skipped]))
    found = rows(database, "SELECT status, new_value, containing_class FROM events")
    assert found == [("success", "[1]", "A"), ("skipped", "null", "A")]


def test_nodes_are_deactivated_and_come_back(database):
    send(database, "replace facts", 5, facts(day=2))
    send(database, "deactivate node", 3, deactivation(day=1))
    assert rows(database, ACTIVE) == [("a",)], "older than the facts"
    send(database, "deactivate node", 3, deactivation(day=3))
    assert rows(database, ACTIVE) == []
    send(database, "replace catalog", 9, catalog(day=2))
    assert rows(database, ACTIVE) == [], "older than the deactivation"
    send(database, "store report", 8, report(day=4))
    assert rows(database, ACTIVE) == [("a",)]
    send(database, "deactivate node", 3, deactivation("stranger"))
    assert rows(database, "SELECT certname FROM nodes ORDER BY 1") == [("a",), ("stranger",)]


def test_numbers_keep_their_value(database):
    big = 10**40
    body = json.dumps(facts(big=big, half=0.5)).replace("0.5", "1E400").encode()
    send(database, "replace facts", 5, body)
    found = dict(rows(database, "SELECT name, value FROM fact_values"))
    assert found == {"big": str(big), "half": '"Infinity"'}


def test_invalid_bytes_become_replacement_characters(database):
    body = json.dumps(facts(x="BYTES", y="a\0b")).encode()
    send(database, "replace facts", 5, body.replace(b"BYTES", b"\xff\xe2\x82|\xed\xa0\x80"))
    found = dict(rows(database, "SELECT name, text FROM fact_values"))
    assert found == {"x": "\ufffd\ufffd|\ufffd", "y": "a\ufffdb"}


REFERENCE = {"type": "File", "title": "/missing"}
LOOSE = {"source": REFERENCE, "target": REFERENCE, "relationship": "before"}


@pytest.mark.parametrize(
    ("name", "version", "payload"),
    [
        ("replace catalog", 9, b"{"),
        ("replace catalog", 9, b"[" * 100_000),
        ("replace catalog", 9, b'{"a": NaN}'),
        ("replace catalog", 9, []),
        ("replace catalog", 9, {**catalog(), "producer_timestamp": "soon"}),
        ("replace catalog", 9, catalog(resources=[resource(), resource()])),
        ("replace catalog", 9, catalog(resources=[resource(title=5)])),
        ("replace catalog", 9, catalog(resources=[resource(line=1 << 70)])),
        ("replace catalog", 9, catalog(resources=[resource(parameters=[])])),
        ("replace catalog", 9, catalog(edges=[LOOSE])),
        ("replace catalog", 9, catalog(edges=[{**LOOSE, "relationship": "near"}])),
        ("replace facts", 5, {**facts(), "more": 1}),
        ("replace facts", 5, {**facts(), "package_inventory": [["a", "b"]]}),
        ("store report", 8, report(resources=[{}])),
        ("store report", 8, {**report(), "report_format": True}),
        ("deactivate node", 3, {}),
        ("deactivate node", 3, {"certname": "a", "more": 1}),
        ("replace nothing", 1, {}),
        ("replace facts", 99, facts()),
    ],
)
def test_an_invalid_command_is_refused_and_changes_nothing(database, name, version, payload):
    with pytest.raises(PuppetError):
        send(database, name, version, payload)
    assert rows(database, "SELECT count(*) FROM nodes") == [(0,)]


def test_writers_at_the_same_time(database):
    def write(certname):
        for day in range(1, 11):
            send(database, "replace facts", 5, facts(certname, day, shared=day, own=certname))
            send(database, "replace catalog", 9, catalog(certname, day))

    threads = [threading.Thread(target=write, args=(f"node{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert len(rows(database, "SELECT count(*) FROM facts")) == 1
    for thread in threads:
        thread.join()
    assert rows(database, "SELECT count(*) FROM facts") == [(8,)]
    assert rows(database, "SELECT count(*) FROM fact_values") == [(5,)]
    if database.dialect is SQLITE:
        assert rows(database, "PRAGMA integrity_check") == [("ok",)]
        assert rows(database, "PRAGMA foreign_key_check") == []


def test_a_database_keeps_its_content(database, database_name):
    send(database, "replace facts", 5, facts(x=1))
    database.close()
    again = open_database(database_name)
    assert rows(again, "SELECT name FROM fact_values") == [("x",)]
    again.close()


def test_a_newer_schema_is_refused(tmp_path):
    path = str(tmp_path / "newer.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(PuppetError, match="schema version 999"):
        open_database(path)


@pytest.mark.parametrize(("document", "table"), [(Catalog, "catalogs"), (Report, "reports")])
def test_a_field_of_a_document_is_a_column_and_a_field_of_queries(database, document, table):
    declared = {one.name: one.kind for one in columns_of(document)}
    assert rows(database, f"SELECT {', '.join(declared)} FROM {table}") == []
    fields = ENTITIES[table].fields
    assert declared == {name: fields[name].kind for name in declared}


def reduced_to_one(path, size):
    """Store so many facts and then one; return the processor seconds of that."""
    database = open_database(str(path))
    send(database, "replace facts", 5, facts(**{f"f{at}": f"a{at}" for at in range(size)}))
    command = Command(
        "replace facts", 5, "unused", json.dumps(facts(day=2, f0="b")).encode(), 1_800_000_000_000
    )
    change = prepare(command)
    started = process_time()
    with database.transaction() as connection, connection.savepoint():
        change(connection)
    seconds = process_time() - started
    database.close()
    return seconds


def test_the_time_to_forget_facts_is_proportional(tmp_path):
    assert reduced_to_one(tmp_path / "large", 8000) < 15 * reduced_to_one(tmp_path / "small", 2000)
