"""Points in time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import total_ordering

from bunraku.values.time.strftime import SECOND, Moment, format_moment
from bunraku.values.time.strptime import parse_timestamp
from bunraku.values.time.timespan import nanoseconds_of
from bunraku.values.time.zones import required_offset


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
        """Return the Timestamp of a number of seconds since the epoch."""
        return cls(nanoseconds_of(seconds))

    @classmethod
    def parse(
        cls, text: str, formats: str | Sequence[str] | None = None, timezone: str | None = None
    ) -> Timestamp:
        """Return the time that a text spells by one of some formats of ``strptime``."""
        return cls(parse_timestamp(text, formats, timezone))

    def format(self, pattern: str, timezone: str | None = None) -> str:
        """Return the text of the time by a ``strftime`` format, in a time zone.

        ``%Z`` is empty if a zone is given, even UTC: Ruby has no name for an offset.

        >>> Timestamp(0).format("%F %T %z", "+02:00")
        '1970-01-01 02:00:00 +0200'
        """
        if timezone is None:
            return format_moment(Moment(self.total), pattern)
        offset = required_offset(timezone, self.total / SECOND)
        return format_moment(Moment(self.total, offset, ""), pattern)

    def as_number(self) -> float:
        """Return the seconds since the epoch."""
        return self.total / SECOND

    def __str__(self) -> str:
        return format_moment(Moment(self.total), "%FT%T.%N %Z")

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and self.total == other.total

    def __lt__(self, other: Timestamp) -> bool:
        return self.total < other.total

    def __hash__(self) -> int:
        return hash((Timestamp, self.total))

    def __reduce__(self) -> tuple[type[Timestamp], tuple[int]]:
        return Timestamp, (self.total,)
