"""The metadata of resource types is generated in the new tree, before it replaces the environment."""

from __future__ import annotations

import shutil

import pytest

PUPPET = """#!/bin/sh
[ -z "$(cat {top}/fails)" ] || {{ echo "cannot load $6/$4/modules" >&2; exit 1; }}
mkdir -p "$6/$4/.resource_types"
cp {live}/manifests/site.pp {top}/seen 2>/dev/null
for type in "$6/$4"/modules/*/lib/puppet/type/*.rb; do
    name=$(basename "$type" .rb)
    output="$6/$4/.resource_types/$name.pp"
    [ "$output" -nt "$type" ] || cat "$type" > "$output"
done
"""
"""Writes what real Puppet writes where: in place, and only for types that are newer."""


@pytest.fixture
def generating(site):
    """A site with a module that has a type, and a program that generates the metadata of types."""
    program = site.top / "puppet"
    program.write_text(PUPPET.format(top=site.top, live=site.env / "production"))
    program.chmod(0o755)
    (site.top / "fails").write_text("")
    site.settings["deploy"] = {"generate_types": True, "puppet_path": str(program)}
    site.alpha = site.module()
    site.alpha.commit({"lib/puppet/type/alpha.rb": "first"})
    site.puppetfile(f"mod 'alpha', :git => '{site.alpha.url}', :branch => 'main'")
    return site


def messages(result):
    return [finding.message for error in result.errors for finding in error]


def test_types_are_generated_before_the_switch(generating):
    site = generating
    site.deploy()
    site.control.commit({"manifests/site.pp": "# new"})
    site.deploy()
    assert (site.top / "seen").read_text() == "node default { }\n"
    assert site.files()["manifests/site.pp"] == "# new"
    assert site.files()[".resource_types/alpha.pp"] == "first"


def test_a_type_that_changed_is_generated_again(generating):
    site = generating
    site.deploy()
    live = (site.env / "production/.resource_types/alpha.pp").open()
    site.alpha.commit({"lib/puppet/type/alpha.rb": "second"})
    for options in ({"only_modules": ["alpha"]}, {}):
        site.deploy(**options)
        assert site.files()[".resource_types/alpha.pp"] == "second"
    with live:
        assert live.read() == "first"  # the old tree was not written to


def test_an_environment_stays_as_it_was_if_its_types_cannot_be_generated(generating):
    site = generating
    (site.top / "fails").write_text("x")
    reason = f"Cannot generate types for {site.env}/production: cannot load {site.env}/production/modules"
    assert messages(site.deploy()) == [reason]
    assert not (site.env / "production").exists()
    (site.top / "fails").write_text("")
    site.deploy()
    before = site.files()
    (site.top / "fails").write_text("x")
    site.control.commit({"manifests/site.pp": "# new"})
    site.alpha.commit({"lib/puppet/type/alpha.rb": "second"})
    for options in ({}, {"only_modules": ["alpha"]}):
        assert messages(site.deploy(**options)) == [reason]
        assert site.files() == before
    assert list((site.top / ".env.bunraku/staging").iterdir()) == []
    site.settings["deploy"]["puppet_path"] = "/bin/false"
    assert messages(site.deploy()) == [
        f"Cannot generate types for {site.env}/production: exit code 1"
    ]


def test_an_unchanged_environment_gets_its_missing_types(generating):
    site = generating
    site.deploy()
    shutil.rmtree(site.env / "production/.resource_types")
    result = site.deploy()
    assert site.files()[".resource_types/alpha.pp"] == "first"
    assert result.is_whole
    assert not result.environments[0].changed


@pytest.mark.skipif(not shutil.which("puppet"), reason="no Puppet")
def test_real_puppet_generates_types_in_the_new_tree(generating):
    site = generating
    (site.top / "puppet.conf").write_text("")
    site.settings["deploy"].update(
        puppet_path=shutil.which("puppet"), puppet_conf=str(site.top / "puppet.conf")
    )
    code = (
        "Puppet::Type.newtype(:alpha) do\n  newparam(:name) { isnamevar }\n  newparam(:%s)\nend\n"
    )
    for parameter in ("first", "second"):
        site.alpha.commit({"lib/puppet/type/alpha.rb": code % parameter})
        assert messages(site.deploy()) == []
        assert f"Param(Any, '{parameter}')" in site.files()[".resource_types/alpha.pp"]
