"""Times from text: formats of ``strptime`` for points in time, Puppet's for lengths of time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import Words
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values import issues
from bunraku.values.time.calendar import days_from_civil
from bunraku.values.time.strftime import (
    COMPOSED,
    DAYS,
    MONTHS,
    SECOND,
    SPAN_UNITS,
    SPAN_WIDTHS,
    largest_segment,
    span_segments,
)
from bunraku.values.time.zones import required_offset, zone_offset

SPAN_FORMATS = (
    "%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N",
    "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S",
)  # fmt: skip
DATE_FORMATS = ("%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F")
STAMP_FORMATS = (*(f"{pattern} %Z" for pattern in DATE_FORMATS), *DATE_FORMATS)


def as_formats(formats: str | Sequence[str] | None, default: tuple[str, ...]) -> Sequence[str]:
    """Return the formats as a sequence, or the default ones."""
    if formats is None:
        return default
    return (formats,) if isinstance(formats, str) else formats


# -- lengths of time -------------------------------------------------------------------------------


@remembered(256)
def span_pattern(pattern: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the regular expression of a Timespan format, and the letters of its groups."""
    segments = span_segments(pattern)
    largest = largest_segment(segments)
    pieces, letters = [], []
    for index, segment in enumerate(segments):
        if not segment.letter:
            pieces.append(re.escape(segment.text))
            continue
        letters.append(segment.letter)
        pieces.append(span_digits(segment.letter, segment.flag, segment.width, index == largest))
    return re.compile("-?" + "".join(pieces) + r"\Z", re.ASCII), tuple(letters)


def span_digits(letter: str, flag: str, width: int | None, largest: bool) -> str:
    """Return the expression for the digits of one directive."""
    default = SPAN_WIDTHS[letter]
    if letter in "LN":
        return rf"(\d{{{width}}})" if width and flag != "-" else rf"(\d{{1,{width or default}}})"
    if width is not None and flag != "-":
        if flag != "_":
            return rf"(\d{{{width}}})"
        return "(" + "|".join(rf"\s{{{n}}}\d{{{width - n}}}" for n in range(width)) + ")"
    digits = r"\d+" if largest and width is None else rf"\d{{1,{width or default}}}"
    return rf"\s*({digits})" if flag == "_" else f"({digits})"


def parse_timespan(text: str, formats: str | Sequence[str] | None = None) -> int:
    """Return the nanoseconds by the first format that matches the whole text.

    >>> parse_timespan("1-00:00:01.5")
    86401500000000
    """
    wanted = as_formats(formats, SPAN_FORMATS)
    for pattern in wanted:
        expression, letters = span_pattern(pattern)
        match = expression.match(text)
        if match is None:
            continue
        if letters and not set(letters) - {"L", "N"}:
            raise issues.BAD_TIME_FORMAT(
                kind="Timespan",
                format=pattern,
                part=f"%{letters[0]}",
                reason="a fraction needs a larger unit before it",
            )
        total = 0
        for letter, digits in zip(letters, match.groups(), strict=True):
            if letter in "LN":
                total += int(digits.ljust(9, "0")[:9])
            else:
                total += int(digits) * SPAN_UNITS[letter]
        return -total if text.startswith("-") else total
    raise issues.TIME_MISMATCH(text=text, kind="a Timespan", formats=listed(wanted))


def listed(formats: Sequence[str]) -> Words:
    """Return the formats as text for a message."""
    shown = ", ".join(f"'{pattern}'" for pattern in formats)
    if len(formats) == 1:
        return Words(f"the format {shown}", lambda: f"format {shown}")
    bare = ", ".join(formats)
    return Words(f"any of the formats {shown}", lambda: f"any of the formats {bare}")


# -- points in time --------------------------------------------------------------------------------

STAMP_DIRECTIVE = lazy_pattern(r"%([-0^#_:]*)(\d*)([EO]?)([A-Za-z%+])|(\s+)", re.DOTALL)
ZONE = lazy_pattern(
    r"(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|[a-z.\s]+(?:standard|daylight)\s+time\b"
    r"|[a-z]+(?:\s+dst)?\b",
    re.IGNORECASE,
)
MERIDIAN = lazy_pattern(r"([ap])\.?m\.?", re.IGNORECASE)
# letter: key, greatest number of digits, least, greatest value
NUMERIC: dict[str, tuple[str, int, int, int]] = {
    "m": ("month", 2, 1, 12),
    "d": ("day", 2, 1, 31),
    "e": ("day", 2, 1, 31),
    "H": ("hour", 2, 0, 24),
    "k": ("hour", 2, 0, 24),
    "I": ("hour", 2, 1, 12),
    "l": ("hour", 2, 1, 12),
    "M": ("minute", 2, 0, 59),
    "S": ("second", 2, 0, 60),
    "j": ("yday", 3, 1, 366),
    "U": ("week", 2, 0, 53),
    "W": ("week", 2, 0, 53),
    "V": ("week", 2, 1, 53),
    "u": ("wday", 1, 1, 7),
    "w": ("wday", 1, 0, 6),
    "g": ("cwyear", 2, 0, 99),
    "y": ("short", 2, 0, 99),
}
SPACED = "dekl"
DIGITS_FOLLOW = lazy_pattern(r"%[-0^#_:]*\d*[EO]?[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy\d]|\d")


