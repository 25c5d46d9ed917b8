"""An agent that runs in intervals: signals start a run, restart it and end it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from bunraku.agent.daemon import Daemon, detach
from bunraku.agent.settings import Settings

SCRIPT = """
import sys
from bunraku.agent.daemon import Daemon
from bunraku.agent.settings import Settings

def log(level, text, *_more):
    print(text, flush=True)

def run():
    print("run", flush=True)
    return 0

settings = Settings({"runinterval": sys.argv[1], "splay": False}, "web1")
print("ended by", Daemon(settings, log, run).serve(), flush=True)
"""


@pytest.fixture
def daemon():
    """Return a function that starts a daemon with an interval."""
    started = []

    def start(interval):
        words = [sys.executable, "-c", SCRIPT, interval]
        started.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.communicate()


def lines(process, number):
    return [process.stdout.readline().rstrip("\n") for _ in range(number)]


@pytest.mark.parametrize(
    ("number", "word"), [(signal.SIGTERM, "exiting"), (signal.SIGINT, "exiting"), (1, "restarting")]
)
def test_signals_start_and_end_runs(daemon, number, word):
    process = daemon("1h")
    assert lines(process, 2) == ["Running agent every 3600 seconds", "run"]
    process.send_signal(signal.SIGUSR1)
    assert lines(process, 2) == ["Caught USR1; running now", "run"]
    process.send_signal(number)
    name = signal.Signals(number).name.removeprefix("SIG")
    assert lines(process, 2) == [f"Caught {name}; {word}", f"ended by {int(number)}"]
    assert process.wait() == 0


def test_runs_follow_each_other(daemon):
    process = daemon("0")
    assert lines(process, 4) == ["Running agent every 0 seconds", "run", "run", "run"]


def test_a_run_in_progress_is_ended_with_the_daemon(tmp_path):
    mark = tmp_path / "started"
    script = SCRIPT.replace(
        'print("run", flush=True)',
        f'import time; open({str(mark)!r}, "w").close(); print("run", flush=True); time.sleep(600)',
    )
    words = [sys.executable, "-c", script, "1h"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert lines(process, 2)[1] == "run"
        process.send_signal(signal.SIGTERM)
        assert lines(process, 2) == ["Caught TERM; exiting", "ended by 15"]
    assert mark.exists()


def test_the_interval_is_that_of_the_settings():
    given = {"runinterval": "10m", "splay": True, "splaylimit": "$runinterval"}
    found = Daemon(Settings(given, "web1"), lambda *_words: None, lambda: 0)
    assert (found.interval, found.splay) == (600.0, 600.0)


def test_a_detached_process_has_a_session_of_its_own():
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        if detach():
            os.write(write, f"{os.getsid(0) != os.getpid()}".encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as file:
        assert file.read() == "True"
