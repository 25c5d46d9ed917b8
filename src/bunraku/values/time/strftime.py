"""``strftime``: points in time as Ruby's ``Time`` prints them, lengths of time as Puppet does."""

from __future__ import annotations

import re
from collections.abc import Callable

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.values import issues
from bunraku.values.time.calendar import civil_from_days, days_from_civil, iso_week
from bunraku.values.widths import REASON, is_too_wide

SECOND = 1_000_000_000
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


class Moment:
    """A point in time, in nanoseconds since the epoch, at an offset: its calendar date and time of day."""

    __slots__ = (
        "day",
        "day_of_year",
        "days",
        "hour",
        "minute",
        "month",
        "nanosecond",
        "offset",
        "second",
        "total",
        "weekday",
        "year",
        "zone",
    )

    def __init__(self, total: int, offset: int = 0, zone: str = "UTC") -> None:
        seconds, self.nanosecond = divmod(total, SECOND)
        self.days, clock = divmod(seconds + offset, 86_400)
        self.year, self.month, self.day = civil_from_days(self.days)
        self.hour, self.minute, self.second = clock // 3600, clock // 60 % 60, clock % 60
        self.weekday = (self.days + 4) % 7
        self.day_of_year = self.days - days_from_civil(self.year, 1, 1) + 1
        self.total, self.offset, self.zone = total, offset, zone


