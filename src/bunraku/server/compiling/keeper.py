"""The processes that answer jobs, and the process that keeps their number.

The keeper is forked before threads are started and before keys are read. It forks the others and
replaces those that end. All listen on one Unix socket: an idle process accepts the next job, and
the kernel keeps the queue.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import TypeAlias

from bunraku.puppetdb.server.process import resident_bytes
from bunraku.server.compiling.channel import ChannelClosed, is_closed, limit_waits, receive, send
from bunraku.world import processes

Answer: TypeAlias = "Callable[[bytes], list[bytes]]"
BACKLOG = 1024
"""Jobs that the kernel keeps; the callers of others try again."""
ARRIVAL_SECONDS = 30
"""The time in which a job must arrive, and an answer must be taken."""
SHORT_LIFE = 1.0
"""Seconds: the replacement of a process that lived shorter than that waits as long."""
STARTED = b"started"


def listening_socket(path: str) -> socket.socket:
    """Return a Unix socket that listens at a path in a private directory."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(BACKLOG)
    return listener


def start_keeper(
    listener: socket.socket,
    size: int,
    answer: Answer,
    log: Callable[[str], None],
    *,
    most_jobs: int = 0,
    most_bytes: int = 0,
    niceness: int = 0,
) -> int:
    """Fork the keeper of ``size`` processes and return its process ID.

    A process is replaced after ``most_jobs`` jobs, or once it has more than ``most_bytes`` of
    memory; 0 means no limit. ``niceness`` is the priority of the processes, if it is not
    that of this one.
    """

    def work() -> None:
        if niceness:
            os.setpriority(os.PRIO_PROCESS, 0, niceness)
        serve_compiles(listener, answer, log, most_jobs, most_bytes)

    return processes.fork(lambda: keep(size, work, log))


def keep(size: int, work: Callable[[], None], log: Callable[[str], None]) -> None:
    """Keep ``size`` processes at work, without an end."""
    started: dict[int, float] = {}
    while True:
        while len(started) < size:
            started[processes.fork(work)] = monotonic()
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        if ended is None:
            continue
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(ended.si_pid, signal.SIGKILL)  # the programs that it has started
        _, status = os.waitpid(ended.si_pid, 0)
        life = monotonic() - started.pop(ended.si_pid, 0.0)
        if status:
            log(f"Compile process {ended.si_pid} is replaced: {processes.ending(status)}")
            if life < SHORT_LIFE:
                sleep(SHORT_LIFE)


def serve_compiles(
    listener: socket.socket,
    answer: Answer,
    log: Callable[[str], None],
    most_jobs: int,
    most_bytes: int,
) -> None:
    """Answer jobs until this process has had enough of them, or has too much memory."""
    be_quiet()
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    served = 0
    while not most_jobs or served < most_jobs:
        channel, _ = listener.accept()
        with channel, suppress(ChannelClosed, OSError):
            serve_one(channel, answer)
        served += 1
        if most_bytes and (size := resident_bytes()) > most_bytes:
            log(f"Compile process {os.getpid()} is replaced: it has {size >> 20} MiB of memory")
            return


def serve_one(channel: socket.socket, answer: Answer) -> None:
    """Answer the job of a channel, unless its caller is gone."""
    limit_waits(channel, ARRIVAL_SECONDS)
    (job,) = receive(channel)
    if not is_closed(channel):
        send(channel, [STARTED])
        send(channel, answer(job))


def be_quiet() -> None:
    """Make standard input empty, and standard output the standard error."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    with suppress(OSError):  # no standard error
        os.dup2(2, 1)
    os.close(null)
