"""bunraku fmt: what it writes and prints, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess

import pytest

from bunraku.cli.main import main

BEFORE, AFTER = "class x{\n$a=1\n}\n", "class x {\n  $a = 1\n}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.pp").write_text(BEFORE)
    return tmp_path


@pytest.fixture
def fmt(folder, capsys):
    def run(*options):
        code = main(["fmt", *options])
        found = capsys.readouterr()
        return code, found.out, found.err

    return run


def test_a_file_is_written_and_keeps_its_mode(fmt, folder):
    (folder / "x.pp").chmod(0o640)
    assert fmt("x.pp") == (0, "", "1 file changed, 0 left unchanged\n")
    assert (folder / "x.pp").read_text() == AFTER
    assert (folder / "x.pp").stat().st_mode & 0o777 == 0o640
    assert fmt("x.pp") == (0, "", "1 file left unchanged\n")


def test_check_lists_files_and_writes_nothing(fmt, folder):
    (folder / "y.pp").write_text(AFTER)
    assert fmt("--check", ".") == (1, "x.pp\n", "1 file would change, 1 left unchanged\n")
    assert (folder / "x.pp").read_text() == BEFORE
    assert fmt("--check", "y.pp")[0] == 0


def test_diff_prints_the_changes_and_writes_nothing(fmt, folder):
    expected = "--- x.pp (before)\n+++ x.pp (after)\n@@ -1,3 +1,3 @@\n-class x{\n-$a=1\n+class x {\n+  $a = 1\n }\n"
    assert fmt("--diff", "x.pp") == (0, expected, "1 file would change, 0 left unchanged\n")
    assert (folder / "x.pp").read_text() == BEFORE
    assert fmt("--diff", "--check", "x.pp")[0] == 1
    assert "\x1b[31m-class x{" in fmt("--diff", "--color", "always", "x.pp")[1]


def test_standard_input(fmt, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BEFORE.encode())))
    assert fmt("-") == (0, AFTER, "")


def test_standard_input_has_the_indent_of_its_path(fmt, folder, monkeypatch):
    (folder / ".editorconfig").write_text("root = true\n[*.pp]\nindent_size = 4\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BEFORE.encode())))
    assert fmt("-", "--stdin-filename", "y.pp")[1] == AFTER.replace("  $", "    $")


def test_a_project_has_one_indent(fmt, folder):
    os.mkdir(folder / "manifests")
    (folder / "metadata.json").write_text("{}")
    (folder / "manifests/init.pp").write_text(
        "class y {\n    $a = {\n        'b' => 1,\n    }\n}\n"
    )
    assert fmt("x.pp")[0] == 0
    assert (folder / "x.pp").read_text() == AFTER.replace("  $", "    $")


def test_files_with_errors_are_left_alone(fmt, folder):
    (folder / "bad.pp").write_text("class  {")
    code, out, error = fmt(".")
    assert (code, out) == (1, "")
    assert "bad.pp:1:9: error: Syntax error" in error
    assert error.endswith("1 file changed, 0 left unchanged, 1 with errors\n")
    assert (folder / "bad.pp").read_text() == "class  {"
    assert (folder / "x.pp").read_text() == AFTER


def test_lines_of_a_file(fmt, folder):
    (folder / "x.pp").write_text("$a=1\n$b=2\n$c=3\n$d=4\n")
    assert fmt("--range", "2", "--range", "4-9", "x.pp")[0] == 0
    assert (folder / "x.pp").read_text() == "$a=1\n$b = 2\n$c=3\n$d = 4\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--range", "1"], "--range requires one file"),
        (["--range", "3-1", "x.pp"], "'3-1' is not LINE or LINE-LINE"),
        (["--stdin-filename", "a", "x.pp"], "--stdin-filename requires - as the PATH"),
        (["-", "x.pp"], "give - or paths, not both"),
        (["y.pp"], "cannot find y.pp (did you mean 'x.pp'?)"),
        (["y.txt"], "cannot find y.txt"),
    ],
)
def test_wrong_usage(fmt, options, message):
    code, out, error = fmt(*options)
    assert (code, out) == (2, "")
    assert message in error


def git(*words):
    subprocess.run(["git", *words], check=True, capture_output=True)


@pytest.fixture
def repository(folder):
    (folder / "x.pp").write_text("class x {\n$a=1\n$b=2\n}\n")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first")
    (folder / "x.pp").write_text("class x {\n$a=1\n$b=3\n}\n")
    (folder / "y.pp").write_text(BEFORE)
    return folder


def test_only_changed_parts(fmt, repository):
    assert fmt("--changed", "HEAD", ".") == (0, "", "2 files changed, 0 left unchanged\n")
    assert (repository / "x.pp").read_text() == "class x {\n$a=1\n  $b = 3\n}\n"
    assert (repository / "y.pp").read_text() == AFTER
    code, _, error = fmt("--changed", "nonesuch", ".")
    assert (code, error[:9]) == (2, "bunraku: ")


def test_rules_of_the_project(fmt, folder):
    (folder / "bunraku.toml").write_text('[fmt]\nindent = 3\nexclude = ["old/**"]\n')
    (folder / "old").mkdir()
    (folder / "old/y.pp").write_text(BEFORE)
    assert fmt(".")[0] == 0
    assert (folder / "x.pp").read_text() == AFTER.replace("  $", "   $")
    assert (folder / "old/y.pp").read_text() == BEFORE
    (folder / "bunraku.toml").write_text("[fmt]\nident = 3\n")
    code, _, error = fmt(".")
    assert code == 2
    assert "did you mean 'indent'" in error


def test_several_processes_write_the_same(fmt, folder):
    for number in range(150):
        (folder / f"{number}.pp").write_text(BEFORE)
    (folder / "bad.pp").write_text("class {")
    assert fmt("--jobs", "2", ".")[2].endswith(
        "151 files changed, 0 left unchanged, 1 with errors\n"
    )
    assert {(folder / f"{number}.pp").read_text() for number in range(150)} == {AFTER}
    assert fmt("--jobs", "0", ".")[0] == 2


def test_ci_warns_of_changed_lines(repository, capsys):
    (repository / "bunraku.toml").write_text("[ci]\nfmt = true\n")
    (repository / "environment.conf").write_text("")
    main(["ci", "--base", "HEAD", "--format", "json"])
    found = [
        one
        for one in json.loads(capsys.readouterr().out)["diagnostics"]
        if one["code"] == "NOT_FORMATTED"
    ]
    assert [(one["file"], one["line"], one["severity"]) for one in found] == [
        ("x.pp", 3, "warning"),
        ("y.pp", 1, "warning"),
    ]


def test_a_directory_without_a_project_has_one_indent(fmt, folder):
    (folder / "x.pp").write_text("class x {\n  $a = 1\n}\n")
    (folder / "y").mkdir()
    (folder / "y/z.pp").write_text("class z {\n    $a = {\n        'b' => 1,\n    }\n}\n")
    assert fmt(".")[0] == 0
    assert (folder / "x.pp").read_text() == "class x {\n    $a = 1\n}\n"
    assert fmt("--check", ".")[0] == 0


def test_the_indent_is_that_of_most_manifests_not_of_the_first_ones(tmp_path, monkeypatch):
    manifests = tmp_path / "manifests"
    manifests.mkdir()
    (tmp_path / "metadata.json").write_text('{"name": "a-m"}')
    body = "".join(f"if $a{number} {{\n{{0}}b()\n}}\n" for number in range(150))
    for number in range(3):
        (manifests / f"a{number}.pp").write_text(body.replace("{0}", "    "))
    for number in range(9):
        (manifests / f"b{number}.pp").write_text(body.replace("{0}", "  "))
    monkeypatch.chdir(tmp_path)
    assert main(["fmt", "--jobs", "1"]) == 0
    assert "\n  b()\n" in (manifests / "a0.pp").read_text()
    assert "\n  b()\n" in (manifests / "b0.pp").read_text()
