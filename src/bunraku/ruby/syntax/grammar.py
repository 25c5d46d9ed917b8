"""The grammar of Ruby, and the syntax trees that tree-sitter makes with it."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def ruby_language() -> Any:
    """Return the grammar of Ruby; loaded when the first Ruby file is read."""
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Language(tree_sitter_ruby.language())


def parse(content: bytes) -> Any:
    """Return the root of the syntax tree that tree-sitter makes; threads cannot share a parser."""
    import tree_sitter

    return tree_sitter.Parser(ruby_language()).parse(content).root_node
