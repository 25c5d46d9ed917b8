"""Start the compile processes of a server."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Thread

from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.keeper import listening_socket, start_keeper
from bunraku.server.compiling.kept import share_key
from bunraku.server.compiling.work import answer_job, warm_up
from bunraku.server.issues import COMPILERS_LOST
from bunraku.server.settings import Settings
from bunraku.world import processes
from bunraku.world.heap import give_back_freed_memory
from bunraku.world.scratch import scratch_directory

LOWEST = 19
"""The niceness of a process that runs only when no other one needs the processor."""


@contextmanager
def compile_processes(
    settings: Settings,
    log: Callable[[str], None],
    *,
    size: int | None = None,
    most_jobs: int = 0,
    path: str = "",
) -> Iterator[Compilers]:
    """Start compile processes, one per CPU unless ``size`` is given; end them after the block.

    They listen at ``path``, by default in a folder of their own.

    Call this before keys are read and threads are started, which the processes must not inherit.
    They share the memory of all modules that are imported now.

    The process that keeps them cannot be started again. If it ends, this process gets SIGTERM, and
    the end of the block raises COMPILERS_LOST: a service manager starts the server again.
    """
    with nullcontext(path) if path else socket_path() as place:
        keeper = started_keeper(
            place, settings, log, size=size or os.cpu_count() or 1, most_jobs=most_jobs
        )
        give_back_freed_memory()  # before the first thread of this process
        watch = KeeperWatch(keeper)
        try:
            yield Compilers(place, settings.seconds, settings.wait)
        finally:
            watch.is_wanted = False
            processes.end_group(keeper)
        if watch.is_lost:
            raise COMPILERS_LOST()


@contextmanager
def background_process(settings: Settings, log: Callable[[str], None]) -> Iterator[Compilers]:
    """Start the process that compiles in the background, at the lowest priority; end it after the block.

    Call this before :func:`compile_processes`, which starts a thread.
    """
    with socket_path() as path:
        keeper = started_keeper(path, settings, log, size=1, niceness=LOWEST)
        try:
            yield Compilers(path, settings.seconds, settings.wait)
        finally:
            processes.end_group(keeper)


@contextmanager
def socket_path() -> Iterator[str]:
    """Yield the path of a socket in a private directory."""
    with scratch_directory() as folder, short_name(folder) as short:
        yield os.path.join(short, "compile")


def started_keeper(
    path: str,
    settings: Settings,
    log: Callable[[str], None],
    *,
    size: int,
    most_jobs: int = 0,
    niceness: int = 0,
) -> int:
    """Start the keeper of processes that listen at a path; they share what is in memory now."""
    share_key(settings.sealing_key)
    with listening_socket(path) as listener:
        warm_up()
        gc.collect()
        gc.freeze()
        return start_keeper(
            listener,
            size,
            answer_job,
            log,
            most_jobs=most_jobs,
            most_bytes=settings.memory // 2,
            niceness=niceness,
        )


class KeeperWatch:
    """Waits in a thread for the end of the keeper, and ends this process with it."""

    def __init__(self, keeper: int) -> None:
        self.keeper = keeper
        self.is_wanted = True
        self.is_lost = False
        Thread(target=self.wait, name="keeper of compile processes", daemon=True).start()

    def wait(self) -> None:
        """Wait for the end."""
        with suppress(ChildProcessError):  # it has been reaped
            os.waitid(os.P_PID, self.keeper, os.WEXITED | os.WNOWAIT)
        if self.is_wanted:
            self.is_lost = True
            os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def short_name(folder: str) -> Iterator[str]:
    """Yield a name of a folder for this process: the path of a Unix socket has 107 bytes at most."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        short = f"/proc/self/fd/{descriptor}"
        yield short if os.path.isdir(short) else folder
    finally:
        os.close(descriptor)
