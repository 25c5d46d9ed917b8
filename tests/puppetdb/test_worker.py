"""The loop that processes commands: shared transactions, retries, outages, stops, replays."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time

import pytest

from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.metadata import Metadata, file_part
from bunraku.puppetdb.commands.process import ProcessingOptions, prepare
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import DatabaseUnavailable, Schedule, Worker
from bunraku.puppetdb.databases.schema import SQLITE_MIGRATIONS
from bunraku.puppetdb.databases.statement import Statement
from support.puppetdb_commands import catalog, changed, facts, report


@pytest.fixture
def queue(tmp_path):
    found = Queue(str(tmp_path / "site.queue"), str(tmp_path / "site.discarded"))
    yield found
    found.close()


@pytest.fixture
def start(database, queue):
    """Start workers, which end after the test."""
    found = []

    def start(**other):
        lines = []
        given = {"database": database, "queue": queue, "log": lines.append, **other}
        worker = Worker(**given)
        worker.lines = lines
        worker.start()
        found.append(worker)
        return worker

    yield start
    for worker in found:
        worker.stop()


class Observed:
    """A database that counts its transactions, and is unavailable for the first ones."""

    def __init__(self, database, unavailable=0):
        self.database = database
        self.unavailable = unavailable
        self.count = 0

    def write(self, change):
        self.count += 1
        if self.count <= self.unavailable:
            raise issues.DATABASE_UNAVAILABLE(name="site", reason="database is locked")
        return self.database.write(change)


def failing(error, name="bad"):
    """Return a preparation whose changes fail for a node, after they were made."""

    def prepared(command, *rest):
        change = prepare(command, *rest)

        def broken(connection):
            change(connection)
            raise error

        return broken if command.certname == name else change

    return prepared


NUMBER = iter(range(10**6))
UUID = "11111111-1111-1111-1111-111111111111"


def put(queue, payload, command="replace facts", version=5, time=None):
    uuid = f"00000000-0000-0000-0000-{next(NUMBER):012}"
    node = file_part(payload.get("certname", "a"))
    received = 1_800_000_000_000
    upload = queue.receive(Metadata(command, version, node, time, received, "", uuid))
    upload.write(json.dumps(payload).encode())
    return upload.commit()


def put_renewal(queue, payload, content):
    """Queue a catalog without its content, which has a hash."""
    left_out = ("resources", "edges")
    renewal = {name: value for name, value in payload.items() if name not in left_out}
    uuid = f"00000000-0000-0000-0000-{next(NUMBER):012}"
    metadata = Metadata("replace catalog", 9, "a", None, 1_800_000_000_000, "renewal", uuid)
    upload = queue.receive(metadata, content)
    upload.write(json.dumps({**renewal, "content": content}).encode())
    return upload.commit()


def rows(database, text):
    return list(database.rows(Statement(text), 10))


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "too late"
        time.sleep(0.005)


def test_queued_commands_share_a_transaction(database, queue, start):
    for number in range(20):
        put(queue, facts(f"node{number}", x=number))
    observed = Observed(database)
    start(database=observed)
    until(lambda: queue.depth == 0)
    assert observed.count == 1
    assert rows(database, "SELECT count(*) FROM nodes") == [(20,)]


def test_commands_that_arrive_soon_share_a_transaction(database, queue, start):
    observed = Observed(database)
    schedule = Schedule(gathering=30.0, at_once=3)
    put(queue, facts("node0"))
    worker = start(database=observed, schedule=schedule)
    until(lambda: queue.taken == 1)
    put(queue, facts("node1"))
    worker.stopping.set()  # which ends the wait, too
    until(lambda: queue.depth == 0)
    assert observed.count == 1
    assert rows(database, "SELECT count(*) FROM nodes") == [(2,)]


def test_a_command_that_a_client_waits_for_is_done_at_once(queue, start):
    worker = start(schedule=Schedule(gathering=3600.0))
    uuid = f"00000000-0000-0000-0000-{10**11:012}"
    with worker.expected(uuid) as waiter:
        upload = queue.receive(Metadata("replace facts", 5, "a", None, 0, "", uuid))
        upload.write(json.dumps(facts("a")).encode())
        upload.commit()
        assert waiter.wait(60) is not None


def test_large_commands_share_no_transaction(database, queue):
    for number in range(6):
        put(queue, facts(f"node{number}", x="y" * 1000))
    observed = Observed(database)
    schedule = Schedule(bytes_at_once=2000)
    worker = Worker(observed, queue, lambda _line: None, schedule=schedule)
    worker.process(queue.take(6))
    assert observed.count == 3, "the second one exceeds the limit"
    assert rows(database, "SELECT count(*) FROM nodes") == [(6,)]


def test_an_unavailable_database_leaves_all_that_is_not_done(database, queue):
    for number in range(6):
        put(queue, facts(f"node{number}", x="y" * 1000))

    class Second(Observed):
        def write(self, change):
            self.unavailable = 2 if self.count else 0
            return super().write(change)

    schedule = Schedule(bytes_at_once=2000)
    worker = Worker(Second(database), queue, lambda _line: None, schedule=schedule)
    entries = queue.take(6)
    with pytest.raises(DatabaseUnavailable) as caught:
        worker.process(entries)
    assert caught.value.entries == entries[2:]
    assert rows(database, "SELECT count(*) FROM nodes") == [(2,)]


def test_a_failing_command_does_not_undo_others(database, queue, start):
    for name in ("a", "bad", "b"):
        put(queue, facts(name, x=1))
    worker = start(prepare=failing(ZeroDivisionError()))
    until(lambda: worker.counts.snapshot()["global"].processed == 2)
    assert rows(database, "SELECT certname FROM nodes ORDER BY 1") == [("a",), ("b",)]
    until(lambda: worker.counts.snapshot()["global"].retried == 1)


def test_after_an_error_in_a_transaction_each_command_is_done_alone(database, queue):
    for number in range(3):
        put(queue, facts(f"node{number}"))
    seen = []

    def counting(command, *rest):
        change = prepare(command, *rest)

        def counted(connection):
            seen.append(command.certname)
            change(connection)
            if seen == ["node0", "node1", "node2"]:
                raise ZeroDivisionError

        return counted

    worker = Worker(database, queue, lambda _line: None, prepare=counting)
    worker.process(queue.take(3))
    assert seen == ["node0", "node1", "node2"] * 2, "after the error each is done alone"
    assert rows(database, "SELECT certname FROM nodes ORDER BY 1") == [
        ("node0",), ("node1",), ("node2",),
    ]  # fmt: skip
    assert worker.counts.snapshot()["global"].processed == 3


def test_an_error_of_the_database_is_that_of_its_command(queue, start):
    put(queue, facts("bad"))
    worker = start(prepare=failing(sqlite3.IntegrityError("not unique")))
    until(lambda: worker.lines)
    assert "not unique" in worker.lines[0]
    assert worker.counts.snapshot()["global"].retried == 1


def test_a_command_is_tried_again_and_then_discarded(queue, start):
    put(queue, facts("bad"))
    schedule = Schedule(retries=(0.001, 0.002, 0.003))
    worker = start(prepare=failing(ZeroDivisionError("always")), schedule=schedule)
    until(lambda: queue.depth == 0)
    count = worker.counts.snapshot()["replace facts 5"]
    assert (count.retried, count.discarded, count.processed) == (3, 1, 0)
    (reason,) = [name for name in os.listdir(queue.discarded) if name.endswith(".reason.json")]
    with open(os.path.join(queue.discarded, reason)) as file:
        attempts = json.load(file)["attempts"]
    assert [item["error"] for item in attempts] == ["ZeroDivisionError: always"] * 4


def test_the_delays_of_attempts_grow_to_a_day():
    delays = Schedule().retries
    assert list(delays) == sorted(delays)
    assert 24 * 3600 < sum(delays) < 48 * 3600


@pytest.mark.parametrize(("most", "processed"), [(None, 1), (0, 1), (20, 0)])
def test_a_limit_of_bytes(queue, start, most, processed):
    put(queue, facts(x=1))
    worker = start(options=ProcessingOptions(most_bytes=most))
    until(lambda: queue.depth == 0)
    until(lambda: worker.counts.snapshot()["global"].discarded == 1 - processed)
    assert len(os.listdir(queue.discarded)) == 2 * (1 - processed)


@pytest.mark.parametrize(("ttl", "events"), [(None, 1), (0, 1), (1000, 0)])
def test_old_events_are_not_stored(database, queue, start, ttl, events):
    put(queue, report(resources=[changed()]), "store report", 8)
    start(options=ProcessingOptions(resource_events_ttl=ttl))
    until(lambda: queue.depth == 0)
    assert rows(database, "SELECT count(*) FROM events") == [(events,)]


def test_an_obsolete_command_is_dropped(database, queue, start):
    put(queue, facts(day=1, old=1), time=1)
    put(queue, facts(day=2, new=1), time=2)
    worker = start()
    until(lambda: queue.depth == 0)
    assert rows(database, "SELECT name FROM fact_values") == [("new",)]
    until(lambda: worker.counts.snapshot()["global"].processed == 1)
    assert worker.counts.snapshot()["global"].obsolete == 1
    until(lambda: os.listdir(queue.folder) == [])


def test_a_locked_database_delays_commands_and_loses_none(database, queue, start):
    for number in range(3):
        put(queue, facts(f"node{number}"))
    observed = Observed(database, unavailable=3)
    worker = start(database=observed, schedule=Schedule(longest_pause=0.01))
    until(lambda: queue.depth == 0)
    assert rows(database, "SELECT count(*) FROM nodes") == [(3,)]
    assert len(worker.lines) == 3
    assert "database is locked" in worker.lines[0]
    until(lambda: not worker.unavailable)
    assert os.listdir(queue.discarded) == []


def test_a_command_that_makes_the_database_unavailable_is_set_aside(queue, start):
    for name in ("bad", "a", "b"):
        put(queue, facts(name))
    broken = failing(sqlite3.OperationalError("disk I/O error"))
    worker = start(prepare=broken, schedule=Schedule(longest_pause=0.001))
    until(lambda: worker.counts.snapshot()["global"].processed == 2)
    assert queue.awaiting_retry == 1


def test_a_stop_leaves_the_other_commands_in_the_queue(database, queue, start):
    def slow(*arguments):
        time.sleep(0.02)
        return prepare(*arguments)

    for number in range(20):
        put(queue, facts(f"node{number}"))
    worker = start(prepare=slow, schedule=Schedule(at_once=1))
    until(lambda: worker.counts.snapshot()["global"].processed)
    worker.stop()
    ((stored,),) = rows(database, "SELECT count(*) FROM nodes")
    assert 0 < stored < 20
    queue.close()
    again = Queue(queue.folder, queue.discarded)
    assert again.depth == 20 - stored
    again.close()


@pytest.mark.parametrize(
    ("command", "version", "payload"),
    [
        ("replace facts", 5, facts(x=1)),
        ("replace catalog", 9, catalog()),
        ("store report", 8, report()),
        ("deactivate node", 3, {"certname": "a", "producer_timestamp": "2026-01-01T00:00:00Z"}),
        (
            "configure expiration",
            1,
            {"certname": "a", "expire": {"facts": True}, "producer_timestamp": "2026-01-01T00:00:00Z"},
        ),
        (
            "replace catalog inputs",
            1,
            {
                "certname": "a",
                "catalog_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000002",
                "inputs": [["hiera", "x"]],
                "producer_timestamp": "2026-01-01T00:00:00Z",
            },
        ),
    ],
)  # fmt: skip
def test_a_command_that_is_repeated_after_a_crash_changes_nothing(
    database, queue, start, command, version, payload
):
    put(queue, payload, command, version)
    start()
    until(lambda: queue.depth == 0)
    before = dump(database)
    put(queue, payload, command, version)
    until(lambda: queue.depth == 0)
    assert dump(database) == before


def dump(database):
    """Return the rows of all tables."""
    tables = re.findall(r"CREATE TABLE (\w+)", "".join(one.script for one in SQLITE_MIGRATIONS))
    return {table: sorted(map(repr, rows(database, f"SELECT * FROM {table}"))) for table in tables}


CATALOGS = "SELECT hash, version, catalog_uuid, producer_timestamp FROM catalogs"


def test_a_renewal_changes_what_is_known_of_a_catalog_and_not_its_content(database, queue, start):
    worker = start()
    put(queue, catalog(), "replace catalog", 9)
    until(lambda: not queue.depth)
    ((content, *_),) = rows(database, CATALOGS)
    tables = [f"SELECT * FROM catalog_{name} ORDER BY 1, 2" for name in ("resources", "edges")]
    before = [rows(database, one) for one in tables]
    later = catalog(day=2, version="next", catalog_uuid=UUID)
    put_renewal(queue, later, content)
    until(lambda: not queue.depth)
    ((*found, time),) = rows(database, CATALOGS)
    assert found == [content, "next", UUID]
    put_renewal(queue, catalog(day=1, version="older"), content)
    until(lambda: not queue.depth)
    assert rows(database, CATALOGS) == [(*found, time)]
    assert [rows(database, one) for one in tables] == before
    assert worker.lines == []


def test_a_renewal_of_other_content_changes_nothing_and_is_logged(database, queue, start):
    worker = start()
    put(queue, catalog(), "replace catalog", 9)
    until(lambda: not queue.depth)
    before = rows(database, CATALOGS)
    put_renewal(queue, catalog(day=2), "0" * 40)
    put_renewal(queue, catalog(certname="b", day=2), "0" * 40)
    until(lambda: not queue.depth)
    assert rows(database, CATALOGS) == before
    assert [line.partition(":")[0] for line in worker.lines] == [
        "The catalog of a is not renewed",
        "The catalog of b is not renewed",
    ]


def test_a_renewal_survives_a_restart(database, tmp_path, start):
    folders = (str(tmp_path / "one.queue"), str(tmp_path / "one.discarded"))
    queue = Queue(*folders)
    worker = start(queue=queue)
    put(queue, catalog(), "replace catalog", 9)
    until(lambda: not queue.depth)
    ((content, *_),) = rows(database, CATALOGS)
    worker.stop()
    put_renewal(queue, catalog(day=2, version="next"), content)
    queue.close()
    queue = Queue(*folders)
    start(queue=queue)
    until(lambda: not queue.depth)
    assert rows(database, "SELECT hash, version FROM catalogs") == [(content, "next")]
    queue.close()
