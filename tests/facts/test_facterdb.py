"""Fact sets of FacterDB: names, versions of Facter, and what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.facts.built_in_systems import built_in_facts, built_in_names, systems
from bunraku.facts.facterdb import (
    all_fact_sets,
    fact_set,
    fact_sets,
    installed_facterdb,
)
from bunraku.facts.legacy import dig, legacy_facts

STRUCTURED = {"os", "networking", "memory", "processors", "identity", "dmi", "system_uptime"}
UNIX = {"ssh", "disks", "partitions", "mountpoints", "load_averages"}
STRUCTURED |= UNIX
COMPARED = (
    "kernelmajversion",
    "os.name",
    "os.family",
    "os.architecture",
    "os.hardware",
    "os.release.major",
    "os.selinux.enabled",
    "os.selinux.config_mode",
    "os.selinux.config_policy",
    "os.windows",
    "kernel",
    "osfamily",
    "operatingsystemmajrelease",
    "system32",
)
"""Facts that the table decides, or that all fact sets have."""
NEWER = {"amazon-2", "sles-15", "centos-9", "redhat-9", "oraclelinux-9"}
"""Systems of which FacterDB has the facts of an older kernel than releases have."""


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values inside of facts, with their dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    else:
        yield path, value


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
    with pytest.raises(
        PuppetError, match=r"Unknown operating system 'debian-12-x86_65'.*debian-12-x86_64"
    ):
        fact_sets(folder, ["debian-12-x86_65"])


def test_a_folder_that_is_absent_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PuppetError) as caught:
        fact_sets(str(tmp_path / "none"), ["debian"])
    assert caught.value.diagnostic.code == "FACTERDB_MISSING"
    assert "folder 'facts'" in str(caught.value.diagnostic.hint)


@pytest.mark.skipif(installed_facterdb() is None, reason="FacterDB is not installed")
def test_the_installed_data_can_be_read() -> None:
    facts = fact_set(None, "debian-11").facts()
    assert facts["os"]["name"] == "Debian"
    assert facts["os"]["release"]["major"] == "11"


def test_what_the_installed_facterdb_lacks_is_built_in() -> None:
    known = all_fact_sets()
    assert {f"{one.system}-x86_64" for one in systems()} <= set(known)
    assert known["debian-13-x86_64"].facts()["os"]["distro"]["codename"] == "trixie"
    assert {one.name for one in fact_sets(None, ["rocky-9", "windows-2022"])} == {
        "rocky-9-x86_64",
        "windows-2022-x86_64",
    }
    assert "rocky-9-x86_64" not in all_fact_sets(facter="4.2")


@pytest.mark.parametrize("name", built_in_names())
def test_built_in_facts_have_what_modules_read(name: str) -> None:
    facts = built_in_facts(name)
    json.dumps(facts)
    windows = facts["kernel"] == "windows"
    expected = STRUCTURED - UNIX if windows else STRUCTURED
    assert expected <= set(facts)
    assert facts["os"]["release"]["major"] in facts["os"]["release"]["full"]
    assert facts["kernelrelease"].startswith(facts["kernelmajversion"])
    assert facts["networking"]["interfaces"][facts["networking"]["primary"]]["ip"]
    assert facts["operatingsystem"] == facts["os"]["name"]
    assert facts["osfamily"] == facts["os"]["family"]


@pytest.mark.skipif(installed_facterdb() is None, reason="FacterDB is not installed")
@pytest.mark.parametrize("name", built_in_names())
def test_built_in_facts_are_those_of_facterdb(name: str) -> None:
    theirs = all_fact_sets(installed_facterdb()).get(name)
    if theirs is None:
        return  # newer than the installed FacterDB
    found, our_facts = theirs.facts(), built_in_facts(name)
    their_facts = {**legacy_facts(found), **found}
    newer = name.rpartition("-")[0] in NEWER
    for path in COMPARED[newer:]:
        assert dig(our_facts, path) == dig(their_facts, path), path
    for path, value in leaves(their_facts):
        ours = dig(our_facts, path)
        assert ours is None or value is None or type(ours) is type(value), path
