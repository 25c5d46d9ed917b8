"""Programs and forks end with all that they started, and with the process that started them."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bunraku.world import processes
from support.signals import heed_signals

SRC = Path(processes.__file__).parents[2]


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def assert_ended(*pids: int, seconds: float = 20.0) -> None:
    """Fail unless all processes end soon; the limit is for machines that are busy."""
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [pid for pid in pids if is_running(pid)] == []


def numbers_in(path: Path, count: int) -> list[int]:
    """The process ids that programs write to a file, once all are there."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if path.exists() and len(found := path.read_text().split()) >= count:
            return [int(word) for word in found]
        time.sleep(0.01)
    raise AssertionError(f"{path} does not hold {count} process ids")


FAMILY = "sleep 600 & echo $! >> {0}; (sleep 600 & echo $! >> {0}; wait) & echo $! >> {0}; echo $$ >> {0}; "


def family(path: Path) -> list[str]:
    """A program that starts three processes, writes four process ids and waits."""
    return ["/bin/sh", "-c", FAMILY.format(path) + "wait"]


def python(code: str) -> subprocess.Popen[bytes]:
    """A process that runs code with bunraku."""
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, env=environment, preexec_fn=heed_signals)  # noqa: PLW1509


def test_a_program_ends_with_all_that_it_started(tmp_path):
    program = processes.start(family(tmp_path / "pids"))
    pids = numbers_in(tmp_path / "pids", 4)
    program.end()
    assert_ended(*pids, program.watcher.pid)


def test_what_a_program_leaves_running_ends_with_it(tmp_path):
    path = tmp_path / "pids"
    all_started = f"while [ $(wc -l < {path}) -lt 4 ]; do :; done; exit 0"
    processes.run(["/bin/sh", "-c", FAMILY.format(path) + all_started])
    assert_ended(*numbers_in(path, 4))


def test_output_is_complete_though_children_keep_the_pipe_open():
    done = processes.run(["/bin/sh", "-c", "sleep 600 & head -c 300000 /dev/zero; echo no >&2"])
    assert (len(done.stdout), done.stderr, done.returncode) == (300_000, b"no\n", 0)


def test_input_is_written_while_output_is_read():
    content = b"x" * 1_000_000
    assert processes.run(["/bin/cat"], content=content).stdout == content
    assert processes.run(["/bin/true"], content=content).returncode == 0


def test_a_program_that_closes_its_output_is_waited_for():
    done = processes.run(["/bin/sh", "-c", "exec >&- 2>&-; sleep 0.1; exit 7"])
    assert done.returncode == 7


def test_programs_have_no_input_unless_they_get_one():
    assert processes.run(["/bin/cat"]).stdout == b""


