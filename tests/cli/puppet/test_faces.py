"""``puppet epp``, ``parser dump`` and ``config print`` beside what Puppet 7.23 gave for the same calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.cli.main import main


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current directory: templates, a module with one, and manifests."""
    templates = tmp_path / "m/site/templates"
    templates.mkdir(parents=True)
    (templates / "b.epp").write_text("<%- | $y | -%>\nb<%= $y %>\n")
    (tmp_path / "a.epp").write_text("a <%= $x %>\n")
    (tmp_path / "bad.epp").write_text("<% if %>\n")
    (tmp_path / "a.pp").write_text("notice(1)\n")
    (tmp_path / "s.pp").write_text("$ =\n")
    (tmp_path / "values.pp").write_text("$z = 3\nundef\n")
    (tmp_path / "values.yaml").write_text("x: 2\n")
    (tmp_path / "broken.yaml").write_text("a: [1\n")
    (tmp_path / "facts.json").write_text('{"greeting": "hello"}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def puppet(*words: str) -> int:
    """Run a call without colours."""
    return main(["puppet", *words, "--color=false"])


def test_a_valid_template_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("epp", "validate", "a.epp") == 0
    assert puppet("epp", "validate", "--modulepath", "m", "site/b.epp") == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("option", "errors"), [([], 1), (["--continue_on_error"], 2)])
def test_wrong_templates(option: list[str], errors: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("epp", "validate", "bad.epp", "bad.epp", *option) == 1
    lines = capfd.readouterr().err.splitlines()
    assert sum(line.startswith("Error: Syntax error") for line in lines) == errors
    assert lines[errors:] == [
        "Error: Errors while validating epp",
        "Error: Try 'puppet help epp validate' for usage",
    ]


def test_a_missing_template(capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("epp", "validate", "nix.epp") == 1
    assert capfd.readouterr().err == (
        "Error: One or more file(s) specified did not exist:\n   nix.epp\n"
        "Error: Try 'puppet help epp validate' for usage\n"
    )


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["a.epp", "--values", "{x => 1}"], "a 1\n"),
        (["a.epp", "--values_file", "values.yaml"], "a 2\n"),
        (["a.epp", "--values_file", "values.yaml", "--values", "{x => 3}"], "a 3\n"),
        (["-e", "<%= $z %>", "--values_file", "values.pp"], "3\n"),
        (["-e", "<%= $z %>", "--values", "$z = 3 undef"], "3\n"),
        (["-e", "<%= $facts[greeting] %>", "--facts", "facts.json"], "hello\n"),
        (["site/b.epp", "--modulepath", "m", "--values", "{y => 1}"], "b1\n"),
        (
            ["a.epp", "a.epp", "--values", "{x => 1}"],
            "--- a.epp\na 1\n\n--- a.epp\na 1\n",
        ),
        (["a.epp", "a.epp", "--no-header", "--values", "{x => 1}"], "a 1\na 1\n"),
    ],
)
def test_render(words: list[str], text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("epp", "render", *words) == 0
    assert capfd.readouterr().out == text


def test_a_template_that_fails_renders_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("epp", "render", "--modulepath", "m", "site/b.epp") == 1
    found = capfd.readouterr()
    assert found.out == ""
    assert "expects a value for parameter 'y'" in found.err
    assert "Error: error while rendering epp\n" in found.err


def test_dumps(capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("epp", "dump", "--format", "pn", "a.epp") == 0
    assert puppet("parser", "dump", "--format", "pn", "a.pp") == 0
    assert puppet("parser", "dump", "--format", "pn", "-e", "1 + 2") == 0
    assert capfd.readouterr().out == (
        '(lambda {:body [(epp (render-s "a ") (render (var "x")) (render-s "\\n"))]})\n'
        '--- a.pp(invoke {:functor (qn "notice") :args [1]})\n'
        "(+ 1 2)\n"
    )


def test_a_dump_reports_wrong_and_missing_files_with_exit_code_0(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert puppet("parser", "dump", "--format", "pn", "s.pp", "nix.pp") == 0
    found = capfd.readouterr()
    assert found.out == "One or more file(s) specified did not exist:\n   nix.pp\n"
    assert found.err.startswith("Error: --- s.pp\nError: Syntax error")


def test_config_print(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (place / "puppet.conf").write_text("[main]\nruninterval = 5m\n[server]\nruninterval = 7\n")
    words = ["config", "print", f"--confdir={place}"]
    assert puppet(*words, "runinterval") == 0
    assert puppet(*words, "runinterval", "--section", "server") == 0
    assert puppet(*words, "runinterval", "disable_warnings", "noop") == 0
    assert puppet(*words, "supported_checksum_types") == 0
    assert capfd.readouterr().out == (
        "300\n7\ndisable_warnings = []\nnoop = false\nruninterval = 300\n"
        '["sha256", "sha384", "sha512", "sha224", "md5"]\n'
    )


def test_all_settings_are_printed_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    assert puppet("config", "print", "all") == 0
    names = [line.partition(" = ")[0] for line in capfd.readouterr().out.splitlines()]
    assert len(names) > 200
    assert names == sorted(names)


def test_manifest_and_modulepath_are_those_of_the_environment(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (place / "environments/production/manifests").mkdir(parents=True)
    words = ["--environmentpath=environments", "--basemodulepath=/base"]
    assert puppet("config", "print", "manifest", "modulepath", *words) == 0
    root = place / "environments/production"
    assert capfd.readouterr().out == (
        f"manifest = {root}/manifests\nmodulepath = {root}/modules:/base\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["parser", "dump", "a.pp"], "--format old is not supported; use --format pn or json"),
        (["config", "print", "strikt"], "unknown setting 'strikt' (did you mean 'strict'?)"),
        (["config", "set", "strikt", "off"], "unknown setting 'strikt' (did you mean 'strict'?)"),
        (["epp", "render", "a.epp", "--values", "1"], "--values must evaluate to a Hash"),
        (
            ["epp", "render", "a.epp", "--values_file", "broken.yaml"],
            "--values_file: cannot read broken.yaml: did not find expected",
        ),
        (["epp", "render", "a.epp", "--facts", "nix.json"], "--facts: cannot find nix.json"),
    ],
)
def test_what_is_not_supported_is_refused(
    words: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert puppet(*words) == 2
    assert said in capfd.readouterr().err


def test_help_of_subcommands_and_actions(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["puppet", "help", "epp"]) == 0
    assert capfd.readouterr().out == "Usage: puppet epp <action>\n\n  dump\n  render\n  validate\n"
    assert main(["puppet", "help", "epp", "render"]) == 0
    assert "--values_file" in capfd.readouterr().out
