import re
from pathlib import Path

import pytest

import bunraku.testing
from bunraku import PuppetError
from bunraku.project.options import TABLE
from bunraku.testing import Sensitive, deferred, reference
from bunraku.workbench.testing import pytest_plugin
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.data import HieraOfTest, OtherNodes
from bunraku.workbench.testing.project import code_under_test
from bunraku.workbench.testing.session import Session
from bunraku.world.machine import Machine

METADATA = '{"name": "example-ntp", "version": "1.0.0", "author": "a", "license": "MIT", "source": "s", "dependencies": []}'
MANIFESTS = {
    "init.pp": """
class ntp(Array[String] $servers = ['a'], Optional[String] $mode = undef, $secret = undef) {
  file { '/etc/ntp.conf': content => $servers.join(' '), mode => $mode, require => Package['ntp'] }
  package { 'ntp': ensure => $facts['os']['family'] }
}""",
    "peer.pp": 'define ntp::peer(Integer $port = 1) { notify { "${name} ${port}": } }',
    "hosts.pp": "class ntp::hosts { Host <<| |>> }",
    "query.pp": """
class ntp::query {
  $found = puppetdb_query('facts[certname, value] { name = "color" order by certname }')
  notify { 'found': message => $found.map |$one| { "${one['certname']} ${one['value']}" } }
}""",
}


@pytest.fixture
def module(tmp_path):
    root = tmp_path / "puppet-ntp"
    (root / "manifests").mkdir(parents=True)
    (root / "metadata.json").write_text(METADATA)
    for name, text in MANIFESTS.items():
        (root / "manifests" / name).write_text(text)
    (root / "types").mkdir()
    (root / "types" / "port.pp").write_text("type Ntp::Port = Integer[1, 65535]")
    (root / "functions").mkdir()
    (root / "functions" / "twice.pp").write_text("function ntp::twice($x) { $x * 2 }")
    return root


@pytest.fixture
def compiler(module):
    return Compiler(
        code_under_test(str(module), Machine()), {"facts": {"os": {"family": "Debian"}}}
    )


def test_a_class_with_parameters(compiler):
    catalog = compiler("ntp", params={"servers": ["x", "y"], "mode": "0644"})
    assert catalog.contains("File[/etc/ntp.conf]", content="x y", mode="0644")
    assert catalog.contains("Package[ntp]", ensure="Debian", name=None)
    assert not catalog.contains("File[/etc/ntp.conf]", mode="0600")
    assert not catalog.contains_only("File[/etc/ntp.conf]", content="x y", mode="0644")
    assert catalog.lacks("File[/etc/ntp]")
    assert not catalog.lacks("File[/etc/ntp.conf]")


def test_a_defined_type(compiler):
    assert compiler(define="ntp::peer", title="a", params={"port": 7}).contains("Notify[a 7]")


def test_code_with_code_before_and_after(compiler):
    catalog = compiler(code="notify { $x: }", pre="$x = 'one'", post="notify { 'two': }")
    assert [one.title for one in catalog.by_type("Notify")] == ["one", "two"]


def test_functions_and_type_aliases(compiler):
    assert compiler.call("ntp::twice", 4) == 8
    assert compiler.evaluate("$facts['os']['family']") == "Debian"
    assert compiler.accepts("Ntp::Port", 80)
    assert not compiler.accepts("Ntp::Port", "80")


def test_values_that_only_a_compile_has(compiler):
    catalog = compiler(
        define="ntp::peer",
        title="a",
        params={"require": reference("class[ntp]")},
        pre="include ntp",
    )
    assert catalog.contains("Ntp::Peer[a]", require=reference("Class[Ntp]"))
    secret = compiler("ntp", params={"secret": Sensitive("x")})
    assert secret.contains("Class[ntp]", secret=Sensitive("x"))
    assert not secret.contains("Class[ntp]", secret="x")
    assert compiler("ntp", params={"secret": deferred("f", 1)}).contains(
        "Class[ntp]", secret=lambda value: "Deferred" in repr(value)
    )


