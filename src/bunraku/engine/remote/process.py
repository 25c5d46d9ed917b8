"""Processes in which a worker runs tasks, one task at a time each.

Workers such as Dask's run tasks in threads; limits of time and memory belong to a process and its main
thread. So a worker starts processes that end with it, and gives them the tasks. They keep parsed code
between tasks, and end when they get no task for a minute. If a task ends its process, only this task
fails.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from threading import Lock
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.disk_cache import configure
from bunraku.base.records import record, replace
from bunraku.engine.remote.issues import WORKER_UNUSABLE
from bunraku.world import processes
from bunraku.world.workers import CHUNK, Worker, serve

IDLE = 60.0
"""Seconds without a task after which a process ends."""
COMMAND = f"from {__name__} import main; main()"
EXPORTS: BoundedCache[str, Any] = BoundedCache("exported resources of a run", 1)


@record(frozen=True)
class Job:
    """A pickled function with its task, and the exported resources that the task gets.

    ``cache`` configures the cache on disk. ``exports`` is their key, None for a task without; ``content`` has them unless the process does.
    """

    work: bytes
    cache: Mapping[str, Any]
    exports: str | None = None
    content: bytes | None = None


# -- in the worker ---------------------------------------------------------------------------------


class TaskProcess:
    """A process that runs tasks in a directory; raise OSError if the directory is missing."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.exports: str | None = None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self.program = processes.start(
                    [sys.executable, "-P", "-c", COMMAND],
                    directory=directory,
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                )
            except BaseException:
                ours.close()
                raise
        self.worker = Worker(self.program.pid, ours)

    def answer(self, job: Job) -> bytes | None:
        """Run a job and return its answer; None if the process ended."""
        if job.exports == self.exports:
            job = replace(job, content=None)
        try:
            self.worker.give(0, pickle.dumps(job), 0.0)
            while (found := self.worker.answer()) is None:
                chunk = self.worker.channel.recv(CHUNK)
                if not chunk:
                    return None
                self.worker.received += chunk
        except OSError:
            return None
        self.exports = job.exports or self.exports
        return found

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self.program.poll() is not None

    def end(self) -> int:
        """End the process if it runs, and return its exit code, negative for a signal."""
        self.worker.channel.close()
        code = self.program.wait()
        self.program.end()
        return code


class TaskProcesses:
    """The processes of this worker that wait for tasks."""

    def __init__(self) -> None:
        self.idle: list[TaskProcess] = []
        self.lock = Lock()

    def run(self, directory: str, job: Job) -> tuple[str, bytes]:
        """Run a job; return ``answered`` with the answer, else ``timeout`` or ``crash``."""
        while True:
            process = self.take(directory)
            found = process.answer(job)
            if found is not None:
                self.give_back(process)
                return "answered", found
            code = process.end()
            if code != 0:  # otherwise it ended because there was no task for too long
                return ("timeout" if code == -signal.SIGPROF else "crash"), b""

    def take(self, directory: str) -> TaskProcess:
        """Return a process that waits in a directory, or a new one."""
        with self.lock:
            ended = [one for one in self.idle if one.has_ended()]
            usable = [one for one in self.idle if one not in ended and one.directory == directory]
            taken = usable[-1] if usable else None
            self.idle = [one for one in self.idle if one not in ended and one is not taken]
        for one in ended:
            one.end()
        return taken or TaskProcess(directory)

    def give_back(self, process: TaskProcess) -> None:
        """Let a process wait for other tasks."""
        with self.lock:
            self.idle.append(process)


PROCESSES = TaskProcesses()


# -- in the process --------------------------------------------------------------------------------


def answer(data: bytes) -> bytes:
    """Run a job and return its pickled result, or the finding that explains why there is none."""
    try:
        job: Job = pickle.loads(data)  # noqa: S301 (from the worker that started this process)
        configure(job.cache)
        if job.exports is not None and job.content is not None:
            EXPORTS.keep(job.exports, pickle.loads(job.content))  # noqa: S301 (the same)
        function, task = pickle.loads(job.work)  # noqa: S301 (the same)
        if job.exports is not None:
            exports = EXPORTS[job.exports]
            task = replace(task, request=replace(task.request, exports=exports))
        return pickle.dumps(("result", function(task)))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        finding = WORKER_UNUSABLE.diagnostic(host=socket.gethostname(), reason=reason)
        return pickle.dumps(("findings", [finding]))


def main() -> None:
    """Answer the jobs that come through standard input, which is a socket."""
    serve(socket.socket(fileno=os.dup(0)), answer, IDLE)
