"""Corrections keep the meaning of the code."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.cli.main import main
from bunraku.workbench.lint.fixes import tree_of
from bunraku.workbench.lint.run import LintSettings, lint_source


def fixed(text, *names):
    chosen = LintSettings(only=names or None).chosen()
    return lint_source(Source(text, "a/manifests/init.pp"), chosen, LintSettings(), fix=True).fixed


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if $a_version < '2' {}\n", "if versioncmp($a_version, '2') < 0 {}\n"),
        ("$a = $::release >= 2.10 and $b\n", "$a = versioncmp($::release, '2.10') >= 0 and $b\n"),
        ("if $version == 3 {}\n", "if versioncmp($version, '3') == 0 {}\n"),
        ("if $version < $other {}\n", None),
        ('$a = "${version < 3}"\n', None),
    ],
)
def test_a_version_is_compared_by_the_function(text, expected):
    assert fixed(text, "version_comparison") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('$aB = 1\n$c = "$aB${aB}" + $aB\n', '$ab = 1\n$c = "$ab${ab}" + $ab\n'),
        ("[$ABc, $d] = f()\nnotice($ABc)\n", "[$abc, $d] = f()\nnotice($abc)\n"),
        ("f() |$aB| { $aB }\n", "f() |$ab| { $ab }\n"),
        ("$aB = 1\n$ab = 2\nnotice($aB)\n", None),
        ("class a ($aB) { notice($aB) }\n", None),
        ("notice($A::B, $cD)\n", None),
        ("$aB = 1\nnotice($aB) # lint:ignore:variable_contains_upcase\n", None),
    ],
)
def test_all_places_of_a_variable_are_renamed_or_none(text, expected):
    assert fixed(text, "variable_contains_upcase") == expected


def test_a_place_that_another_edit_covers_is_corrected_in_the_next_pass():
    text = '$aB = 1\n$c = "$aB-"\n'
    after = fixed(text, "variables_not_enclosed", "variable_contains_upcase")
    assert after == '$ab = 1\n$c = "${ab}-"\n'


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


def test_corrections_that_overlap_are_made_in_one_run():
    text = "file { '/a':\n  mode => 0644,\n  ensure => present,\n}\n"
    names = ("ensure_first_param", "unquoted_file_mode", "arrow_alignment")
    chosen = LintSettings(only=names).chosen()
    source = Source(text, "a/manifests/init.pp")
    outcome = lint_source(source, chosen, LintSettings(), fix=True)
    assert outcome.fixed == "file { '/a':\n  ensure => present,\n  mode   => '0644',\n}\n"
    assert not list(outcome.diagnostics())


def test_a_finding_without_a_correction_remains_after_several_passes():
    text = "file { '/a':\n  mode => 0644,\n  ensure => present,\n  mode => 0600,\n}\n"
    names = ("ensure_first_param", "unquoted_file_mode", "duplicate_params")
    chosen = LintSettings(only=names).chosen()
    outcome = lint_source(Source(text, "a.pp"), chosen, LintSettings(), fix=True)
    assert [one.code for one in outcome.diagnostics()] == ["duplicate_params"]


def test_a_second_attribute_of_a_line_gets_its_own():
    text = (
        "file { '/b':\n  ensure => present, mode => '0644',\n  owner    => 'root',\n}\n"
        "file { '/c': ensure => { 'a' => 1, 'bbb' => 2,\n  'cc' => 3 } }\n"
        "file { '/d':\n  ensure => file, # why\n  mode => '0644', /* why */ owner => 'a',\n}\n"
    )
    assert fixed(text, "arrow_alignment") == (  # as puppet-lint 3 does
        "file { '/b':\n  ensure => present,\n  mode   => '0644',\n  owner  => 'root',\n}\n"
        "file { '/c': ensure => { 'a'   => 1,\n                         'bbb' => 2,\n"
        "  'cc'                         => 3 } }\n"
        "file { '/d':\n  ensure => file, # why\n  mode   => '0644', /* why */ owner => 'a',\n}\n"
    )