class TimeReader:
    """Reads a text by a format from left to right; ``found`` collects the values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[str, int] = {}
        self.zone: str | None = None

    def follow(self, pattern: str) -> bool:
        """Read by a format; False where the text differs."""
        at = 0
        while at < len(pattern):
            match = STAMP_DIRECTIVE.match(pattern, at)
            if match is None:
                if not self.text.startswith(pattern[at], self.at):
                    return False
                self.at += 1
                at += 1
                continue
            at = match.end()
            if match[5]:
                self.skip_space()
            elif not self.directive(match[4], match[0], bool(DIGITS_FOLLOW.match(pattern, at))):
                return False
        return True

    def skip_space(self) -> None:
        """Pass over white space."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def digits(self, most: int) -> str:
        """Read a number of at most that many digits."""
        start = self.at
        while self.at < len(self.text) and self.at - start < most:
            if self.text[self.at] not in "0123456789":
                break
            self.at += 1
        return self.text[start : self.at]

    def directive(self, letter: str, whole: str, digits_follow: bool) -> bool:
        """Read one directive."""
        if letter in NUMERIC:
            return self.number(letter)
        if letter in "YGC":
            return self.year(letter, digits_follow)
        if letter in "LN":
            return self.fraction(letter, digits_follow)
        if letter in "sQ":
            if self.text.startswith("-", self.at):
                self.at += 1
            return bool(self.digits(30))
        if letter in COMPOSED or letter == "+":
            pattern = COMPOSED.get(letter, "%a %b %e %H:%M:%S %Z %Y")
            return self.follow(pattern.replace("^", "").replace("4", ""))
        if letter in "aAbBh":
            return self.name(letter)
        if letter in "nt":
            self.skip_space()
            return True
        if letter in "pP":
            return self.meridian()
        if letter in "zZ":
            return self.read_zone()
        expected = "%" if letter == "%" else whole
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def number(self, letter: str) -> bool:
        """Return a number of limited size."""
        key, most, low, high = NUMERIC[letter]
        if letter in SPACED and self.text.startswith(" ", self.at):
            self.at += 1
            most = 1
        digits = self.digits(most)
        if not digits or not low <= int(digits) <= high:
            return False
        self.found[key] = int(digits)
        return True

    def year(self, letter: str, digits_follow: bool) -> bool:
        """Return a year or century with a sign; when digits follow, of four (two) digits."""
        sign = 1
        if self.text[self.at : self.at + 1] in {"+", "-"}:
            sign = -1 if self.text[self.at] == "-" else 1
            self.at += 1
        digits = self.digits((2 if letter == "C" else 4) if digits_follow else 30)
        if not digits:
            return False
        self.found[{"Y": "year", "G": "cwyear", "C": "century"}[letter]] = sign * int(digits)
        return True

    def fraction(self, letter: str, digits_follow: bool) -> bool:
        """Digits after a decimal point."""
        digits = self.digits((3 if letter == "L" else 9) if digits_follow else 30)
        if not digits:
            return False
        self.found["nanosecond"] = int(digits.ljust(9, "0")[:9])
        return True

    def name(self, letter: str) -> bool:
        """Return the name of a day or a month, whole or its first three letters."""
        names = DAYS if letter in "aA" else MONTHS
        rest = self.text[self.at : self.at + 9].lower()
        for index, name in enumerate(names):
            for spelling in (name.lower(), name[:3].lower()):
                if rest.startswith(spelling):
                    self.at += len(spelling)
                    if letter in "bBh":
                        self.found["month"] = index + 1
                    return True
        return False

    def meridian(self) -> bool:
        """Read AM or PM; return whether it was there."""
        match = MERIDIAN.match(self.text, self.at)
        if match is None:
            return False
        self.at = match.end()
        self.found["afternoon"] = 12 if match[1] in "pP" else 0
        return True

    def read_zone(self) -> bool:
        """Return a zone by name or offset."""
        match = ZONE.match(self.text, self.at)
        if match is None:
            return False
        self.zone = match[0]
        self.at = match.end()
        return True

    def seconds(self) -> int | None:
        """Return the seconds since the epoch, ignoring the zone; None without a year."""
        found = self.found
        year = found.get("year")
        if year is None and "short" in found:
            short = found["short"]
            century = found.get("century")
            year = short + (century * 100 if century is not None else 1900 if short >= 69 else 2000)
        if year is None:
            return None
        hour = found.get("hour", 0)
        if "afternoon" in found:
            hour = hour % 12 + found["afternoon"]
        days = days_from_civil(year, found.get("month", 1), found.get("day", 1))
        return days * 86_400 + hour * 3_600 + found.get("minute", 0) * 60 + found.get("second", 0)


def parse_timestamp(
    text: str, formats: str | Sequence[str] | None = None, zone: str | None = None
) -> int:
    """Return the nanoseconds since the epoch by the first format that matches the whole text.

    >>> parse_timestamp("1970-01-01 00:00:01.5 -01:00")
    3601500000000
    """
    wanted = as_formats(formats, STAMP_FORMATS if zone is None else DATE_FORMATS)
    for pattern in wanted:
        reader = TimeReader(text)
        if not reader.follow(pattern) or reader.at < len(text):
            continue
        if zone is not None and reader.zone is not None:
            raise issues.ZONE_TWICE(format=pattern)
        seconds = reader.seconds()
        if seconds is None:
            raise issues.BAD_TIME_FORMAT(
                kind="Timestamp", format=pattern, part=pattern, reason="it has no year"
            )
        offset = 0
        if reader.zone is not None:
            offset = found_offset(reader.zone)
        elif zone is not None:
            offset = required_offset(zone, seconds)
        return (seconds - offset) * SECOND + reader.found.get("nanosecond", 0)
    raise issues.TIME_MISMATCH(text=text, kind="a Timestamp", formats=listed(wanted))


def found_offset(zone: str) -> int:
    """Return the offset of the zone in the text."""
    offset = zone_offset(zone)
    if offset is None:
        raise issues.BAD_TIME_ZONE(zone=zone)
    return offset
