"""Points in time."""

from __future__ import annotations

import pytest
from tests.support.recorded import cases

from bunraku.base.errors import PuppetError
from bunraku.values.time.timestamp import Timestamp


def test_recorded_formats_agree_with_puppet() -> None:
    """``strftime`` with generated formats, flags, widths and zones."""
    wrong = []
    for kind, seconds, pattern, zone, text in cases("strftime"):
        if kind == "Timestamp":
            found = Timestamp.from_seconds(seconds).format(pattern, zone)
            if found != text:
                wrong.append((seconds, pattern, zone, found, text))
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2016-10-04T12:13:14.123456789 UTC", "2016-10-04T12:13:14.123456789 UTC"),
        ("2016-10-04T12:13:14+02:00", "2016-10-04T10:13:14.000000000 UTC"),
        ("2016-10-04 12:13:14.5 PST", "2016-10-04T20:13:14.500000000 UTC"),
        ("2016-10-04T12:13:14 GMT+2", "2016-10-04T10:13:14.000000000 UTC"),
        ("2016-02-30", "2016-03-01T00:00:00.000000000 UTC"),
        ("2016-10-04T24:00:00", "2016-10-05T00:00:00.000000000 UTC"),
        ("16-1-4", "0016-01-04T00:00:00.000000000 UTC"),
    ],
)
def test_default_formats(text: str, utc: str) -> None:
    """Text without a format."""
    assert str(Timestamp.parse(text)) == utc


@pytest.mark.parametrize(
    ("text", "formats", "zone"),
    [
        ("2016-13-04", None, None),
        ("2016-10-04T12:13:14", "%FT%T", "Europe/Stockholm"),
        ("2016-10-04T12:13:14 UTC", "%FT%T %Z", "PST"),
        ("2016-10-04T23:59:14 XYZ", None, None),
        ("12:00", "%H:%M", None),
        ("2016-10-04 x", "%F", None),
    ],
)
def test_refused(text: str, formats: str | None, zone: str | None) -> None:
    """What is no time."""
    with pytest.raises(PuppetError):
        Timestamp.parse(text, formats, zone)


def test_years_without_end() -> None:
    """Years before 0 and after 9999 are printed."""
    assert str(Timestamp.from_seconds(-99999999999)) == "-1199-02-15T14:13:21.000000000 UTC"
    assert Timestamp.from_seconds(253402300800).format("%Y") == "10000"