def test_facts_of_a_call_are_merged_over_those_of_the_test(compiler):
    assert compiler.evaluate("$facts['os']", facts={"os": {"name": "x"}}) == {
        "family": "Debian",
        "name": "x",
    }
    assert (
        compiler.evaluate("$facts['networking']['fqdn']", node="a.example.com") == "a.example.com"
    )


def test_trusted_data_and_variables_of_a_classifier(compiler):
    trusted = {"extensions": {"pp_role": "web"}}
    code = "[$trusted['extensions']['pp_role'], $trusted['certname'], $datacenter]"
    found = compiler.evaluate(code, trusted=trusted, node_parameters={"datacenter": "here"})
    assert found == ["web", "test.example.com", "here"]


def test_hiera_data_of_the_test(compiler):
    compiler.hiera({"ntp::servers": ["low"], "ntp::mode": "0600"})
    compiler.hiera(
        {"ntp::servers": ["high"]},
        levels={"os/%{facts.os.family}": {}, "os/Debian": {"a": "deb"}, "common": {"a": "c"}},
    )
    assert compiler("ntp").contains("Class[ntp]", servers=["high"], mode="0600")
    assert compiler("ntp", hiera={"ntp::mode": "0644"}).contains(
        "Class[ntp]", servers=["high"], mode="0644"
    )
    assert compiler.evaluate("lookup('a')") == "deb"
    low = compiler("ntp", hiera=[{"b": 1}, {"b": 2}])
    assert low.contains("Class[ntp]", servers=["high"], mode="0600")


def test_the_path_of_a_hiera_configuration(compiler, module):
    folder = module / "spec" / "fixtures"
    folder.mkdir(parents=True)
    (folder / "hiera.yaml").write_text(
        "{version: 5, hierarchy: [{name: a, path: a.yaml, datadir: ., data_hash: yaml_data}]}"
    )
    (folder / "a.yaml").write_text("ntp::mode: '0400'")
    compiler.hiera("spec/fixtures/hiera.yaml")
    assert compiler("ntp").contains("Class[ntp]", mode="0400")
    with pytest.raises(ValueError, match="either data for Hiera or the path"):
        compiler("ntp", hiera={"ntp::mode": "0600"})
    with pytest.raises(ValueError, match="either data for Hiera or the path"):
        compiler.hiera("a.yaml", {"a": 1})


def test_exported_resources_of_other_nodes(compiler):
    compiler.nodes.export("Host[web1]", node="web1", ip="192.0.2.1")
    assert compiler("ntp::hosts").contains("Host[web1]", ip="192.0.2.1")


def test_resources_that_another_catalog_exports(compiler):
    other = compiler(code="@@host { 'db': ip => '192.0.2.2' }", node="db.example.com")
    compiler.nodes.export(other)
    assert other.exports("Host[db]", ip="192.0.2.2")
    assert compiler("ntp::hosts").contains("Host[db]", ip="192.0.2.2")
    missing = other.exports("Host[web]").explanation
    assert missing == "Host[web] is not exported\n  the node exports Host[db]"


def test_queries_of_facts_of_other_nodes(compiler):
    with compiler.raises("no data source"):
        compiler("ntp::query")
    compiler.nodes.facts("web1", {"color": "red"})
    compiler.nodes.facts("web2", {"color": "blue"})
    assert compiler("ntp::query").contains("Notify[found]", message=["web1 red", "web2 blue"])


