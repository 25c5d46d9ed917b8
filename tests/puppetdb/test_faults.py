"""Faults at random moments: no accepted command is lost, and the database stays intact."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from bunraku.puppetdb.commands.metadata import Metadata, file_part
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Schedule, Worker
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from support.puppetdb_commands import facts

SPEC = importlib.util.spec_from_file_location("faults", Path(__file__).parent / "faults.py")
faults = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(faults)

GOOD = {
    "lost": 0,
    "never sent": 0,
    "reports without their event": 0,
    "facts of another factset": 0,
    "integrity_check": "ok",
    "foreign_key_check": 0,
    "discarded": 0,
    "left in the queue": 0,
}


def test_kills(tmp_path):
    found = faults.kill_often(3, str(tmp_path))
    assert {key: found[key] for key in GOOD} == GOOD
    assert found["accepted"] > 0


def test_a_full_disk(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    done = subprocess.run(
        [sys.executable, faults.__file__, "--full-disk", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
        env=faults.ENVIRONMENT,
    )
    if "cannot mount" in done.stderr:
        pytest.skip(done.stderr.strip())
    found = dict(line.strip("| ").split(" | ") for line in done.stdout.splitlines()[1:])
    assert {key: found[key] for key in GOOD} == {key: str(value) for key, value in GOOD.items()}
    assert int(found["refused with status 503"]) >= 20


def test_a_locked_database(tmp_path):
    found = faults.locked(str(tmp_path), 3)
    assert {key: found[key] for key in GOOD} == GOOD
    assert (found["accepted"], found["refused with status 503"]) == (15, 0)
    assert found["attempts that failed"] >= 3


def test_kills_on_postgresql(postgresql_server, tmp_path):
    found = faults.kill_often(3, str(tmp_path), postgresql_server.create("faults"))
    expected = {key: value for key, value in GOOD.items() if "check" not in key}
    assert {key: found[key] for key in expected} == expected
    assert found["accepted"] > 0


def test_a_large_command_needs_little_memory():
    done = subprocess.run(
        [sys.executable, faults.__file__, "--large", "120"],
        capture_output=True,
        text=True,
        check=True,
        env=faults.ENVIRONMENT,
    )
    used = [int(line.split()[-2]) for line in done.stdout.splitlines() if "more memory" in line]
    statuses = [line.split()[-2] for line in done.stdout.splitlines() if "status" in line]
    assert statuses == ["413", "200"]
    assert max(used) < 40


def test_a_full_disk_of_the_database(tmp_path):
    database = SqliteDatabase(str(tmp_path / "site.sqlite"))
    ((pages,),) = database.rows(Statement("PRAGMA page_count"), 10)
    with database.transaction() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")
    queue = Queue(str(tmp_path / "queue"), str(tmp_path / "discarded"))
    lines = []
    worker = Worker(database, queue, lines.append, schedule=Schedule(longest_pause=0.01))
    for number in range(20):
        uuid = f"00000000-0000-0000-0000-{number:012}"
        metadata = Metadata("replace facts", 5, file_part(f"n{number}"), None, 0, "", uuid)
        upload = queue.receive(metadata)
        upload.write(json.dumps(facts(f"n{number}", x=str(number) * 5000)).encode())
        upload.commit()
    worker.start()
    while len(lines) < 3:
        time.sleep(0.01)
    assert "full" in lines[0]
    with database.transaction() as connection:
        connection.execute("PRAGMA max_page_count = 100000")
    while queue.depth:
        time.sleep(0.01)
    worker.stop()
    queue.close()
    assert list(database.rows(Statement("SELECT count(*) FROM factsets"), 10)) == [(20,)]
    assert list(database.rows(Statement("PRAGMA integrity_check"), 10)) == [("ok",)]
    assert os.listdir(tmp_path / "discarded") == []
    database.close()


LIMITED = """
    import os, resource, signal, sys
    from bunraku.base.errors import PuppetError
    from bunraku.puppetdb.commands.metadata import Metadata
    from bunraku.puppetdb.commands.queue import Queue

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    queue = Queue(sys.argv[1], sys.argv[2])
    uuid = "00000000-0000-0000-0000-000000000000"
    upload = queue.receive(Metadata("replace facts", 5, "a", None, 0, "", uuid))
    try:
        for _ in range(100):
            upload.write(bytes(10_000))
        upload.commit()
    except PuppetError as error:
        print(error)
    print(os.listdir(sys.argv[1]))
"""


def test_a_limit_of_files_while_a_command_arrives(tmp_path):
    folders = [str(tmp_path / "queue"), str(tmp_path / "discarded")]
    program = textwrap.dedent(LIMITED)
    done = subprocess.run(
        [sys.executable, "-c", program, *folders],
        capture_output=True,
        text=True,
        check=True,
        env=faults.ENVIRONMENT,
    )
    message, files = done.stdout.splitlines()
    assert message.endswith("File too large")
    assert files == "[]"
