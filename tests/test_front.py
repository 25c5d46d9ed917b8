"""The front is thin: commands turn options into records at once, and ``cli/`` does not grow."""

from __future__ import annotations

import ast

from support.import_graph import modules
from support.source_trees import PACKAGE

LINES = 13_287
"""At most so many lines of ``cli/``: the current number and 30; the goal of 13,500 is reached."""


def namespaces(module, tree):
    """Where a file mentions the class of parsed options."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr="Namespace") | ast.Name(id="Namespace"):
                yield f"{module}:{node.lineno}"


def test_parsed_options_stay_in_commands():
    home = ("bunraku.cli.commands.", "bunraku.cli.options.")
    found = [
        place
        for module, tree in modules().items()
        if not f"{module}.".startswith(home)
        for place in namespaces(module, tree)
    ]
    assert not found, "\n".join(found)


def test_the_command_line_does_not_grow():
    files = (PACKAGE / "cli").rglob("*.py")
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    assert lines <= LINES
