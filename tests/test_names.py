"""Names say their subject: few public names have a meaning in more than three modules."""

from __future__ import annotations

import ast
from collections import defaultdict

from support.import_graph import modules

MOST = 3
"""Modules that may define a public class or function of one name."""

INTERFACES = {
    "run": "every command runs with a function of this name",
}
"""Names that many modules must define → the reason."""

CLASSES = ""
"""Classes to be renamed: none."""

FUNCTIONS = """
access add answer as_json as_text attributes call check check_call checked clean compare
described divide element entries entry environment_of escaped find ignore inspect items_of
joined key_text kind_of listed literal matches merge merged names_in names_of negate number
parse parts_of plain query quoted read read_path reference refused report resource_type same
shown text text_of truthy unique values_of
"""
"""Functions to be renamed. The list only gets shorter."""


def shared(kind):
    """Names → the modules that define them, where they are more than three."""
    found = defaultdict(set)
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, kind) and not node.name.startswith("_") and not registered(node):
                found[node.name].add(module)
    return {name: sorted(where) for name, where in found.items() if len(where) > MOST}


def registered(node):
    """Whether a decorator such as ``@rule(…)`` registers it: such names are never called."""
    calls = any(isinstance(decorator, ast.Call) for decorator in node.decorator_list)
    return calls and not isinstance(node, ast.ClassDef)


def test_classes_and_functions_say_their_subject():
    kinds = {CLASSES: ast.ClassDef, FUNCTIONS: ast.FunctionDef}
    for listed, kind in kinds.items():
        found = shared(kind)
        new = found.keys() - set(listed.split()) - INTERFACES.keys()
        assert not new, "\n".join(f"{name}: {', '.join(found[name])}" for name in sorted(new))
        assert set(listed.split()) <= found.keys(), "no longer shared: remove it from the list"
