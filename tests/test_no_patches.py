"""Tests replace no part of bunraku: what a test must change is a parameter, a field or a ``World``.

The standard library may be patched, for faults that cannot be caused for real.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = "bunraku"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
PATCHING = frozenset({"setattr", "setitem", "delattr", "delitem"})
"""Methods of ``MonkeyPatch``."""
MUTATING = frozenset({
    *("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove"),
    *("setdefault", "update"),
})  # fmt: skip
PASSING = frozenset({"get", "items", "keys", "values"})
"""Methods that return parts of their object, not something new."""
LOADING = frozenset({"import_module", "__import__", "getattr", "vars", "reload"})
"""Functions that return a module or a part of one."""

# Places that may patch bunraku (``path: target``), with the reason.
ALLOWED: dict[str, str] = {}

Names = dict[str, str | None]
"""Names of a scope → the imported objects; None for anything else."""


def imports_of(nodes: Iterable[ast.AST]) -> Names:
    """Return the names that import statements bind."""
    found: Names = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def origin(node: ast.expr | None, names: Names) -> str | None:
    """Return the imported thing that an expression is, or is a part of; None for a new object."""
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=name):
            found = origin(value, names)
            return found and f"{found}.{name}"
        case ast.Subscript(value=value, slice=key):
            found = origin(value, names)
            if found == "sys.modules" and isinstance(key, ast.Constant):
                return str(key.value)
            return found
        case ast.Starred(value=value) | ast.NamedExpr(value=value):
            return origin(value, names)
        case ast.Constant(value=str(text)) if text.startswith(f"{PACKAGE}."):
            return text
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in PASSING:
            return origin(value, names)
        case ast.Call(func=function, args=[first, *_]):
            name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
            return origin(first, names) if name in LOADING else None
    return None


def own_nodes(scope: ast.AST) -> list[ast.AST]:
    """Return the nodes of a scope, without those inside the functions in it."""
    found, rest = [], list(ast.iter_child_nodes(scope))[::-1]
    while rest:
        node = rest.pop()
        found.append(node)
        if not isinstance(node, FUNCTIONS):
            rest += list(ast.iter_child_nodes(node))[::-1]
    return found


def names_in(nodes: list[ast.AST], outer: Names) -> Names:
    """Return the names that code in a scope with some nodes sees."""
    bound = [node.arg for node in nodes if isinstance(node, ast.arg)]
    bound += [
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    ]
    names = {**outer, **dict.fromkeys(bound), **imports_of(nodes)}
    for node in nodes:  # other names of the same thing
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[name] = names.get(name) or origin(value, names)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                for one in ast.walk(target):
                    if isinstance(one, ast.Name):
                        names[one.id] = names.get(one.id) or origin(value, names)
    return names


def targets_of(node: ast.AST) -> list[ast.expr]:
    """Return the expressions whose attributes or items a node sets, deletes or changes."""
    match node:
        case ast.Attribute(value=value) | ast.Subscript(value=value) if not isinstance(
            node.ctx, ast.Load
        ):
            return [value]
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]):
            return [target]
        case ast.Call(func=ast.Attribute(attr="__setattr__" | "__delattr__"), args=[target, *_]):
            return [target]
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in MUTATING:
            return [value]
    return []


def is_ours(name: str | None) -> bool:
    """Return whether something is in bunraku."""
    return name is not None and (name == PACKAGE or name.startswith(f"{PACKAGE}."))


def patched_by(node: ast.AST, names: Names) -> Iterator[str]:
    """Yield the patches of a node: of bunraku; with ``MonkeyPatch``, of all but the standard library."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method), args=[target, *_]) if method in PATCHING:
            text = target.value if isinstance(target, ast.Constant) else None
            found = text if isinstance(text, str) else origin(target, names)
            if found is None or found.split(".")[0] not in sys.stdlib_module_names:
                yield found or ast.unparse(target)
        case ast.Import() | ast.ImportFrom():
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                if "mock" in f"{module}.{alias.name}".split("."):
                    yield "mock"
    for one in targets_of(node):
        found = origin(one, names)
        if is_ours(found):
            yield found or ""


