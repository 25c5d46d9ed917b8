"""Programs and forked processes: each ends with all processes that it started, and with the process
that started it, even if that process is killed.

A program is a member of its own process group. The leader of the group is a watcher: a shell that
reads from a pipe whose other end only bunraku holds. The pipe closes when bunraku ends, even by
SIGKILL; the watcher then kills the group. The watcher is there before the program, so no moment is
unguarded. Programs that leave their group on purpose (daemons, ``setsid``) are not tracked.

Windows has no process groups and no ``fork``: a program is ended without what it started.

A forked process requests SIGKILL from the kernel when its parent ends (``PR_SET_PDEATHSIG``, Linux); the
programs that it started follow through their pipes.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic, sleep
from weakref import WeakValueDictionary

from bunraku.base import system
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.signals import HANGUP, Terminable

if TYPE_CHECKING:
    from typing import IO

WATCHER = ("/bin/sh", "-c", 'trap "" HUP INT QUIT TERM; read -r _; kill -KILL 0')
"""A command that kills its process group when its standard input closes."""
CHUNK = 1 << 16
PR_SET_PDEATHSIG = 1
ENDING = {signal.SIGINT, signal.SIGTERM, HANGUP}
"""Signals that end a command."""
POLL = 0.02
"""Seconds between two checks of a program, on systems without file descriptors for processes."""
LONGEST_WAIT = 0.5
"""Seconds that a wait takes at most before it is repeated. Python handles a signal between two
instructions: one that comes right before a wait, or to another thread, does not end the wait."""


# -- programs --------------------------------------------------------------------------------------


class Program:
    """A running program with all programs that it starts; see :func:`start`."""

    def __init__(
        self, process: subprocess.Popen[bytes], watcher: subprocess.Popen[bytes] | None
    ) -> None:
        self.process = process
        self.watcher = watcher
        self.owner = os.getpid()
        self.group = process.pid if watcher is None else watcher.pid
        RUNNING[self.group] = self

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self.process.pid

    @property
    def stdin(self) -> IO[bytes] | None:
        """The program's standard input, if it is a pipe."""
        return self.process.stdin

    @property
    def stdout(self) -> IO[bytes] | None:
        """The program's standard output, if it is a pipe."""
        return self.process.stdout

    @property
    def stderr(self) -> IO[bytes] | None:
        """The program's standard error, if it is a pipe."""
        return self.process.stderr

    def processor_time(self) -> float:
        """Return the processor time of the program and of all that it started, in seconds.

        Return 0.0 on a system without ``/proc``.
        """
        return group_processor_time(self.group)

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while the program runs."""
        return self.process.poll()

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the program's end and return its exit code; raise ``subprocess.TimeoutExpired``."""
        return self.process.wait(timeout)

    def end(self) -> None:
        """Kill the program and all that it started, and close its pipes. Do nothing in a fork.

        The watcher is reaped last: until then no other group can get its number.
        """
        RUNNING.pop(self.group, None)
        if self.watcher is None:
            self.process.kill()
            self.process.wait()
        elif self.owner == os.getpid() and self.watcher.returncode is None:
            kill_group(self.group)
            self.process.kill()  # the program has changed its process group
            self.process.wait()
            self.watcher.kill()
            self.watcher.wait()
        self.close()

    def close(self) -> None:
        """Close this process's ends of the pipes."""
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):  # the buffered data has no reader
                    pipe.close()
        if self.watcher is not None and self.watcher.stdin is not None:
            self.watcher.stdin.close()


