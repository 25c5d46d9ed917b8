"""Threads of two processes store the same commands: the outcome is that of one writer."""

from __future__ import annotations

import multiprocessing

import pytest

from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from support.puppetdb_writers import write

STATE = {
    "nodes": "SELECT certname, deactivated, r.end_time FROM nodes"
    " JOIN reports AS r ON r.id = latest_report_id",
    "facts": "SELECT certname, name, value, number, text FROM nodes AS n"
    " JOIN facts AS f ON f.node_id = n.id JOIN fact_values AS v ON v.id = f.value_id",
    "all values": "SELECT name, value FROM fact_values",
    "leaves": "SELECT v.name, path, l.value FROM fact_leaves AS l"
    " JOIN fact_values AS v ON v.id = l.value_id JOIN fact_paths AS p ON p.id = l.path_id",
    "resources": "SELECT certname, title, tags FROM nodes AS n"
    " JOIN catalog_resources AS c ON c.node_id = n.id JOIN resources AS r ON r.id = c.resource_id",
    "resource counts": "SELECT certname, type, count FROM nodes"
    " JOIN resource_counts ON node_id = id",
    "all resources": "SELECT title, tags FROM resources",
    "tags": "SELECT title, tag FROM resource_tags JOIN resources ON resources.id = resource_id",
    "edges": "SELECT certname, source_title, target_title FROM nodes AS n"
    " JOIN catalog_edges AS c ON c.node_id = n.id JOIN edges AS e ON e.id = c.edge_id",
    "all edges": "SELECT source_title, target_title FROM edges",
    "catalogs": "SELECT certname, version, hash FROM catalogs JOIN nodes ON id = node_id",
    "factsets": "SELECT certname, hash FROM factsets JOIN nodes ON id = node_id",
    "reports": "SELECT certname, hash FROM reports AS r JOIN nodes AS n ON n.id = node_id",
    "events": "SELECT hash, resource_title FROM events JOIN reports AS r ON r.id = report_id",
    "environments": "SELECT name FROM environments",
    "producers": "SELECT name FROM producers",
}


def state(name):
    database = open_database(name)
    found = {key: sorted(database.rows(Statement(text), 60)) for key, text in STATE.items()}
    database.close()
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_two_processes_leave_what_one_writer_leaves(new_name, threads):
    alone, shared = new_name(), new_name()
    write(alone, 0, 1)
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=write, args=(shared, 10 * number, threads)) for number in (1, 2)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    expected = state(alone)
    assert len(expected["reports"]) == 24
    assert state(shared) == expected