def programs_in(node: ast.AST) -> Iterator[ast.Module]:
    """Yield the Python program in a text, for ``python -c``."""
    if isinstance(node, ast.JoinedStr):
        parts = (one.value if isinstance(one, ast.Constant) else "_" for one in node.values)
        text = "".join(map(str, parts))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return
    if PACKAGE in text and "import" in text:
        try:
            yield ast.parse(textwrap.dedent(text))
        except (SyntaxError, ValueError):
            return


def patches(scope: ast.AST, outer: Names | None = None) -> Iterator[tuple[int, str]]:
    """Yield the line and the target of each patch in a scope and in those inside it."""
    nodes = own_nodes(scope)
    names = names_in(nodes, outer or {})
    for node in nodes:
        for target in patched_by(node, names):
            yield getattr(node, "lineno", 0), target
        for program in programs_in(node):
            for _, target in patches(program):
                yield getattr(node, "lineno", 0), target
        if isinstance(node, FUNCTIONS):
            yield from patches(node, names)


def test_no_test_patches_bunraku() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted({*TESTS.rglob("*.py")} - {Path(__file__)}):  # here are examples
        for line, target in patches(ast.parse(path.read_text(encoding="utf-8"))):
            key = f"{path.relative_to(TESTS)}: {target}"
            found.setdefault(key, []).append(f"line {line}")
    assert {key: lines for key, lines in found.items() if key not in ALLOWED} == {}
    assert set(ALLOWED) <= set(found)


@pytest.mark.parametrize(
    ("code", "targets"),
    [
        ("from bunraku.a import b\nmonkeypatch.setattr(b, 'X', 1)", ["bunraku.a.b"]),
        ("import bunraku.a\nmonkeypatch.delattr(bunraku.a.b, 'X')", ["bunraku.a.b"]),
        ("monkeypatch.setattr('bunraku.a.b.X', 1)", ["bunraku.a.b.X"]),
        ("monkeypatch.setattr(import_module('bunraku.a'), 'X', 1)", ["bunraku.a"]),
        ("import sys\nmonkeypatch.setattr(sys.modules['bunraku.a'], 'X', 1)", ["bunraku.a"]),
        ("def test(given):\n  monkeypatch.setattr(given, 'X', 1)", ["given"]),
        ("from bunraku.a import b\nfor one in b.c['x']:\n  p.setitem(one, 'X', 1)", ["bunraku.a.b.c"]),
        ("from bunraku.a import b\nb.X = 1", ["bunraku.a.b"]),
        ("from bunraku.a import b\nb.X += 1", ["bunraku.a.b"]),
        ("from bunraku.a import b\nb.X, y = 1, 2", ["bunraku.a.b"]),
        ("from bunraku.a import b\ndel b.X", ["bunraku.a.b"]),
        ("from bunraku.a import B\nB['x'] = 1", ["bunraku.a.B"]),
        ("from bunraku.a import b\nc = b.C\ndef test():\n  c['x'] = 1", ["bunraku.a.b.C"]),
        ("from bunraku.a import b\nsetattr(b, 'X', 1)", ["bunraku.a.b"]),
        ("from bunraku.a import b\nobject.__setattr__(b, 'X', 1)", ["bunraku.a.b"]),
        ("from bunraku.a import b\nvars(b).update(x=1)", ["bunraku.a.b"]),
        ("def test():\n  from bunraku.a import B\n  B.pop('x')", ["bunraku.a.B"]),
        ("from bunraku.a import b\nfor one in b.C.values():\n  one.x = 1", ["bunraku.a.b.C"]),
        ("run('-c', 'from bunraku.a import b; b.X = 1')", ["bunraku.a.b"]),
        ("run('-c', f'from bunraku.a import b; b.X = {1}')", ["bunraku.a.b"]),
        ("from unittest import mock", ["mock"]),
        ("from unittest.mock import patch", ["mock"]),
        ("import os, sys\nmonkeypatch.setattr(os.path, 'x', 1)\nmonkeypatch.setattr('sys.stdin', 1)", []),
        ("from bunraku.a import b\ndef test(b):\n  b.X = 1", []),
        ("from bunraku.a import B\none = B()\none.x = 1", []),
        ("from bunraku.a import b\nx[b.C] = 1\nx.add(b)", []),
    ],
)  # fmt: skip
def test_the_guard_sees_patches(code: str, targets: list[str]) -> None:
    assert [target for _, target in patches(ast.parse(code))] == targets
