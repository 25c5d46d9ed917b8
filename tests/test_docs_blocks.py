"""Every block of code on the pages has a test: what runs, runs; the words of commands are accepted; data can be read.

Blocks of ``console`` run in ``test_docs_console.py`` and ``administration/test_day.py``.
"""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from configparser import ConfigParser
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest
import yaml

import bunraku
from bunraku.cli.command_modules import command_module
from bunraku.cli.main import options_of_words, with_command_first

ROOT = Path(__file__).parents[1]
PAGES = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
        ROOT / "tests/README.md",
        *sorted(one for one in (ROOT / "docs").rglob("*.md") if "_build" not in one.parts),
    )
}


class Block(NamedTuple):
    """A block of a page, the word behind its fence, and the line where it begins."""

    page: str
    line: int
    kind: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


FENCED = re.compile(r"^(`{3,})(\S*)[^\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+")


def blocks_of(page: str, text: str) -> Iterator[Block]:
    """Yield the blocks of a page: those between fences, and as kind ``indented`` the others."""
    for found in FENCED.finditer(text):
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[2], found[3])
    left = FENCED.sub(lambda found: re.sub(r".", "-", found[0]), text)
    for found in INDENTED.finditer(left):
        code = re.sub(r"^ {4}", "", found[0], flags=re.MULTILINE)
        yield Block(page, left.count("\n", 0, found.start()) + 1, "indented", code)


BLOCKS = [block for page, text in PAGES.items() for block in blocks_of(page, text)]


def read_ini(text: str) -> None:
    """Read a file of settings. Raises configparser.Error."""
    ConfigParser(interpolation=None, strict=False).read_string(text)


def read_python(text: str) -> None:
    """Read code in Python. Raises SyntaxError."""
    ast.parse(dedent(text))


READ: Mapping[str, Callable[[str], object]] = {
    "ini": read_ini,
    "puppet": bunraku.parse,
    "python": read_python,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}
"""Kinds of which each block must be without a mistake."""
COMMANDS = {"", "indented", "sh"}
"""Kinds whose commands must be accepted."""
NO_CODE = {"diff", "json", "text", "{include}", "{toctree}"}
"""Output, data of a mistake, and what Sphinx reads."""
RUN = (
    "docs/explain.md",
    "docs/facts.md",
    "docs/functions-in-python.md",
    "docs/graph.md",
    "docs/python-api.md",
)
"""Pages whose blocks of Python are programs, which run here."""
ELSEWHERE = {
    ("README.md", "python"): "test_docs.py",
    ("docs/editor.md", "lisp"): "lsp/test_clients.py",
    ("docs/editor.md", "lua"): "lsp/test_clients.py",
    ("docs/providers.md", "python"): "providers/test_resource_api.py",
    ("docs/testing-failures.md", "python"): "workbench/testing/test_failures_page.py",
    ("docs/testing-failures.md", "ruby"): "workbench/testing/test_failures_page.py",
    ("docs/testing.md", "python"): "workbench/testing/test_page.py",
}
"""What is tested by the file that belongs to its subject."""
EXCERPTS = (
    "src/bunraku/functions/core/numbers.py",
    "src/bunraku/workbench/lint/checks/conditionals.py",
    "tests/project/test_options.py",
    "src/bunraku/dialects/puppet_3_0.py",
)
"""The files that the blocks of CONTRIBUTING.md are parts of."""
NOT_RUN = {
    ("docs/debug.md", "lua"): "nvim-dap is not among the packages of the tests",
    ("docs/editor.md", "vim"): "vim-lsp is not among the packages of the tests",
}
"""What no test runs, and why."""
ISSUES = "docs/issues/"
"""The pages of mistakes; ``test_docs_issues.py`` runs their examples."""
LANGUAGE_3 = "docs/coming-from-puppet-3.md"
"""The page with code of Puppet 3; ``test_migrate.py`` runs its examples."""
PAGES_OF_OTHERS = (ISSUES, LANGUAGE_3)
CALL = re.compile(r"(?:[$#] )?(?:\w+=\S+ )*(?:\S*/)?bunraku (.*)")
"""A line that calls bunraku; variables and a path may be in front of the program."""
END = re.compile(r"[>|;&]+")
"""The words of a shell that end a command."""


