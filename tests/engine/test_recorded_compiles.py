"""A recorded compile, whose facts are hashes that record what is read, makes the same catalog."""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.engine.compile import compile_catalog
from bunraku.engine.kept_catalogs import recorded
from bunraku.engine.nodes import as_json
from bunraku.engine.request import Request
from bunraku.jobs.batch import DEFAULT_NODE
from support.catalogs import FOLDER, SETTINGS, names
from support.migration import EXAMPLES
from support.ruby import HAS_RUBY

FACTS = {
    "os": {"name": "Debian", "family": "Debian", "release": {"major": "12"}},
    "networking": {"fqdn": "web1.example.com", "hostname": "web1", "domain": "example.com"},
    "mounts": [{"path": "/"}, {"path": "/srv"}],
}
WHOLE = """
$all = $facts + { 'more' => 1 }
notice($facts, $all, $os, String($facts), $facts == $all, $facts['os'] == $os, $facts.length)
notice(to_json($facts), to_yaml($os), $facts.keys, type($os), $facts.map |$k, $v| { $k })
notice($facts ? { Hash[String, Data] => 'hash', default => 'other' }, $facts =~ Struct, 'os' in $facts)
case $os { { 'name' => 'x' }: { } default: { notice('default') } }
notice(deep_merge($facts, { 'os' => { 'name' => 'x' } }), $facts - ['os'], flatten([$mounts]))
notice(inline_template('<%= @os.map { |k, v| k }.sort.join %> <%= @facts.to_a.length %> <%= @os.inspect %>'))
notice(inline_epp('<%= $facts %>'), $facts.filter |$k, $v| { $v =~ Array }, Hash($os), Array($os))
notify { 'x': message => $os, * => { 'withpath' => true } }
@@notify { 'exported': message => $facts }
$facts['networking'].each |$name, $value| { notify { "${name}": message => $value } }
"""


def outcome(request: Request) -> tuple[str | None, str, list[tuple[str, str]]]:
    """The catalog of a request, the message of its error, and the log."""
    entries: list[tuple[str, str]] = []
    try:
        made = compile_catalog(request, lambda one: entries.append((one.level, one.message)))
    except PuppetError as error:
        return None, str(error), entries
    return as_json(made), "", entries


def same_when_recorded(request: Request) -> str | None:
    """Compare both compiles of a request; return the catalog."""
    plain = outcome(request)
    assert outcome(recorded(request)[0]) == plain
    return plain[0]


@pytest.mark.parametrize("name", names())
def test_whole_catalogs(name):
    folder = FOLDER / name
    facts = folder / "facts.json"
    settings = dict(SETTINGS)
    if (folder / "hiera.yaml").exists():
        settings["hiera_config"] = str(folder / "hiera.yaml")
    request = Request(
        path=str(folder / "site.pp"),
        node=DEFAULT_NODE,
        facts=json.loads(facts.read_text()) if facts.exists() else FACTS,
        settings=settings,
        modulepath=[str(folder / "modules")],
    )
    assert same_when_recorded(request) or not HAS_RUBY


@pytest.mark.parametrize("example", EXAMPLES, ids=[one.name for one in EXAMPLES])
@pytest.mark.parametrize("language", ["3.8", "8"])
def test_languages(example, language):
    request = example.request()
    same_when_recorded(replace(request, language=language, facts={**FACTS, **request.facts}))


@pytest.mark.parametrize("settings", [{}, {"trusted_node_data": True, "stringify_facts": False}])
def test_puppet_3_changes_a_hash_of_facts_in_place(settings):
    code = (
        "$h = $os notice($h) if $never { $h['x'] = 1 } $mine = { 'a' => 1 } $mine['b'] = 2 "
        "notice($mine, inline_template('<%= @os.inspect %>'), $networking)"
    )
    request = Request(code=code, language="3.8", facts=FACTS, settings=settings)
    assert same_when_recorded(request)
    same_when_recorded(replace(request, code="$os['x'] = 1 notice($os)"))


def test_uses_of_whole_hashes():
    assert same_when_recorded(Request(code=WHOLE, facts=FACTS, settings={"strict": "warning"}))
