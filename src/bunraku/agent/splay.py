"""Random waits that spread the runs of many agents over time."""

from __future__ import annotations

from random import SystemRandom

RANDOM = SystemRandom()
"""Numbers that differ between machines that start at the same time."""


def splay_seconds(limit: float) -> float:
    """Return a random number of seconds up to a limit (Puppet 8, setting ``splaylimit``)."""
    return RANDOM.uniform(0, limit)
