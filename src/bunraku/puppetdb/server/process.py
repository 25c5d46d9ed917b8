"""Figures of this process."""

from __future__ import annotations

import os
import resource
from time import monotonic

STARTED = monotonic()
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


def up_milliseconds() -> int:
    """Return the age of the process."""
    return int((monotonic() - STARTED) * 1000)


def resident_bytes() -> int:
    """Return the memory that the process uses now."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE_SIZE
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def processor_seconds() -> float:
    """Return the processor time of the process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