def test_expected_errors(compiler):
    with compiler.raises("expects an Array", code="INVALID_PARAMETERS") as caught:
        compiler("ntp", params={"servers": 3})
    assert isinstance(caught.value, PuppetError)
    refused = pytest.raises(AssertionError, match="the code compiles; expected an error")
    with refused, compiler.raises():
        compiler("ntp")
    refused = pytest.raises(AssertionError, match="another error than an error with a message")
    with refused, compiler.raises("no such"):
        compiler("ntp", params={"servers": 3})


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["ntp"], {"parms": {}}, "did you mean 'params'"),
        ([], {}, "expected one of a class, define, host or code to compile, got none"),
        (["ntp"], {"code": "x"}, "got class_ and code"),
        ([], {"define": "ntp::peer"}, "needs a title"),
        ([], {"code": "x", "params": {"a": 1}}, "params belong to a class or defined type"),
        (["ntp"], {"facts": 3}, "facts must be a dict or the name of a fact set, not int"),
    ],
)
def test_wrong_calls(compiler, arguments, options, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        compiler(*arguments, **options)


def test_the_names_for_tests_have_types():
    stub = (Path(bunraku.testing.__file__)).with_suffix(".pyi").read_text()
    for name in bunraku.testing.__all__:
        home = getattr(bunraku.testing, name).__module__
        assert f"from {home} import {name} as {name}\n" in stub


def test_configured_facts_apply_to_every_test(module):
    (module / "bunraku.toml").write_text('facts = "common.yaml"\n')
    (module / "common.yaml").write_text("color: red\n")
    session = Session()
    compiler = session.compiler(str(module), None, {"a": 1}, [], HieraOfTest(), OtherNodes())
    assert compiler.evaluate("[$facts['color'], $facts['a']]") == ["red", 1]


def test_missing_fixtures_are_an_error_with_a_command(module):
    (module / ".fixtures.yml").write_text("""
fixtures:
  repositories:
    stdlib: {repo: "https://git.example.com/stdlib", ref: v9}
  forge_modules:
    concat: {repo: puppetlabs/concat, ref: 7.0.0}
  symlinks:
    other: "#{source_dir}/../other"
""")
    with pytest.raises(PuppetError) as caught:
        code_under_test(str(module), Machine())
    assert caught.value.message.endswith(".fixtures.yml are not installed: concat, stdlib")
    assert caught.value.diagnostic.hint == f"run 'bunraku modules install' in {module}"
    for name in ("stdlib", "concat"):
        (module / "spec/fixtures/modules" / name / "manifests").mkdir(parents=True)
    found = code_under_test(str(module), Machine())
    assert found.fields["modulepath"] == [f"{module}/spec/fixtures/modules"]
    assert found.fields["modules"] == {"ntp": str(module), "other": f"{module.parent}/other"}


def test_a_mistyped_key_of_the_fixtures_is_an_error(module):
    (module / ".fixtures.yml").write_text("fixtures:\n  repositorys: {}\n")
    with pytest.raises(PuppetError, match="did you mean 'repositories'"):
        code_under_test(str(module), Machine())


def test_without_puppet_code(tmp_path):
    with pytest.raises(PuppetError, match="Cannot find Puppet code"):
        code_under_test(str(tmp_path), Machine())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parms": {}}, "unknown option 'parms' (did you mean 'params'?)"),
        ({"params": ["x"]}, "params: expected a mapping, not ['x']"),
        ({"settings": "strict=off"}, "settings: expected a mapping, not 'strict=off'"),
        ({"trusted": "trusted.yaml"}, "trusted: expected a mapping, not 'trusted.yaml'"),
    ],
)
def test_wrong_options_are_errors(compiler, options, message):
    with pytest.raises(TypeError) as caught:
        compiler("ntp", **options)
    assert str(caught.value) == message


def test_none_is_an_absent_option(compiler):
    assert compiler("ntp", params=None, facts=None, language=None, settings=None)


def test_the_settings_of_the_configuration_count(module):
    (module / "bunraku.toml").write_text("tasks = true\nstrict = 'off'\nnode_terminus = 'exec'\n")
    settings = code_under_test(str(module), Machine()).fields["settings"]
    assert (settings["tasks"], settings["strict"]) == (True, "off")
    assert "node_terminus" not in settings


def test_the_help_of_the_plugin_is_that_of_the_table():
    source = Path(pytest_plugin.__file__).read_text(encoding="utf-8")
    assert f'help="{TABLE["language"].meaning}"' in source
