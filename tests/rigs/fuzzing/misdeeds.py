"""Commands with forbidden behaviour: a fuzzer that does not detect it would always pass."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable

from rigs.fuzzing.cases import Case
from rigs.fuzzing.lanes import Plan, Run, awaited, open_lane


def problems_of(name: str, root: str) -> list[str]:
    """Return the problems that the judge sees when a command does one of the misdeeds."""
    misdeed = MISDEEDS[name]
    plan = Plan(dispatch=lambda _arguments: misdeed())
    lane = open_lane(Run("none", "8", ruby=False), lambda: [(0, Case(("eval", "1")))], root, plan)
    return [problem.what for _, problem in awaited(lane)]


def abort() -> int:
    os.abort()


def internal_error() -> int:
    unset: dict[str, int] = {}
    return unset["x"]


def printed_traceback() -> int:
    os.write(2, b"Traceback (most recent call last):\nX\n")
    return 0


def file_left() -> int:
    tempfile.mkdtemp()
    return 0


def process_left() -> int:
    subprocess.Popen(["sleep", "60"], start_new_session=True)
    return 0


def object_shown() -> int:
    print(object())
    return 0


def file_open() -> int:
    open("x", "w")  # noqa: SIM115
    return 0


MISDEEDS: dict[str, Callable[[], int]] = {
    "nothing": lambda: 0,
    "silent failure": lambda: 1,
    "unknown exit code": lambda: 7,
    "internal error": internal_error,
    "abort": abort,
    "traceback": printed_traceback,
    "file left": file_left,
    "process left": process_left,
    "object shown": object_shown,
    "file open": file_open,
}
