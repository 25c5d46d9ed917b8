"""What hover shows: texts with a cursor at ``^``, and pieces of the Markdown."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.hover import hover
from bunraku.workbench.editor.node import ChosenNode

SITE = {
    "manifests/init.pp": "# Keeps the time.\n# @param servers\n#   Where it comes from.\nclass ntp(\n  Array[String] $servers = [],\n  Sensitive $key = Sensitive('pw'),\n) {\n}\n",
    "manifests/peer.pp": "# One peer.\ndefine ntp::peer(String $host) {\n}\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: common.yaml}\n",
    "data/common.yaml": "ntp::servers: [a.example.com]\nntp::key: hush\nplain: '%{facts.offset}'\n",
    "lib/facter/offset.rb": "Facter.add(:offset) do\nend\n",
    "lib/puppet/functions/ntp/peers.rb": "# All peers.\nPuppet::Functions.create_function(:'ntp::peers') do\n  dispatch :peers do\n    param 'String', :zone\n  end\n  def peers(zone)\n  end\nend\n",
    "lib/puppet/type/clock.rb": "Puppet::Type.newtype(:clock) do\n  @doc = 'A clock.'\n  newparam(:name) { desc 'Its name.' }\n  newproperty(:drift) do\n    desc 'How wrong it is.'\n    newvalues(:much, :little)\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("path", "text", "shown"),
    [
        ("manifests/a.pp", "include nt^p", ["Array[String] $servers = []", "Keeps the time."]),
        ("manifests/a.pp", "ntp::pe^er { 'a': host => 'b' }", ["define ntp::peer", "One peer."]),
        (
            "manifests/a.pp",
            "class { 'ntp': ser^vers => [] }",
            ["Where it comes from.", "data/common.yaml:1"],
        ),
        ("manifests/a.pp", "notice($ntp::ser^vers)", ["Array[String] $servers"]),
        ("manifests/a.pp", "$a = 1 + 2\nnotice($^a)", ["$a = 1 + 2"]),
        ("manifests/a.pp", "ntp::pe^ers('x')", ["ntp::peers(String $zone)", "All peers."]),
        ("manifests/a.pp", "spl^it('a', ',')", ["split(", "Puppet"]),
        ("manifests/a.pp", "clo^ck { 'a': }", ["A clock.", "`drift` How wrong it is."]),
        ("manifests/a.pp", "clock { 'a^': }", ["A clock.", "`drift` How wrong it is."]),
        ("manifests/a.pp", "ntp::peer { 'a^': host => 'b' }", ["define ntp::peer", "One peer."]),
        ("hiera.yaml", ":yaml:\n  :datadir: data\n:hierarchy: com^mon\n", ["/data/common.yaml`"]),
        (
            "manifests/a.pp",
            "clock { 'a': dri^ft => 'much' }",
            ["How wrong it is.", "`much`, `little`"],
        ),
        ("manifests/a.pp", "file { '/a': ens^ure => file }", ["file { ensure"]),
        ("manifests/a.pp", "file { '/a': requ^ire => [] }", ["applied before this one"]),
        ("manifests/a.pp", "clock { 'a': drift => 'mu^ch' }", ["How wrong it is."]),
        ("manifests/a.pp", "file { '/a': ensure => fi^le }", ["file { ensure"]),
        ("manifests/a.pp", "service { 'a': enable => tr^ue }", ["service { enable"]),
        ("manifests/a.pp", "class { 'ntp': servers => und^ef }", ["Where it comes from."]),
        ("manifests/a.pp", "notice($fa^cts)", ["$facts", "as a hash"]),
        ("manifests/a.pp", "notice($::trus^ted['extensions'])", ["authenticated"]),
        ("manifests/a.pp", "define a { notice($ti^tle) }", ["The title of the resource"]),
        ("manifests/a.pp", "class a($servername = 1) { notice($server^name) }", ["= 1"]),
        ("manifests/a.pp", "notice($^facts['os']['family'])", ["as a hash", "`family`"]),
        ("manifests/a.pp", "notice($facts['off^set']['x'])", ["fact `offset`"]),
        ("manifests/a.pp", "$facts['off^set']", ["fact `offset`"]),
        ("manifests/a.pp", "$facts['o^s']", ["fact `os`", "`family`"]),
        ("manifests/a.pp", "$facts['ker^nel']", ["On debian-12-x86_64: `Linux`"]),
        ("manifests/a.pp", "notice(Cla^ss['ntp'])", ["data type of Puppet"]),
        ("manifests/a.pp", "class a(Inte^ger $x) {}", ["Integer", "data type of Puppet"]),
        ("data/a.yaml", "ntp::ser^vers: []", ["Where it comes from."]),
        ("data/a.yaml", "pla^in: 1", ["Hiera key `plain`"]),
        ("templates/a.erb", "<%= scope['ntp::serv^ers'] %>", ["Where it comes from."]),
    ],
)
def test_hover(workspace, path, text, shown):
    found = hover(*workspace({**SITE, path: text}).cursor)
    assert found is not None
    assert [one for one in shown if one not in found.markdown] == []


def test_nothing_is_known_of_nothing(workspace):
    assert hover(*workspace({**SITE, "manifests/a.pp": "notice(^ 1)"}).cursor) is None


def test_values_of_the_chosen_node(workspace):
    made = workspace({**SITE, "manifests/a.pp": "class { 'ntp': ser^vers => [] }"})
    made.host.node = ChosenNode("web1", "debian-12-x86_64")
    markdown = hover(*made.cursor).markdown
    assert "On web1: `['a.example.com']` (`data/common.yaml:1`)" in markdown


@pytest.mark.parametrize("node", [None, ChosenNode("web1", "debian-12-x86_64")])
def test_secrets_are_not_shown(workspace, node):
    made = workspace({**SITE, "manifests/a.pp": "class { 'ntp': ke^y => Sensitive('x') }"})
    made.host.node = node
    markdown = hover(*made.cursor).markdown
    assert "hush" not in markdown
    assert "pw" not in markdown


DATA = """ntp::servers: [a.example.com]
ntp::key: hush
ntp::alias_of_key: "%{lookup('ntp::key')}"
ntp::far: "%{alias('ntp::alias_of_key')}"
ntp::sealed: ENC[PKCS7,hush]
ntp::inner: {root_password: hush, port: 1}
ntp::converted: hush
ntp::by_pattern: hush
ntp::typed: hush
lookup_options:
  ntp::converted: {convert_to: Sensitive}
  ^ntp::by_: {convert_to: [Sensitive]}
  ntp::servers: {merge: unique}
