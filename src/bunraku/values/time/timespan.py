"""Lengths of time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import total_ordering
from math import isfinite

from bunraku.values import issues
from bunraku.values.time.strftime import SECOND, format_timespan
from bunraku.values.time.strptime import parse_timespan

UNITS = {
    "days": 86_400 * SECOND,
    "hours": 3_600 * SECOND,
    "minutes": 60 * SECOND,
    "seconds": SECOND,
    "milliseconds": 1_000_000,
    "microseconds": 1_000,
    "nanoseconds": 1,
}


def nanoseconds_of(seconds: int | float) -> int:
    """Return seconds as whole nanoseconds, truncated as by Ruby's ``to_i``."""
    if isinstance(seconds, int):
        return seconds * SECOND
    nanoseconds = seconds * 1e9
    if not isfinite(nanoseconds):
        raise issues.ENDLESS_TIME(seconds=seconds)
    return int(nanoseconds)


def seconds_beside(nanoseconds: int, number: int | float) -> int | float:
    """Return a time in seconds as it compares with a number: whole seconds beside an Integer.

    >>> seconds_beside(1_500_000_000, 1), seconds_beside(1_500_000_000, 1.0)
    (1, 1.5)
    """
    return nanoseconds // SECOND if isinstance(number, int) else nanoseconds / SECOND


@total_ordering
class Timespan:
    """A length of time in nanoseconds, perhaps negative.

    >>> span = Timespan.from_seconds(90061.5)
    >>> span, span.hours, span.total_hours
    (1-01:01:01.5, 1, 25)
    """

    __slots__ = ("total",)

    ATTRIBUTES = (
        "negative", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds",
        "nanoseconds", "total_days", "total_hours", "total_minutes", "total_seconds",
        "total_milliseconds", "total_microseconds", "total_nanoseconds",
    )  # fmt: skip

    def __init__(self, total: int) -> None:
        self.total = total

    @classmethod
    def from_seconds(cls, seconds: float) -> Timespan:
        """Return the Timespan of a number of seconds."""
        return cls(nanoseconds_of(seconds))

    @classmethod
    def from_fields(cls, *, negative: bool = False, **fields: int) -> Timespan:
        """Return the sum of numbers of units, ``days`` to ``nanoseconds``."""
        total = sum(UNITS[unit] * number for unit, number in fields.items())
        return cls(-total if negative else total)

    @classmethod
    def parse(cls, text: str, formats: str | Sequence[str] | None = None) -> Timespan:
        """Return the length of time that a text spells by one of some formats."""
        return cls(parse_timespan(text, formats))

    def format(self, pattern: str) -> str:
        """Return the text of the length of time by a format.

        >>> Timespan(90_061_500_000_000).format("%H:%M")
        '25:01'
        """
        return format_timespan(self.total, pattern)

    @property
    def negative(self) -> bool:
        """Whether it is less than nothing."""
        return self.total < 0

    @property
    def days(self) -> int:
        """Whole days."""
        return abs(self.total) // UNITS["days"]

    @property
    def hours(self) -> int:
        """Hours beyond the days."""
        return abs(self.total) // UNITS["hours"] % 24

    @property
    def minutes(self) -> int:
        """Minutes beyond the hours."""
        return abs(self.total) // UNITS["minutes"] % 60

    @property
    def seconds(self) -> int:
        """Seconds beyond the minutes."""
        return abs(self.total) // SECOND % 60

    @property
    def milliseconds(self) -> int:
        """Milliseconds beyond the seconds."""
        return abs(self.total) // 1_000_000 % 1_000

    @property
    def microseconds(self) -> int:
        """Microseconds beyond the milliseconds."""
        return abs(self.total) // 1_000 % 1_000

    @property
    def nanoseconds(self) -> int:
        """Nanoseconds beyond the microseconds."""
        return abs(self.total) % 1_000

    @property
    def total_days(self) -> int:
        """All of it in days."""
        return self.total // UNITS["days"]

    @property
    def total_hours(self) -> int:
        """All of it in hours."""
        return self.total // UNITS["hours"]

    @property
    def total_minutes(self) -> int:
        """All of it in minutes."""
        return self.total // UNITS["minutes"]

    @property
    def total_seconds(self) -> int:
        """Return the duration in seconds."""
        return self.total // SECOND

    @property
    def total_milliseconds(self) -> int:
        """All of it in milliseconds."""
        return self.total // 1_000_000

    @property
    def total_microseconds(self) -> int:
        """All of it in microseconds."""
        return self.total // 1_000

    @property
    def total_nanoseconds(self) -> int:
        """All of it in nanoseconds."""
        return self.total

    def as_number(self) -> float:
        """Return the seconds, with fractions."""
        return self.total / SECOND

    def __str__(self) -> str:
        size = abs(self.total)
        fraction = str(size % SECOND).rstrip("0") or "0"
        return (
            f"{'-' if self.total < 0 else ''}{self.days}-{self.hours:02}:{self.minutes:02}"
            f":{self.seconds:02}.{fraction}"
        )

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timespan) and self.total == other.total

    def __lt__(self, other: Timespan) -> bool:
        return self.total < other.total

    def __hash__(self) -> int:
        return hash((Timespan, self.total))

    def __reduce__(self) -> tuple[type[Timespan], tuple[int]]:
        return Timespan, (self.total,)
