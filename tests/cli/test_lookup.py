"""``bunraku lookup``: Puppet's options, output and exit codes."""

from __future__ import annotations

import json

import pytest
import yaml

import bunraku
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.formats.yaml_writer import ruby_yaml_text

FILES = {
    "hiera.yaml": "version: 5\n",
    "data/common.yaml": "everywhere: 1\n",
    "environments/production/hiera.yaml": """\
version: 5
hierarchy:
  - name: per node
    path: "nodes/%{trusted.certname}.yaml"
  - name: by variable
    path: "%{::role}.yaml"
  - name: common
    path: common.yaml
""",
    "environments/production/manifests/site.pp": "$role = 'web'\n",
    "environments/production/data/nodes/n.yaml": "list: [b, a]\nhash: {x: [1], y: {z: 1}}\n",
    "environments/production/data/web.yaml": "of_role: yes it is\n",
    "environments/production/data/common.yaml": """\
lookup_options: {secret: {convert_to: Sensitive}, merged: {merge: unique}}
secret: swordfish
list: [c, --b]
hash: {x: [2], y: {w: "%{facts.os}"}}
text: "several\\nlines\\n"
nothing: null
""",
    "facts.yaml": "os: Debian\nrole: none\n",
    "norole.yaml": "os: Debian\n",
}


@pytest.fixture
def look(tmp_path, capfd):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def look_up(*arguments, facts="facts.yaml"):
        given = ["--environmentpath", str(tmp_path / "environments"), "--node", "n"]
        given += ["--hiera_config", str(tmp_path / "hiera.yaml")]
        code = main(["lookup", *given, "--facts", str(tmp_path / facts), *arguments])
        out, err = capfd.readouterr()
        return code, out, err

    look_up.folder = tmp_path
    return look_up


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["list"], "---\n- b\n- a\n"),
        (["hash", "--render-as", "json"], '{"x":[1],"y":{"z":1}}\n'),
        (["hash", "--format", "s"], '{"x"=>[1], "y"=>{"z"=>1}}\n'),
        (["text"], "--- |\n  several\n  lines\n"),
        (["text", "--render-as", "s"], "several\nlines\n\n"),
        (["nothing"], "---\n"),
        (["hash.x.0"], "--- 1\n"),
        (["everywhere"], "--- 1\n"),
        (["list", "--merge", "unique", "--render-as", "json"], '["b","a","c","--b"]\n'),
        (["hash", "--merge", "hash", "--render-as", "json"], '{"x":[1],"y":{"z":1}}\n'),
        (
            ["hash", "--merge", "deep", "--render-as", "json"],
            '{"x":[2,1],"y":{"w":"Debian","z":1}}\n',
        ),
        (
            ["list", "--merge", "deep", "--sort-merged-arrays", "--render-as", "json"],
            '["--b","a","b","c"]\n',
        ),
        (["absent", "list", "--render-as", "json"], '["b","a"]\n'),
        (["absent", "--default", "x"], "--- x\n"),
        (["list", "--type", "Array[String]", "--render-as", "json"], '["b","a"]\n'),
        (["secret"], "--- Sensitive [value redacted]\n"),
        (["secret", "--render-as", "json"], '"Sensitive [value redacted]"\n'),
    ],
)
def test_values(arguments, out, look):
    assert look(*arguments) == (exits.OK, out, "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["absent"], "LOOKUP_NOT_FOUND"),
        (["list", "--type", "Integer"], "TYPE_MISMATCH"),
        (["hash.x.y"], "HIERA_DIG_MISMATCH"),
    ],
)
def test_what_is_wrong_is_told_on_standard_error(arguments, code, look):
    exit_code, out, err = look(*arguments)
    assert (exit_code, out) == (exits.FINDINGS, "")
    assert err.startswith("lookup: error: ")
    assert f"[{code}]" in err


@pytest.mark.parametrize(
    "arguments",
    [[], ["--explain"], ["list", "--merge", "hash", "--knock-out-prefix", "--"], ["x", "--type"]],
)
def test_wrong_usage(arguments, look):
    assert look(*arguments)[0] == exits.TROUBLE


def test_an_environment_that_is_not_there(look, tmp_path, capfd):
    assert main(["lookup", "x", "--node", "n", "--environment", "none"]) == exits.TROUBLE
    code, _out, err = look("list", "--environment", "none")
    assert code == exits.FINDINGS
    assert "none" in err


def test_explanations_for_people(look):
    code, out, err = look("hash", "--merge", "deep", "--explain")
    data = look.folder / "environments/production/data"
    assert (code, err) == (exits.OK, "")
    lines = [line.strip() for line in out.splitlines()]
    for line in (
        'Searching for "hash"',
        "Merge strategy deep",
        'Hierarchy entry "per node"',
        f'Path "{data}/nodes/n.yaml"',
        'Original path: "nodes/%{trusted.certname}.yaml"',
        f'Path "{data}/none.yaml"',
        "Path not found",
        'Interpolation on "%{facts.os}"',
        'No such key: "lookup_options"',
        "Merged result: {",
        '"w" => "Debian",',
    ):
        assert line in lines


