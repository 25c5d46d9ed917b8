"""Where names are defined: the cursor is at ``^``, and the answer is file, line and name."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.definition import definitions_at

SERVER = {"manifests/server.pp": "class ntp::server(Integer $port = 1) {\n  $own = 2\n}\n"}
DEFINE = {"manifests/peer.pp": "define ntp::peer(String $host) {\n}\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("include ntp::ser^ver", ["manifests/server.pp:1 ntp::server"]),
        ("include 'ntp::ser^ver'", ["manifests/server.pp:1 ntp::server"]),
        ("class { 'ntp::^server': }", ["manifests/server.pp:1 ntp::server"]),
        ("notify { 'x': require => Class['ntp::^server'] }", ["manifests/server.pp:1 ntp::server"]),
        ("class ntp inherits ntp::serv^er { }", ["manifests/server.pp:1 ntp::server"]),
        ("class { 'ntp::server': po^rt => 2 }", ["manifests/server.pp:1 port"]),
        ("notice($ntp::server::po^rt)", ["manifests/server.pp:1 port"]),
        ("notice($ntp::server::ow^n)", ["manifests/server.pp:2 own"]),
        ("class ntp inherits ntp::server { notice($po^rt) }", ["manifests/server.pp:1 port"]),
        ("ntp::pe^er { 'a': host => 'b' }", ["manifests/peer.pp:1 ntp::peer"]),
        ("ntp::peer { 'a': ho^st => 'b' }", ["manifests/peer.pp:1 host"]),
        ("Ntp::Pe^er <| |>", ["manifests/peer.pp:1 ntp::peer"]),
        ("Ntp::Pe^er['a'] -> Class['ntp']", ["manifests/peer.pp:1 ntp::peer"]),
        ("$a = 1\nnotice($^a)", ["manifests/init.pp:1 a"]),
        ('$a = 1\nnotice("x ${^a}")', ["manifests/init.pp:1 a"]),
        ("$a = 1\n[2].each |$a| { notice($^a) }", ["manifests/init.pp:2 a"]),
        ("function f($x) { $^x }", ["manifests/init.pp:1 x"]),
        ("file { '/a': }\nnotify { 'x': require => File['/^a'] }", ["manifests/init.pp:1 /a"]),
        ("include nowh^ere", []),
    ],
)
def test_definitions(workspace, text, expected):
    made = workspace({**SERVER, **DEFINE, "manifests/init.pp": text})
    assert [made.shown(one) for one in definitions_at(*made.cursor)] == expected
