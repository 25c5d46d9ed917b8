"""Each way by which a resource gets into a catalog, and a parameter its value."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.ruby import needs_reader

FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": (
        "version: 5\n"
        "defaults: {datadir: data, data_hash: yaml_data}\n"
        "hierarchy:\n"
        "  - {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n"
        "  - {name: common, path: common.yaml}\n"
    ),
    "data/common.yaml": (
        "m::port: 80\n"
        "m::list: [a]\n"
        "m::secret: 's3cret'\n"
        "own::key: x\n"
        "lookup_options:\n"
        "  m::list: {merge: unique}\n"
        "  m::secret: {convert_to: Sensitive}\n"
    ),
    "data/nodes/web1.yaml": "m::list: [b]\n",
    "facts/web1.yaml": "os: {family: Debian}\n",
    "facts/db1.yaml": "os: {family: RedHat}\n",
    "manifests/site.pp": (
        "node 'web1' {\n  include m\n}\nnode default {\n  notify { 'db': message => 'db' }\n}\n"
    ),
    "modules/m/templates/t.epp": "<%= $facts['os']['family'] %>",
    "modules/m/templates/p.epp": "<%- | $x, $y = 2 | -%>\n<%= $x %>\n<%= $y %>",
    "modules/m/templates/t.erb": (
        "<%= @port %>\n<%= scope['m::plain'] %>\n<% own = @local %><%= @unset %>"
        "<%= scope.call_function('lookup', ['own::key']) %>"
    ),
    "modules/m/lib/puppet/functions/m/ruby.rb": (
        "Puppet::Functions.create_function(:'m::ruby') do\n"
        "  def ruby\n    call_function('lookup', 'own::key')\n  end\nend\n"
    ),
    "modules/m/functions/code.pp": "function m::code($a) {\n  lookup('own::key')\n}\n",
    "modules/m/manifests/base.pp": "class m::base {\n  file { '/base': mode => '0600' }\n}\n",
    "modules/m/manifests/rules.pp": (
        "class m::rules {\n  M::D { size => 9 }\n  m::d { 'ruled': }\n  require m::base\n}\n"
    ),
    "modules/m/manifests/d.pp": (
        "define m::d(\n"
        "  $size = 3,\n"
        '  $other = "${size} ${title}",\n'
        ") {\n"
        '  file { "/d/${title}": content => $other }\n'
        "}\n"
    ),
    "modules/m/manifests/init.pp": "".join(
        f"{line}\n"
        for line in (
            "class m(",
            "  $port,",
            "  Array $list,",
            "  $secret,",
            "  $plain = 'plain',",
            ") inherits m::base {",
            "  File { owner => 'root' }",
            "  File['/base'] { mode => '0644' }",
            '  $local = "${plain}-${port}"',
            "  file { '/a':",
            "    content => $local,",
            "    group   => lookup('own::key'),",
            "  }",
            "  file { '/epp': content => epp('m/t.epp') }",
            "  file { '/secret': content => $secret }",
            "  @user { 'u': shell => '/bin/sh' }",
            "  User <| title == 'u' |> { shell => '/bin/zsh' }",
            "  $list.each |$item| {",
            "    m::d { $item: }",
            "  }",
            "  create_resources('notify', { 'made' => { 'message' => $port } })",
            "  File['/a'] -> User['u']",
            "  file { '/erb': content => template(\"${module_name}/t.erb\") }",
            "  file { '/given': content => epp('m/p.epp', { 'x' => $port }) }",
            "  file { '/inline': content => inline_template('<%= @port %>') }",
            "  file { '/ruby': content => m::ruby() }",
            "  file { '/code': content => m::code(1) }",
            "  create_resources('m::d', { 'made' => {} })",
            "  notify { 'late': }",
            "  $no = undef",
            "  m::d { 'undef': size => $no }",
            "  File['/d/made'] -> Notify['late']",
            "  M::D['made'] ~> Notify['late']",
            "  file { '/splat': * => { 'mode' => '0600' }, }",
            "  include m::rules",
            "}",
        )
    ),
}
INIT = "modules/m/manifests/init.pp"
COMMON = "data/common.yaml"
EPP = "modules/m/templates/p.epp"
ERB = "modules/m/templates/t.erb"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    top = tmp_path_factory.mktemp("site")
    for name, text in FILES.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return top


def explain(site, *words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", "explain", *words],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def flat(origin):
    """An origin and all that it reads: kind, path and line."""
    place = f"{origin['path']}:{origin['line']}" if "path" in origin else ""
    return [(origin["kind"], place), *(one for read in origin["reads"] for one in flat(read))]


@pytest.mark.parametrize(
    ("reference", "parameter", "expected"),
    [
        (
            "File[/a]",
            "content",
            [
                ("attribute", f"{INIT}:11"),
                ("variable", f"{INIT}:9"),
                ("parameter", ""),
                ("default", f"{INIT}:5"),
                ("parameter", ""),
                ("data", f"{COMMON}:1"),
            ],
        ),
        ("File[/a]", "group", [("attribute", f"{INIT}:12"), ("data", f"{COMMON}:4")]),
        ("File[/a]", "owner", [("resource default", f"{INIT}:7")]),
        ("File[/a]", "before", [("arrow", f"{INIT}:22")]),
        ("File[/base]", "mode", [("override", f"{INIT}:8")]),
        ("User[u]", "shell", [("collector", f"{INIT}:17")]),
        (
            "Class[m]",
            "list",
            [("data", ""), ("data", "data/nodes/web1.yaml:1"), ("data", f"{COMMON}:2")],
        ),
        ("M::D[a]", "size", [("default", "modules/m/manifests/d.pp:2")]),
        (
            "M::D[a]",
            "other",
            [
                ("default", "modules/m/manifests/d.pp:3"),
                ("parameter", ""),
                ("default", "modules/m/manifests/d.pp:2"),
                ("title", ""),
            ],
        ),
        (
            "Notify[made]",
            "message",
            [("call", f"{INIT}:21"), ("parameter", ""), ("data", f"{COMMON}:1")],
        ),
        (
            "File[/epp]",
            "content",
            [
                ("attribute", f"{INIT}:14"),
                ("template", "modules/m/templates/t.epp:1"),
                ("template", "modules/m/templates/t.epp:1"),
                ("fact", ""),
            ],
        ),
        pytest.param(
            "File[/erb]",
            "content",
            [
                ("attribute", f"{INIT}:23"),
                ("template", f"{ERB}:1"),
                ("template", f"{ERB}:1"),
                ("parameter", ""),
                ("data", f"{COMMON}:1"),
                ("template", f"{ERB}:2"),
                ("parameter", ""),
                ("default", f"{INIT}:5"),
                ("template", f"{ERB}:3"),
                ("variable", f"{INIT}:9"),
                ("parameter", ""),
                ("default", f"{INIT}:5"),
                ("parameter", ""),
                ("data", f"{COMMON}:1"),
                ("template", f"{ERB}:3"),
                ("data", f"{COMMON}:4"),
                ("variable", ""),  # the name of the module, in the name of the template
            ],
            marks=needs_reader,
        ),
        (
            "File[/given]",
            "content",
            [
                ("attribute", f"{INIT}:24"),
                ("template", f"{EPP}:1"),
                ("template", f"{EPP}:2"),
                ("parameter", ""),
                ("data", f"{COMMON}:1"),
                ("template", f"{EPP}:3"),
                ("default", f"{EPP}:1"),
            ],
        ),
        pytest.param(
            "File[/inline]",
            "content",
            [
                ("attribute", f"{INIT}:25"),
                ("template", f"{INIT}:25"),
                ("parameter", ""),
                ("data", f"{COMMON}:1"),
            ],
            marks=needs_reader,
        ),
        pytest.param(
            "File[/ruby]",
            "content",
            [
                ("attribute", f"{INIT}:26"),
                ("call", "modules/m/lib/puppet/functions/m/ruby.rb:3"),
                ("template", "modules/m/lib/puppet/functions/m/ruby.rb:3"),
                ("data", f"{COMMON}:4"),
            ],
            marks=needs_reader,
        ),
        (
            "File[/code]",
            "content",
            [
                ("attribute", f"{INIT}:27"),
                ("call", "modules/m/functions/code.pp:2"),
                ("template", "modules/m/functions/code.pp:2"),
                ("data", f"{COMMON}:4"),
            ],
        ),
        ("M::D[ruled]", "size", [("resource default", "modules/m/manifests/rules.pp:2")]),
        ("Class[m::rules]", "require", [("call", "modules/m/manifests/rules.pp:4")]),
        # What a call does not give a resource comes from elsewhere.
        ("M::D[made]", "size", [("default", "modules/m/manifests/d.pp:2")]),
        ("M::D[undef]", "size", [("default", "modules/m/manifests/d.pp:2")]),
        ("M::D[made]", "notify", [("arrow", f"{INIT}:33")]),
        ("File[/splat]", "mode", [("attribute", f"{INIT}:34")]),
        ("m::port", "port", [("data", f"{COMMON}:1")]),
        ("own::key", "own::key", [("data", f"{COMMON}:4")]),
    ],
)
def test_a_value_comes_from_the_place_that_sets_it(site, reference, parameter, expected):
    words = () if "::" in reference and "[" not in reference else (parameter,)
    printed = explain(site, reference, *words, "--format", "json", "--match", "web1")
    (found,) = json.loads(printed)["explained"]
    assert flat(found["parameters"][parameter]) == expected


def test_the_way_of_a_resource_goes_to_the_node_definition(site):
    (found,) = json.loads(explain(site, "File[/d/b]", "--format", "json"))["explained"]
    assert [(one["reference"], f"{one['path']}:{one['line']}") for one in found["way"]] == [
        ("File[/d/b]", "modules/m/manifests/d.pp:5"),
        ("M::D[b]", f"{INIT}:19"),
        ("Class[M]", "manifests/site.pp:2"),
        ("Node[web1]", "manifests/site.pp:1"),
    ]
    assert found["nodes"] == ["web1"]
    (found,) = json.loads(explain(site, "m::base", "--format", "json"))["explained"]
    assert found["way"][0]["text"] == "inherited by Class[M]"


def test_nodes_without_the_resource_are_named(site):
    printed = explain(site, "Notify[db]")
    assert "# db1\n" in printed
    assert printed.endswith("# not in the catalogs of web1\n")


def test_secrets_are_hidden(site):
    for words in (
        ("File[/secret]",),
        ("Class[m]",),
        ("m::secret",),
        ("Class[m]", "--format", "json"),
    ):
        printed = explain(site, *words)
        assert "s3cret" not in printed
        assert "redacted" in printed


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("File[/aa]",), 1, "File[/aa] is not in the catalog of 2 nodes: did you mean 'File[/a]'?"),
        (("m::prt",), 1, "did you mean 'm::port'?"),
        (("File[/a]", "modus"), 2, "File[/a] has no parameter 'modus'"),
        (("/etc/motd",), 2, "'/etc/motd' is neither a reference"),
    ],
)
def test_what_cannot_be_explained_is_an_error(site, words, code, expected):
    assert expected in explain(site, *words, code=code)


def test_a_parameter_that_only_some_nodes_have(tmp_path):
    for path, text in {
        "environment.conf": "",
        "facts/db1.yaml": "kernel: Linux\n",
        "facts/web1.yaml": "kernel: Linux\n",
        "manifests/site.pp": (
            "node 'web1' {\n  file { '/a': mode => '0600' }\n}\n"
            "node default {\n  file { '/a': }\n}\n"
        ),
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    printed = explain(tmp_path, "File[/a]", "mode")
    assert "  mode\n    not set on this node\n" in printed
    assert "  mode => '0600'\n" in printed
    wrong = explain(tmp_path, "File[/a]", "mod", code=2)
    assert wrong == "bunraku: File[/a] has no parameter 'mod': did you mean 'mode'?\n"


def test_a_class_of_the_classifier_is_explained(tmp_path):
    (tmp_path / "classifier").write_text(
        "#!/bin/sh\necho '{classes: {c: {p: 5}}}'\n",
    )
    (tmp_path / "classifier").chmod(0o755)
    (tmp_path / "modules/c/manifests").mkdir(parents=True)
    (tmp_path / "modules/c/manifests/init.pp").write_text("class c($p) { }\n")
    printed = explain(
        tmp_path,
        *("c", "-e", "", "--modulepath", "modules", "--node", "x", "--facts", "/dev/null"),
        *("--node-terminus", "exec", "--external-nodes", str(tmp_path / "classifier")),
    )
    assert "assigned by the node classifier" in printed
    assert "p => 5\n    the node classifier\n" in printed
