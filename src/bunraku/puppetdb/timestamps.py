"""Points in time: milliseconds since 1970 in the database, ISO 8601 in documents and queries."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

FORM = re.compile(
    r"""
    (?P<year>\d{4}) (?: -?(?P<month>\d\d) (?: -?(?P<day>\d\d) )? )?
    (?: (?:T|[ ]) (?P<hour>\d\d) (?: :?(?P<minute>\d\d) (?: :?(?P<second>\d\d) )? )?
        (?: [.,](?P<fraction>\d{1,9}) )? )?
    [ ]? (?P<zone> Z | (?P<sign>[+-])(?P<hours>\d\d) :? (?P<minutes>\d\d)? )?
    """,
    re.VERBOSE,
)
USUAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BEGIN = datetime(1970, 1, 1)  # noqa: DTZ001 - without a zone it is written faster
MILLISECOND = timedelta(milliseconds=1)


def to_milliseconds(value: object) -> int | None:
    """Return a point in time from a text or a number of milliseconds; None if it is neither.

    Missing parts are the smallest, a missing zone is UTC.

    >>> to_milliseconds("1970-01-01T00:00:01.5Z"), to_milliseconds("1970-01-01 02:00:00+02:00")
    (1500, 0)
    >>> to_milliseconds("yesterday"), to_milliseconds(5)
    (None, 5)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1 << 53 else None
    if isinstance(value, str) and USUAL.fullmatch(value):
        try:
            return (datetime.fromisoformat(value[:-1]) - BEGIN) // MILLISECOND
        except ValueError:
            return None
    found = FORM.fullmatch(value) if isinstance(value, str) and value.isascii() else None
    if found is None:
        return None
    parts = {name: int(found[name] or least) for name, least in LEAST.items()}
    microsecond = int(((found["fraction"] or "") + "000000")[:6])
    try:
        point = datetime(**parts, microsecond=microsecond, tzinfo=zone_of(found))
        return (point - EPOCH) // MILLISECOND
    except (ValueError, OverflowError):
        return None


def is_point_in_time(text: str) -> bool:
    """Return whether a text is a point in time, without the cost of its milliseconds.

    >>> is_point_in_time("2026-02-28T00:00:00.000Z"), is_point_in_time("2026-02-30T00:00:00.000Z")
    (True, False)
    """
    if not USUAL.fullmatch(text):
        return to_milliseconds(text) is not None
    try:
        datetime.fromisoformat(text[:-1])
    except ValueError:
        return False
    return True


LEAST = {"year": 1, "month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0}


def zone_of(found: re.Match[str]) -> timezone:
    """Return the zone of a matched time; UTC if it has none."""
    if found["sign"] is None:
        return UTC
    offset = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
    return timezone(offset if found["sign"] == "+" else -offset)


def as_datetime(milliseconds: int) -> datetime:
    """Return a point in time as a ``datetime`` in UTC."""
    return EPOCH + milliseconds * MILLISECOND


def to_text(milliseconds: int) -> str:
    """Return a point in time as answers show it.

    >>> to_text(1500)
    '1970-01-01T00:00:01.500Z'
    """
    return (BEGIN + milliseconds * MILLISECOND).isoformat(timespec="milliseconds") + "Z"
