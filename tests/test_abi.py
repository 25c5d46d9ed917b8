"""The names that compiled code uses are those of ``runtime/helpers.py``, all of them."""

from __future__ import annotations

import ast
from pathlib import Path

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.compiler.code import to_ast
from bunraku.compiler.rules import DEFAULTS
from bunraku.runtime import helpers
from bunraku.syntax.parser.parser import parse
from support.language import FOLDER, puppet_8_cases

COMPILER = Path(helpers.__file__).parents[1] / "compiler"
LOCALS = {"scope", "signal", "definitions"}


def strings_of_the_compiler():
    """All string constants in the emitters: among them every name of a helper."""
    for path in COMPILER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def modules():
    """The Python trees of the language cases that parse."""
    for case in puppet_8_cases():
        source = Source(case.code, f"{FOLDER / case.file}.pp")
        result = parse(source)
        if not result.errors:
            try:
                yield to_ast(source, result.program, DEFAULTS)
            except PuppetError:
                continue  # code that the compiler rejects


def helpers_used(tree):
    """Names read that the code does not bind itself."""
    bound = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return {name for name in read - bound - LOCALS if not name.startswith("$")}


def test_every_name_used_exists():
    used = set().union(*map(helpers_used, modules()))
    assert used - set(helpers.HELPERS) == set()
    assert len(used) > 40


def test_no_name_is_unused():
    known = set(strings_of_the_compiler())
    known |= {"__builtins__", "__puppet__"}
    assert set(helpers.HELPERS) - known == set()


def test_helpers_are_named_as_in_python():
    assert [name for name in helpers.HELPERS if not name.isidentifier()] == []