def test_an_exception_ends_a_program_that_is_waited_for(tmp_path):
    def alarm(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 1.0, 0.5)
    try:
        with pytest.raises(TimeoutError):
            processes.run(family(tmp_path / "pids"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert_ended(*numbers_in(tmp_path / "pids", 4))


def test_an_interrupt_while_a_program_starts_ends_it(tmp_path, monkeypatch):
    popen = subprocess.Popen

    def interrupted(command, **options):
        process = popen(command, **options)
        if command[0] == processes.WATCHER[0] and command[2] == processes.WATCHER[2]:
            return process
        numbers_in(tmp_path / "pids", 4)
        process.returncode = 0  # nobody can wait for it any more
        process.stdin.close()
        process.stdout.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        processes.start(family(tmp_path / "pids"))
    assert_ended(*numbers_in(tmp_path / "pids", 4))


@pytest.mark.parametrize("name", ["/nonexistent/program", "nonexistent-program"])
def test_a_program_that_cannot_start_leaves_no_watcher(name):
    before = set(processes.RUNNING)  # the Ruby of another test may run
    with pytest.raises(FileNotFoundError) as raised:
        processes.start([name])
    assert str(raised.value) == f"[Errno 2] No such file or directory: {name!r}"
    assert set(processes.RUNNING) == before


def test_a_program_is_found_in_a_directory_of_the_path_that_is_relative(tmp_path):
    (tmp_path / "own").symlink_to("/bin/echo")
    done = processes.run(["own", "x"], directory=str(tmp_path), environment={"PATH": "."})
    assert done.stdout == b"x\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_programs_end_when_bunraku_is_killed(tmp_path, number):
    code = f"from bunraku.world import processes as p; p.run({family(tmp_path / 'pids')})"
    with python(code) as running:
        pids = numbers_in(tmp_path / "pids", 4)
        running.send_signal(number)
        running.wait(20)
    assert_ended(*pids)


def test_forks_and_their_programs_end_when_bunraku_is_killed(tmp_path):
    command = family(tmp_path / "pids")
    code = (
        "import os, time; from bunraku.world import processes as p\n"
        f"def work(): open({str(tmp_path / 'fork')!r}, 'w').write(f'{{os.getpid()}} '); p.run({command})\n"
        "p.start(['/bin/sleep', '600']); p.fork(work); time.sleep(600)"
    )
    with python(code) as running:
        pids = [*numbers_in(tmp_path / "pids", 4), *numbers_in(tmp_path / "fork", 1)]
        running.kill()
        running.wait(20)
    assert_ended(*pids)


def test_programs_of_a_fork_end_when_the_fork_is_killed(tmp_path):
    pid = processes.fork(lambda: processes.run(family(tmp_path / "pids")))
    pids = numbers_in(tmp_path / "pids", 4)
    os.kill(pid, signal.SIGKILL)
    assert processes.ending(os.waitpid(pid, 0)[1]) == "signal 9"
    assert_ended(*pids)


def test_a_fork_cleans_up_when_it_is_ended_with_grace(tmp_path):
    marks = tmp_path / "marks"

    def work() -> None:
        try:
            marks.write_text(f"{os.getpid()}")
            time.sleep(600)
        finally:
            (tmp_path / "cleaned").touch()

    pid = processes.fork(work)
    numbers_in(marks, 1)
    assert processes.ending(processes.end_group(pid, grace=20.0)) == "exit code 1"
    assert (tmp_path / "cleaned").exists()


def test_a_fork_does_not_touch_the_programs_of_its_parent(tmp_path):
    program = processes.start(["/bin/cat"])

    def work() -> None:
        warned = []
        sys.unraisablehook = warned.append
        program.end()
        program.process.__del__()
        program.watcher.__del__()
        os._exit(len(warned))

    assert os.waitpid(processes.fork(work), 0)[1] == 0
    assert program.poll() is None
    program.end()


def test_a_signal_that_comes_while_a_fork_is_made_is_not_lost():
    """The functions that run around a fork, such as logging's, swallow exceptions."""
    program = (
        "import os, signal\n"
        "from bunraku.base.signals import Terminable, Terminated\n"
        "from bunraku.world.processes import fork\n"
        "parent = os.getpid()\n"
        "os.register_at_fork(after_in_parent=lambda: os.kill(parent, signal.SIGTERM))\n"
        "try:\n"
        "    with Terminable():\n"
        "        fork(lambda: None)\n"
        "        signal.pause()\n"
        "except Terminated as error:\n"
        "    print('ended by', error.number)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=heed_signals,
    )
    assert (found.stdout, found.stderr) == ("ended by 15\n", "")


WAITS = {
    "a program": "from bunraku.world.processes import run; run(['/bin/sleep', '600'])",
    "a lock": "import os; from bunraku.world.file_locks import await_lock; "
    "await_lock(os.open({path!r}, os.O_RDWR))",
    "other threads": "from bunraku.deployment.site_contents import at_the_same_time; "
    "at_the_same_time(lambda _item: time.sleep(600), [1, 2], 2)",
}
INTERRUPTED = """
import signal, sys, threading, time
def interrupt():
    time.sleep(0.5)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
    time.sleep(600)
threading.Thread(target=interrupt, daemon=True).start()
try:
    {wait}
except KeyboardInterrupt:
    sys.exit(3)
"""


@pytest.mark.parametrize("wait", WAITS)
def test_a_wait_ends_also_if_another_thread_gets_the_signal(tmp_path, wait):
    """The kernel may give a signal to any thread; one that comes right before a wait is the same."""
    path = tmp_path / "lock"
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with python(INTERRUPTED.format(wait=WAITS[wait].format(path=str(path)))) as running:
            try:
                assert running.wait(60) == 3
            finally:
                running.kill()


def test_programs_may_start_and_end_while_all_are_ended():
    over = threading.Event()

    def keep_starting():
        while not over.is_set():
            processes.Program(ended, ended).end()

    ended = subprocess.Popen(["/bin/true"], stdin=subprocess.PIPE)
    ended.wait()
    threads = [threading.Thread(target=keep_starting) for _number in range(3)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    deadline = time.monotonic() + 2
    try:
        for thread in threads:
            thread.start()
        while time.monotonic() < deadline:
            processes.running_programs()
    finally:
        sys.setswitchinterval(interval)
        over.set()
        for thread in threads:
            thread.join()