def own_blocks(kinds: set[str]) -> list[Block]:
    """Return the blocks of some kinds, without those of pages that have their own tests."""
    return [
        block
        for block in BLOCKS
        if block.kind in kinds and not block.page.startswith(PAGES_OF_OTHERS)
    ]


def calls(block: Block) -> Iterator[list[str]]:
    """Yield the words of each call of bunraku in a block."""
    for line in re.sub(r"\\\n\s*", " ", block.text).splitlines():
        if found := CALL.match(line):
            lexer = shlex.shlex(found[1], posix=True, punctuation_chars=True)
            lexer.whitespace_split = True
            words = list(lexer)
            end = next((at for at, word in enumerate(words) if END.fullmatch(word)), None)
            yield words[:end]


def test_there_are_blocks_of_each_kind() -> None:
    kinds = {block.kind for block in BLOCKS}
    assert kinds >= READ.keys() | COMMANDS
    assert len(BLOCKS) > 900
    assert sum(len(list(calls(block))) for block in own_blocks(COMMANDS)) > 100


def test_each_kind_of_a_page_has_a_test_or_a_reason() -> None:
    known = READ.keys() - {"python"} | COMMANDS | NO_CODE | {"console"}
    left = {
        (block.page, block.kind)
        for block in BLOCKS
        if block.kind not in known and not block.page.startswith(PAGES_OF_OTHERS)
    }
    here = {("CONTRIBUTING.md", "python"), ("docs/rspec.md", "ruby")}
    assert left == here | ELSEWHERE.keys() | NOT_RUN.keys() | {(page, "python") for page in RUN}
    for (page, _kind), test in ELSEWHERE.items():
        text = (ROOT / "tests" / test).read_text(encoding="utf-8")
        assert Path(page).stem in text, f"{test} does not name {page}"


@pytest.mark.parametrize("kind", READ)
def test_a_block_has_no_mistake(kind: str) -> None:
    for block in own_blocks({kind}):
        try:
            READ[kind](block.text)
        except Exception as error:
            raise AssertionError(f"{block.place}: {error}") from error


@pytest.mark.parametrize("page", RUN)
def test_programs_in_python_run(page: str, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    for text in texts(page, "python"):
        exec(compile(text, page, "exec"), {})


def texts(page: str, kind: str) -> list[str]:
    """Return the texts of the blocks of a kind on a page."""
    return [block.text for block in BLOCKS if (block.page, block.kind) == (page, kind)]


def test_excerpts_are_parts_of_the_files() -> None:
    for file, text in zip(EXCERPTS, texts("CONTRIBUTING.md", "python"), strict=True):
        assert text in (ROOT / file).read_text(encoding="utf-8"), file


def test_the_gem_of_the_page_exists() -> None:
    required, in_gemfile = texts("docs/rspec.md", "ruby")
    (file,) = re.findall(r"require '(.*)'", required)
    ((gem, folder),) = re.findall(r"gem '(.*)', path: '/path/to/bunraku/(.*)'", in_gemfile)
    assert (ROOT / folder / f"lib/{file}.rb").exists()
    assert (ROOT / folder / f"{gem}.gemspec").exists()


def test_commands_are_accepted(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = {}
    for block in own_blocks(COMMANDS):
        for words in calls(block):
            name, *arguments = with_command_first(words)
            try:
                options_of_words(name, command_module(name), arguments)
            except (bunraku.UsageError, SystemExit) as error:
                wrong[f"{block.place} {shlex.join(words)}"] = str(error)
    assert wrong == {}


def test_targets_and_programs_of_the_project_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for block in own_blocks(COMMANDS):
        place, text = block.place, block.text
        assert set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE)) <= targets, place
        files = re.findall(r"\b((?:tests|editors|integrations)/[\w./-]+\.(?:py|sh|toml))", text)
        assert [one for one in files if not (ROOT / one).exists()] == [], place
