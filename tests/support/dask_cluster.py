"""A Dask scheduler with workers on 127.0.0.1, stopped by process ID."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

SECONDS = 300


def reason_to_skip() -> str | None:
    """Return why there is no Dask; None if there is."""
    if find_spec("distributed") is None:
        return "distributed is not installed (pip install 'bunraku[dask]')"
    return None


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, f"{what} did not come in {SECONDS} s"
        time.sleep(0.05)


class Cluster:
    """A scheduler and its workers; use it in a ``with`` block."""

    def __init__(
        self, folder: Path, variables: Mapping[str, str] | None = None, protocol: str = "tcp"
    ) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.started: list[subprocess.Popen[bytes]] = []
        self.variables = {
            **os.environ,
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "XDG_CACHE_HOME": str(folder / "cache"),
            **(variables or {}),
        }
        common = ["--no-dashboard", "--host", "127.0.0.1", "--protocol", protocol]
        self.command = [*common, "--scheduler-file", str(self.file)]

    def __enter__(self) -> Cluster:
        self.start("scheduler", [*self.command, "--port", "0"])
        wait_for(self.file.exists, "the scheduler")
        wait_for(self.file.read_text, "the address of the scheduler")
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.started):
            process.kill()
            process.wait()

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return str(json.loads(self.file.read_text())["address"])

    def start(
        self, kind: str, words: list[str], before: tuple[str, ...] = ()
    ) -> subprocess.Popen[bytes]:
        """Start a scheduler or a worker; its log is a file of the folder."""
        program = [sys.executable, "-m", f"distributed.cli.dask_{kind}"]
        with (self.folder / f"{kind}-{len(self.started)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*before, *program, *words],
                env=self.variables,
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.started.append(process)
        return process

    def worker(self, threads: int = 1, *, before: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        """Start a worker and wait until the scheduler has it; ``before`` are words of another program."""
        known = len(self.started)
        local = self.folder / f"local-{known}"
        words = ["--no-nanny", "--nthreads", str(threads), "--local-directory", str(local)]
        process = self.start("worker", [*self.command, *words], before)
        log = self.folder / f"worker-{known}.log"
        wait_for(lambda: "Registered to" in log.read_text(), "a worker")
        return process

    def logs(self) -> str:
        """Return what the scheduler and the workers logged."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))
