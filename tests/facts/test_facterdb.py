"""Fact sets of FacterDB: names, versions of Facter, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.facts.facterdb import all_fact_sets, fact_set, fact_sets, installed_facterdb


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Return a folder as FacterDB has it."""
    for facter, name in (
        ("3.14", "debian-12-x86_64"),
        ("4.10", "debian-12-x86_64"),
        ("4.2", "debian-12-x86_64"),
        ("4.2", "debian-12-i386"),
        ("3.14", "redhat-9-x86_64"),
    ):
        path = tmp_path / facter / f"{name}.facts"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"facterversion": facter, "os": {"family": "Debian"}}))
    (tmp_path / "README").write_text("no version")
    return str(tmp_path)


def test_the_newest_facter_of_each_machine_is_used(folder: str) -> None:
    found = all_fact_sets(folder)
    assert {name: one.facter for name, one in found.items()} == {
        "debian-12-i386": "4.2",
        "debian-12-x86_64": "4.10",
        "redhat-9-x86_64": "3.14",
    }
    assert found["debian-12-x86_64"].facts()["facterversion"] == "4.10"


def test_the_version_of_facter_can_be_limited(folder: str) -> None:
    found = all_fact_sets(folder, "4.2.1")
    assert found["debian-12-x86_64"].facter == "4.2"
    assert set(all_fact_sets(folder, "3.14")) == {"debian-12-x86_64", "redhat-9-x86_64"}


def test_names_are_machines_releases_or_systems(folder: str) -> None:
    assert [one.name for one in fact_sets(folder, ["RedHat", "debian-12-i386"])] == [
        "redhat-9-x86_64",
        "debian-12-i386",
    ]
    assert fact_set(folder, "debian-12").name == "debian-12-x86_64"


def test_an_unknown_name_is_an_error_with_a_suggestion(folder: str) -> None:
    with pytest.raises(PuppetError, match=r"no fact set 'debian-12-x86_65'.*debian-12-x86_64"):
        fact_sets(folder, ["debian-12-x86_65"])


def test_without_data_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(PuppetError) as caught:
        fact_sets(str(tmp_path / "none"), ["debian"])
    assert caught.value.diagnostic.code == "FACTERDB_MISSING"
    assert "facterdb" in str(caught.value.diagnostic.hint)


@pytest.mark.skipif(installed_facterdb() is None, reason="FacterDB is not installed")
def test_the_installed_data_can_be_read() -> None:
    facts = fact_set(None, "debian-11").facts()
    assert facts["os"]["name"] == "Debian"
    assert facts["os"]["release"]["major"] == "11"
