"""A limit of memory, so that greedy code ends in an error and not in the death of some process."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

OF_THE_CONTAINER = Path("/sys/fs/cgroup/memory.max")


def limit_memory() -> None:
    """Let this process have as much memory as there is, and no more."""
    there = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    with suppress(OSError, ValueError):  # no container, or one without a limit: "max"
        there.append(int(OF_THE_CONTAINER.read_bytes()))
    limits = resource.getrlimit(resource.RLIMIT_AS)
    there += [limit for limit in limits if limit != resource.RLIM_INFINITY]
    with suppress(OSError, ValueError):  # a system that knows no such limit
        resource.setrlimit(resource.RLIMIT_AS, (min(there), limits[1]))
