"""Command lines of puppet-lint: output, exit code and files are those of the original."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from support.puppet_lint import NEWER

FILES = {
    "a/manifests/init.pp": '# about\nclass a {\n  $b = "c"\n}\n',
    "a/manifests/d.pp": 'class a::d {\n\tnotice("e") \n}\n',
    "vendor/x/f.pp": '$g = "h"\n',
    "folder_of_b/manifests/init.pp": "# about\nclass b {\n}\n",
    "good.pp": "notice('x')\n",
    "warn.pp": '$a = "b"\n',
    "error.pp": "$a = 'b' \n",
    "both.pp": '$a = "b" \n$c = "d"\n',
    "empty.pp": "",
    "ignored.pp": (
        '$a = "b" # lint:ignore:double_quoted_strings of old\n'
        "# lint:ignore:double_quoted_strings lint:ignore:140chars a block\n"
        '$c = "d"\n# lint:endignore\n$e = "f"\n'
    ),
    "options.rc": "--no-double_quoted_strings-check\n",
}
FORMAT = "%{path}:%{line}:%{column}:%{kind}:%{KIND}:%{check}:%{message}:%{filename}:%{fullpath}"
LINES = [
    ["warn.pp"],
    ["error.pp"],
    ["good.pp"],
    ["empty.pp"],
    ["warn.pp", "error.pp"],
    ["a"],
    ["--fail-on-warnings", "warn.pp"],
    ["--fail-on-warnings", "good.pp"],
    ["--error-level", "error", "both.pp"],
    ["--error-level", "warning", "both.pp"],
    ["--error-level", "all", "both.pp"],
    ["--only-checks", "double_quoted_strings", "both.pp"],
    ["--only-checks", "trailing_whitespace,hard_tabs", "a"],
    ["--no-double_quoted_strings-check", "both.pp"],
    ["--no-double_quoted_strings-check", "--no-trailing_whitespace-check", "both.pp"],
    ["--code_on_top_scope-check", "warn.pp"],
    ["--log-format", FORMAT, "both.pp"],
    ["--with-context", "both.pp"],
    ["--with-filename", "warn.pp"],
    ["ignored.pp"],
    ["--show-ignored", "ignored.pp"],
    ["folder_of_b/manifests/init.pp"],
    ["--relative", "folder_of_b/manifests/init.pp"],
    ["--relative", "folder_of_b"],
    ["--ignore-paths", "vendor/**/*.pp", "vendor"],
    ["--ignore-paths", "a/manifests/d.pp", "a/manifests/d.pp", "warn.pp"],
    ["vendor/x/f.pp", "warn.pp"],
    ["--fix", "both.pp"],
    ["--fix", "a/manifests/d.pp"],
    ["-f", "--only-checks", "trailing_whitespace", "both.pp"],
    ["--config", "options.rc", "both.pp"],
    ["-c", "options.rc", "--fail-on-warnings", "warn.pp"],
]
JSON_LINES = [
    ["--json", "both.pp"],
    ["--json", "good.pp"],
    ["--json", "--with-context", "warn.pp"],
    ["--json", "--fix", "both.pp"],
]
BUNRAKU = [sys.executable, "-m", "bunraku", "lint", *(f"--no-{name}-check" for name in NEWER)]
needs_puppet_lint = pytest.mark.skipif(
    not shutil.which("puppet-lint"), reason="puppet-lint is not installed"
)


@pytest.fixture
def run(tmp_path):
    def run(command, **more):
        contents = {**FILES, **more}
        directory = tmp_path / "work"
        shutil.rmtree(directory, ignore_errors=True)
        for name, text in contents.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        environment = {**os.environ, "PWD": str(directory), "HOME": str(tmp_path)}
        done = subprocess.run(
            [*command], capture_output=True, text=True, cwd=directory, env=environment, check=False
        )
        files = {name: (directory / name).read_text() for name in contents}
        return done.returncode, done.stdout, files

    return run


@needs_puppet_lint
@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_a_command_line_does_the_same(run, words):
    assert run([*BUNRAKU, "--no-config", *words]) == run(["puppet-lint", "--no-config", *words])


@needs_puppet_lint
@pytest.mark.parametrize("words", JSON_LINES, ids=" ".join)
def test_json_has_the_same_data(run, words):
    """Puppet-lint also prints the address of an object as ``token``."""
    code, out, files = run([*BUNRAKU, "--no-config", *words])
    their_code, their_out, their_files = run(["puppet-lint", "--no-config", *words])
    theirs = json.loads(their_out)
    for one in (one for found in theirs for one in found):
        one.pop("token", None)
    assert (code, files) == (their_code, their_files)
    assert json.loads(out) == theirs
    assert [list(one) for found in json.loads(out) for one in found] == [
        list(one) for found in theirs for one in found
    ]


@needs_puppet_lint
@pytest.mark.parametrize("options", ["", "--fail-on-warnings", "--error-level=error\n--relative"])
def test_the_file_of_the_directory_is_read(run, options):
    more = {".puppet-lint.rc": f"{options}\n--no-hard_tabs-check\n"}
    for words in (["both.pp"], ["a"]):
        assert run([*BUNRAKU, *words], **more) == run(["puppet-lint", *words], **more)


@needs_puppet_lint
def test_the_listed_checks_are_the_same(run):
    code, out, _ = run([*BUNRAKU, "--list-checks"])
    names = [name for name in out.split() if name not in NEWER]
    their_code, their_out, _ = run(["puppet-lint", "--list-checks"])
    assert (code, names) == (their_code, their_out.split())
