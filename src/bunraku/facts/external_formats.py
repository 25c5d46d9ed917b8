"""The formats of external facts, read as Facter 4 reads them (``LegacyFacter::Util::Parser``)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_commented_json
from bunraku.formats.yaml import DATE, TIME, RefusedScalar, Symbol, loaded, refuse_objects, scalar

Facts = dict[str, Any]
LATE_TIME = lazy_pattern(
    r"(\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?"
    r"\s*$)",
    re.MULTILINE | re.ASCII,
)
"""A time at the end of a line, which Facter puts in quotes before it reads YAML."""
CLOCK = lazy_pattern(
    r"(\d{4})-(\d+)-(\d+)(?:[Tt]|\s+)(\d+):(\d+):(\d+)[.\d]*\s*(Z|[-+](\d{1,2}):?(\d\d)?)?"
)


def text_of(content: bytes) -> str:
    r"""Return the text of a file or an output; raise FormatError with the line if it is not UTF-8.

    >>> text_of(b"a\n\xe9")
    Traceback (most recent call last):
    ...
    bunraku.formats.failure.FormatError: the byte 0xE9 is not valid UTF-8
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"the byte 0x{content[error.start]:02X} is not valid UTF-8"
        raise FormatError(problem, line) from None


def read_json(content: bytes) -> Any:
    """Return the data of JSON with comments."""
    return parse_commented_json(content.decode("utf-8", "surrogateescape"))


def read_yaml(content: bytes) -> Any:
    r"""Return the data of YAML: dates and late times become text; symbols and objects are refused.

    >>> read_yaml(b"a: 2024-1-5\nb: 2024-01-05 10:00:00")
    {'a': '2024-01-05', 'b': '2024-01-05 10:00:00'}
    """
    text = LATE_TIME.sub(r'"\1"', text_of(content))
    return loaded(text, partial(scalar_of, read_special), refuse_objects) or None


def read_lines(content: bytes) -> Facts:
    """Return the facts in lines ``name=value``."""
    return listed_facts(text_of(content))


def listed_facts(text: str) -> Facts:
    r"""Return the facts in lines ``name=value``; other lines are ignored.

    >>> listed_facts("a=1=2\r\n=x\n#b=c\nd=")
    {'a': '1=2', '#b': 'c'}
    """
    found: Facts = {}
    for line in text.split("\n"):
        name_end = line.find("=", 1)
        value = line[name_end + 1 :].removesuffix("\r")
        if name_end > 0 and value:
            found[line[:name_end]] = value
    return found


def printed_facts(text: str) -> Facts:
    """Return the facts that a program prints: YAML (so JSON too), else lines ``name=value``.

    >>> printed_facts("a: :b"), printed_facts("a=1")
    ({'a': 'b'}, {'a': '1'})
    """
    try:
        read = partial(scalar_of, printed_special)
        data = loaded(text, read, refuse_objects, aliases=False)
    except FormatError:
        data = None
    return data if isinstance(data, dict) else listed_facts(text)


def scalar_of(special: Callable[[str], Any], event: Any) -> Any:
    """Return the value of a scalar event; ``special`` reads symbols, dates and times."""
    text = event.value
    if event.tag is None and not event.implicit[1] and (DATE.search(text) or TIME.search(text)):
        return special(text)
    value = scalar(event)
    return special(f":{value}") if value.__class__ is Symbol else value


def read_special(text: str) -> str:
    """Return the text of a date in a file; refuse symbols and times."""
    if text.startswith(":"):
        raise RefusedScalar(f"a symbol is not allowed; put it in quotes: {text}")
    if TIME.search(text):
        raise RefusedScalar(f"a time is not allowed here; put it in quotes: {text}")
    try:
        return date(*map(int, text.split("-"))).isoformat()
    except ValueError:  # no day of the calendar
        return text


def printed_special(text: str) -> str:
    """Return the text of a symbol or a time that a program prints; refuse dates, as Facter does."""
    if text.startswith(":"):
        return text[1:]
    if not TIME.search(text):
        raise RefusedScalar(f"a date is not allowed; put it in quotes: {text}")
    return time_text(text)


def time_text(text: str) -> str:
    """Return a time as ISO 8601: with its own offset, else in the zone of this machine.

    Days and seconds past the end of a month or minute count on, as in Ruby.

    >>> time_text("2024-2-30 1:02:03.5 Z"), time_text("2024-01-05t01:02:03 -3")
    ('2024-03-01T01:02:03Z', '2024-01-05T01:02:03-03:00')
    """
    stated = CLOCK.match(text)
    assert stated is not None
    year, month, day, hour, minute, second = map(int, stated.groups()[:6])
    try:
        moment = datetime(year, month, 1, hour, minute, tzinfo=UTC)
    except ValueError:  # not a time, so plain text
        return text
    moment += timedelta(days=day - 1, seconds=second)
    if stated[7] is None:
        return moment.astimezone().isoformat()
    if stated[7] == "Z":
        return moment.replace(tzinfo=None).isoformat() + "Z"
    offset = timedelta(hours=int(stated[8]), minutes=int(stated[9] or 0))
    zone = timezone(-offset if stated[7][0] == "-" else offset)
    return moment.replace(tzinfo=zone).isoformat()


READERS: dict[str, Callable[[bytes], Any]] = {
    "json": read_json,
    "yaml": read_yaml,
    "txt": read_lines,
}
"""The ending of a file's name → the reader of its content."""
