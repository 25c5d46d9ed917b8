"""bunraku check: what validate finds and the analysis, in one report."""

from __future__ import annotations

import json

import pytest

from bunraku.cli.main import main


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A control repository with one module and a mistake in its main manifest."""
    manifests = tmp_path / "modules" / "ntp" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class ntp($server) { notice($server) }\n")
    (manifests / "pool.pp").write_text("define ntp::pool($port) { notice($port) }\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("include ntpp\nntp::pool { 'a': }\n")
    (tmp_path / "environment.conf").write_text("modulepath = modules\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reported(capsys):
    return {
        (one["code"], one["severity"]) for one in json.loads(capsys.readouterr().out)["diagnostics"]
    }


def test_project_of_the_directory(repository, capsys):
    (repository / "manifests" / "wrong.pp").write_text("class ntp(")
    assert main(["check", "--format", "json"]) == 1
    assert {code for code, _ in reported(capsys)} == {
        "SYNTAX_ERROR",
        "MODULE_NOT_INSTALLED",
        "MISSING_PARAMETER",
    }


def test_required_parameters_are_certain_with_the_main_manifests(repository, capsys):
    main(["check", "--format", "json"])
    assert ("MISSING_PARAMETER", "error") in reported(capsys)
    (repository / "manifests" / "site.pp").write_text(
        "Ntp::Pool { port => 1 }\nntp::pool { 'a': }\n"
    )
    assert main(["check", "--format", "json"]) == 0
    assert reported(capsys) == set()


def test_missing_modules_are_one_finding(repository, capsys):
    text = (
        "include apache\ninclude nginx::a\nfoo { 'a': }\nntp::pool { 'b': port => 1 }\nincldue(x)\n"
    )
    (repository / "manifests" / "site.pp").write_text(text)
    main(["check", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    (absent,) = [one for one in found if one["code"] == "MODULE_NOT_INSTALLED"]
    assert absent["message"].startswith("2 modules are not on the modulepath")
    assert absent["message"].endswith(": apache, nginx")
    assert absent["hint"] == "names that can be theirs: foo"
    assert [one["code"] for one in found if one is not absent] == ["UNKNOWN_FUNCTION"], (
        "a misspelling"
    )


def test_types_and_data_of_missing_modules_are_not_wrong(repository, capsys):
    config = "version: 5\nhierarchy: [{name: common, path: common.yaml, data_hash: yaml_data}]\n"
    (repository / "hiera.yaml").write_text(config)
    (repository / "data").mkdir()
    lines = (
        "include apache",
        "include nginx",
        "notify { 'a': require => Vcsrepo['/srv'] }",
        "notice(lookup('apache::port'), lookup('ntp::absent'))",
    )
    (repository / "manifests" / "site.pp").write_text("\n".join(lines))
    assert main(["check", "--format", "json"]) == 1
    absent, wrong = json.loads(capsys.readouterr().out)["diagnostics"]
    assert absent["hint"] == "names that can be theirs: apache::port, vcsrepo"
    assert "'ntp::absent'" in wrong["message"], "the module is there"
    assert (wrong["code"], wrong["severity"]) == ("LOOKUP_NOT_FOUND", "error")


def test_data_of_a_server_is_not_missed(repository, capsys):
    (repository / "manifests" / "site.pp").write_text("notice(lookup('greeting'))\n")
    assert main(["check"]) == 0, "the server may have a hiera.yaml"
    config = "version: 5\nhierarchy: [{name: common, path: common.yaml, data_hash: yaml_data}]\n"
    (repository / "server.yaml").write_text(config)
    assert main(["check", "--hiera-config", "server.yaml"]) == 0
    (repository / "bunraku.toml").write_text("hiera_config = 'server.yaml'\n")
    assert main(["check"]) == 0
    (repository / "bunraku.toml").unlink()
    (repository / "server.yaml").rename(repository / "hiera.yaml")
    (repository / "data").mkdir()
    capsys.readouterr()
    assert main(["check", "--format", "json"]) == 1
    assert reported(capsys) == {("LOOKUP_NOT_FOUND", "error")}


def test_rules_are_chosen(repository, capsys):
    assert main(["check", "--ignore", "MISSING_PARAMETER"]) == 0
    assert main(["check", "--ignore", "MISSING_PARAMETER", "--fail-on-warnings"]) == 1
    capsys.readouterr()
    main(["check", "--only", "MISSING_PARAMETER", "--format", "json"])
    assert reported(capsys) == {("MISSING_PARAMETER", "error")}


def test_mistyped_rule(repository, capsys):
    assert main(["check", "--only", "UNKNOWN_CLAS"]) == 2
    assert "did you mean 'UNKNOWN_CLASS'?" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sarif", "github", "junit", "codeclimate"])
def test_formats(name, repository, capsys):
    main(["check", "--format", name])
    assert "MISSING_PARAMETER" in capsys.readouterr().out


def test_baseline_knows_findings_on_other_lines(repository, capsys):
    assert main(["check", "--write-baseline", "known.json"]) == 0
    assert capsys.readouterr().out == ""
    site = repository / "manifests" / "site.pp"
    site.write_text(f"\n\n{site.read_text()}")
    assert main(["check", "--baseline", "known.json", "--fail-on-warnings"]) == 0
    assert capsys.readouterr().out == ""
    site.write_text(f"{site.read_text()}ntp::pool {{ 'a': }}\n")
    assert main(["check", "--baseline", "known.json", "--format", "json"]) == 1
    assert reported(capsys) == {("MISSING_PARAMETER", "error")}


@pytest.mark.parametrize("text", ["[]", "{", '{"schema": 2, "findings": []}', '{"schema": 1}'])
def test_invalid_baseline(text, repository, capsys):
    (repository / "known.txt").write_text(text)
    assert main(["check", "--baseline", "known.txt"]) == 2
    assert "known.txt is not a baseline" in capsys.readouterr().err


def test_nothing_to_check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert "nothing to check" in capsys.readouterr().err


def test_data_of_the_project(repository, capsys):
    """Findings in data follow the same options as others."""
    (repository / "manifests" / "site.pp").write_text("")
    (repository / "hiera.yaml").write_text("version: 5\n")
    (repository / "data").mkdir()
    (repository / "data" / "common.yaml").write_text("ntp::sever: a\nother: 1\n")
    main(["check", "--format", "json"])
    found = {("HIERA_UNKNOWN_PARAMETER", "warning"), ("HIERA_UNUSED_KEY", "warning")}
    assert reported(capsys) == found
    main(["check", "data", "--only", "HIERA_UNUSED_KEY", "--format", "json"])
    assert reported(capsys) == {("HIERA_UNUSED_KEY", "warning")}
    main(["check", "manifests", "--format", "json"])
    assert reported(capsys) == set()
    main(["check", "--write-baseline", "known.json"])
    (repository / "data" / "common.yaml").write_text("\nother: 1\nntp::sever: a\nnew: 1\n")
    main(["check", "--baseline", "known.json", "--format", "json"])
    assert reported(capsys) == {("HIERA_UNUSED_KEY", "warning")}


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", {("UNRECOGNIZED_ESCAPE", "warning")}),
        (" # lint:ignore:unrecognized_escape a path", set()),
    ],
)
def test_control_comments_suppress_warnings_of_the_parser(comment, expected, repository, capsys):
    (repository / "manifests" / "site.pp").write_text(f'notice("\\q"){comment}\n')
    main(["check", "manifests", "--format", "json"])
    assert reported(capsys) == expected
