"""Signals in the processes that tests start."""

from __future__ import annotations

import signal


def heed_signals() -> None:
    """Give signals that end a process their effect; for ``preexec_fn``.

    A shell starts background jobs with interrupts ignored, ``nohup`` ignores hang-ups, and programs
    inherit that.
    """
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
