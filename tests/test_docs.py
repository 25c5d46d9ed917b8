"""The README and docs are true: commands run, tables are current, links have targets."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts),
]
COMMANDS = re.findall(r"^```sh\n(.*?)```$", README, re.MULTILINE | re.DOTALL)


def test_the_readme_sets_all_up_with_two_blocks_of_commands():
    assert [command.count("\n") for command in COMMANDS] == [3, 1]


def test_the_first_commands_compile_the_nodes_of_the_example():
    *setup, compiling = COMMANDS[0].strip().replace(" && ", "\n").split("\n")
    assert setup == [
        "python3 -m venv .venv",
        ".venv/bin/pip install --quiet --editable .",
        "cd examples/control-repo",
    ]
    program, *arguments = shlex.split(compiling)
    assert program == "../../.venv/bin/bunraku"
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", *arguments],
        cwd=ROOT / "examples" / "control-repo",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("3 compiled, 0 failed\n")


def test_the_second_command_is_what_continuous_integration_runs():
    assert COMMANDS[1] == "make check\n"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^command=(.*)$", script, re.MULTILINE) == ['"make check"']


@pytest.mark.parametrize("number", range(6))
def test_a_picture_shows_what_commands_print(number):
    recorder = import_module("tools.record_terminal")
    picture = recorder.PICTURES[number]
    svg = (ROOT / "docs" / picture.file).read_text(encoding="utf-8")
    shown = html.unescape(re.sub(r"<[^>]*>|\s", "", svg.partition("</defs>")[2]))
    for command, output in recorder.transcript(picture):
        steady = re.sub(r"\b(\d\.\d\d|[0-9a-f]{7})\b", "", f"{command} {output}")
        missing = [word for word in steady.split() if word.strip("()") not in shown]
        assert missing == [], "run tests/tools/record_terminal.py"


def test_python_in_the_readme_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)```$", README, re.MULTILINE | re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "Notify[hello]" in capsys.readouterr().out.split("\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [one for one in targets if not (page.parent / one).exists()] == []


def test_every_option_in_the_readme_exists():
    for line in re.findall(r"^    bunraku (.*)$", README, re.MULTILINE):
        name, *arguments = shlex.split(line.split(" < ")[0])
        help_text = subprocess.run(
            [sys.executable, "-m", "bunraku", name, "--help"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert [one for one in arguments if one.startswith("-") and one not in help_text] == []


def test_every_command_has_exit_codes():
    text = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    documented = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)))
    assert set(import_module("bunraku.base.command_names").COMMANDS) <= set(documented)


def test_every_key_of_the_configuration_is_documented():
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    keys = import_module("bunraku.project.config_file").KEYS.keys()
    assert keys == set(re.findall(r"`\[?(\w+)\]?`", " ".join(documented_keys(text))))


def documented_keys(text):
    """The first cells of the table of keys."""
    table = text.partition("| key | value |")[2]
    return re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)


def test_the_variables_of_the_cache_are_documented():
    text = (ROOT / "docs" / "cache.md").read_text(encoding="utf-8")
    cache = import_module("bunraku.base.disk_cache")
    key = import_module("bunraku.base.command_names").CACHE_KEY
    assert set(re.findall(r"BUNRAKU_\w+", text)) == {cache.OFF, cache.LIMIT, key}
    assert f"(default: {cache.DEFAULT_LIMIT})" in text


def test_exit_codes_are_those_of_the_program():
    exits = import_module("bunraku.cli.exits")
    text = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    assert documented == {
        value for name, value in vars(exits).items() if name.isupper() and name != "HELP"
    }


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_pages_for_contributors_name_files_that_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/0-9]+(?:\.py|\.rb|\.json|/))`", text))
    roots = (ROOT, ROOT / "src" / "bunraku")
    assert {one for one in named if not any((root / one).exists() for root in roots)} == set()
    assert len(named) > 10


def test_the_architecture_has_a_row_for_each_directory():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("\n## Directories\n")[2].partition("\n## ")[0]
    cells = " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE))
    source = ROOT / "src" / "bunraku"
    directories = {path.parent.name for path in source.glob("*/__init__.py")}
    assert set(re.findall(r"`(\w+)`", cells)) == directories


def test_a_code_has_a_folder_of_tests():
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    table = text.partition("\n## From code to cases\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| (`.*?) \|", table, re.MULTILINE)
    code = {one for first, _ in rows for one in re.findall(r"`([\w/]+)`", first)}
    cases = {one for _, second in rows for one in re.findall(r"`([\w/.]+)`", second)}
    source = ROOT / "src" / "bunraku"
    assert {path.parent.name for path in source.glob("*/__init__.py")} <= code
    assert [one for one in sorted(code) if not (source / one).is_dir()] == []
    assert [one for one in sorted(cases) if not (ROOT / "tests" / one).exists()] == []


def test_the_stable_names_are_those_of_the_package():
    text = (ROOT / "docs" / "stable.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| `bunraku` \| (.*) \|$", text, re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == import_module("bunraku").__all__


def test_the_stable_fields_are_those_of_findings():
    text = (ROOT / "docs" / "stable.md").read_text(encoding="utf-8")
    table = text.partition("| field | meaning |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    finding = import_module("bunraku.base.errors").Diagnostic("CODE", "text")
    data = import_module("bunraku.jobs.finding_data").finding_data(finding)
    assert sorted(named) == sorted(data)


WORDS = re.compile(r"\b(anew|in vain|of ours|made-up)\b|, so that\b")
"""Words that a technical writer would not use."""


def test_pages_are_in_plain_english():
    pages = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md"]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
    assert {name: WORDS.findall(text) for name, text in texts.items() if WORDS.search(text)} == {}
