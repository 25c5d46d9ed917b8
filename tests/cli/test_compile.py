"""``bunraku compile``: catalog here, messages there, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from bunraku.cli import exits
from bunraku.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"


def compiled(capfd, *arguments: str) -> tuple[int, str, str]:
    code = main(["compile", *arguments])
    out, err = capfd.readouterr()
    return code, out, err


def test_the_catalog_is_on_standard_output_and_the_log_elsewhere(capfd):
    code, out, err = compiled(capfd, "-e", "notice('n') warning('w') notify { 'x': }")
    assert code == exits.OK
    assert "Notify" in [one["type"] for one in json.loads(out)["resources"]]
    assert err == "Notice: Scope(Class[main]): n\nWarning: Scope(Class[main]): w\n"


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (["--log_level", "err"], ["Error"]),
        ([], ["Notice", "Error"]),
        (["--verbose"], ["Info", "Notice", "Error"]),
        (["--debug"], ["Debug", "Info", "Notice", "Error"]),
    ],
)
def test_log_levels(level, said, capfd):
    code = "debug('m') info('m') notice('m') err('m')"
    _code, _out, err = compiled(capfd, "-e", code, *level)
    assert [line.partition(":")[0] for line in err.splitlines()] == said


def test_yaml_is_the_same_catalog(capfd):
    arguments = ["-e", "notify { 'x': message => ['a', 1, undef] }", "--node", "n"]
    _code, as_json, _err = compiled(capfd, *arguments)
    _code, as_yaml, _err = compiled(capfd, *arguments, "--format", "yaml")
    first, second = json.loads(as_json), yaml.safe_load(as_yaml)
    assert second["resources"] == first["resources"]


def test_text_hides_what_is_sensitive(capfd):
    code = "notify { 'x': message => Sensitive('hush') }"
    _code, out, _err = compiled(capfd, "-e", code, "--format", "text")
    assert "hush" not in out
    assert "notify { 'x':" in out


def test_the_example_of_the_readme(capfd, monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    code, out, err = compiled(
        capfd,
        "examples/site.pp",
        "--modulepath",
        "examples/modules",
        "--facts",
        "examples/facts.yaml",
    )
    assert (code, err) == (exits.OK, "")
    expected = json.loads((EXAMPLES.parent / "tests" / "catalogs" / "example.json").read_text())
    found = {f"{one['type']}[{one['title']}]": one for one in json.loads(out)["resources"]}
    for resource in expected["resources"]:
        got = found[f"{resource['type']}[{resource['title']}]"]
        assert got.get("parameters", {}) == resource["parameters"]
        assert sorted(got["tags"]) == resource["tags"]


def test_an_error_is_shown_with_its_line(capfd):
    code, out, err = compiled(capfd, "-e", "$a = 1\n$b = $a / 0\n")
    assert (code, out) == (exits.FINDINGS, "")
    assert err.splitlines()[0].startswith("-e:2:")
    assert "[DIV_BY_ZERO]" in err
    assert "  2 | $b = $a / 0" in err


def test_an_error_in_a_function_shows_the_calls(capfd, tmp_path):
    manifest = tmp_path / "site.pp"
    manifest.write_text(
        "function inner($n) {\n  1 / $n\n}\nfunction outer() {\n  inner(0)\n}\nouter()\n"
    )
    _code, _out, err = compiled(capfd, str(manifest))
    assert err.startswith(f"{manifest}:2:")
    assert f"{manifest}:5:" in err
    assert f"{manifest}:7:" in err


def test_dependency_cycles_are_warnings_unless_wanted_as_errors(capfd):
    code = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }"
    status, out, err = compiled(capfd, "-e", code)
    assert status == exits.OK
    assert err.startswith("Warning: Found 1 dependency cycle: Notify[a] -> Notify[b] -> Notify[a];")
    assert compiled(capfd, "-e", code, "--no-cycles") == (exits.OK, out, "")
    status, out, err = compiled(capfd, "-e", code, "--cycles")
    assert (status, out) == (exits.FINDINGS, "")
    assert "error: Found 1 dependency cycle" in err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f.json", '{"os": {"family": "Debian"}, "d": "2020-01-01"}'),
        ("f.json", '{"name": "n", "values": {"os": {"family": "Debian"}, "d": "2020-01-01"}}'),
        ("f.yaml", "os:\n  family: Debian\nd: 2020-01-01\n"),
        (
            "f.yaml",
            "--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues: {os: {family: Debian}, d: 2020-01-01}\n",
        ),
    ],
)
def test_facts_come_in_several_forms(name, text, tmp_path, capfd):
    (tmp_path / name).write_text(text)
    code = "notice($facts['os']['family'], $facts['d'] =~ String)"
    _code, _out, err = compiled(capfd, "-e", code, "--facts", str(tmp_path / name))
    assert err == "Notice: Scope(Class[main]): Debian true\n"


def test_the_node_is_named_by_option_or_facts(tmp_path, capfd):
    (tmp_path / "f.json").write_text('{"networking": {"fqdn": "web01.example.com"}}')
    facts = ["--facts", str(tmp_path / "f.json")]
    assert json.loads(compiled(capfd, "-e", "", *facts)[1])["name"] == "web01.example.com"
    for option in ("--node", "--certname"):
        out = compiled(capfd, "-e", "", *facts, option, "other")[1]
        assert json.loads(out)["name"] == "other"


def test_settings_are_flags(capfd):
    code = "notice($unset)"
    assert compiled(capfd, "-e", code)[0] == exits.FINDINGS
    flags = ["--no-strict_variables", "--strict", "off"]
    assert compiled(capfd, "-e", code, *flags)[0] == exits.OK
    _code, out, _err = compiled(capfd, "-e", "", "--environment", "test")
    assert json.loads(out)["environment"] == "test"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-e", "1", "site.pp"],
        ["/nowhere.pp"],
        ["-e", "", "--facts", "/nowhere.json"],
        ["-e", "", "--set", "x"],
        ["-e", "", "--language", "2"],
    ],
)
def test_wrong_usage(arguments, capfd):
    code, out, err = compiled(capfd, *arguments)
    assert (code, out) == (exits.TROUBLE, "")
    assert "Traceback" not in err


def test_a_number_that_json_cannot_hold_is_an_error_at_the_resource(capfd):
    code, out, err = compiled(capfd, "-e", "\nnotify { 'x': message => 0.0 / 0.0 }")
    assert (code, out) == (exits.FINDINGS, "")
    assert ":2: error: NaN and Infinity cannot be written as JSON" in err


WRONG = "service { 'a': ensure => 'runing' }\nexec { '/a': tries => 0 }"


def test_values_are_checked_on_request_only(capfd):
    assert compiled(capfd, "-e", WRONG)[0] == exits.OK

    code, out, err = compiled(capfd, "--validate-values", "-e", WRONG)

    assert code == exits.FINDINGS
    assert not out
    first, second = (line for line in err.splitlines() if "error:" in line)
    assert 'Invalid value "runing". Valid values are stopped, running.' in first
    assert "Tries must be an integer >= 1" in second


def test_values_of_all_nodes_are_checked(capfd, tmp_path):
    facts = tmp_path / "facts"
    facts.mkdir()
    for name in ("a", "b"):
        (facts / f"{name}.yaml").write_text("{}", encoding="utf-8")
    code = f"node a {{ {WRONG} }} node b {{ }}"

    given = ("--nodes", "--facts-folder", str(facts), "--output-folder", str(tmp_path / "out"))
    ended, _, err = compiled(capfd, "--validate-values", "-e", code, *given)

    assert ended == exits.FINDINGS
    assert "runing" in err
    assert "Tries" in err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.json"]
