"""What systemd gets to know of a service, for programs that often run without it.

The code that sends is imported only where systemd wants to know.
"""

from __future__ import annotations

import os
from math import inf


def tell_systemd(*states: str) -> None:
    """Send a message about the state, if systemd wants to know."""
    if "NOTIFY_SOCKET" in os.environ:
        from bunraku.jobs.serving.systemd import notify

        notify(*states)


def seconds_of_watchdog() -> float:
    """Return the longest time between two signs of life."""
    if "WATCHDOG_USEC" not in os.environ:
        return inf
    from bunraku.jobs.serving.systemd import watchdog_interval

    return watchdog_interval() or inf
