"""PostgreSQL's ``to_char``: times and numbers by a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from bunraku.puppetdb.timestamps import as_datetime
from bunraku.values.time.strftime import MONTHS

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WIDEST_NAME = 9

TIME_PARTS: Mapping[str, Callable[[datetime], str]] = {
    "HH24": lambda time: f"{time.hour:02}",
    "HH12": lambda time: f"{(time.hour + 11) % 12 + 1:02}",
    "HH": lambda time: f"{(time.hour + 11) % 12 + 1:02}",
    "MI": lambda time: f"{time.minute:02}",
    "SS": lambda time: f"{time.second:02}",
    "MS": lambda time: f"{time.microsecond // 1000:03}",
    "US": lambda time: f"{time.microsecond:06}",
    "AM": lambda time: "AM" if time.hour < 12 else "PM",
    "PM": lambda time: "AM" if time.hour < 12 else "PM",
    "YYYY": lambda time: f"{time.year:04}",
    "YYY": lambda time: f"{time.year % 1000:03}",
    "YY": lambda time: f"{time.year % 100:02}",
    "Y": lambda time: str(time.year % 10),
    "IYYY": lambda time: f"{time.isocalendar().year:04}",
    "IW": lambda time: f"{time.isocalendar().week:02}",
    "ID": lambda time: str(time.isoweekday()),
    "MONTH": lambda time: MONTHS[time.month - 1].upper().ljust(WIDEST_NAME),
    "Month": lambda time: MONTHS[time.month - 1].ljust(WIDEST_NAME),
    "month": lambda time: MONTHS[time.month - 1].lower().ljust(WIDEST_NAME),
    "MON": lambda time: MONTHS[time.month - 1][:3].upper(),
    "Mon": lambda time: MONTHS[time.month - 1][:3],
    "mon": lambda time: MONTHS[time.month - 1][:3].lower(),
    "MM": lambda time: f"{time.month:02}",
    "DAY": lambda time: DAYS[time.weekday()].upper().ljust(WIDEST_NAME),
    "Day": lambda time: DAYS[time.weekday()].ljust(WIDEST_NAME),
    "day": lambda time: DAYS[time.weekday()].lower().ljust(WIDEST_NAME),
    "DY": lambda time: DAYS[time.weekday()][:3].upper(),
    "Dy": lambda time: DAYS[time.weekday()][:3],
    "dy": lambda time: DAYS[time.weekday()][:3].lower(),
    "DDD": lambda time: f"{time.timetuple().tm_yday:03}",
    "DD": lambda time: f"{time.day:02}",
    "D": lambda time: str(time.isoweekday() % 7 + 1),
    "WW": lambda time: f"{(time.timetuple().tm_yday - 1) // 7 + 1:02}",
    "W": lambda time: str((time.day - 1) // 7 + 1),
    "Q": lambda time: str((time.month + 2) // 3),
    "TZ": lambda _: "UTC",
    "tz": lambda _: "utc",
    "OF": lambda _: "+00",
}
PART = re.compile(
    r'"(?P<quoted>[^"]*)"?|(?P<fill>FM)?(?P<name>'
    + "|".join(sorted(TIME_PARTS, key=len, reverse=True))
    + r")|(?P<other>.)",
    re.DOTALL,
)
NUMBER_FORM = re.compile(r"(FM)?([90,]*)(?:([.D])([90]*))?")


def formatted_time(milliseconds: int, pattern: str) -> str:
    """Return a time in a format.

    >>> formatted_time(0, 'DD "of" FMMonth YYYY, HH24:MI')
    '01 of January 1970, 00:00'
    """
    time = as_datetime(milliseconds)
    return "".join([part_text(time, found) for found in PART.finditer(pattern)])


def part_text(time: datetime, found: re.Match[str]) -> str:
    """Return one part of a time's text."""
    if found["name"] is None:
        return found["quoted"] or found["other"] or ""
    text = TIME_PARTS[found["name"]](time)
    return (text.strip().lstrip("0") or "0") if found["fill"] else text


def number_text(number: float, pattern: str) -> str | None:
    """Return a number in a format of digits; ``#`` where it does not fit, None for other formats.

    >>> number_text(7, "999"), number_text(1000, "99"), number_text(-2.5, "FM990.0")
    ('   7', ' ##', '-2.5')
    """
    found = NUMBER_FORM.fullmatch(pattern)
    if found is None:
        return None
    fill, whole, point, decimals = found[1], found[2], found[3], found[4] or ""
    digits = f"{abs(number):.{len(decimals)}f}"
    before, _, after = digits.partition(".")
    least = len(whole.replace(",", "")) - (whole.replace(",", "") + "0").index("0")
    before = before.zfill(least) if before != "0" or least or not point else ""
    width = len(whole) + 1
    if len(before) > len(whole.replace(",", "")):
        before, after = "#" * (width - 1), "#" * len(after)
    elif "," in whole:
        before = f"{int(before or 0):,}"
    text = ("-" if number < 0 else "") + before
    return (text if fill else text.rjust(width)) + (f".{after}" if point else "")
