"""The options of bunraku lint that choose, place and print findings."""

from __future__ import annotations

import json

import pytest

from bunraku.cli.main import main

WARNING = "double quoted string containing no variables"
ERROR = "trailing whitespace found"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lint(folder, capsys):
    def run(text, *options):
        (folder / "site.pp").write_text(text)
        code = main(["lint", "--no-config", *options, "site.pp"])
        return code, capsys.readouterr().out

    return run


def test_the_line_of_a_finding_is_printed_with_a_mark(lint):
    shown = f"WARNING: {WARNING} on line 2 (check: double_quoted_strings)\n"
    found = lint('if $a {\n  $b = "c"\n}\n', "--with-context")
    assert found == (0, f'{shown}\n  $b = "c"\n       ^\n\n')


def test_the_format_of_a_line_has_each_field(lint, folder):
    form = "%{path}|%{filename}|%{fullpath}|%{line}|%{column}|%{kind}|%{KIND}|%{check}|%{message}"
    expected = [
        *("site.pp", "site.pp", f"{folder}/site.pp", "1", "6", "warning", "WARNING"),
        *("double_quoted_strings", WARNING),
    ]
    assert lint('$a = "b"\n', "--log-format", form) == (0, "|".join(expected) + "\n")


def test_suppressed_findings_are_shown_on_request(lint):
    text = '$a = "b" # lint:ignore:double_quoted_strings of old\n'
    assert lint(text) == (0, "")
    shown = f"IGNORED: {WARNING} on line 1 (check: double_quoted_strings)\n  of old\n"
    assert lint(text, "--show-ignored") == (0, shown)


def test_only_findings_of_a_level_are_printed(lint):
    text = '$a = "b" \n'
    _, both = lint(text, "--error-level", "all")
    assert both.splitlines()[0] != both.splitlines()[-1]
    code, errors = lint(text, "--error-level", "error")
    assert (code, errors) == (1, f"ERROR: {ERROR} on line 1 (check: trailing_whitespace)\n")
    code, warnings = lint(text, "--error-level", "warning")
    assert (code, warnings) == (
        1,
        f"WARNING: {WARNING} on line 1 (check: double_quoted_strings)\n",
    )
    assert sorted(both.splitlines()) == sorted((errors + warnings).splitlines())


def test_a_module_in_a_folder_of_another_name_has_its_layout_with_relative(folder, capsys):
    (folder / "other" / "manifests").mkdir(parents=True)
    (folder / "other" / "manifests" / "init.pp").write_text("# about\nclass a {}\n")
    command = ["lint", "--no-config", "--only-checks", "autoloader_layout", "other"]
    assert main(command) == 1
    assert "a not in autoload module layout on line 2" in capsys.readouterr().out
    assert main([*command, "--relative"]) == 0
    assert capsys.readouterr().out == ""


def test_paths_that_match_a_pattern_are_not_read(folder, capsys):
    for name in ("vendor/x", "b", "c"):
        (folder / name).mkdir(parents=True)
        (folder / name / "site.pp").write_text('$a = "b"\n')
    command = ["lint", "--no-config", "vendor/x/site.pp", "b/site.pp", "c/site.pp"]
    command += ["--log-format", "%{path}"]
    assert main(command) == 0
    assert capsys.readouterr().out == "b/site.pp\nc/site.pp\n"
    assert main([*command, "--ignore-paths", "b/*.pp,c/*"]) == 0
    assert capsys.readouterr().out == "vendor/x/site.pp\n"


def test_json_has_an_array_for_each_file(lint, folder):
    code, out = lint('$a = "b"\n', "--json", "--with-context")
    assert code == 0
    assert json.loads(out) == [
        [
            {
                "kind": "warning",
                "check": "double_quoted_strings",
                "message": WARNING,
                "line": 1,
                "column": 6,
                "fullpath": f"{folder}/site.pp",
                "path": "site.pp",
                "filename": "site.pp",
                "KIND": "WARNING",
                "context": '$a = "b"',
            }
        ]
    ]


def test_sarif_has_the_check_as_its_rule(lint):
    code, out = lint('$a = "b"\n', "--sarif")
    (result,) = json.loads(out)["runs"][0]["results"]
    assert (code, result["ruleId"], result["level"]) == (0, "double_quoted_strings", "warning")
    assert result["message"]["text"] == WARNING


def test_a_code_climate_report_is_written_beside_the_output(lint, folder):
    code, out = lint('$a = "b"\n', "--codeclimate-report-file", "report.json")
    assert (code, out.count(WARNING)) == (0, 1)
    (issue,) = json.loads((folder / "report.json").read_text())
    assert issue["check_name"] == "double_quoted_strings"
    assert issue["location"]["path"] == "site.pp"


def test_what_the_configuration_file_excludes_is_not_read(folder, capsys):
    for name in ("old", "new"):
        (folder / name).mkdir()
        (folder / name / "site.pp").write_text('$a = "b"\n')
    (folder / "bunraku.toml").write_text('exclude = ["old"]')
    assert main(["lint", "--no-config", "--log-format", "%{path}", "."]) == 0
    assert capsys.readouterr().out.split() == ["new/site.pp"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"--relative \xff\n", "it is not UTF-8"),
        (b"--ignore-paths 'a\n", "no closing quotation"),
        (b"--relative \\", "no escaped character"),
    ],
)
def test_a_damaged_configuration_is_named(folder, capsys, content, reason):
    (folder / ".puppet-lint.rc").write_bytes(content)
    (folder / "site.pp").write_text("")
    assert main(["lint", "site.pp"]) == 2
    assert f"cannot read .puppet-lint.rc: {reason}" in capsys.readouterr().err
