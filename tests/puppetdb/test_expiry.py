"""What is deleted by age: nodes, reports, events, and what no node has any more."""

from __future__ import annotations

import json

import pytest

from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.dialect import SQLITE
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.settings import DAY, PuppetDBSettings
from bunraku.puppetdb.storage.cleaner import Cleaner
from bunraku.puppetdb.storage.expiry import Cleaning, clean, delete_node
from bunraku.web.http import Request
from support.puppetdb_commands import catalog, changed, edge, event, facts, report, resource

FIRST = 1_767_225_600_000
"""The first day of January 2026."""


def send(database, name, version, payload):
    process(database, Command(name, version, "x", json.dumps(payload).encode(), FIRST))


def rows(database, text):
    return list(database.rows(Statement(text), 10))


def day(number):
    return FIRST + (number - 1) * DAY


def run(database, *steps, today=30, limited=False, **settings):
    lines = []
    at = day(today) + DAY // 2
    clean(
        Cleaning(database, PuppetDBSettings(**settings), at, lines.append, limited=limited), steps
    )
    return lines


def time_of(number):
    return f"2026-01-{number:02}T00:00:00Z"


INPUTS = {
    "certname": "a",
    "catalog_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000002",
    "inputs": [["hiera", "x"]],
}
EXPIRED = "SELECT certname FROM nodes WHERE expired IS NOT NULL ORDER BY certname"


@pytest.mark.parametrize(
    ("name", "version", "payload"),
    [
        ("replace facts", 5, facts("a", 10)),
        ("replace catalog", 9, catalog("a", 10)),
        ("store report", 8, report("a", 10)),
        ("replace catalog inputs", 1, {**INPUTS, "producer_timestamp": time_of(10)}),
        (
            "configure expiration",
            1,
            {"certname": "a", "expire": {"facts": True}, "producer_timestamp": time_of(10)},
        ),
    ],
)
def test_a_node_expires_after_its_newest_data(database, name, version, payload):
    send(database, "replace facts", 5, facts("a", 1))
    send(database, name, version, payload)
    run(database, "expire_nodes", today=16)
    assert rows(database, EXPIRED) == []
    assert run(database, "expire_nodes", today=17) == [
        "Expired node a, which sent nothing for 7 days"
    ]
    assert rows(database, EXPIRED) == [("a",)]
    assert run(database, "expire_nodes", today=18) == []


def test_a_node_whose_facts_do_not_expire_stays(database):
    send(database, "replace facts", 5, facts("a", 1))
    command = {"certname": "a", "expire": {"facts": False}, "producer_timestamp": time_of(2)}
    send(database, "configure expiration", 1, command)
    run(database, "expire_nodes")
    assert rows(database, EXPIRED) == []
    older = {**command, "expire": {"facts": True}, "producer_timestamp": time_of(1)}
    send(database, "configure expiration", 1, older)
    run(database, "expire_nodes")
    assert rows(database, EXPIRED) == []


def test_a_ttl_of_0_means_never(database):
    send(database, "replace facts", 5, facts("a", 1))
    send(database, "store report", 8, report("b", 1))
    settings = {"node_ttl": 0, "node_purge_ttl": 0, "report_ttl": 0}
    run(database, today=3000, **settings)
    assert rows(database, "SELECT count(*) FROM nodes WHERE expired IS NULL") == [(2,)]
    assert rows(database, "SELECT count(*) FROM reports") == [(1,)]


def test_an_expired_node_that_sends_data_is_active_again(database):
    send(database, "replace facts", 5, facts("a", 1))
    run(database, "expire_nodes", today=12)
    send(database, "replace facts", 5, facts("a", 11))
    assert rows(database, EXPIRED) == [("a",)], "older than the expiry"
    send(database, "replace facts", 5, facts("a", 13))
    assert rows(database, EXPIRED) == []


def test_nodes_are_purged_with_all_their_data(database):
    parts = [resource(title="/a"), resource(title="/b", tags=["x"])]
    for name in ("a", "b"):
        packages = [["pkg", "1", "dpkg"], [f"only-{name}", "1", "dpkg"]]
        send(
            database,
            "replace facts",
            5,
            {**facts(name, 1, own=name, all=1), "package_inventory": packages},
        )
        own = resource(title=f"/{name}/own")
        send(database, "replace catalog", 9, catalog(name, 1, [*parts, own], [edge(parts[0], own)]))
        send(database, "store report", 8, report(name, 1, resources=[changed()]))
    send(database, "deactivate node", 3, {"certname": "a", "producer_timestamp": time_of(2)})
    run(database, "purge_nodes", today=15)
    assert rows(database, "SELECT count(*) FROM nodes") == [(2,)]
    run(database, "purge_nodes", "gc_packages", "gc_fact_paths", "gc_catalogs", today=17)
    assert rows(database, "SELECT certname FROM nodes") == [("b",)]
    assert rows(database, "SELECT title FROM resources ORDER BY 1") == [
        ("/a",),
        ("/b",),
        ("/b/own",),
    ]
    assert rows(database, "SELECT target_title FROM edges") == [("/b/own",)]
    assert rows(database, "SELECT name FROM packages ORDER BY 1") == [("only-b",), ("pkg",)]
    assert rows(database, "SELECT name FROM fact_values ORDER BY 1") == [("all",), ("own",)]
    assert rows(database, "SELECT count(*) FROM reports") == [(1,)]
    assert rows(database, "SELECT count(*) FROM events") == [(1,)]
    if database.dialect is SQLITE:
        assert rows(database, "PRAGMA foreign_key_check") == []


