"""An agent that runs in intervals: signals start a run, restart it and end it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from bunraku.agent.daemon import Daemon, detach
from bunraku.agent.settings import AgentSettings
from support.own_server import COMMAND, wait_for
from support.systemd import Messages

SCRIPT = """
import signal
import sys
from bunraku.agent.daemon import Daemon
from bunraku.agent.settings import AgentSettings

def log(level, text, *_more):
    print(text, flush=True)

def run():
    print("run", flush=True)
    return 0

intervals = iter(sys.argv[2:])
given = {"runinterval": sys.argv[1], "splay": "splay" in sys.argv, "splaylimit": "365d"}
settings = AgentSettings(given, "web1")

def reread():
    return AgentSettings({"runinterval": next(intervals, "1h")}, "web1")

def reopen():
    print("reopened", flush=True)

if "splay" in sys.argv:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    print("begins", flush=True)
daemon = Daemon(settings, log, run, reread=reread, reopen=reopen)
print("ended by", daemon.serve(), flush=True)
"""


@pytest.fixture
def daemon():
    """Return a function that starts a daemon with an interval."""
    started = []

    def start(*intervals):
        words = [sys.executable, "-c", SCRIPT, *intervals]
        started.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.communicate()


def lines(process, number):
    return [process.stdout.readline().rstrip("\n") for _ in range(number)]


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (signal.SIGTERM, ["Caught TERM; exiting"]),
        (signal.SIGINT, ["Caught INT; exiting"]),
        (signal.SIGHUP, ["Caught HUP; storing restart", "Processing restart"]),
    ],
)
def test_signals_start_and_end_runs(daemon, number, texts):
    process = daemon("1h")
    assert lines(process, 2) == ["Running agent every 3600 seconds", "run"]
    process.send_signal(signal.SIGUSR1)
    assert lines(process, 3) == ["Caught USR1; storing reload", "Processing reload", "run"]
    process.send_signal(number)
    assert lines(process, len(texts) + 1) == [*texts, f"ended by {int(number)}"]
    assert process.wait() == 0


def test_log_files_are_opened_again(daemon):
    process = daemon("1h")
    lines(process, 2)
    process.send_signal(signal.SIGUSR2)
    texts = ["Caught USR2; storing reopen_logs", "Processing reopen_logs", "reopened"]
    assert lines(process, 3) == texts
    process.send_signal(signal.SIGUSR1)
    assert lines(process, 3)[-1] == "run"


def test_runs_follow_each_other_in_the_current_interval(daemon):
    process = daemon("0", "0")
    found = ["Running agent every 0 seconds", "run"] * 2
    assert lines(process, 4) == found
    process.send_signal(signal.SIGTERM)  # the interval is an hour now
    assert lines(process, 2)[-1] == "ended by 15"


def test_the_first_run_waits_for_a_random_time(daemon):
    process = daemon("1h", "splay")
    assert lines(process, 1) == ["begins"]
    process.send_signal(signal.SIGUSR1)
    assert lines(process, 3) == ["Caught USR1; storing reload", "Processing reload", "run"]


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
    said = []
    found = Daemon(AgentSettings(given, "web1"), lambda *words: said.append(words), lambda: 0)
    assert (found.interval, found.limit) == (600.0, 600.0)
    assert 0 <= found.splay <= 600
    found.announce()
    assert said == [
        ("info", f"Running agent every 600 seconds with splay {found.splay:g} of 600 seconds")
    ]


def holds(process, number):
    """Whether a process lets a signal wait."""
    with open(f"/proc/{process.pid}/status") as file:
        masks = dict(line.split(":", 1) for line in file if line.startswith("Sig"))
    return bool(int(masks["SigBlk"], 16) >> (number - 1) & 1)


def restarted(log, times):
    """Whether the agent has started again so many times."""
    return log.exists() and log.read_text().count("Restarting with") >= times


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_a_signal_to_reload_does_not_end_an_agent_that_starts(tmp_path):
    places = [f"--{name}dir={tmp_path / name}" for name in ("conf", "var", "ssl", "run")]
    words = [*COMMAND, "agent", "--no-project", "--no-daemonize", "--certname", "web1", *places]
    unreachable = ["--server", "localhost", "--serverport", "1", "--splay", "--splaylimit", "365d"]
    log = ["--logdest", str(tmp_path / "log")]
    with subprocess.Popen([*words, *unreachable, *log], start_new_session=True) as process:
        try:
            for times in (1, 2):
                wait_for(lambda: holds(process, signal.SIGHUP), "it lets signals wait")
                for number in (signal.SIGHUP, signal.SIGUSR2):
                    process.send_signal(number)
                wait_for(partial(restarted, tmp_path / "log", times), "it starts again")
                assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) in {143, -signal.SIGTERM}  # the latter before Python has begun
        finally:
            process.kill()


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


def test_an_agent_that_was_started_with_hangups_ignored_survives_and_awaits_them(tmp_path):
    places = [f"--{name}dir={tmp_path / name}" for name in ("conf", "var", "ssl", "run")]
    words = [*COMMAND, "agent", "--no-project", "--no-daemonize", "--certname", "web1", *places]
    unreachable = ["--server", "localhost", "--serverport", "1", "--splay", "--splaylimit", "365d"]
    log = ["--logdest", str(tmp_path / "log")]
    shell = ["sh", "-c", 'trap "" HUP; echo; exec "$@"', "sh", *words, *unreachable, *log]
    with subprocess.Popen(shell, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            process.stdout.readline()  # the signal is ignored from here on
            while not holds(process, signal.SIGHUP):
                process.send_signal(signal.SIGHUP)
                assert process.poll() is None

            def asked():
                process.send_signal(signal.SIGHUP)
                return restarted(tmp_path / "log", 1)

            wait_for(asked, "it starts again")
            assert process.poll() is None
        finally:
            process.kill()


UNIT = ["sh", "-c", 'trap "" HUP USR1 USR2; echo; exec "$@"', "sh"]
"""How the unit starts the agent."""


def service(tmp_path, *options, **variables):
    """Start an agent as its unit does; its server cannot be reached."""
    places = [f"--{name}dir={tmp_path / name}" for name in ("conf", "var", "ssl", "run")]
    words = [*COMMAND, "agent", "--no-project", "--no-daemonize", "--certname", "web1", *places]
    unreachable = ["--server", "localhost", "--serverport", "1", "--waitforcert", "0"]
    log = ["--logdest", str(tmp_path / "log")]
    return subprocess.Popen(
        [*UNIT, *words, *unreachable, *log, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **variables},
    )


def test_systemd_gets_signs_of_life_and_the_states(tmp_path):
    variables = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    with (
        Messages(variables["NOTIFY_SOCKET"]) as messages,
        service(tmp_path, "--splay", "--splaylimit", "365d", **variables) as process,
    ):
        try:
            messages.next("READY=1")
            for _ in range(3):
                messages.next("WATCHDOG=1")
            process.send_signal(signal.SIGHUP)
            name, _, number = messages.next("RELOADING=1").partition("\n")[2].partition("=")
            assert (name, number.isdigit()) == ("MONOTONIC_USEC", True)
            messages.next("READY=1")
            messages.next("WATCHDOG=1")
            process.send_signal(signal.SIGTERM)
            messages.next("STOPPING=1")
            assert process.wait(60) == 143
        finally:
            process.kill()


def test_signs_of_life_come_during_a_run(tmp_path):
    """Runs follow each other without a pause, and the watchdog hears of each second."""
    variables = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    with (
        Messages(variables["NOTIFY_SOCKET"]) as messages,
        service(tmp_path, "--runinterval", "0", **variables) as process,
    ):
        try:
            messages.next("READY=1")
            for _ in range(10):
                messages.next("WATCHDOG=1")
        finally:
            process.kill()


@pytest.mark.parametrize("interval", ["0", "365d"])
def test_an_agent_survives_hangups_at_any_moment(tmp_path, interval):
    """Hangups come while it starts, waits, runs, restarts; ``AGENT_HANGUPS`` is their number."""
    moments = random.Random(int(os.environ.get("AGENT_SEED", "7")))
    with service(tmp_path, "--runinterval", interval) as process:
        try:
            process.stdout.readline()
            for _ in range(int(os.environ.get("AGENT_HANGUPS", "30"))):
                time.sleep(moments.choice([0.0, 0.001, 0.02, 0.1, 0.3, 0.6]) * moments.random())
                process.send_signal(
                    moments.choice([signal.SIGHUP] * 4 + [signal.SIGUSR1, signal.SIGUSR2])
                )
                assert process.poll() is None

            def asked():
                process.send_signal(signal.SIGHUP)
                return restarted(tmp_path / "log", 3)

            wait_for(asked, "it starts again")
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) in {143, -signal.SIGTERM}  # the latter before Python has begun
        finally:
            process.kill()
