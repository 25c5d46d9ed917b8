"""Imports point down: the architecture of the design as a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from support.source_trees import PACKAGE, source_trees

# Bottom to top. A line imports itself and the lines below it; names after "|" are siblings that
# do not know each other.
LAYERS = """
base _version
limits web world
values | syntax
formats
certificates
types
catalog
providers
apply
compiler | runtime
modules hiera ruby facts
puppetdb ca
functions.declaration functions.api_3 functions.issues
functions.core
functions
dialects functions.listing functions.of_modules
engine
project
server | agent
checks
migrate
workbench
api
cli
__init__ __main__ testing
"""


def ranks() -> dict[str, tuple[int, int]]:
    """Part of the package → its line, and its side where a line has siblings."""
    found = {}
    for number, line in enumerate(LAYERS.split("\n")):
        for side, names in enumerate(line.split("|")):
            found.update(dict.fromkeys(names.split(), (number, side)))
    return found


RANKS = ranks()


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name."""
    found = {}
    for path, tree in source_trees().items():
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)
        found[name] = tree
    return found


@cache
def imports_and_texts() -> dict[str, list[ast.stmt | ast.expr]]:
    """The nodes of each module that may name another module."""
    kinds = ast.Import | ast.ImportFrom | ast.Constant | ast.JoinedStr
    return {
        name: [node for node in ast.walk(tree) if isinstance(node, kinds)]
        for name, tree in modules().items()
    }


def imported_names(node: ast.AST) -> Iterator[str]:
    """Modules of ours that an import statement names: ``from bunraku.a import b`` may be ``a.b``."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "bunraku")
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bunraku":
        module = node.module or ""
        for alias in node.names:
            inner = f"{module}.{alias.name}"
            yield inner if inner in modules() else module


def named_modules(node: ast.AST) -> Iterator[str]:
    """Modules of ours that a text names, for ``import_module`` now or by way of a table.

    ``f"bunraku.cli.commands.{name}"`` names the package that its modules are in.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if node.value in modules():
            yield node.value
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        start = str(node.values[0].value)
        if start.startswith("bunraku.") and start.endswith("."):
            yield start.removesuffix(".")


def part(module: str) -> str:
    """The part of the package that a module belongs to: ``bunraku.types.model`` is ``types``.

    A room that several lines share is named more closely: ``dialects.puppet_3.lexer``.
    """
    names = module.split(".")[1:] or ["__init__"]
    for length in range(len(names), 0, -1):
        found = ".".join(names[:length])
        if found in RANKS:
            return found
    return names[0]


def edges() -> Iterator[tuple[str, str]]:
    for module, nodes in imports_and_texts().items():
        for node in nodes:
            for target in imported_names(node):
                yield module, target


def test_every_part_has_a_layer():
    assert {part(module) for module in modules()} <= set(RANKS)


def lazy_edges() -> Iterator[tuple[str, str]]:
    """Imports by name, made when code runs."""
    for module, nodes in imports_and_texts().items():
        for node in nodes:
            for target in named_modules(node):
                yield module, target


def test_imports_by_name_are_seen():
    found = set(lazy_edges())
    assert ("bunraku.cli.main", "bunraku.cli.commands") in found
    assert ("bunraku.dialects.dialect", "bunraku.runtime.helpers") in found
    assert {target for module, target in found if module == "bunraku.dialects.puppet_8"} >= {
        "bunraku.syntax.parser.parser",
        "bunraku.modules.settings",
        "bunraku.functions.registry",
    }
    assert {target for module, target in found if module == "bunraku.dialects.puppet_3_8"} >= {
        "bunraku.dialects.puppet_3.operators",
        "bunraku.dialects.puppet_3.parser.parser",
    }


@pytest.mark.parametrize("imports", [edges, lazy_edges])
def test_imports_point_down(imports):
    wrong = []
    for module, target in imports():
        (here, side), (there, other) = RANKS[part(module)], RANKS[part(target)]
        if there > here or (here == there and side != other):
            wrong.append(f"{module} imports {target}")
    assert not wrong


def test_imports_of_ours_stand_at_the_top():
    wrong = []
    for module, nodes in imports_and_texts().items():
        top = {id(node) for node in modules()[module].body}
        wrong += [
            f"{module}:{node.lineno} imports {target}"
            for node in nodes
            for target in imported_names(node)
            if id(node) not in top
        ]
    assert not wrong


def test_imports_are_absolute():
    wrong = [
        f"{module}:{node.lineno}"
        for module, nodes in imports_and_texts().items()
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not wrong


def test_no_import_cycles():
    graph: dict[str, set[str]] = {}
    for module, target in edges():
        graph.setdefault(module, set()).add(target)
    finished: set[str] = set()
    cycles = []

    def visit(module: str, path: list[str]) -> None:
        if module in path:
            cycles.append(" -> ".join([*path[path.index(module) :], module]))
        elif module not in finished:
            for target in sorted(graph.get(module, ())):
                visit(target, [*path, module])
            finished.add(module)

    for module in sorted(graph):
        visit(module, [])
    assert not cycles