def test_a_limited_run_purges_few_nodes(database):
    for number in range(5):
        command = {"certname": f"n{number}", "producer_timestamp": time_of(1)}
        send(database, "deactivate node", 3, command)
    run(database, "purge_nodes", limited=True, node_purge_gc_batch_limit=2)
    assert rows(database, "SELECT count(*) FROM nodes") == [(3,)]


def test_unused_paths_and_environments_are_deleted(database):
    send(database, "replace facts", 5, facts("a", 1, old={"deep": [1]}))
    send(database, "replace facts", 5, {**facts("a", 2, new=1), "environment": "testing"})
    run(database, "gc_fact_paths", "gc_catalogs")
    assert rows(database, "SELECT path FROM fact_paths") == [('["new"]',)]
    assert rows(database, "SELECT name FROM environments") == [("testing",)]


def test_old_reports_are_deleted_by_day(database):
    for number in (1, 5, 6, 7):
        send(database, "store report", 8, report("a", number, resources=[changed()]))
    send(database, "store report", 8, report("old", 1))
    assert run(database, "purge_reports", today=20) == ["Deleted 3 reports"]
    assert rows(database, "SELECT producer_timestamp FROM reports") == [(day(6),), (day(7),)]
    assert rows(database, "SELECT count(*) FROM events") == [(2,)]
    assert rows(database, "SELECT count(*) FROM report_details") == [(2,)]
    latest = "SELECT certname, latest_report_id IS NULL FROM nodes ORDER BY 1"
    assert rows(database, latest) == [("a", 0), ("old", 1)]


def test_old_events_are_deleted_alone(database):
    events = [event(timestamp=time_of(number), message=str(number)) for number in (1, 10)]
    send(database, "store report", 8, report("a", 10, resources=[changed(events=events)]))
    run(database, "purge_resource_events", today=12)
    assert rows(database, "SELECT count(*) FROM events") == [(2,)]
    run(database, "purge_resource_events", today=12, resource_events_ttl=5 * DAY)
    assert rows(database, "SELECT message FROM events") == [("10",)]
    assert rows(database, "SELECT count(*) FROM reports") == [(1,)]


def test_an_unknown_step(database):
    with pytest.raises(ValueError, match="everything"):
        run(database, "everything")


def test_a_node_is_deleted_by_its_name(database):
    send(database, "replace facts", 5, facts("a"))
    assert database.write(lambda connection: delete_node(connection, "a"))
    assert not database.write(lambda connection: delete_node(connection, "a"))
    assert rows(database, "SELECT count(*) FROM facts") == [(0,)]


def test_the_thread_cleans_at_its_start(database):
    send(database, "replace facts", 5, facts("a", 1))
    lines = []
    cleaner = Cleaner(database, PuppetDBSettings(), lines.append)
    cleaner.start()
    while not cleaner.runs:
        cleaner.stopping.wait(0.01)
    cleaner.stop()
    assert rows(database, EXPIRED) == [("a",)]
    assert cleaner.failures == 0


def ask(database, path, **parameters):
    response = answer(Service(database), Request("GET", f"/pdb/query/v4{path}", parameters))
    return json.loads("".join(response.body))


def test_answers_include_the_expiration_of_facts(database):
    send(database, "replace facts", 5, facts("a", 1))
    send(database, "replace facts", 5, facts("b", 1))
    command = {"certname": "b", "expire": {"facts": False}, "producer_timestamp": time_of(2)}
    send(database, "configure expiration", 1, command)
    query = '["extract", ["certname", "expires_facts", "expires_facts_updated"]]'
    for path, text in (("/nodes", query), ("", f'["from", "nodes", {query}]')):
        found = ask(database, path, query=text, include_facts_expiration="true")
        assert sorted(found, key=lambda row: row["certname"]) == [
            {"certname": "a", "expires_facts": True, "expires_facts_updated": None},
            {
                "certname": "b",
                "expires_facts": False,
                "expires_facts_updated": "2026-01-02T00:00:00.000Z",
            },
        ]
    assert "expires_facts" in ask(database, "/nodes", include_facts_expiration="true")[0]
    assert "expires_facts" not in ask(database, "/nodes")[0]


def test_answers_include_packages(database):
    packages = [["zlib", "1", "dpkg"], ["acl", "2", "dpkg"]]
    send(database, "replace facts", 5, {**facts("a"), "package_inventory": packages})
    send(database, "replace facts", 5, facts("b"))
    found = ask(database, "/factsets", include_package_inventory="true")
    assert {row["certname"]: row["package_inventory"] for row in found} == {
        "a": sorted(packages),
        "b": None,
    }
    assert "package_inventory" not in ask(database, "/factsets")[0]
