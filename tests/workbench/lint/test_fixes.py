"""Corrections keep the meaning of the code."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.cli.main import main
from bunraku.workbench.lint.fixes import tree_of
from bunraku.workbench.lint.run import Settings, lint_source


def fixed(text, *names):
    chosen = Settings(only=names or None).chosen()
    return lint_source(Source(text, "a/manifests/init.pp"), chosen, Settings(), fix=True).fixed


def test_an_index_behind_a_variable_in_a_string_stays_text():
    assert fixed('$a = "$b[0]"\n', "variables_not_enclosed") == '$a = "${b}[0]"\n'


def test_a_legacy_fact_in_a_string_stays_in_its_braces():
    text = "$a = \"-${facts['osfamily']}-${::fqdn}-$::hostname\"\n"
    names = "-${facts['os']['family']}-${facts['networking']['fqdn']}"
    expected = f"$a = \"{names}-${{facts['networking']['hostname']}}\"\n"
    assert fixed(text, "legacy_facts") == expected


@pytest.mark.parametrize(
    "text",
    ['$a = "b" \n', "file { '/a':\n  owner => 'b',\n  mode  =>  '0644',\n\tgroup => \"c\",\n}\n"],
)
def test_a_fix_of_style_keeps_the_tree(text):
    after = fixed(
        text, "double_quoted_strings", "trailing_whitespace", "hard_tabs", "arrow_alignment"
    )
    assert after is not None
    assert tree_of(Source(after)) == tree_of(Source(text))


def test_a_suppressed_finding_is_not_corrected():
    assert fixed('$a = "b" # lint:ignore:double_quoted_strings\n', "double_quoted_strings") is None


def test_the_command_writes_the_file_and_reports_what_it_fixed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "site.pp"
    path.write_text('$a = "b"\n')
    assert main(["lint", "--no-config", "--fix", "site.pp"]) == 0
    assert path.read_text() == "$a = 'b'\n"
    shown = "FIXED: double quoted string containing no variables on line 1"
    assert capsys.readouterr().out == f"{shown} (check: double_quoted_strings)\n"


def test_options_of_the_file_come_before_those_of_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".puppet-lint.rc").write_text(
        "--no-double_quoted_strings-check\n--fail-on-warnings\n"
    )
    (tmp_path / "site.pp").write_text('$a = "b"\n$c = "${d}"\n')
    assert main(["lint", "site.pp"]) == 1
    assert capsys.readouterr().out.count("double_quoted_strings") == 0
    assert main(["lint", "--double_quoted_strings-check", "site.pp"]) == 1
    assert capsys.readouterr().out.count("double_quoted_strings") == 1


def test_a_mistyped_check_is_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["lint", "--no-config", "--only-checks", "hard_tab", "."]) == 2
    assert "unknown check 'hard_tab' (did you mean 'hard_tabs'?)" in capsys.readouterr().err