def kill_group(group: int) -> None:
    """Kill the processes of a group, if it has some."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


RUNNING: WeakValueDictionary[int, Program] = WeakValueDictionary()
"""The programs of this process by their groups; a fork closes its copies of their pipes."""


def running_programs() -> list[Program]:
    """Return the programs of this process, also while other threads start and end some."""
    return [one for reference in RUNNING.valuerefs() if (one := reference()) is not None]


def end_all() -> None:
    """Kill the programs of this process, also those that other threads wait for: these go on."""
    for program in running_programs():
        if program.watcher is None:
            program.process.kill()
        else:
            kill_group(program.group)


def leave_to_the_parent() -> None:
    """Close a fork's copies of the pipes to programs: an open copy would hide their end.

    For the fork the programs have ended: they are not its children, and Python warns about processes
    that are dropped without a status.
    """
    for program in running_programs():
        program.close()
        program.process.returncode = 0
        if program.watcher is not None:
            program.watcher.returncode = 0
    RUNNING.clear()


if system.HAS_FORK:
    os.register_at_fork(after_in_child=leave_to_the_parent)


def start(
    command: list[str],
    *,
    directory: str | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: int | None = subprocess.PIPE,
    stdout: int | None = subprocess.PIPE,
    stderr: int | None = None,
    buffered: bool = False,
) -> Program:
    """Start a program that ends with this process.

    Standard input and output are pipes unless given otherwise (``subprocess.DEVNULL``, a file
    descriptor, None for this process's own). Raise OSError if the program cannot be started.

    >>> program = start(["/bin/cat"])
    >>> program.stdin.write(b"hello"), program.stdin.close(), program.stdout.read()
    (5, None, b'hello')
    >>> program.end()
    """

    def popen(group: int | None = None) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            bufsize=-1 if buffered else 0,
            cwd=directory,
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            process_group=group,
        )

    if not system.HAS_FORK:
        return Program(popen(), None)
    if is_missing(command[0], environment):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    null = subprocess.DEVNULL
    watcher = subprocess.Popen(
        WATCHER, bufsize=0, stdin=subprocess.PIPE, stdout=null, stderr=null, process_group=0
    )
    try:
        process = popen(watcher.pid)
    except BaseException:  # an interrupt may come when the program runs already
        kill_group(watcher.pid)
        watcher.kill()
        watcher.wait()
        assert watcher.stdin is not None
        watcher.stdin.close()
        raise
    return Program(process, watcher)


def is_missing(program: str, environment: Mapping[str, str] | None) -> bool:
    """Return whether no directory of PATH has a program; this is cheaper than two processes."""
    places = os.get_exec_path(environment)
    if "/" in program or not all(place.startswith("/") for place in places):
        return False
    return not any(os.path.lexists(f"{place}/{program}") for place in places)


def run(
    command: list[str],
    *,
    directory: str | None = None,
    environment: Mapping[str, str] | None = None,
    content: bytes | None = None,
    seconds: float = 0,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program and return its exit code and output; ``content`` is its standard input.

    Processes that the program leaves running are killed with it. All are killed if an exception (an
    interrupt, a time limit) passes through. Raise OSError if the program cannot be started, and
    ``subprocess.TimeoutExpired`` if it takes longer than ``seconds``; 0 means no limit.

    >>> run(["/bin/sh", "-c", "echo out; echo err >&2; exit 3; sleep 9 &"]).returncode
    3
    """
    pipe = subprocess.PIPE
    stdin = subprocess.DEVNULL if content is None else pipe
    program = start(command, directory=directory, environment=environment, stdin=stdin, stderr=pipe)
    try:
        output, errors = exchange(program, content or b"", seconds)
        return subprocess.CompletedProcess(command, program.wait(), output, errors)
    finally:
        program.end()


def exchange(program: Program, content: bytes, seconds: float = 0) -> tuple[bytes, bytes]:
    """Write to a program and return its standard output and standard error.

    The child processes of the program may keep the pipes open; they are not waited for. Raise
    ``subprocess.TimeoutExpired`` after ``seconds``; 0 means no limit.
    """
    if not system.HAS_FORK:
        return program.process.communicate(content or None, seconds or None)
    import selectors  # slow to import; most commands run no program

    found: dict[int, list[bytes]] = {}
    left = memoryview(content)
    deadline = monotonic() + seconds if seconds else inf
    with selectors.DefaultSelector() as selector, watched_end(program) as ending:
        for pipe in (program.stdout, program.stderr):
            assert pipe is not None
            found[pipe.fileno()] = []
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ)
        if program.stdin is not None:
            os.set_blocking(program.stdin.fileno(), False)
            selector.register(program.stdin, selectors.EVENT_WRITE)
        if ending is not None:
            selector.register(ending, selectors.EVENT_READ)
        while len(selector.get_map()) > (ending is not None):
            left_over = deadline - monotonic()
            if left_over <= 0:
                raise subprocess.TimeoutExpired(program.process.args, seconds)
            events = selector.select(min(left_over, POLL if ending is None else LONGEST_WAIT))
            for key, _ in events:
                if key.fd in found:
                    if read_some(key.fd, found[key.fd]) == 0:
                        selector.unregister(key.fd)
                elif key.fileobj is program.stdin and program.stdin is not None:
                    left = write_some(key.fd, left)
                    if not left:
                        selector.unregister(program.stdin)
                        program.stdin.close()
            if program.poll() is not None:
                for descriptor, pieces in found.items():  # the data that is already in the pipes
                    while read_some(descriptor, pieces):
                        pass
                break
    output, errors = (b"".join(pieces) for pieces in found.values())
    return output, errors


