"""The process of the client: a server whose client has ended must not stay, even if something holds its streams open."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from threading import Thread

from bunraku.base.lazy_typing import Any

SECONDS = 2.0
"""The time between two looks at the process."""


def watch_client(process: Any, ended: Callable[[], None]) -> None:
    """Call ``ended`` when a process has ended; a client of another machine or container has none to watch."""
    if isinstance(process, int) and process > 0 and is_running(process):
        Thread(target=wait_for, args=(process, ended), name="client", daemon=True).start()


def wait_for(process: int, ended: Callable[[], None]) -> None:
    """Wait until a process has ended."""
    while is_running(process):
        time.sleep(SECONDS)
    ended()


def is_running(process: int) -> bool:
    """Return whether a process of this machine runs; on Windows the signal would end it, so none is watched.

    >>> is_running(os.getpid())
    True
    """
    if os.name == "nt":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
