"""The names that are imported when they are first used exist."""

from __future__ import annotations

import ast
from importlib import import_module

from support.source_trees import source_trees


def lazy_names() -> set[tuple[str, str]]:
    """Return the modules and names of all ``Imported`` in the source."""
    calls = (
        node
        for tree in source_trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Imported"
        and all(isinstance(argument, ast.Constant) for argument in node.args)
    )
    return {(word(call.args[0]), word(call.args[1])) for call in calls}


def word(argument: ast.expr) -> str:
    """Return the text of a constant."""
    return str(ast.literal_eval(argument))


def test_every_lazy_import_names_an_object() -> None:
    names = lazy_names()
    assert ("bunraku.dialects.puppet_3.node_definitions", "node_names") in names
    assert not [name for name in names if not hasattr(import_module(name[0]), name[1])]
