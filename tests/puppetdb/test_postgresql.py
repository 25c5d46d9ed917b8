"""What PostgreSQL alone has: URLs with passwords, a server that goes away, streams, time limits."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import closing, contextmanager, nullcontext
from itertools import count
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.process import Command, prepare, process
from bunraku.puppetdb.databases.opening import open_database, open_readable
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.storage.nodes import name_ids
from support.puppetdb import RECEIVED
from support.puppetdb_commands import catalog, edge, facts, resource

SECRET = "se/cr%et"
IN_URL = "se%2Fcr%25et"
NUMBERS = count()


@pytest.fixture
def url(postgresql_server):
    """The URL of an empty database."""
    return postgresql_server.create(f"alone_{os.getpid()}_{next(NUMBERS)}")


@pytest.fixture
def database(url):
    """An empty database."""
    found = open_database(f"{url}&application_name=test")
    yield found
    found.close()


def rows(database, text, seconds=30):
    return list(database.rows(Statement(text), seconds))


def terminate(database):
    """End all connections of a database but the one that does it; wait for their end."""
    rows(
        database,
        "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = 'test'"
        " AND pid <> pg_backend_pid()",
    )


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://me:{IN_URL}@127.0.0.1:1/x",
        f"postgresql://me@127.0.0.1:1/x?password={IN_URL}",
        f"postgres://me:{IN_URL}@127.0.0.1:1",
    ],
)
def test_a_server_that_does_not_answer_is_an_error_without_the_password(postgresql_server, url):
    with pytest.raises(PuppetError) as failure:
        open_database(url)
    assert failure.value.code == "PUPPETDB_DATABASE_UNAVAILABLE"
    assert "postgresql://me@127.0.0.1:1/" in failure.value.message
    assert "refused" in failure.value.message
    assert SECRET not in str(failure.value)
    assert IN_URL not in str(failure.value)


@pytest.mark.parametrize(
    "url", ["postgresql://me:x%zz@h/d", "postgresql://h/d?x%zz", "postgres://[x"]
)
def test_a_malformed_url_is_not_shown(postgresql_server, url):
    with pytest.raises(PuppetError, match="the URL is malformed") as failure:
        open_database(url)
    assert "zz" not in failure.value.message


def test_without_psycopg_the_error_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "bunraku.puppetdb.databases.postgresql", raising=False)
    with pytest.raises(PuppetError) as failure:
        open_database("postgresql://h/d")
    assert failure.value.code == "PUPPETDB_NO_PSYCOPG"
    assert failure.value.diagnostic.hint == "pip install 'psycopg[binary]'"


def test_connections_that_the_server_closed_are_made_again(database):
    assert rows(database, "SELECT 1") == [(1,)]
    with database.transaction() as one:
        one.execute("INSERT INTO producers (name) VALUES (?)", ("a",))
    terminate(database)
    assert rows(database, "SELECT name FROM producers") == [("a",)]
    database.write(lambda one: one.execute("INSERT INTO producers (name) VALUES (?)", ("b",)))
    assert rows(database, "SELECT count(*) FROM producers") == [(2,)]


def test_a_connection_that_ends_within_a_transaction_is_an_error(database):
    def change(one):
        one.execute("INSERT INTO producers (name) VALUES (?)", ("a",))
        terminate(database)
        one.execute("INSERT INTO producers (name) VALUES (?)", ("b",))

    with pytest.raises(PuppetError) as failure:
        database.write(change)
    assert failure.value.code == "PUPPETDB_DATABASE_UNAVAILABLE"
    assert rows(database, "SELECT name FROM producers") == []


def test_a_query_that_takes_too_long_is_ended(database):
    with pytest.raises(PuppetError, match=r"exceeded the timeout of 0\.1 seconds"):
        rows(database, "SELECT pg_sleep(60)", 0.1)
    assert rows(database, "SELECT pg_sleep(0.15)", 30) == [("",)]


def test_a_query_stops_when_its_rows_are_not_wanted_any_more(database):
    begin = time.monotonic()
    with pytest.raises(PuppetError):
        list(database.rows(Statement("SELECT pg_sleep(60)"), 600, lambda: True))
    assert time.monotonic() - begin < 30
    sleeping = (
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_s%'"
    )
    assert rows(database, sleeping) == [(0,)]


def test_queries_that_are_wanted_go_on(database):
    found = list(database.rows(Statement("SELECT pg_sleep(0.6)"), 600, lambda: False))
    assert found == [("",)]


def test_a_reader_does_not_change_the_schema(postgresql_server):
    url = postgresql_server.create("reader_of_another_schema")
    with pytest.raises(PuppetError) as failure:
        open_readable(url)
    assert failure.value.code == "PUPPETDB_OLDER_SCHEMA"
    assert "bunraku puppetdb" in str(failure.value.diagnostic.hint)
    database = open_database(url)
    with closing(open_readable(url)) as reader:
        assert rows(reader, "SELECT count(*) FROM nodes") == [(0,)]
    with database.transaction() as connection:
        connection.execute("DELETE FROM schema_version WHERE version > 1")
    with pytest.raises(PuppetError) as failure:
        open_readable(url)
    assert failure.value.code == "PUPPETDB_OLDER_SCHEMA"
    assert rows(database, "SELECT max(version) FROM schema_version") == [(1,)]
    with database.transaction() as connection:
        connection.execute("INSERT INTO schema_version VALUES (1000)")
    with pytest.raises(PuppetError) as failure:
        open_readable(url)
    assert failure.value.code == "PUPPETDB_NEWER_SCHEMA"
    database.close()


def test_an_answer_of_any_size_needs_little_memory(database):
    found = database.rows(Statement("SELECT repeat('x', 1000) FROM generate_series(1, 60000)"), 60)
    next(found)
    before = resident()
    assert sum(1 for _ in found) == 59_999
    assert resident() - before < 20_000_000


def resident():
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_many_queries_at_once_wait_for_a_connection(database):
    results = []
    threads = [
        threading.Thread(target=lambda: results.extend(rows(database, "SELECT pg_sleep(0.02)")))
        for _ in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 40


def test_a_newer_schema_is_refused(url):
    first = open_database(url)
    first.write(lambda one: one.execute("INSERT INTO schema_version VALUES (999)"))
    first.close()
    with pytest.raises(PuppetError, match="schema version 999"):
        open_database(url)


def test_a_database_with_another_encoding_is_refused(postgresql_server):
    import psycopg

    with psycopg.connect(postgresql_server.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII'")
    with pytest.raises(PuppetError, match="its encoding is SQL_ASCII"):
        open_database(postgresql_server.url("ascii"))


def test_a_deadlock_is_done_again(database):
    database.write(
        lambda one: one.executemany("INSERT INTO producers (name) VALUES (?)", [("a",), ("b",)])
    )
    both = threading.Barrier(2)
    attempts = []

    def change(first, second):
        def rename(connection):
            attempts.append(first)
            query = "UPDATE producers SET name = name WHERE name = ?"
            connection.execute(query, (first,))
            if len(attempts) <= 2:
                both.wait(10)
            with connection.savepoint():
                connection.execute(query, (second,))

        database.write(rename)

    threads = [threading.Thread(target=change, args=pair) for pair in (("a", "b"), ("b", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(attempts) == 3


class Disturbed:
    """A connection of a transaction that another one disturbs once.

    It inserts the rows that this one is about to insert, and deletes them before they are used.
    """

    def __init__(self, connection, database, table, disturbances):
        self.connection = connection
        self.database = database
        self.table = table
        self.disturbances = disturbances

    def __getattr__(self, name):
        return getattr(self.connection, name)

    def execute(self, text, values=()):
        with self.disturbing(text, [values]):
            return self.connection.execute(text, values)

    def executemany(self, text, rows):
        found = list(rows)
        with self.disturbing(text, found):
            return self.connection.executemany(text, found)

    @contextmanager
    def disturbing(self, text, rows):
        if self.disturbances or not text.startswith(f"INSERT INTO {self.table} "):
            yield
            return
        self.disturbances.append(text)
        with self.database.transaction() as other:
            other.executemany(text, rows)
        yield
        with self.database.transaction() as other:
            other.execute(f"DELETE FROM {self.table}")


@pytest.mark.parametrize("within", [nullcontext, lambda connection: connection.savepoint()])
@pytest.mark.parametrize(
    "table",
    [
        *("edges", "environments", "fact_paths", "fact_values"),
        *("nodes", "packages", "producers", "resources"),
    ],
)
def test_a_row_that_another_transaction_deletes_is_inserted_again(database, table, within):
    resources = [resource(), resource(title="/etc/passwd")]
    stored = [
        (catalog(resources=resources, edges=[edge(*resources)]), "replace catalog", 9),
        ({**facts(x=1), "package_inventory": [["vim", "9", "apt"]]}, "replace facts", 5),
    ]
    changes = [
        prepare(Command(name, version, "a", json.dumps(payload).encode(), RECEIVED))
        for payload, name, version in stored
    ]
    disturbances = []

    def store(connection):
        with within(connection):
            for change in changes:
                change(Disturbed(connection, database, table, disturbances))

    database.write(store)
    assert len(disturbances) == 1
    assert rows(database, f"SELECT count(*) > 0 FROM {table}") == [(True,)]
    assert rows(database, "SELECT count(*) FROM fact_leaves") == [(1,)]
    assert rows(database, "SELECT count(*) FROM catalog_edges") == [(1,)]
    assert rows(database, "SELECT count(*) FROM node_packages") == [(1,)]


def test_a_row_that_is_always_deleted_is_an_error_of_the_database(database):
    def store(connection):
        disturbed = Disturbed(connection, database, "producers", [])
        name_ids(disturbed, None, "server")

    with pytest.raises(PuppetError) as caught:
        database.write(store)
    assert caught.value.diagnostic.code == "PUPPETDB_DATABASE_UNAVAILABLE"
    assert "another transaction deleted a row that this one needs" in str(caught.value)


def test_texts_of_any_length_are_stored(database):
    """Indexes of PostgreSQL refuse texts of some thousand bytes."""
    text = "".join(chr(0x4E00 + number * 7919 % 20000) for number in range(20_000))
    values = {"long": text, "deep": {text[:4000]: text}, "big": 10**300, "small": 1e-300}
    payload = {
        "certname": "a",
        "environment": None,
        "producer": None,
        "producer_timestamp": "2026-01-01T00:00:00Z",
        "values": values,
    }
    process(database, Command("replace facts", 5, "a", json.dumps(payload).encode(), 0))
    found = dict(rows(database, "SELECT name, value FROM fact_values"))
    assert {name: json.loads(value) for name, value in found.items()} == values
