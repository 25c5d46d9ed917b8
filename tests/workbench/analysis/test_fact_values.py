"""Texts that are compared with facts: misspelt ones, and those that can be meant."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.facts.built_in_systems import built_in_facts, built_in_names
from bunraku.facts.known_values import VALUES, misspelt_value, values_of_fact
from bunraku.facts.legacy import dig
from bunraku.workbench.analysis.analyse import analyse
from bunraku.world.dictionary import DictionaryWorld


def hints(code):
    """The hints of the findings about values of facts."""
    program = dialect_named("8").parse(Source(code, "/site.pp")).program
    found = analyse(Request(world=DictionaryWorld({})), [program])
    assert all(one.severity == "warning" for one in found)
    return [one.hint for one in found if one.code == "UNKNOWN_FACT_VALUE"]


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("case $facts['os']['family'] { 'Debain': { } default: { } }", "Debian"),
        ("case $facts[os][family] { 'RedHat', ['debain']: { } default: { } }", "Debian"),
        ("case $facts['os']['name'] { /^(Ubuntu|CentsOS)$/: { } default: { } }", "CentOS"),
        ("notice($facts['os']['family'] ? { 'Rehdat' => 1, default => 2 })", "RedHat"),
        ("if $::osfamily == 'Debain' { }", "Debian"),
        ("if 'Debain' != $osfamily { }", "Debian"),
        ("if $os['family'] in ['RedHat', 'Suze'] { }", "SUSE"),
        ("if $facts['os']['name'] =~ /Ubunut/ { }", "Ubuntu"),
        ("$name = $facts['os']['name'] if $name == 'Ubunut' { }", "Ubuntu"),
        ("if $facts['os']['name'].downcase == 'ubunut' { }", "Ubuntu"),
        ("if downcase(\"${facts['kernel']}\") == 'linx' { }", "Linux"),
        ("if $facts.get('os.distro.codename') == 'bookwrom' { }", "bookworm"),
        ("if $facts.dig('os', 'distro', 'codename') == 'bullsye' { }", "bullseye"),
        ("if fact('virtual') == 'vmwrae' { }", "vmware"),
        ("notice({ 'Debain' => 1 }[$facts['os']['family']])", "Debian"),
    ],
)
def test_misspelt_value(code, meant):
    assert hints(code) == [f"did you mean '{meant}'?"]


@pytest.mark.parametrize(
    "code",
    [
        "case $facts['os']['family'] { 'debian', 'REDHAT', 'suse': { } default: { } }",
        "case $facts['os']['family'] { 'Ubuntu', 'Windows', 'Devuan': { } default: { } }",
        "if $facts['os']['name'] in ['SLES', 'SLED', 'Xubuntu', 'OEL'] { }",
        "if $facts['os']['name'] =~ /SLE|Deb.*/ { }",
        "if $facts['kernel'] =~ /inux/ or $facts['os']['family'] =~ /(edHat|ebian)$/ { }",
        "if $facts['os']['name'] == 'Debian10' { }",
        "if $facts['role'] == 'Debain' or $facts['networking']['fqdn'] == 'Debain' { }",
        "$osfamily = 'Debain' if $osfamily == 'Debain' { }",
        "[1].each |$kernel| { if $kernel == 'Linx' { } }",
        "if $a::osfamily == 'Debain' { }",
        "if $facts['os'][$x] == 'Debain' { }",
        "if \"${facts['kernel']}-x\" == 'Linx' { }",
        "if 'Debain' in $facts['os']['family'] { }",
    ],
)
def test_value_that_can_be_meant(code):
    assert hints(code) == []


def test_values_of_sample_systems_are_not_misspelt():
    systems = [built_in_facts(name) for name in built_in_names()]
    for path in VALUES:
        values = {dig(facts, path) for facts in systems} - {None}
        assert values
        assert [text for text in values if misspelt_value(path, text)] == []


@pytest.mark.parametrize("path", VALUES)
def test_no_known_value_is_a_misspelt_other(path):
    values = values_of_fact(path)
    assert [one for one in values if misspelt_value(path, one)] == []
