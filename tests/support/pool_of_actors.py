"""A program for tests: the worker pool of ``bunraku batch`` with workers that follow instructions.

python -m support.pool_of_actors WORKERS TIMEOUT
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from bunraku.jobs.answer_pool import Pool


def behave(line: bytes) -> bytes:
    """Follow an instruction, then answer with it and the worker's process id."""
    word, _, rest = line.partition(b" ")
    if word == b"sleep":
        time.sleep(float(rest))
    elif word == b"meet":
        meet(Path(os.fsdecode(rest)), 4)
    elif word == b"die":
        os._exit(3)
    elif word == b"kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == b"print":
        print("noise", flush=True)
    elif word == b"long":
        return b"x" * int(rest) + b"\n"
    return line[:40] + b" by %d\n" % os.getpid()


def meet(directory: Path, count: int) -> None:
    """Wait until this many workers are in here at the same time."""
    (directory / str(os.getpid())).touch()
    while len(list(directory.iterdir())) < count:
        time.sleep(0.01)


def failed(line: bytes, status: str, message: str) -> bytes:
    return line + b" " + status.encode() + b" (" + message.encode() + b")\n"


if __name__ == "__main__":
    Pool(behave, int(sys.argv[1]), lambda _line: float(sys.argv[2]), failed).run(0, 1)
