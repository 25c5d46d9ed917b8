"""The extension for Visual Studio Code: its own tests, its package, and its grammar beside the lexer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.lsp.options import OF_EXTENSIONS, OPTIONS
from bunraku.syntax.tokens import Tokens

TOP = Path(__file__).parents[2]
EXTENSION = TOP / "editors" / "vscode"
KEYWORDS = {"class", "define", "function", "node", "case", "if", "else", "elsif", "unless", "in"}
HEREDOCS = re.compile(r"@\(.*@\(|an empty heredoc")
WANTED = {
    "STRING": ("string.",),
    "VARIABLE": ("variable.", "interpolation.begin"),
    "REGEX": ("string.regexp",),
    "CLASSREF": ("type",),
}
"""For kinds of tokens: parts of the scopes that the grammar may have there."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the extension that the TypeScript compiler has compiled."""
    if shutil.which("npm") is None or not (EXTENSION / "node_modules").is_dir():
        pytest.skip("needs npm, and 'npm ci' in editors/vscode")
    copy = tmp_path_factory.mktemp("extension") / "editors" / "vscode"
    shutil.copytree(
        EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "out", "dist", "*.vsix")
    )
    (copy / "node_modules").symlink_to(EXTENSION / "node_modules")
    shutil.copy(TOP / "LICENSE", copy.parent.parent)
    npm(copy, "exec", "--", "tsc")
    return copy


def npm(folder: Path, *words: str) -> str:
    """Run npm; return its output."""
    done = subprocess.run(
        ["npm", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_settings_are_those_of_the_server():
    manifest = json.loads((EXTENSION / "package.json").read_text())
    settings = {
        name.split(".")[1]: one
        for name, one in manifest["contributes"]["configuration"]["properties"].items()
    }
    assert set(settings) == {*OPTIONS, *OF_EXTENSIONS}
    assert {name: settings[name]["default"] for name in OPTIONS} == {
        name: one.default for name, one in OPTIONS.items()
    }


def test_its_own_tests_pass(built):
    assert "# fail 0" in npm(built, "test")


def test_the_package_has_what_the_manifest_names(built):
    npm(built, "run", "package")
    with zipfile.ZipFile(built / "bunraku.vsix") as archive:
        names = {name for name in archive.namelist() if name.startswith("extension/")}
    assert names == {
        "extension/package.json",
        "extension/README.md",
        "extension/LICENSE.txt",
        "extension/language-configuration.json",
        "extension/dist/extension.js",
        "extension/snippets/puppet.json",
        "extension/syntaxes/puppet.tmLanguage.json",
        "extension/syntaxes/epp.tmLanguage.json",
    }


def test_the_grammar_agrees_with_the_lexer(built):
    texts = [one for one in code_samples() if one.isascii()]
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        ["node", "out/test/scopes.js"],
        cwd=built,
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    outputs = [json.loads(line) for line in done.stdout.splitlines()]
    differences = [
        one for text, rows in zip(texts, outputs, strict=True) for one in differing(text, rows)
    ]
    assert len(outputs) > 200
    assert not differences, "\n".join(differences)


def code_samples() -> Iterator[str]:
    """Yield manifests of the examples, and the cases of the language that are no errors.

    A grammar knows one heredoc at a time, and a token of an empty one stands after it.
    """
    for path in sorted((TOP / "examples").rglob("*.pp")):
        yield path.read_text()
    for path in sorted((TOP / "tests" / "language").glob("*.pp")):
        cases = path.read_text().split("\n## ")[1:]
        yield from (f"## {one}" for one in cases if "#! " not in one and not HEREDOCS.search(one))


def differing(text: str, rows: list[tuple[int, int, str]]) -> Iterator[str]:
    """Yield the tokens of the lexer where the grammar sees something else."""
    scopes = [""] * (len(text) + 1)
    for start, end, names in rows:
        scopes[start:end] = [names] * (end - start)
    tokens = dialect_named("8").tokenize(Source(text))
    for start, wanted in places(text, tokens):
        if not any(one in scopes[start] for one in wanted):
            yield f"{text[start : start + 30]!r} is {scopes[start]}, not {wanted}"


def places(text: str, tokens: Tokens) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the offsets at which the scopes are compared, with what they may contain."""
    for kind, start in zip(tokens.kinds, tokens.starts, strict=True):
        if kind in KEYWORDS:
            yield start, ("keyword", "storage", "attribute", "resource")
        elif kind in WANTED and (kind != "VARIABLE" or text[start] == "$"):
            yield start, WANTED[kind]
    for start, _end in tokens.comment_runs:
        yield start, ("comment",)
    for start, _end in tokens.heredocs:
        yield start, ("heredoc",)
