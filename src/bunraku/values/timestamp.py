"""Points in time."""

from __future__ import annotations

from functools import total_ordering

from bunraku.values.timespan import SECOND, nanoseconds_of


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date of the Gregorian calendar, which has no first year.

    >>> days_from_civil(2000, 3, 1)
    11017
    """
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Year, month and day of so many days after 1970-01-01.

    >>> civil_from_days(11017)
    (2000, 3, 1)
    """
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year_of_era + era * 400 + (month <= 2), month, day


@total_ordering
class Timestamp:
    """A point in time: nanoseconds since 1970-01-01 UTC.

    >>> Timestamp.from_seconds(1.5)
    1970-01-01T00:00:01.500000000 UTC
    """

    __slots__ = ("total",)

    ATTRIBUTES = ()

    def __init__(self, total: int) -> None:
        self.total = total

    @classmethod
    def from_seconds(cls, seconds: float) -> Timestamp:
        """So many seconds since the epoch."""
        return cls(nanoseconds_of(seconds))

    def as_number(self) -> float:
        """Seconds since the epoch."""
        return self.total / SECOND

    def __str__(self) -> str:
        seconds, fraction = divmod(self.total, SECOND)
        days, seconds = divmod(seconds, 86_400)
        year, month, day = civil_from_days(days)
        year_text = f"-{-year:04}" if year < 0 else f"{year:04}"
        return (
            f"{year_text}-{month:02}-{day:02}T{seconds // 3600:02}:{seconds // 60 % 60:02}"
            f":{seconds % 60:02}.{fraction:09} UTC"
        )

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and self.total == other.total

    def __lt__(self, other: Timestamp) -> bool:
        return self.total < other.total

    def __hash__(self) -> int:
        return hash((Timestamp, self.total))

    def __reduce__(self) -> tuple[type[Timestamp], tuple[int]]:
        return Timestamp, (self.total,)
