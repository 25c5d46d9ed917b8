"""Ranges of versions beside semantic_puppet 1.0.4, which answered each of these."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.values.version import SemVer, SemVerRange

VERSIONS = (
    "0.2.0 0.2.5 0.3.0 1.0.0 1.2.0-rc.1 1.2.0-rc.2 1.2.0-rc.10 1.2.0 1.2.9 1.3.0 2.0.0-rc.1 2.0.0"
    " 3.0.0-a"
)
RELEASES = "0.2.0 0.2.5 0.3.0 1.0.0 1.2.0 1.2.9 1.3.0 2.0.0"
FIRST = "1.0.0 1.2.0 1.2.9 1.3.0"
INCLUDED = {
    "": VERSIONS,
    "*": VERSIONS,
    " ": "",
    "||": VERSIONS,
    "1.x": FIRST,
    "1": FIRST,
    "1.2": "1.2.0 1.2.9",
    "=1.2.0": "1.2.0",
    ">=1.0.0 <2.0.0": FIRST,
    ">= 1.0.0 < 2": FIRST,
    "~1.2": "1.2.0 1.2.9",
    "~> 1.2.3": "1.2.9",
    "~=1.2.0": "1.2.0 1.2.9",
    "^1.2.0": "1.2.0 1.2.9 1.3.0",
    "^0.2.0": "0.2.0 0.2.5",
    "1.0.0 - 1.2.0": "1.0.0 1.2.0",
    "1.2 - 1.0": "",
    ">=v1.2.0": "1.2.0 1.2.9 1.3.0 2.0.0",
    ">= v1.2.0": None,
    "v1.2.0": None,
    ">1.2": "1.3.0 2.0.0",
    "<=1.2": "0.2.0 0.2.5 0.3.0 1.0.0 1.2.0 1.2.9",
    "<=1.2.0": "0.2.0 0.2.5 0.3.0 1.0.0 1.2.0",
    ">x": "",
    "<x": "",
    ">=1.x.2": "1.2.0 1.2.9 1.3.0 2.0.0",
    "1.x || 2.x": "1.0.0 1.2.0 1.2.9 1.3.0 2.0.0",
    "* || 1.x": RELEASES,
    "1.x || *": VERSIONS,
    "<=2.0.0 || >=1.0.0": RELEASES,
    ">=1.2.0-rc.1": "1.2.0-rc.1 1.2.0-rc.2 1.2.0-rc.10 1.2.0 1.2.9 1.3.0 2.0.0",
    "<1.2.0 || >=1.2.0-rc.2": RELEASES,
    "=1.2.0 =2.0.0 || 1.0.0": "1.0.0",
    "1.0.0, 2.0.0": None,
    ">=1.0.0,<2.0.0": None,
    " 1.0.0": None,
    "1.0.0 ": "1.0.0",
    "1.0.0 ||": "1.0.0",
    "|| 1.0.0": "1.0.0",
    "=1.x.0-01": FIRST,
    "1.2.0-01": None,
    "1.0": "1.0.0",
    "1.0.0.0": None,
    "==1.0.0": None,
    "!1.0.0": None,
    "~1.2.0-rc.1": "1.2.0-rc.1 1.2.0-rc.2 1.2.0-rc.10 1.2.0 1.2.9",
    "1.2.0-rc.1 - 1.2.0": "1.2.0-rc.1 1.2.0-rc.2 1.2.0-rc.10 1.2.0",
}
"""Range → the versions in it; None for a range that is refused."""


@pytest.mark.parametrize(
    "text", [one for one, included in INCLUDED.items() if included is not None]
)
def test_ranges_have_the_versions_of_semantic_puppet(text):
    read = SemVerRange.parse(text)
    found = [one for one in VERSIONS.split() if read.includes(SemVer.parse(one))]
    assert " ".join(found) == INCLUDED[text]


@pytest.mark.parametrize("text", [one for one, included in INCLUDED.items() if included is None])
def test_ranges_that_semantic_puppet_refuses_are_errors(text):
    with pytest.raises(PuppetError):
        SemVerRange.parse(text)


def test_versions_are_ordered_with_prereleases_before_their_release():
    by_text = sorted(VERSIONS.split())
    assert by_text != VERSIONS.split()
    assert sorted(by_text, key=SemVer.parse) == VERSIONS.split()