def read_some(descriptor: int, pieces: list[bytes]) -> int | None:
    """Read the content of a pipe; return the number of bytes, 0 at its end, None if it is empty."""
    try:
        chunk = os.read(descriptor, CHUNK)
    except BlockingIOError:
        return None
    pieces.append(chunk)
    return len(chunk)


def write_some(descriptor: int, left: memoryview) -> memoryview:
    """Write as much as a pipe accepts and return the rest; nothing if it has no reader."""
    try:
        return left[os.write(descriptor, left[:CHUNK]) :] if left else left
    except BlockingIOError:
        return left
    except BrokenPipeError:
        return left[:0]


@contextmanager
def watched_end(program: Program) -> Iterator[int | None]:
    """Yield a descriptor that is readable once the program has ended; None if the system has none."""
    try:
        descriptor = os.pidfd_open(program.pid)
    except (AttributeError, OSError):  # not Linux, or one older than 5.3
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def group_processor_time(group: int) -> float:
    """Return the processor time of the processes of a group and of their children that have ended.

    The unit is seconds. Return 0.0 on a system without ``/proc``.
    """
    ticks = 0
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
                if int(fields[2]) == group:
                    ticks += sum(map(int, fields[11:15]))  # proc(5): utime to cstime
    return ticks / os.sysconf("SC_CLK_TCK")


# -- forks -----------------------------------------------------------------------------------------


def death_signal() -> Callable[[], None]:
    """Return the function that makes the kernel kill a fork when its parent ends.

    It is made before the fork: after the fork, an import could wait for another thread's lock.
    """
    if sys.platform != "linux":
        return lambda: None
    from ctypes import CDLL  # slow to import; only forks need it

    prctl = CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)

    return ask


def fork(work: Callable[[], object]) -> int:
    """Run a function in a fork and return the process ID of the fork.

    The fork leads its own process group and ends with this process: its main thread must stay
    alive as long as the fork is needed. It exits with 0, or with 1 after an exception. Signals that
    end a command wait until the fork is made: Python ignores exceptions in the functions that
    modules such as ``logging`` run around a fork.
    """
    ask = death_signal()
    parent = os.getpid()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()  # otherwise both processes write the buffered data
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        pid = os.fork()
        if pid:
            with suppress(OSError):  # the fork does the same; the first one succeeds
                os.setpgid(pid, pid)
            return pid
    finally:
        if os.getpid() == parent:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    code = 1
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        ask()
        if os.getppid() == parent:
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            with Terminable():
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                work()
            code = 0
    finally:
        os._exit(code)


def end_group(pid: int, grace: float = 0.0) -> int:
    """End a fork and all processes that it started, and return its wait status.

    With ``grace``, it first gets SIGTERM and that many seconds to clean up.
    """
    if grace:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        deadline = monotonic() + grace
        while not has_ended(pid) and monotonic() < deadline:
            sleep(POLL)
    for kill, target in ((os.killpg, pid), (os.kill, pid)):  # it may not lead its group yet
        with suppress(ProcessLookupError, PermissionError):
            kill(target, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def has_ended(pid: int) -> bool:
    """Return whether a child has ended; it is not reaped so that its group keeps its number."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def ending(status: int) -> str:
    """Describe the end of a process, from its wait status.

    >>> ending(0x300), ending(9)
    ('exit code 3', 'signal 9')
    """
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    return f"exit code {os.waitstatus_to_exitcode(status)}"


def failure_reason(error: OSError | subprocess.CalledProcessError) -> str:
    """Return the reason of a failed command: its exit status and its output, standard error first."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    printed = (error.stderr or error.stdout or b"").decode("utf-8", "surrogateescape").strip()
    if error.returncode < 0:
        status = f"it was ended by signal {-error.returncode}"
    else:
        status = f"exit code {error.returncode}"
    return f"{status}: {printed}" if printed else status