# The result of a directive: a number with its width and padding, or text.
NUMBERS: dict[str, tuple[Callable[[Moment], int], int, str]] = {
    "C": (lambda m: m.year // 100, 2, "0"),
    "y": (lambda m: m.year % 100, 2, "0"),
    "m": (lambda m: m.month, 2, "0"),
    "d": (lambda m: m.day, 2, "0"),
    "e": (lambda m: m.day, 2, " "),
    "j": (lambda m: m.day_of_year, 3, "0"),
    "H": (lambda m: m.hour, 2, "0"),
    "k": (lambda m: m.hour, 2, " "),
    "I": (lambda m: (m.hour + 11) % 12 + 1, 2, "0"),
    "l": (lambda m: (m.hour + 11) % 12 + 1, 2, " "),
    "M": (lambda m: m.minute, 2, "0"),
    "S": (lambda m: m.second, 2, "0"),
    "s": (lambda m: m.total // SECOND, 1, "0"),
    "u": (lambda m: m.weekday or 7, 1, "0"),
    "w": (lambda m: m.weekday, 1, "0"),
    "g": (lambda m: iso_week(m.days)[0] % 100, 2, "0"),
    "V": (lambda m: iso_week(m.days)[1], 2, "0"),
    "U": (lambda m: (m.day_of_year - 1 - m.weekday + 7) // 7, 2, "0"),
    "W": (lambda m: (m.day_of_year - 1 - (m.weekday - 1) % 7 + 7) // 7, 2, "0"),
}
TEXTS: dict[str, Callable[[Moment], str]] = {
    "B": lambda m: MONTHS[m.month - 1],
    "b": lambda m: MONTHS[m.month - 1][:3],
    "h": lambda m: MONTHS[m.month - 1][:3],
    "A": lambda m: DAYS[m.weekday],
    "a": lambda m: DAYS[m.weekday][:3],
    "p": lambda m: "PM" if m.hour >= 12 else "AM",
    "P": lambda m: "pm" if m.hour >= 12 else "am",
    "Z": lambda m: m.zone,
    "n": lambda _: "\n",
    "t": lambda _: "\t",
    "%": lambda _: "%",
}
COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "x": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "v": "%e-%^b-%4Y",
    "X": "%H:%M:%S",
    "T": "%H:%M:%S",
    "R": "%H:%M",
    "r": "%I:%M:%S %p",
}
YEARS: dict[str, Callable[[Moment], int]] = {
    "Y": lambda m: m.year,
    "G": lambda m: iso_week(m.days)[0],
}
DIRECTIVE = lazy_pattern(r"%([-0^#_:]*)(\d*)(:*)([EO]?)([A-Za-z%+])")
SWAPPED_DOWN = "pZ"


def format_moment(m: Moment, pattern: str) -> str:
    """Return the text of a point in time by a ``strftime`` format.

    >>> format_moment(Moment(0), "%F %-d %_m %^b %3N")
    '1970-01-01 1  1 JAN 000'
    """

    def directive(match: re.Match[str]) -> str:
        flags, digits, colons, _, letter = match.groups()
        check_width("time", pattern, digits)
        text = formatted(m, flags + colons, int(digits or 0), letter)
        return match[0] if text is None else text

    if re.search(r"%[-0^#_:]*\d*[EO]?\Z", DIRECTIVE.sub("", pattern)):
        raise issues.BAD_TIME_FORMAT(
            kind="time", format=pattern, part="%", reason="it ends within a directive"
        )
    return DIRECTIVE.sub(directive, pattern)


def check_width(kind: str, pattern: str, digits: str) -> None:
    """Raise TIME_FORMAT_INVALID for a directive that is too wide."""
    if is_too_wide(digits):
        raise issues.BAD_TIME_FORMAT(
            kind=kind, format=pattern[:40], part=f"%{digits[:20]}", reason=REASON
        )


def formatted(m: Moment, flags: str, width: int, letter: str) -> str | None:
    """Return the text of a directive; None for an unknown one."""
    if letter in NUMBERS:
        value, least, padding = NUMBERS[letter]
        return padded_number(value(m), flags, width or least, padding)
    if letter in YEARS:
        year = YEARS[letter](m)
        return padded_number(year, flags, width or (4 if year >= 0 else 5), "0")
    if letter in "LN":
        digits = f"{m.nanosecond:09}"
        size = width or (3 if letter == "L" else 9)
        return digits[:size].ljust(size, "0")
    if letter == "z":
        text = offset_text(m.offset, flags, width)
        # Ruby writes -0000 to say that UTC is not a local zone.
        return text.replace("+", "-") if "-" in flags and m.zone == "UTC" else text
    if letter in TEXTS:
        text = TEXTS[letter](m)
    elif letter in COMPOSED:
        text = format_moment(m, COMPOSED[letter])
    else:
        return None
    if "^" in flags:
        text = text.upper()
    elif "#" in flags and letter in TEXTS:
        text = text.lower() if letter in SWAPPED_DOWN else text.upper()
    if "-" in flags and letter in TEXTS:
        return text
    return text.rjust(width, "0" if "0" in flags else " ") if text else text


def padded_number(number: int, flags: str, width: int, padding: str) -> str:
    """Return a number padded to a width."""
    for flag in flags:
        if flag == "-":
            return str(number)
        if flag in "0_":
            padding = "0" if flag == "0" else " "
    return str(number).zfill(width) if padding == "0" else str(number).rjust(width)


def offset_text(offset: int, flags: str, width: int) -> str:
    """Return ``+hhmm`` and, with colons, ``+hh:mm``, ``+hh:mm:ss``, or as short as may be."""
    sign, size = "-" if offset < 0 else "+", abs(offset)
    hours, minutes, seconds = size // 3600, size // 60 % 60, size % 60
    match flags.count(":"):
        case 0:
            rest = f"{minutes:02}"
        case 1:
            rest = f":{minutes:02}"
        case 2:
            rest = f":{minutes:02}:{seconds:02}"
        case _:
            rest = f":{minutes:02}:{seconds:02}" if seconds else f":{minutes:02}" if minutes else ""
    if "_" in flags:
        return f"{sign}{hours}{rest}".rjust(max(width, 3 + len(rest)))
    return sign + f"{hours:02}{rest}".zfill(width - 1)


# -- lengths of time -------------------------------------------------------------------------------

SPAN_UNITS = {
    "D": 86_400 * SECOND,
    "H": 3_600 * SECOND,
    "M": 60 * SECOND,
    "S": SECOND,
    "L": 1_000_000,
    "N": 1,
}
LIMITS = {"H": 24, "M": 60, "S": 60}
SPAN_WIDTHS = {"D": 1, "H": 2, "M": 2, "S": 2, "L": 3, "N": 9}
SPAN_DIRECTIVE = lazy_pattern(r"%([-_0]?)(\d*)([DHMSLN%])")


@record(frozen=True)
class Segment:
    """A part of a format: literal text, or a directive with its flag and width."""

    text: str
    flag: str = ""
    width: int | None = None
    letter: str = ""


def span_segments(pattern: str) -> list[Segment]:
    """Return the parts of a Timespan format; raise TIME_FORMAT_INVALID at an invalid one."""
    segments: list[Segment] = []
    at = 0
    while at < len(pattern):
        if pattern[at] != "%":
            end = pattern.find("%", at)
            end = len(pattern) if end < 0 else end
            segments.append(Segment(pattern[at:end]))
        elif match := SPAN_DIRECTIVE.match(pattern, at):
            end = match.end()
            flag, digits, letter = match.groups()
            check_width("Timespan", pattern, digits or "")
            if letter == "%":
                segments.append(Segment("%"))
            else:
                segments.append(Segment("", flag, int(digits) if digits else None, letter))
        else:
            raise issues.BAD_TIME_FORMAT(
                kind="Timespan",
                format=pattern,
                part=pattern[at : at + 2],
                reason="after % come a flag (-, _ or 0), a width, and one of D H M S L N %",
            )
        at = end
    return segments


def largest_segment(segments: list[Segment]) -> int:
    """Return the index of the first directive of the largest unit, which takes the rest."""
    letters = [(SPAN_UNITS[s.letter], -i) for i, s in enumerate(segments) if s.letter]
    return -max(letters)[1] if letters else -1


def format_timespan(total: int, pattern: str) -> str:
    """Return the text of a length of time by a format.

    >>> format_timespan(90_061_500_000_000, "%H:%M:%S.%-N")
    '25:01:01.5'
    """
    segments = span_segments(pattern)
    largest = largest_segment(segments)
    size = abs(total)
    pieces = ["-" if total < 0 else ""]
    for index, segment in enumerate(segments):
        letter = segment.letter
        if not letter:
            pieces.append(segment.text)
        elif index == largest:
            show = span_fraction if letter in "LN" else span_number
            pieces.append(show(size // SPAN_UNITS[letter], segment))
        elif letter in "LN":
            digits = span_fraction(size % SECOND // SPAN_UNITS[letter], segment)
            if segment.flag in {"-", "_"}:
                digits = digits.strip().rstrip("0").ljust(1, "0").ljust(len(digits))
            pieces.append(digits.rstrip() if segment.flag == "-" else digits)
        else:
            number = size // SPAN_UNITS[letter]
            pieces.append(span_number(number % LIMITS.get(letter, number + 1), segment))
    return "".join(pieces)


def span_number(number: int, segment: Segment) -> str:
    """Return a whole number of units, padded as the flag requires."""
    if segment.flag == "-":
        return str(number)
    width = SPAN_WIDTHS[segment.letter] if segment.width is None else segment.width
    return str(number).rjust(width, " " if segment.flag == "_" else "0")


def span_fraction(number: int, segment: Segment) -> str:
    """Return milli- or nanoseconds as Puppet shows them: a left-aligned number."""
    default = SPAN_WIDTHS[segment.letter]
    width = default if segment.width is None else segment.width
    digits = str(number // 10 ** max(0, default - width))
    return digits if segment.flag == "-" else digits.ljust(width)
