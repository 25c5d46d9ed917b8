"""All imports of the package: statements anywhere in a file, and texts that name a module."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from support.source_trees import PACKAGE, source_trees


class Edge(NamedTuple):
    """An import of one module by another.

    ``kind`` is ``top`` for a statement that runs with the file, ``inner`` for one in a function or
    below a condition, and ``text`` for a text that names the module.
    """

    module: str
    target: str
    line: int
    kind: str


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the package by its dotted name."""
    return {name_of(path.relative_to(PACKAGE).parts): tree for path, tree in source_trees().items()}


def name_of(parts: tuple[str, ...]) -> str:
    """Return the dotted name of a file; the package itself is ``bunraku.__init__``.

    >>> name_of(("base", "errors.py")), name_of(("base", "__init__.py")), name_of(("__init__.py",))
    ('bunraku.base.errors', 'bunraku.base', 'bunraku.__init__')
    """
    name = ".".join(["bunraku", *parts]).removesuffix(".py")
    return name.removesuffix(".__init__") if len(parts) > 1 else name


@cache
def packages() -> frozenset[str]:
    """Return the modules that are the ``__init__.py`` of a folder."""
    return frozenset(
        name_of(path.relative_to(PACKAGE).parts)
        for path in source_trees()
        if path.name == "__init__.py"
    )


@cache
def edges() -> tuple[Edge, ...]:
    """Return all imports of modules of the package."""
    return tuple(edge for name, tree in modules().items() for edge in edges_of(name, tree))


def edges_of(name: str, tree: ast.Module) -> Iterator[Edge]:
    """Find the imports in a file."""
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom | ast.Constant | ast.JoinedStr):
            continue
        kind = "top" if id(node) in top else "inner"
        for target in imported_names(node):
            yield Edge(name, target, node.lineno, kind)
        for target in named_modules(node):
            yield Edge(name, target, node.lineno, "text")


def imported_names(node: ast.AST) -> Iterator[str]:
    """Find the modules that a statement imports: ``from bunraku.a import b`` may be ``a.b``."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "bunraku")
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bunraku":
        module = node.module or ""
        for alias in node.names:
            inner = f"{module}.{alias.name}"
            yield inner if inner in modules() else module


def named_modules(node: ast.AST) -> Iterator[str]:
    """Find the modules that a text names, for ``import_module`` now or by way of a table.

    ``f"bunraku.cli.commands.{name}"`` names the package that its modules are in.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if node.value in modules():
            yield node.value
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        start = str(node.values[0].value)
        if start.startswith("bunraku.") and start.endswith("."):
            yield start.removesuffix(".")


def computed_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find the calls of ``import_module`` whose argument is no literal: the line and the argument."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="import_module" | "__import__"), args=[argument, *_]):
                if not isinstance(argument, ast.Constant):
                    yield node.lineno, ast.unparse(argument)


def graph(found: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return what each module or folder imports, without itself."""
    made: dict[str, set[str]] = {}
    for here, there in found:
        if here != there:
            made.setdefault(here, set()).add(there)
    return made


def units(module: str, target: str) -> tuple[str, str]:
    """Return what an import connects in the innermost folder that has both: files or folders.

    >>> units("bunraku.types.text.display", "bunraku.types.convert.issues")
    ('bunraku.types.text', 'bunraku.types.convert')
    >>> units("bunraku.types.text.display", "bunraku.types.model")
    ('bunraku.types.text', 'bunraku.types.model')
    """
    here, there = (path_of(name) for name in (module, target))
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return ".".join(here[: shared + 1]), ".".join(there[: shared + 1])


def path_of(module: str) -> list[str]:
    """Return the words of a file's name; that of a folder is its ``__init__``."""
    words = module.split(".")
    return [*words, "__init__"] if module in packages() and words[-1] != "__init__" else words


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules or folders that import each other, directly or by way of others.

    >>> circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})
    [['b', 'c']]
    """
    reached = {name: reachable(graph, name) for name in graph}
    groups = {
        tuple(sorted({name, *(one for one in found if name in reached.get(one, ()))}))
        for name, found in reached.items()
        if name in found
    }
    return [list(group) for group in sorted(groups)]


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Return what a module imports, directly or by way of others."""
    found: set[str] = set()
    left = [start]
    while left:
        for name in graph.get(left.pop(), ()):
            if name not in found:
                found.add(name)
                left.append(name)
    return found
