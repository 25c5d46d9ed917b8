"""The processes that answer jobs: they are replaced when they end, and the log says why."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import contextmanager

import pytest

from bunraku.puppetdb.server.process import resident_bytes
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.keeper import listening_socket, start_keeper
from bunraku.world import processes

PATIENCE = 60.0
MEBIBYTE = 1 << 20
KEPT: list[bytes] = []


def answer(job: bytes) -> list[bytes]:
    """Return the process ID, after what a job orders."""
    if job == b"die":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == b"hog":
        KEPT.append(os.urandom(MEBIBYTE) * 300)
    return [str(os.getpid()).encode()]


@contextmanager
def kept(folder, **limits):
    """Run a process with its keeper; yield the function that asks it, and the log."""
    log = folder / "log"
    log.touch()

    def write(text):
        with log.open("a") as stream:
            stream.write(f"{text}\n")

    path = str(folder / "socket")
    with listening_socket(path) as listener:
        keeper = start_keeper(listener, 1, answer, write, **limits)
        compilers = Compilers(path, PATIENCE, PATIENCE)
        try:
            yield lambda job: compilers.ask(job, lambda: False)[0].decode(), log
        finally:
            processes.end_group(keeper)


def lines_of(log, count):
    """Return the lines of a log, once there are as many as expected."""
    end = time.monotonic() + PATIENCE
    while len(log.read_text().splitlines()) < count:
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.02)
    return log.read_text().splitlines()


def test_a_process_with_too_much_memory_is_replaced_and_logged(tmp_path):
    most = resident_bytes() + 200 * MEBIBYTE  # a process starts with the memory of the tests
    with kept(tmp_path, most_bytes=most) as (ask, log):
        first = ask(b"work")
        assert ask(b"work") == first
        assert log.read_text() == ""
        assert ask(b"hog") == first
        assert ask(b"work") != first
        (line,) = lines_of(log, 1)
    found = re.fullmatch(rf"Compile process {first} is replaced: it has (\d+) MiB of memory", line)
    assert found
    assert int(found[1]) >= most // MEBIBYTE


def test_a_process_that_is_killed_is_replaced_and_logged(tmp_path):
    with kept(tmp_path) as (ask, log):
        first = ask(b"work")
        with pytest.raises(Exception, match="ended unexpectedly"):
            ask(b"die")
        assert ask(b"work") != first
        (line,) = lines_of(log, 1)
    assert line.startswith(f"Compile process {first} is replaced: ")
    assert "9" in line or "SIGKILL" in line


def test_a_process_is_replaced_after_its_jobs(tmp_path):
    with kept(tmp_path, most_jobs=2) as (ask, log):
        found = [ask(b"work") for _ in range(4)]
    assert found[0] == found[1] != found[2] == found[3]
    assert log.read_text() == ""
