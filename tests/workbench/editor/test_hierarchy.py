"""Who uses whom, links to files, and the lines above definitions."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.code_lens import lenses, uses_of
from bunraku.workbench.editor.hierarchy import (
    TYPED,
    incoming,
    items_at,
    outgoing,
    subtypes,
    supertypes,
)
from bunraku.workbench.editor.links import file_links

SITE = {
    "manifests/server.pp": "class ntp::server {\n  include ntp::base\n  ntp::peer { 'a': }\n  $x = ntp::f()\n}\n",
    "manifests/base.pp": "class ntp::base {\n}\n",
    "manifests/child.pp": "class ntp::child inherits ntp::base {\n}\n",
    "manifests/peer.pp": "define ntp::peer {\n  include ntp::base\n}\n",
    "manifests/site.pp": "node 'web1' {\n  include ntp::base\n}\ninclude ntp::base\n",
    "functions/f.pp": "function ntp::f() {\n  1\n}\n",
    "types/port.pp": "type Ntp::Port = Integer\n",
    "types/ports.pp": "type Ntp::Ports = Array[Ntp::Port]\n",
    "files/motd": "",
    "templates/a.epp": "",
    "spec/classes/base_spec.rb": "",
}


def shown(calls):
    return [f"{one.item.kind} {one.item.name} {len(one.ranges)}" for one in calls]


@pytest.fixture
def symbol(workspace):
    """A symbol at the cursor of a text, with the snapshot."""

    def make(text, kinds=None):
        made = workspace({**SITE, "manifests/a.pp": text})
        mention = made.snapshot.mention_at(made.path, made.offset)
        return made.snapshot, made.snapshot.symbol(mention)

    return make


def test_incoming(symbol):
    assert sorted(shown(incoming(*symbol("require ntp::ba^se")))) == [
        "class ntp::child 1",
        "class ntp::server 1",
        "file a.pp 1",
        "file site.pp 1",
        "node web1 1",
        "resource_type ntp::peer 1",
    ]


def test_outgoing(symbol):
    assert shown(outgoing(*symbol("include ntp::ser^ver"))) == [
        "class ntp::base 1",
        "resource_type ntp::peer 1",
        "function ntp::f 1",
    ]


@pytest.mark.parametrize(
    ("function", "text", "expected"),
    [
        (supertypes, "include ntp::chi^ld", ["ntp::base"]),
        (subtypes, "include ntp::ba^se", ["ntp::child"]),
        (supertypes, "$a =~ Ntp::Po^rts", ["ntp::port"]),
        (subtypes, "$a =~ Ntp::Po^rt", ["ntp::ports"]),
    ],
)
def test_types(symbol, function, text, expected):
    assert [one.name for one in function(*symbol(text))] == expected


def test_only_definitions_have_a_hierarchy(workspace):
    made = workspace({**SITE, "manifests/a.pp": "$a =~ Ntp::Po^rts"})
    assert items_at(*made.cursor) == []
    assert [one.name for one in items_at(*made.cursor, TYPED)] == ["ntp::ports"]


def test_links(workspace):
    text = "file { '/a': source => 'puppet:///modules/ntp/motd', content => epp('ntp/a.epp') }\nepp('ntp/b.epp')^"
    made = workspace({**SITE, "manifests/a.pp": text})
    found = [one.target.rpartition("/ntp/")[2] for one in file_links(made.snapshot, made.path)]
    assert found == ["files/motd", "templates/a.epp"]


def test_lenses(workspace):
    made = workspace(SITE)
    path = str(made.root / "manifests/base.pp")
    uses, nodes, test = lenses(made.snapshot, path)
    assert nodes.kind == "nodes"
    assert len(uses_of(made.snapshot, uses.symbol, path)) == 5
    assert test.test.endswith("spec/classes/base_spec.rb")
