"""The settings of the database, under the names and with the defaults of PuppetDB."""

from __future__ import annotations

import re

from bunraku.base.records import record

UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
DAY = UNITS["d"]
DURATION = re.compile(r"(\d{1,9})\s*(ms|s|m|h|d)", re.ASCII)


@record(frozen=True)
class Settings:
    """How long data is kept and what is accepted; durations are in milliseconds, 0 means forever.

    ``resource_events_ttl`` is None for that of reports. ``max_command_size`` limits a command in
    bytes, before and after it is unpacked. ``query_timeout_default`` and ``query_timeout_max`` are
    in seconds, 0 means no limit.
    """

    node_ttl: int = 7 * DAY
    node_purge_ttl: int = 14 * DAY
    node_purge_gc_batch_limit: int = 25
    report_ttl: int = 14 * DAY
    resource_events_ttl: int | None = None
    gc_interval: int = 60 * UNITS["m"]
    max_command_size: int = 100 * 1024 * 1024
    query_timeout_default: float = 600.0
    query_timeout_max: float = 0.0


def parse_duration(text: str) -> int:
    """Return the milliseconds that a text means; raise ValueError with the expected form for others.

    >>> parse_duration("7d"), parse_duration("90s"), parse_duration("0s")
    (604800000, 90000, 0)
    """
    found = DURATION.fullmatch(text.strip())
    if found is None:
        raise ValueError("use a number with the unit d, h, m, s or ms, such as 14d; 0s means never")
    return int(found[1]) * UNITS[found[2]]
