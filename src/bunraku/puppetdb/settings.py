"""The settings of the database, under the names and with the defaults of PuppetDB."""

from __future__ import annotations

import math
import re

from bunraku.base.records import record
from bunraku.puppetdb.blocklist import Blocklist

UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
DAY = UNITS["d"]
DURATION = re.compile(r"(\d{1,9})\s*(ms|s|m|h|d)", re.ASCII)
LONGEST_SIZE = 15
"""Digits of a number of bytes."""
SECONDS = re.compile(r"\d{1,9}|\d{0,9}\.\d{1,9}", re.ASCII)


@record(frozen=True)
class PuppetDBSettings:
    """How long data is kept and what is accepted; durations are in milliseconds, 0 means forever.

    ``resource_events_ttl`` is None for that of reports. ``max_command_size`` limits a command in
    bytes, before and after it is unpacked. ``query_timeout_default`` and ``query_timeout_max`` are
    in seconds, 0 means no limit. Facts that ``facts_blocklist`` names are not stored.
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
    facts_blocklist: Blocklist | None = None

    def query_seconds(self, wanted: float | None) -> float:
        """Return the time limit of a query in seconds; ``wanted`` is that of the request.

        >>> settings = PuppetDBSettings(query_timeout_max=60)
        >>> settings.query_seconds(None), PuppetDBSettings().query_seconds(0)
        (60, inf)
        """
        seconds = self.query_timeout_default if wanted is None else wanted
        return min(seconds or math.inf, self.query_timeout_max or math.inf)


def parse_duration(text: str) -> int:
    """Return the milliseconds that a text means; raise ValueError with the expected form for others.

    >>> parse_duration("7d"), parse_duration("90s"), parse_duration("0s")
    (604800000, 90000, 0)
    """
    found = DURATION.fullmatch(text.strip())
    if found is None:
        raise ValueError("use a number with the unit d, h, m, s or ms, such as 14d; 0s means never")
    return int(found[1]) * UNITS[found[2]]


def parse_seconds(text: str) -> float:
    """Return the seconds of a time limit; raise ValueError with the expected form for other texts.

    >>> parse_seconds("600"), parse_seconds(".5"), parse_seconds("0")
    (600.0, 0.5, 0.0)
    """
    if SECONDS.fullmatch(text.strip()) is None:
        raise ValueError("use a number of seconds, such as 600; 0 means no limit")
    return float(text)


def parse_size(text: str) -> int:
    """Return a number of bytes; raise ValueError with the expected form for other texts."""
    if not text.isascii() or not text.isdigit() or len(text) > LONGEST_SIZE:
        raise ValueError("use a number of bytes, such as 104857600; 0 means no limit")
    return int(text)
