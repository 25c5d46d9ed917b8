"""Facts that are collected when code reads them: the same catalog and messages as with all facts."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import Request, resolve
from bunraku.facts.collect import ALL, OF_NODE_NAME, wanted_facts
from bunraku.facts.legacy import legacy_facts
from bunraku.modules.fact_reads import Gathering

MACHINE = {
    "disks": {"sda": {"size_bytes": 1}},
    "facterversion": "4.3.0",
    "kernel": "Linux",
    "networking": {"fqdn": "n.example.test", "hostname": "n"},
    "os": {"family": "Debian", "name": "Debian"},
    "timezone": "UTC",
    "virtual": None,
}
NODE = {"puppetversion": "8.0.0", "clientcert": "n.example.test"}
READS = {
    "": [],
    "notice('a')": [],
    "notice($networking['fqdn'], $hostname, $clientcert)": [],
    "notice($facts['os']['family'])": ["os"],
    "if 'timezone' in $facts { notice($timezone) }": ["timezone"],
    "class c { notice($::kernel, $osfamily) } include c": ["kernel", "os"],
    "notice($blockdevice_sda_size)": None,
    "notice($virtual, $facts['virtual'])": ["virtual"],
    "notice($facts.keys, $facts.length)": None,
    "notice($facts)": None,
    "$copy = $facts + { 'os' => 1 } notice($copy)": None,
    "$facts.each |$name, $value| { notice($name, $value) }": None,
    "notice($unknown)": None,
    "notice(inline_epp('<%= $facts[os][name] %>'))": ["os"],
    "notice(defined('$kernel'), getvar('facts.kernel'), getvar('facts.disks.sda.size_bytes'))": [
        *("disks", "kernel")
    ],
    "node 'n.example.test' { notice($os['name']) } node default { fail('wrong node') }": ["os"],
    "$kernel = 1": ["kernel"],
}


def collected(names):
    """Return the facts of the machine of some names, as the job collects them."""
    wanted = None if names is None else wanted_facts(names)
    found = {name: MACHINE[name] for name in MACHINE if wanted is None or name in wanted}
    legacy = {name: value for name, value in legacy_facts(found).items() if value is not None}
    return dict(sorted({**found, **legacy}.items()))


def outcome(code, *, later, **fields):
    """Return the catalog or the error, the messages, and the names that were collected."""
    asked, log = [], []

    def collect(names):
        asked.append(names)
        return {**collected(names), "puppetversion": "8.0.0"}

    first = {**collected(OF_NODE_NAME if later else None), **NODE}
    request = Request(code=code, node="n.example.test", facts=first, **fields)
    try:
        resolved = resolve(request, log.append)
        gathering = Gathering(ALL, collect) if later else None
        found = catalog_to_data(compile_resolved(resolved, gathering=gathering)[0])
        found |= {"catalog_uuid": "", "version": 0}
    except PuppetError as error:
        found = str(error)
    names = None if None in asked else sorted({name for one in asked for name in one})
    return found, [(one.level, one.message, one.line) for one in log], names


@pytest.mark.parametrize("code", READS)
def test_code_cannot_tell_when_a_fact_was_collected(code):
    eager, later = outcome(code, later=False), outcome(code, later=True)
    assert later[:2] == eager[:2]
    roots = None if READS[code] is None else sorted(READS[code])
    wanted = None if later[2] is None else wanted_facts(later[2])
    assert (None if wanted is None else sorted(wanted)) == roots


@pytest.mark.parametrize("name", ["kernel", "osfamily", "role"])
def test_a_variable_of_the_classifier_wins_over_a_fact_with_the_same_warning(name):
    fields = {"node_parameters": {name: "own"}}
    eager, later = (outcome(f"notice(${name})", later=later, **fields) for later in (False, True))
    assert later[:2] == eager[:2]


@pytest.mark.parametrize("included", [True, False])
def test_the_setting_for_legacy_facts_holds_for_facts_that_are_collected_later(included):
    fields = {"settings": {"include_legacy_facts": included, "strict_variables": False}}
    code = "notice($osfamily, $facts['kernel'], $facts.keys)"
    eager, later = (outcome(code, later=later, **fields) for later in (False, True))
    assert later[:2] == eager[:2]


def test_in_puppet_3_all_facts_are_collected_first():
    eager, later = (outcome("notice($kernel)", later=one, language="3") for one in (False, True))
    assert later[:2] == eager[:2]