def test_explanations_for_programs(look):
    code, out, _err = look("list", "--explain", "--render-as", "json")
    assert code == exits.OK
    options, list_ = json.loads(out)["branches"]
    assert (options["type"], options["key"], list_["key"]) == ("root", "lookup_options", "list")
    environment = list_["branches"][-1]
    assert environment["configuration_path"].endswith("production/hiera.yaml")
    found = environment["branches"][0]["branches"][0]
    assert (found["event"], found["value"]) == ("found", ["b", "a"])
    _code, out, _err = look("list", "--explain", "--render-as", "yaml")
    assert yaml.safe_load(out)["branches"][1] == list_


def test_a_missing_key_explained_is_no_failure(look):
    code, out, err = look("absent", "--explain")
    assert (code, err) == (exits.OK, "")
    assert out.endswith("lookup() did not find a value for 'absent'\n")
    code, out, err = look("list", "--type", "Integer", "--explain")
    assert code == exits.FINDINGS
    assert 'Found key: "list" value: [\n' in out
    assert "TYPE_MISMATCH" in err


def test_options_explained_alone(look):
    code, out, _err = look("merged", "--explain-options")
    assert code == exits.OK
    assert '"merge" => "unique"' in out
    assert 'Searching for "merged"' not in out
    assert look("--explain-options")[1] == out


def test_secrets_are_not_explained(look):
    for form in ("s", "json", "yaml"):
        code, out, _err = look("secret", "--explain", "--render-as", form)
        assert code == exits.OK
        assert "swordfish" not in out
        assert "Sensitive" in out


def test_the_catalog_is_compiled_only_when_asked_for(look):
    code, _out, err = look("of_role", facts="norole.yaml")
    assert code == exits.FINDINGS
    assert "role" in err
    assert look("of_role", "--compile", facts="norole.yaml")[1] == "--- yes it is\n"


def test_a_manifest_that_is_wrong_is_reported(look):
    (look.folder / "environments/production/manifests/site.pp").write_text("$a = 1 / 0\n")
    code, out, err = look("list", "--compile")
    assert (code, out) == (exits.FINDINGS, "")
    assert "site.pp:1:10: error" in err


def test_from_python(look):
    settings = {"environmentpath": str(look.folder / "environments")}
    facts = {"os": "Debian", "role": "none"}
    options = {"node": "n", "facts": facts, "settings": settings}
    assert bunraku.lookup("list", **options) == ["b", "a"]
    assert bunraku.lookup("list", merge="unique", **options) == ["b", "a", "c", "--b"]
    with pytest.raises(bunraku.PuppetError) as caught:
        bunraku.lookup("absent", **options)
    assert caught.value.code == "LOOKUP_NOT_FOUND"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("y", '"y"'),
        ("true", "'true'"),
        ("", "''"),
        ("~", '"~"'),
        ("1,000", "'1,000'"),
        ("08", "'08'"),
        (":sym", '":sym"'),
        ("\n", '"\\n"'),
        ("a\n\n", '"a\\n\\n"'),
        ("a: b", "'a: b'"),
        ("/etc", '"/etc"'),
        (1e20, "1.0e+20"),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_yaml_as_ruby_writes_it(value, text):
    assert ruby_yaml_text(value) == f"--- {text}\n"


def test_an_error_is_explained_in_the_step_where_it_occurred(look):
    data = look.folder / "environments/production/data"
    (data / "common.yaml").write_text("broken: '%{nosuch}'\n")
    code, out, err = look("broken", "--explain")
    assert code == exits.FINDINGS
    assert "nosuch" in err
    line = next(line for line in out.splitlines() if line.lstrip().startswith("Undefined"))
    assert line.startswith(" " * 6)


def test_an_empty_variable_in_a_path_is_shown(look):
    environment = look.folder / "environments/production"
    (environment / "hiera.yaml").write_text(
        "version: 5\nhierarchy: [{name: role, path: 'role/%{nosuch}/x.yaml'}]\n"
    )
    _code, out, _err = look("x", "--explain")
    assert f'Path "{environment}/data/role//x.yaml"' in out


def test_a_classifier_is_not_used_without_compile(look):
    code, _out, err = look("nosuch", "--node-terminus", "exec", "--external-nodes", "/bin/false")
    assert code == exits.FINDINGS
    assert err.startswith("note: the node classifier is only used with --compile")


def test_the_facts_of_this_machine_are_collected_when_they_are_read(look, monkeypatch, capfd):
    programs, asked = look.folder / "bin", look.folder / "asked"
    programs.mkdir()
    for name in ("uname", "date", "lscpu", "lspci", "blkid", "lsblk", "virt-what"):
        program = programs / name
        program.write_text(f"#!/bin/sh\necho {name} >> {asked}\necho Printed by {name}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("FACTER_role", "web")
    data = look.folder / "environments/production/data/web.yaml"
    data.write_text("zone: '%{facts.timezone}'\nconstant: 1\n")
    (look.folder / "environments/production/manifests/site.pp").write_text("")

    def programs_asked(*arguments):
        asked.write_text("")
        given = ["--environmentpath", str(look.folder / "environments")]
        assert main(["lookup", *given, *arguments]) == exits.OK
        return capfd.readouterr().out, set(asked.read_text().split())

    assert programs_asked("constant") == ("--- 1\n", set())
    assert programs_asked("zone") == ("--- Printed by date\n", {"date"})
    _, everything = programs_asked("constant", "--compile")
    assert everything > {"date", "uname", "lscpu", "blkid"}
