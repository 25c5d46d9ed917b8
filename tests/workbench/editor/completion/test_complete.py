"""What is offered at ``^``: the labels that must be there, and those that must not."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.completion.complete import completions

FILES = {
    "manifests/server.pp": """# @summary A server
# @param port The port
class ntp::server (
  Integer $port,
  Enum['on', 'off'] $state = 'on',
  Optional[Boolean] $panic = undef,
) {
  $own = 2
}
""",
    "manifests/peer.pp": "define ntp::peer(Ntp::Mode $mode = 'client', String $host) {\n}\n",
    "types/mode.pp": "type Ntp::Mode = Variant[Enum['client'], Enum['server']]\n",
    "functions/key.pp": "function ntp::key(String $x) { $x }\n",
    "templates/ntp.conf.epp": "x",
    "templates/old.erb": "x",
    "files/keys/a": "x",
}


@pytest.mark.parametrize(
    ("text", "offered", "absent"),
    [
        ("inc^", ["include"], ["$facts"]),
        ("class a {\n  fi^\n}", ["file", "filter", "filebucket"], []),
        ("class a {\n  ntp::p^\n}", ["ntp::peer"], ["ntp::server"]),
        ("class a {\n  ntp::s^\n}", ["ntp::server"], []),
        ("include ntp::^", ["ntp::server"], ["ntp::peer", "ntp::key"]),
        ("include stdlib, ntp::^", ["ntp::server"], []),
        ("include 'ntp::^", ["ntp::server"], []),
        ("contain('ntp::^')", ["ntp::server"], []),
        ("class { 'ntp::^", ["ntp::server"], ["ntp::peer"]),
        ("class a inherits ntp::^ { }", ["ntp::server"], []),
        ("file { '/x':\n  ^", ["ensure", "owner", "require", "* =>"], ["$facts", "include"]),
        ("file { '/x':\n  ensure => file,\n  ow^\n}", ["owner"], ["ensure"]),
        ("file {\n  default: mode => 'a';\n  '/x':\n  ow^", ["owner"], []),
        ("file { '/x':\n  ensure => ^", ["'directory'", "'file'", "$facts"], ["owner"]),
        ("file { '/x':\n  ensure => di^\n}", ["'directory'"], []),
        ("file { '/x':\n  ensure => 'di^", ["directory"], ["'directory'"]),
        ("File { ow^ }", ["owner"], []),
        ("File['/x'] { ow^ }", ["owner"], []),
        ("File <| title == 'x' |> { ow^ }", ["owner"], []),
        ("ntp::peer { 'a': ^", ["host", "mode", "noop"], ["port"]),
        ("ntp::peer { 'a': mode => ^", ["'client'", "'server'"], []),
        ("class { 'ntp::server': ^", ["port", "state", "panic"], ["host"]),
        ("class { 'ntp::server': state => ^", ["'on'", "'off'"], ["'client'"]),
        ("class { 'ntp::server': panic => ^", ["true", "false", "undef"], []),
        ("service { 'x': require => ^", ["Package", "File", "Ntp::Peer"], []),
        ("service { 'x': require => [^", ["Package"], []),
        ("service { 'x': require => Cl^", ["Class"], []),
        ("file { '/etc/a': }\nnotify { 'x': require => File['^", ["/etc/a"], []),
        ("notify { 'x': require => Class['^", ["ntp::server"], []),
        (
            "class a($one, String $two) {\n  $three = 1\n  notice($^)\n}",
            ["$one", "$two", "$three"],
            [],
        ),
        ("class a inherits ntp::server {\n  notice($^)\n}", ["$port", "$own"], []),
        ("[1].each |$element| { notice($e^) }", ["$element"], []),
        ("define a($x) { notice($t^) }", ["$title"], []),
        ("notice($ntp::server::^)", ["$ntp::server::port", "$ntp::server::own"], []),
        ('class a($one) { notice("x ${o^") }', ["$one"], []),
        ('class a($one) { notice("x $o^") }', ["$one"], []),
        ("notice($facts['^", ["os", "networking"], []),
        ("notice($facts['os']['^", ["family", "release"], ["os"]),
        ("notice($facts['os']['release']['^']", ["major"], []),
        ("class a(^", ["String", "Integer", "Ntp::Mode"], ["include"]),
        ("class a(\n  String $x = 'a',\n  Opt^", ["Optional"], []),
        ("$x = [1].ma^", ["map"], ["include "]),
        ("$x = ntp::k^", ["ntp::key"], []),
        ("$x = epp('^", ["ntp/ntp.conf.epp"], ["ntp/old.erb"]),
        ("$x = template('^", ["ntp/old.erb"], ["ntp/ntp.conf.epp"]),
        ("$x = file('^", ["ntp/keys/a"], []),
        ("file { '/x': source => 'puppet:///modules/^", ["puppet:///modules/ntp/keys/a"], []),
        ("$x = lookup('ntp::server::^", ["ntp::server::port"], []),
        ("if $x { }\nels^", ["else", "elsif"], []),
        ("case $x {\n  'a': { inc^ }\n}", ["include"], []),
    ],
)
def test_what_is_offered(workspace, text, offered, absent):
    found = completions(*workspace({**FILES, "manifests/init.pp": text}).cursor)
    assert found is not None
    labels = [one.label for one in found.items]
    assert [one for one in offered if one not in labels] == []
    assert [one for one in absent if one in labels] == []


@pytest.mark.parametrize(
    "text", ["# file { ^", "/* inc^ */", "notice('any te^xt')", '$x = "a\nb^"']
)
def test_nothing_is_offered_in_prose(workspace, text):
    found = completions(*workspace({**FILES, "manifests/init.pp": text}).cursor)
    assert found is None or found.items == []


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("ntp::server::^", ["ntp::server::port", "ntp::server::state"]),
        ("---\nntp::server::state: ^", ["on", "off"]),
    ],
)
def test_data_completes_keys_and_values(workspace, text, offered):
    found = completions(*workspace({**FILES, "data/common.yaml": text}).cursor)
    assert found is not None
    assert {one.label for one in found.items} >= set(offered)


def test_templates_complete_code_only(workspace):
    made = workspace({"templates/a.epp": "<%- | String $host | -%>\ntext <%= $h^ %>\n"})
    found = completions(*made.cursor)
    assert found is not None
    assert "$host" in [one.label for one in found.items]
    assert completions(made.snapshot, made.path, 30) is None


def test_required_parameters_come_first(workspace):
    found = completions(
        *workspace({**FILES, "manifests/init.pp": "class { 'ntp::server': ^"}).cursor
    )
    assert found is not None
    first = found.items[0]
    assert (first.label, first.detail, first.documentation) == ("port", "Integer $port", "The port")


def test_a_class_as_a_statement_is_included(workspace):
    found = completions(*workspace({**FILES, "manifests/init.pp": "ntp::ser^"}).cursor)
    assert found is not None
    assert [one.insert for one in found.items if one.kind == "class"] == ["include ntp::server"]


def test_the_range_is_the_word(workspace):
    made = workspace({**FILES, "manifests/init.pp": "include ntp::ser^"})
    found = completions(*made.cursor)
    assert found is not None
    assert (found.range.start, found.range.end) == (8, 16)
