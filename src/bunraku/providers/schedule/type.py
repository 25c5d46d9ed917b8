"""The resource type ``schedule``."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.providers.attributes import Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import munging
from bunraku.providers.reading import text as text_of
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s

RANGE = lazy_pattern(r"\d+(?::\d+){0,2}\s*-\s*\d+(?::\d+){0,2}")
DAY = lazy_pattern(
    r"(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?", re.IGNORECASE
)
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
SECONDS = {"hourly": 3600, "daily": 86400, "weekly": 604800, "monthly": 2592000}
"""The length of each period."""
Range = tuple[time, time]


# -- values ----------------------------------------------------------------------------------------


def read_ranges(value: Any) -> list[Range]:
    """Return the ranges of times of a day."""
    given = value if isinstance(value, list) else [value]
    for one in given:
        if not isinstance(one, str) or not RANGE.search(one):
            raise InvalidValue(f"Invalid range value '{to_s(one)}'")
    return [read_range(one, value) for one in given]


def read_range(text: str, value: Any) -> Range:
    """Return a range of times of a day."""
    parts = [part.split(":") for part in re.split(r"\s*-\s*", text)]
    if len(parts) != 2:
        raise munging("range", value, f"Invalid range {text}")
    times = [[leading_number(field) for field in part] for part in parts]
    for position, name, highest in ((0, "hour", 23), (1, "minute", 59)):
        for fields in times:
            if fields[position : position + 1] and fields[position] > highest:
                raise munging("range", value, f"Invalid {name} '{fields[position]}'")
    try:
        start, end = (time_of(fields) for fields in times)
    except ValueError as error:
        raise munging("range", value, str(error)) from None
    return start, end


def time_of(fields: list[int]) -> time:
    """Return the seconds of a time of day; raise ValueError for values out of range."""
    hour, minute, second = (*fields[:3], 0, 0)[:3]
    return time(hour, minute, second)


def leading_number(text: str) -> int:
    """Return the number at the start of a text, 0 if there is none."""
    match = re.match(r"\s*(\d+)", text)
    return int(match[1]) if match else 0


def read_repeat(value: Any, resource: ManagedResource) -> int:
    """Return the number of times that a resource is applied in a period."""
    if value.__class__ is not int and not re.fullmatch(r"\d+", to_s(value)):
        raise InvalidValue("Repeat must be a number")
    match = resource["periodmatch"]
    if match not in (None, "distance") and value != 1:
        raise InvalidValue(f"Repeat must be 1 unless periodmatch is 'distance', not '{match}'")
    return int(value)


def read_weekdays(value: Any) -> frozenset[int]:
    """Return the numbers of days, 0 for Sunday."""
    found = set()
    for one in value if isinstance(value, list) else [value]:
        text = text_of(one)
        if re.fullmatch("[0-6]", text):
            found.add(int(text))
        elif isinstance(one, str) and DAY.fullmatch(text):
            found.add(DAYS.index(text[:3].lower()))
        else:
            raise InvalidValue(f"{text} is not a valid day of the week")
    return frozenset(found)


# -- times -----------------------------------------------------------------------------------------


def local_time(seconds: float) -> datetime:
    """Return a time since the epoch in the time zone of this machine."""
    return datetime.fromtimestamp(seconds, UTC).astimezone()


def weekday(day: date) -> int:
    """Return the number of a weekday, 0 for Sunday."""
    return day.isoweekday() % 7


def in_range(limits: Range, now: datetime, days: frozenset[int] | None) -> bool:
    """Return whether a time is in a range that begins on one of the days.

    >>> night = time(22), time(4)
    >>> sunday = datetime(2026, 11, 22, 3)
    >>> in_range(night, sunday, frozenset({6})), in_range(night, sunday, frozenset({0}))
    (True, False)
    """
    start, end = limits
    today = now.date()
    if start < end:
        return start <= now.time() <= end and begins(today, days)
    if now >= datetime.combine(today, start, now.tzinfo):
        return begins(today, days)
    return now.time() <= end and begins(today - timedelta(days=1), days)


def begins(day: date, days: frozenset[int] | None) -> bool:
    """Return whether a day is one of the selected ones."""
    return days is None or weekday(day) in days


def period_is_over(schedule: ManagedResource, before: datetime, now: datetime) -> bool:
    """Return whether a resource may be applied again after its last check."""
    period: str = schedule["period"]
    if schedule["periodmatch"] == "distance":
        waited = int(now.timestamp()) - int(before.timestamp())
        return bool(waited >= SECONDS[period] // max(schedule["repeat"], 1))
    if period == "weekly":
        return weekday(before) > weekday(now) or now - before > timedelta(days=7)
    field = {"hourly": "hour", "daily": "day", "monthly": "month"}[period]
    return bool(getattr(now, field) != getattr(before, field))


class Schedule(ResourceType):
    """The times at which resources with this schedule are applied."""

    name = "schedule"
    named_only = True
    attributes = (
        Parameter("name", about="The name that the metaparameter `schedule` refers to."),
        Parameter(
            "range",
            read=read_ranges,
            about="The hours in which resources may be applied, such as `2 - 4` or `22:30 - 6`; an array has several.",
        ),
        Parameter(
            "periodmatch",
            words=("number", "distance"),
            default="distance",
            about="How a period is counted: by calendar (`number`, such as one day), or from the last time on (`distance`).",
        ),
        Parameter(
            "period",
            words=(*SECONDS, "never"),
            about="The period in which resources are applied as often as `repeat` says.",
        ),
        Parameter(
            "repeat",
            read_for=read_repeat,
            default=1,
            about="How often resources are applied in a period. More than once needs `distance`.",
        ),
        Parameter(
            "weekday",
            read=read_weekdays,
            about="The days of the week on which resources may be applied: names, the first three letters of them, or numbers from 0, Sunday.",
        ),
    )

    def matches(self, schedule: ManagedResource, checked: float | None) -> bool:
        """Return whether a resource may be applied now.

        ``checked`` is the time of its last check in seconds since the epoch; None for never.
        """
        if schedule["period"] == "never":
            return False
        seconds = self.host.now()
        now = local_time(seconds)
        ranges, days = schedule["range"], schedule["weekday"]
        if ranges is not None and not any(in_range(one, now, days) for one in ranges):
            return False
        if ranges is None and not begins(now.date(), days):
            return False
        if checked is None or schedule["period"] is None:
            return True
        if checked > seconds:  # the clock was ahead then: its time says nothing about the period
            return True
        return period_is_over(schedule, local_time(checked), now)


def schedule_of(resource: ManagedResource) -> Schedule:
    """Return the type of a schedule."""
    found = resource.type
    assert isinstance(found, Schedule)
    return found


resource_type = Schedule
