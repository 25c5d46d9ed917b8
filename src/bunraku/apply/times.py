"""Times of a run as text, from seconds since the epoch, in the time zone of this process."""

from __future__ import annotations

import time

from bunraku.base.bounded_cache import BoundedCache

NANOSECONDS = 1_000_000_000
SECONDS: BoundedCache[tuple[int, tuple[str, str]], tuple[str, str, str]] = BoundedCache(
    "seconds as text", 100
)
"""The seconds of the current run; thousands of resources share one."""


def iso_time(seconds: float) -> str:
    """Return a time in the format of reports, with nanoseconds.

    >>> iso_time(86_400.25)[:4], iso_time(86_400.25)[19:29]
    ('1970', '.250000000')
    """
    day, clock, zone = parts(seconds)
    return f"{day}T{clock}{zone}"


def yaml_time(seconds: float) -> str:
    """Return a time as Ruby writes it in YAML.

    >>> yaml_time(1.5)[10:11], yaml_time(1.5)[19:30]
    (' ', '.500000000 ')
    """
    day, clock, zone = parts(seconds)
    return f"{day} {clock} {zone}"


def parts(seconds: float) -> tuple[str, str, str]:
    """Return the day, the time of day with nanoseconds, and the offset from UTC."""
    whole = int(seconds // 1)
    nanoseconds = min(round((seconds - whole) * NANOSECONDS), NANOSECONDS - 1)
    key = (whole, time.tzname)
    found = SECONDS.get(key)
    if found is None:
        found = SECONDS.keep(key, whole_second(whole))
    day, clock, zone = found
    return day, f"{clock}.{nanoseconds:09d}", zone


def whole_second(seconds: int) -> tuple[str, str, str]:
    """Return the day, the time of day and the offset from UTC."""
    local = time.localtime(seconds)
    minutes = local.tm_gmtoff // 60
    sign = "-" if minutes < 0 else "+"
    hours, minutes = divmod(abs(minutes), 60)
    day, clock = time.strftime("%Y-%m-%d %H:%M:%S", local).split(" ")
    return day, clock, f"{sign}{hours:02d}:{minutes:02d}"
