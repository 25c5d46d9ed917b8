"""The processes of a trial, found by a mark in their environment that all descendants inherit."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

MARK = "BUNRAKU_TRIAL"
WAIT = 2.0
"""Seconds after which nothing may run any more."""


class MarkedProcesses:
    """The processes whose environment has the mark of a trial."""

    def __init__(self, name: str) -> None:
        self.value = f"{os.getpid()}-{name}"

    @property
    def environment(self) -> Mapping[str, str]:
        """The variable for the environment of the first process."""
        return {MARK: self.value}

    def alive(self) -> Iterator[int]:
        """Yield the processes of the trial that are alive."""
        mark = f"{MARK}={self.value}".encode()
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and mark in Path(f"/proc/{name}/environ").read_bytes().split(
                    b"\0"
                ):
                    if status_of(int(name))[0] != "Z":
                        yield int(name)
            except OSError:
                continue

    def children(self, parent: int) -> list[int]:
        """Return the living children of one of the processes."""
        return [pid for pid in self.alive() if parent_of(pid) == parent]

    def await_end(self) -> None:
        """Raise AssertionError if a process is left after two seconds; kill it."""
        deadline = time.monotonic() + WAIT
        while left := list(self.alive()):
            if time.monotonic() > deadline:
                shown = [command_of(pid) for pid in left]
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                raise AssertionError(f"left running: {shown}")
            time.sleep(0.02)


def status_of(pid: int) -> list[str]:
    """Return the fields of a process after its name: state, parent, …"""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def parent_of(pid: int) -> int | None:
    """Return the parent of a process; None if it has ended."""
    try:
        return int(status_of(pid)[1])
    except OSError:
        return None


def command_of(pid: int) -> str:
    """Return the command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return "a process that has ended"
