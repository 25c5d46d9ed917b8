"""Where names are defined: the cursor is at ``^``, and the answer is file, line and name."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.definition import (
    definitions_at,
    implementations_at,
    type_definitions_at,
)
from bunraku.workbench.editor.references import references

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


SITE = {
    "manifests/server.pp": "class ntp::server(Ntp::Port $port = 1) {\n  $own = 2\n  $c = template('ntp/a.erb')\n}\n",
    "manifests/child.pp": "class ntp::child inherits ntp::server {\n}\n",
    "types/port.pp": "type Ntp::Port = Integer[1, 9]\n",
    "templates/a.erb": "<%= @port %> <%= scope['ntp::server::own'] %> <%= @fqdn %>\n",
    "templates/b.epp": "<%- | $name | -%>\n<%= $name %>\n",
    "files/motd": "hello\n",
    "data/common.yaml": "ntp::server::port: 3\nntp::classes: [ntp::child]\nother: \"%{lookup('plain')}\"\nplain: 1\n",
    "lib/puppet/functions/ntp/peers.rb": "Puppet::Functions.create_function(:'ntp::peers') do\nend\n",
    "lib/puppet/type/clock.rb": "Puppet::Type.newtype(:clock) do\n  newparam(:name)\n  newproperty(:drift)\nend\n",
    "lib/facter/offset.rb": "Facter.add(:offset) do\nend\n",
    "lib/puppet/provider/clock/posix.rb": "Puppet::Type.type(:clock).provide(:posix) { }\n",
}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("templates/c.erb", "<%= scope['ntp::server::ow^n'] %>", ["manifests/server.pp:2 own"]),
        ("templates/a.erb", "<%= @po^rt %>", ["manifests/server.pp:1 port"]),
        ("data/a.yaml", "ntp::server::po^rt: 1", ["manifests/server.pp:1 port"]),
        ("data/a.yaml", "a: 1\nclasses:\n  - ntp::ch^ild", ["manifests/child.pp:1 ntp::child"]),
        ("data/a.yaml", "a: '%{ntp::server::ow^n}'", ["manifests/server.pp:2 own"]),
        ("data/a.yaml", "a: \"%{lookup('pl^ain')}\"", ["data/common.yaml:4 plain"]),
        ("data/a.yaml", "a: '%{facts.off^set}'", ["lib/facter/offset.rb:1 offset"]),
        ("manifests/a.pp", "lookup('pl^ain')", ["data/common.yaml:4 plain"]),
        ("manifests/a.pp", "lookup('ntp::server::po^rt')", ["manifests/server.pp:1 port"]),
        ("manifests/a.pp", "ntp::pe^ers()", ["lib/puppet/functions/ntp/peers.rb:1 ntp::peers"]),
        ("manifests/a.pp", "clo^ck { 'a': }", ["lib/puppet/type/clock.rb:1 clock"]),
        ("manifests/a.pp", "clock { 'a': dri^ft => 1 }", ["lib/puppet/type/clock.rb:3 drift"]),
        ("manifests/a.pp", "$facts['off^set']", ["lib/facter/offset.rb:1 offset"]),
        ("manifests/a.pp", "notice($off^set)", ["lib/facter/offset.rb:1 offset"]),
        ("manifests/a.pp", "epp('ntp/b.^epp')", ["templates/b.epp:1 "]),
        ("manifests/a.pp", "template('ntp/^a.erb')", ["templates/a.erb:1 "]),
        (
            "manifests/a.pp",
            "file { '/a': source => 'puppet:///modules/ntp/mo^td' }",
            ["files/motd:1 "],
        ),
        ("templates/c.epp", "<%- | $na | -%>\n<%= $n^a %>", ["templates/c.epp:1 na"]),
        (
            "metadata.json",
            '{"name": "me-ntp", "dependencies": [{"name": "me/nt^p"}]}',
            ["metadata.json:1 ntp"],
        ),
    ],
)
def test_definitions_in_other_files(workspace, path, text, expected):
    made = workspace({**SITE, path: text})
    assert [made.shown(one) for one in definitions_at(*made.cursor)] == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "manifests/a.pp",
            "class { 'ntp::server': po^rt => 1 }",
            [
                "data/common.yaml:1 ntp::server::port",
                "manifests/a.pp:1 port",
                "manifests/server.pp:1 port",
                "templates/a.erb:1 port",
            ],
        ),
        (
            "manifests/a.pp",
            "include ntp::ch^ild",
            [
                "data/common.yaml:2 ntp::child",
                "manifests/a.pp:1 ntp::child",
                "manifests/child.pp:1 ntp::child",
            ],
        ),
        (
            "manifests/a.pp",
            "ntp::pe^ers()",
            ["lib/puppet/functions/ntp/peers.rb:1 ntp::peers", "manifests/a.pp:1 ntp::peers"],
        ),
        (
            "manifests/a.pp",
            "epp('ntp/b', { 'na^me' => 1 })",
            ["manifests/a.pp:1 name", "templates/b.epp:1 name", "templates/b.epp:2 name"],
        ),
    ],
)
def test_references_in_all_files(workspace, path, text, expected):
    made = workspace({**SITE, path: text})
    assert sorted(made.shown(one) for one in references(*made.cursor)) == expected


@pytest.mark.parametrize(
    ("function", "text", "expected"),
    [
        (type_definitions_at, "class { 'ntp::server': po^rt => 1 }", ["types/port.pp:1 Ntp::Port"]),
        (type_definitions_at, "clock { '^a': }", ["lib/puppet/type/clock.rb:1 clock"]),
        (implementations_at, "include ntp::ser^ver", ["manifests/child.pp:1 ntp::child"]),
        (implementations_at, "clo^ck { 'a': }", ["lib/puppet/provider/clock/posix.rb:1 posix"]),
        (
            implementations_at,
            "notice($ntp::server::po^rt)",
            ["data/common.yaml:1 ntp::server::port"],
        ),
    ],
)
def test_types_and_implementations(workspace, function, text, expected):
    made = workspace({**SITE, "manifests/a.pp": text})
    assert [made.shown(one) for one in function(*made.cursor)] == expected


def test_a_document_that_has_no_file_uses_the_definitions_of_the_workspace(workspace):
    made = workspace(SERVER)
    for path in ("untitled:a.pp", "relative/a.pp"):
        made.host.change(path, "include ntp::server")
        found = [made.shown(one) for one in definitions_at(made.snapshot, path, 10)]
        assert found == ["manifests/server.pp:1 ntp::server"]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("Puppetfile", "mod 'me/nt^p', '1.0.0'\n", ["metadata.json:1 ntp"]),
        ("Puppetfile", "mod 'ba^re', :local => true\n", ["modules/bare/manifests/init.pp:1 "]),
        ("environment.conf", "manifest = manifests/chi^ld.pp\n", ["manifests/child.pp:1 "]),
        ("environment.conf", "modulepath = $basemodulepath:mo^re\n", ["more/x/metadata.json:1 "]),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: all\n    path: com^mon.yaml\n",
            ["data/common.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "version: 5\ndefaults: {datadir: hi}\nhierarchy:\n  - name: all\n    paths: ['x.yaml', '%{facts.role}/^*.yaml']\n",
            ["hi/web/a.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: a, lookup_key: ntp::pe^ers}\n",
            ["lib/puppet/functions/ntp/peers.rb:1 ntp::peers"],
        ),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: a, datadir: hi, mapped_paths: [facts.roles, r, 'w%{r}/^a.yaml']}\n",
            ["hi/web/a.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: a, mapped_paths: [facts.off^set, r, '%{r}.yaml']}\n",
            ["lib/facter/offset.rb:1 offset"],
        ),
        (
            "modules/bare/hiera.yaml",
            "version: 5\ndefault_hierarchy:\n  - {name: a, path: b^.yaml}\n",
            ["modules/bare/data/b.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "version: 4\ndatadir: hi\nhierarchy:\n  - {name: w^eb/a, backend: yaml}\n",
            ["hi/web/a.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "version: 4\nhierarchy:\n  - {name: x, backend: yaml, datadir: hi, paths: ['%{role}/^a']}\n",
            ["hi/web/a.yaml:1 "],
        ),
        (
            "hiera.yaml",
            ":backends: yaml\n:yaml:\n  :datadir: hi\n:hierarchy:\n  - 'w^eb/a'\n",
            ["hi/web/a.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "---\n:yaml: {datadir: hi}\n:hierarchy: '%{::role}/^a'\n",
            ["hi/web/a.yaml:1 "],
        ),
        (
            "hiera.yaml",
            ":backends: [yaml, eyaml]\n:yaml:\n  :datadir: hi\n:eyaml:\n  :datadir: hi\n  :extension: yml\n:hierarchy:\n  - web/^a\n",
            ["hi/web/a.yaml:1 ", "hi/web/a.yml:1 "],
        ),
        (
            "hiera.yaml",
            ":hierarchy:\n  - nodes/%{::trusted.certname}\n  - glob^al\n",
            ["hieradata/global.yaml:1 "],
        ),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: a\n    datadir: /etc/puppetlabs/code/environments/%{environment}/hieradata\n    path: glob^al.yaml\n",
            ["hieradata/global.yaml:1 "],
        ),
        ("hiera.yaml", ":hierarchy:\n  - '%{::off^set}'\n", ["lib/facter/offset.rb:1 offset"]),
    ],
)
def test_definitions_from_configuration(workspace, path, text, expected):
    more = {
        "modules/bare/manifests/init.pp": "class bare {}\n",
        "more/x/metadata.json": '{"name": "me-x"}',
        "hi/web/a.yaml": "a: 1\n",
        "hi/web/a.yml": "a: 2\n",
        "hieradata/global.yaml": "a: 3\n",
        "modules/bare/data/b.yaml": "bare::x: 1\n",
        "environment.conf": "modulepath = modules\n",
    }
    made = workspace({**SITE, **more, path: text})
    found = [made.shown(one) for one in definitions_at(*made.cursor)]
    assert found == expected
