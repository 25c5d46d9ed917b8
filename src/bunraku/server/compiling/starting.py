"""Start the compile processes of a server."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.keeper import listening_socket, start_keeper
from bunraku.server.compiling.work import answer_job, warm_up
from bunraku.server.settings import Settings
from bunraku.world import processes
from bunraku.world.scratch import scratch_directory


@contextmanager
def compile_processes(
    settings: Settings, log: Callable[[str], None], *, size: int | None = None, most_jobs: int = 0
) -> Iterator[Compilers]:
    """Start compile processes, one per CPU unless ``size`` is given; end them after the block.

    Call this before keys are read and threads are started, which the processes must not inherit.
    They share the memory of all modules that are imported now.
    """
    with scratch_directory() as folder, short_name(folder) as short:
        path = os.path.join(short, "compile")
        with listening_socket(path) as listener:
            warm_up()
            gc.collect()
            gc.freeze()
            keeper = start_keeper(
                listener,
                size or os.cpu_count() or 1,
                answer_job,
                log,
                most_jobs=most_jobs,
                most_bytes=settings.memory // 2,
            )
        try:
            yield Compilers(path, settings.seconds, settings.wait)
        finally:
            processes.end_group(keeper)


@contextmanager
def short_name(folder: str) -> Iterator[str]:
    """Yield a name of a folder for this process: the path of a Unix socket has 107 bytes at most."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        short = f"/proc/self/fd/{descriptor}"
        yield short if os.path.isdir(short) else folder
    finally:
        os.close(descriptor)