"""
MANIFEST = """class ntp(
  Array[String] $servers = [],
  Sensitive $key = Sensitive('hush'),
  Ntp::Secret $typed = Sensitive('hush'),
) {
  $own = Sensitive('hush')
}
"""
SECRETS = {
    **SITE,
    "manifests/init.pp": MANIFEST,
    "types/secret.pp": "type Ntp::Secret = Sensitive[String]\n",
    "data/common.yaml": DATA,
}


@pytest.mark.parametrize("node", [None, ChosenNode("web1", "debian-12-x86_64")])
@pytest.mark.parametrize(
    "key",
    ["key", "alias_of_key", "far", "sealed", "inner", "converted", "by_pattern", "typed", "own"],
)
def test_each_kind_of_secret_is_hidden(workspace, key, node):
    made = workspace({**SECRETS, "manifests/a.pp": f"notice(lookup('ntp::^{key}'), $ntp::{key})"})
    made.host.node = node
    text = made.snapshot.source(made.path).text
    for offset in (made.offset, text.rindex("ntp")):
        found = hover(made.snapshot, made.path, offset)
        assert found is None or "hush" not in found.markdown


def test_other_values_are_shown_beside_secrets(workspace):
    made = workspace({**SECRETS, "manifests/a.pp": "notice(lookup('ntp::ser^vers'))"})
    made.host.node = ChosenNode("web1", "debian-12-x86_64")
    markdown = hover(*made.cursor).markdown
    assert "On web1: `['a.example.com']`" in markdown
    assert "`ntp::servers: [a.example.com]`" in markdown
