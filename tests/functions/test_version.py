"""Semantic versions and their ranges."""

from __future__ import annotations

import pytest
from tests.support.recorded import cases

from bunraku.base.errors import PuppetError
from bunraku.values.version import SemVer, SemVerRange

VERSIONS = [
    SemVer.parse(f"{major}.{minor}.{patch}{suffix}")
    for major in (0, 1, 2, 3)
    for minor in (0, 1, 2)
    for patch in (0, 1, 3)
    for suffix in ("", "-a", "-1", "-a.2")
]


def test_recorded_ranges_agree_with_semantic_puppet() -> None:
    """Generated ranges: their canonical text, and which of 144 versions they include."""
    wrong = []
    for text, expected in cases("version"):
        try:
            found = SemVerRange.parse(text)
            bits = "".join("1" if found.includes(version) else "0" for version in VERSIONS)
            shown = [found.canonical(), format(int(bits, 2), "x")]
        except PuppetError:
            shown = None
        if shown != expected:
            wrong.append((text, shown, expected))
    assert wrong == []


def test_order() -> None:
    """Pre-releases come first; their numbers count as numbers."""
    texts = ["1.2.3-1", "1.2.3-2", "1.2.3-10", "1.2.3-B", "1.2.3-a", "1.2.3-a.1", "1.2.3", "1.2.4"]
    versions = [SemVer.parse(text) for text in texts]
    mixed = [*versions[1::2], *versions[::2]]
    assert sorted(mixed) == versions


def test_build_counts_for_equality_only() -> None:
    """``1.2.3+a`` and ``1.2.3+b`` differ, and neither is less."""
    one, other = SemVer.parse("1.2.3+a"), SemVer.parse("1.2.3+b")
    assert one != other
    assert not one < other
    assert not other < one


@pytest.mark.parametrize("text", ["1.2", "01.2.3", "1.2.3-01", "1.2.3-", "v1.2.3", "1.2.3-a..b"])
def test_invalid_versions(text: str) -> None:
    """Texts that are not versions."""
    with pytest.raises(PuppetError):
        SemVer.parse(text)


def test_ranges_between_versions() -> None:
    """A range from its bounds."""
    low, high = SemVer.parse("1.0.0"), SemVer.parse("2.0.0")
    assert str(SemVerRange.between(low, high)) == "1.0.0 - 2.0.0"
    assert SemVerRange.between(low, high, True) == SemVerRange.parse(">=1.0.0 <2.0.0")
    assert SemVerRange.between(low, None).includes(SemVer.parse("9.0.0"))
    assert SemVerRange.parse("1.x").exclude_max
    assert SemVerRange.parse("1.x").max == high
