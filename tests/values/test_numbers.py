"""Numbers are read and printed as Ruby and Puppet do."""

from __future__ import annotations

import pytest

from bunraku.values.numbers import float_text, parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [  # recorded: "…" + 0 in Puppet 7.23
        ("12", 12), (" 12 ", 12), ("\t12", 12), ("12\n", None), ("\n12", None), ("\r12", None),
        ("+12", 12), ("- 12", -12), ("--1", None), ("017", 15), ("-017", -15), ("089", None),
        ("00", 0), ("0x1F", 31), ("-0X10", -16), ("0x", None), ("0x1.5", None), ("0b11", None),
        ("1_000", None), ("1.5", 1.5), ("01.5", 1.5), ("00.5", 0.5), ("08.5", None), ("1.", None),
        (".5", None), ("1e3", 1000.0), ("1E-3", 0.001), ("1e+3", None), ("0e5", None),
        ("0.5e-3", 0.0005), ("1.0e400", None), ("", None), ("a", None), ("१", None),
    ],
)  # fmt: skip
def test_parse_number(text: str, number: float | None) -> None:
    """What counts as a number in arithmetic."""
    found = parse_number(text)
    assert found == number
    assert found.__class__ is number.__class__


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1.0"), (1e14, "100000000000000.0"), (1e15, "1.0e+15"), (-1e16, "-1.0e+16"),
        (1234567890123456.5, "1234567890123456.5"), (999999999999999.9, "999999999999999.9"), (0.0001, "0.0001"),
        (0.00001, "1.0e-05"), (1.5e-7, "1.5e-07"), (-0.0, "-0.0"), (1e100, "1.0e+100"),
        (123456789012345680.0, "1.2345678901234568e+17"), (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"), (float("nan"), "NaN"),
    ],
)  # fmt: skip
def test_float_text(number: float, text: str) -> None:
    """Ruby's ``Float#to_s``."""
    assert float_text(number) == text
