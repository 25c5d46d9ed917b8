"""Commands find the project in which they run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main

CONTROL = {
    "environment.conf": "modulepath = site:$basemodulepath\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: common.yaml}\n",
    "data/common.yaml": "greeting: hello\n",
    "manifests/site.pp": "node 'web1' { include role::web }\nnode default { }\n",
    "site/role/manifests/web.pp": "class role::web { notify { lookup('greeting'): } }\n",
    "facts/web1.yaml": "role: web\n",
}
MODULE = {
    "metadata.json": '{"name": "puppetlabs-ntp", "version": "1.0.0", "author": "a",'
    ' "license": "x", "source": "s", "dependencies": []}',
    "manifests/init.pp": "class ntp { notify { fixtures::x(): } notify { $ntp::server::y: } }\n",
    "manifests/server.pp": "class ntp::server { $y = '2' }\n",
    "spec/fixtures/modules/fixtures/functions/x.pp": "function fixtures::x() { 'fixture' }\n",
    "spec/fixtures/modules/ntp/manifests/init.pp": "class ntp { fail('a copy') }\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    def write(files: dict[str, str], start: str = ".", name: str = "work") -> Path:
        root = tmp_path / name
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.chdir(root / start)
        return root

    return write


def titles(capfd, *arguments: str) -> list[str]:
    assert main(["compile", *arguments]) == exits.OK
    catalog = json.loads(capfd.readouterr().out)
    return [one["title"] for one in catalog["resources"] if one["type"] == "Notify"]


@pytest.mark.parametrize("start", [".", "manifests", "site/role"])
def test_control_repository(here, capfd, start):
    here(CONTROL, start)
    assert titles(capfd, "--node", "web1") == ["hello"]
    assert titles(capfd, "-e", "include role::web") == ["hello"]
    assert main(["lookup", "greeting", "--node", "web1"]) == exits.OK
    assert capfd.readouterr().out == "--- hello\n"


def test_facts_of_the_node_come_from_the_directory_facts(here, capfd):
    here(CONTROL)
    code = "notify { $facts['role']: }"
    assert titles(capfd, "-e", code, "--node", "web1") == ["web"]


def test_module_under_its_name(here, capfd):
    here(MODULE, name="puppetlabs-ntp")
    assert titles(capfd, "-e", "include ntp::server\ninclude ntp") == ["fixture", "2"]
    assert main(["compile"]) == exits.TROUBLE
    assert "give -e CODE such as -e 'include ntp'" in capfd.readouterr().err


def test_flags_win_over_the_file_and_the_file_over_the_project(here, capfd):
    root = here({**CONTROL, "bunraku.toml": 'strict = "off"\nmanifest = "other.pp"\n'})
    (root / "other.pp").write_text("notify { $settings::strict: }")
    assert titles(capfd) == ["off"]
    assert titles(capfd, "--strict", "warning") == ["warning"]
    assert titles(capfd, "--no-project", "other.pp") == ["error"]


def test_mistakes_in_the_file(here, capfd):
    root = here({**CONTROL, "bunraku.toml": '\nmodulpath = "site"\n'})
    assert main(["compile"]) == exits.TROUBLE
    message = f"{root}/bunraku.toml:2: unknown key 'modulpath' (did you mean 'modulepath'?)"
    assert capfd.readouterr().err == f"bunraku: {message}\n"


def test_nothing_to_compile(here, capfd):
    here({"x/readme": ""})
    assert main(["compile"]) == exits.TROUBLE
    assert "nothing to compile" in capfd.readouterr().err
    here({"x/environment.conf": ""}, "x")
    assert main(["compile"]) == exits.TROUBLE
    assert "has no main manifest" in capfd.readouterr().err


def test_data_of_the_server_is_read_in_the_checkout(here, capfd):
    text = (
        "version: 5\nhierarchy: [{name: a, path: a.yaml, datadir: /etc/puppetlabs/puppet/data}]\n"
    )
    here(
        {
            "environment.conf": "",
            "modules/puppet/files/hiera.yaml": text,
            "data/a.yaml": "key: found\n",
        }
    )
    if Path("/etc/puppetlabs/puppet").exists():
        pytest.skip("this machine has the server's directory")
    assert main(["lookup", "key", "--node", "n"]) == exits.FINDINGS
    assert "may be the configuration of Hiera: give it with" in capfd.readouterr().err
    words = ["lookup", "key", "--node", "n", "--hiera-config", "modules/puppet/files/hiera.yaml"]
    assert main(words) == exits.OK
    assert capfd.readouterr().out == "--- found\n"


def test_missing_modules_are_named_when_a_compile_fails(here, capfd):
    here({**CONTROL, "Puppetfile": "mod 'puppetlabs-apache', '1.0.0'\n"})
    assert main(["compile", "-e", "include apache", "--node", "n"]) == exits.FINDINGS
    err = capfd.readouterr().err
    assert "1 of 1 modules in" in err
    assert "run 'bunraku modules install'" in err
    assert "no facts" not in err
    assert main(["compile", "--node", "web1x"]) == exits.OK
    (Path.cwd() / "manifests/site.pp").write_text("include apache")
    capfd.readouterr()
    assert main(["compile", "--node", "n"]) == exits.FINDINGS
    assert "the node n has no facts; give --facts FILE" in capfd.readouterr().err


def test_a_node_without_facts_is_told_from_one_that_has_some(tmp_path, monkeypatch, capfd):
    (tmp_path / "environment.conf").write_text("")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("fail('no')\n")
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "web01.example.com.yaml").write_text("a: 1\n")
    monkeypatch.chdir(tmp_path)
    main(["compile", "--node", "web1.example.com"])
    note = "has no facts (did you mean 'web01.example.com'?); give --facts FILE"
    assert f"note: the node web1.example.com {note}" in capfd.readouterr().err


def test_config_names_the_reasons(here, capfd):
    root = here({**CONTROL, "bunraku.toml": 'strict = "off"\n'})
    assert main(["config", "--format", "json", "--language", "3.8"]) == exits.OK
    data = json.loads(capfd.readouterr().out)
    assert data["project"]["kind"] == "control repository"
    origins = {one["name"]: one["origin"] for one in data["values"]}
    assert (origins["modulepath"], origins["strict"], origins["language"]) == (
        "project",
        "file",
        "option",
    )
    places = {one["name"]: (one["file"], one["line"]) for one in data["values"]}
    assert places["modulepath"] == (f"{root}/environment.conf", 1)
    assert places["strict"] == (f"{root}/bunraku.toml", 1)
    assert main(["config"]) == exits.OK
    assert f'modulepath = ["{root}/site",' in capfd.readouterr().out


def test_config_shows_the_versions_of_modules(here, capfd):
    declarations = [
        "mod 'puppetlabs/apache', '1.0.0'",
        "mod 'ntp', :git => 'https://git.example.org/ntp', :tag => 'v2.0.0'",
        "mod 'puppetlabs/stdlib'",
        "mod 'own', :local => true",
    ]
    root = here(
        {
            **CONTROL,
            "Puppetfile": "\n".join(declarations),
            "modules/ntp/metadata.json": '{"version": "2.1.0"}',
        }
    )
    assert main(["config"]) == exits.OK
    out = capfd.readouterr().out
    assert "    puppetlabs/apache 1.0.0, installed: no version\n" in out
    assert "    ntp v2.0.0, installed: 2.1.0\n" in out
    assert "    puppetlabs/stdlib any version, installed: no version\n" in out
    assert "other versions than in the Puppetfile: ntp 2.1.0 instead of 2.0.0" in out
    assert "2 of 3 modules in Puppetfile are not installed (apache, stdlib)" in out
    assert main(["config", "--format", "json"]) == exits.OK
    ntp = json.loads(capfd.readouterr().out)["modules"][1]
    assert ntp == {
        "name": "ntp",
        "title": "ntp",
        "asked": "v2.0.0",
        "installed": "2.1.0",
        "directory": f"{root}/modules/ntp",
        "file": f"{root}/Puppetfile",
        "line": 2,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compil"], "unknown command 'compil' (did you mean 'compile'?)"),
        (["nosuch", "--help"], "unknown command 'nosuch'"),
        (["help", "nosuch"], "unknown command 'nosuch'"),
        (["compile", "--fact", "x"], "unknown option '--fact' (did you mean '--facts'?)"),
        (["compile", "--format", "jsn"], "--format: invalid value 'jsn' (did you mean 'json'?)"),
        (["compile", "--facts"], "--facts: a value is required"),
        (["compile", "--node"], "--node: a value is required"),
        (["compile", "--jobs", "x"], "--jobs: invalid value 'x': use a number"),
        (["compile", "-e", "1", "--basemodulepath", "sit"], "--basemodulepath: cannot find"),
        (["compile", "--environmentpath", "nope"], "--environmentpath: cannot find"),
        (["compile", "-e", "1", "--output-folder", "x"], "--output-folder requires --nodes"),
        (["compile", "-e", "1", "--set", "strikt=1"], "unknown setting 'strikt'"),
        (["compile", "-e", "1", "--hiera-config", "nope"], "--hiera-config: cannot find nope"),
        (["compile", "-e", "1", "--modulepath", "sit"], "--modulepath: cannot find"),
        (["compile", "manifest"], "cannot find manifest (did you mean 'manifests'?)"),
        (["compile", "facts"], "no manifest (*.pp) is in the directory facts"),
    ],
)
def test_mistyped_words(here, capfd, arguments, message):
    here(CONTROL)
    assert main(arguments) == exits.TROUBLE
    err = capfd.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [["-V"], ["version"], ["--version"], ["--color", "never", "-V"]])
def test_version(capfd, words):
    assert main(words) == exits.OK
    assert capfd.readouterr().out.startswith("bunraku ")


def test_options_before_the_command_and_with_underscores(here, capfd):
    here(CONTROL)
    words = ["--color", "never", "eval", "1 + 1", "--strict_variables", "--hiera_config=hiera.yaml"]
    assert main(words) == exits.OK
    assert capfd.readouterr().out == "2\nInteger[2, 2]\n"


def test_functions_of_the_project(here, capfd):
    text = "# Adds one.\n# @param a a number\nfunction m::inc(\n  Integer $a,\n) >> Integer { $a + 1 }\n"
    here({"environment.conf": "", "modules/m/functions/inc.pp": text})
    assert main(["functions", "m::inc"]) == exits.OK
    out = capfd.readouterr().out
    assert out.startswith("m::inc(Integer $a) >> Integer\n\n    Adds one.\n\n")
    assert main(["functions"]) == exits.OK
    assert "Adds one." in capfd.readouterr().out
    assert main(["functions", "m::icn"]) == exits.FINDINGS
    assert capfd.readouterr().err == "error: unknown function 'm::icn'; did you mean 'm::inc'?\n"


@pytest.mark.parametrize(
    "words", [["types", "Array[Data, 1]"], ["types", "show", "Array[Data, 1]"]]
)
def test_types_need_no_action(capfd, words):
    assert main(words) == exits.OK
    assert "ScalarData" in capfd.readouterr().out


@pytest.mark.parametrize("words", [["facts", "os"], ["facts", "show", "os"]])
def test_facts_need_no_action(capfd, words):
    assert main(words) == exits.OK
    assert list(json.loads(capfd.readouterr().out)) == ["os"]


def test_check_from_outside_takes_the_project_of_the_files(here, tmp_path, capsys, monkeypatch):
    mistake = {"site/role/manifests/db.pp": "class role::db { include role::wbe }\n"}
    root = here({**CONTROL, **mistake}, name="control")
    assert main(["check", "--format", "json"]) == exits.FINDINGS
    inside = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [one["code"] for one in inside] == ["UNKNOWN_CLASS"]
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for files in ([str(root)], ["../control"], [str(root / "site"), str(root / "manifests")]):
        assert main(["check", "--format", "json", *files]) == exits.FINDINGS
        outside = json.loads(capsys.readouterr().out)["diagnostics"]
        assert [(one["code"], one["line"]) for one in outside] == [("UNKNOWN_CLASS", 1)], files
    assert main(["check", "--no-project", "--format", "json", str(root)]) == exits.OK
    codes = {one["code"] for one in json.loads(capsys.readouterr().out)["diagnostics"]}
    assert codes == {"MODULE_NOT_INSTALLED"}


def test_check_from_outside_reads_the_configuration_of_the_files(
    here, tmp_path, capsys, monkeypatch
):
    files = {
        "environment.conf": "",
        "modules/a/manifests/init.pp": "class a { $x = '\\d' notice(\"\\q\") notice($x) }\n",
    }
    root = here({**files, "bunraku.toml": "fail_on_warnings = true\n"}, name="control")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert main(["check", str(root)]) == exits.FINDINGS
    assert "UNRECOGNIZED_ESCAPE" in capsys.readouterr().out
    here({"environment.conf": "", "site.pp": ""}, name="other")
    assert main(["check", str(root)]) == exits.OK  # the project of this directory counts
