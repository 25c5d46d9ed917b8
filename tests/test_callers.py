"""All code of the package has a caller in the package: what only tests use is removed."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import bunraku

SOURCES = Path(bunraku.__file__).parent
WORD = re.compile(r"[A-Za-z_]\w*")
PASSIVE = frozenset(
    {
        "cache",
        "cached_property",
        "checked_arguments",
        "classmethod",
        "contextmanager",
        "lru_cache",
        "model",
        "node",
        "overload",
        "property",
        "record",
        "recursive_repr",
        "remembered",
        "runtime_checkable",
        "setter",
        "staticmethod",
        "wraps",
    }
)
"""Decorators that do not register what they decorate; a function with another one is used by it."""
EXCEPTIONS = {
    "cli/repl/prompt.py:NameCompleter.get_completions": "prompt_toolkit calls it",
    "api/environment.py:Environment.*": "the Python interface",
    "base/disk_cache.py:forget_folders": "tests of caches begin as a new process",
    "cli/options/parser.py:*": "overrides methods of argparse",
    "compiler/generated_code.py:Formatted.visit_*": "overrides methods of ast",
    "lsp/protocol.py:*": "generated: all structures of the protocol, for annotations",
    "puppetdb/databases/postgresql_numbers.py:FloatDumper.*": "overrides methods of psycopg",
    "ruby/process/*.py:*Answers.on_*": "called by the name in a frame from Ruby",
    "web/protocol.py:Connection.*": "overrides methods of uvicorn",
    "web/tls.py:*": "overrides methods of ssl",
    "workbench/testing/compiling.py:Compiler.*": "the interface for tests of users",
    "workbench/testing/match.py:Match.*": "the interface for tests of users",
    "workbench/testing/pytest_items.py:SpecItem.*": "overrides methods of pytest",
    "workbench/testing/interruption.py:*.pytest_*": "hooks of pytest",
    "debug/pytest_plugin.py:pytest_*": "hooks of pytest",
    "workbench/testing/pytest_plugin.py:pytest_*": "hooks of pytest",
}
"""Code that something outside of the package calls, or that is called by a computed name; each with the reason."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def decorator(node: ast.expr) -> str:
    """The name of a decorator, without its arguments."""
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def definitions(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, Definition]]:
    """The classes, functions and methods below a node, by their dotted names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield owner + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from definitions(node, f"{owner}{node.name}.")


def is_docstring(node: ast.AST) -> bool:
    """Whether a statement is only a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def names_in(tree: ast.AST, inside: tuple[str, ...] = ()) -> Iterator[str]:
    """The names that code uses, also those in its texts; a definition does not use itself."""
    for node in ast.iter_child_nodes(tree):
        if is_docstring(node):
            continue
        around = (*inside, node.name) if isinstance(node, Definition) else inside
        found: list[str] = []
        if isinstance(node, ast.Name):
            found = [node.id]
        elif isinstance(node, ast.Attribute):
            found = [node.attr]
        elif isinstance(node, ast.alias) and node.asname:  # imported under another name
            found = [node.name]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = WORD.findall(node.value)
        yield from (name for name in found if name not in inside)
        yield from names_in(node, around)


@cache
def without_callers() -> set[str]:
    """The definitions that no code of the package uses, as ``file:Class.method``."""
    trees = {path: ast.parse(path.read_bytes()) for path in sorted(SOURCES.rglob("*.py"))}
    used = Counter(name for tree in trees.values() for name in names_in(tree))
    found = set()
    for path, tree in trees.items():
        for name, node in definitions(tree):
            last = name.rpartition(".")[2]
            registered = any(decorator(one) not in PASSIVE for one in node.decorator_list)
            if not (used[last] or registered or last.startswith("__")):
                found.add(f"{path.relative_to(SOURCES).as_posix()}:{name}")
    return found


def test_all_code_has_a_caller():
    found = without_callers()
    unknown = [name for name in found if not any(fnmatch(name, pattern) for pattern in EXCEPTIONS)]
    assert sorted(unknown) == []


def test_the_exceptions_are_needed():
    found = without_callers()
    assert [one for one in EXCEPTIONS if not any(fnmatch(name, one) for name in found)] == []


def test_a_function_that_calls_only_itself_has_no_caller():
    tree = ast.parse("def count(n):\n    '''count'''\n    return count(n - 1)\n")
    assert "count" not in set(names_in(tree))
