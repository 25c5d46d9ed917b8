"""Syntax trees of Ruby code, made by tree-sitter and corrected where it reads code unlike Ruby."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.syntax.gaps import Edit, gaps
from bunraku.ruby.syntax.grammar import has_reader, parse
from bunraku.ruby.syntax.misreadings import MISREADINGS
from bunraku.ruby.syntax.mistakes import first_mistake

MOST_ROUNDS = 16
"""How often a text is parsed again at most."""


def parse_ruby(source: str) -> Any:
    """Return the root of a Ruby text's syntax tree.

    The rows of its nodes are those of the text. Columns and offsets may differ, because the text is
    changed where tree-sitter would misread it.
    """
    content = source.encode("utf-8", "surrogateescape")
    root = parse(content)
    for at in range(MOST_ROUNDS):
        edits = corrections(root, content, 2**at)
        if not edits:
            break
        content = corrected(content, edits)
        root = parse(content)
    return root


def parse_for_python(source: str) -> Any:
    """Return the root of the syntax tree of code to translate; raise Unsupported if Ruby must run it."""
    if not has_reader():
        raise Unsupported("Ruby code, which cannot be read without the package tree-sitter", 1)
    root = parse_ruby(source)
    if root.has_error:
        raise Unsupported("code that is not understood", 1)
    return root


def corrections(root: Any, content: bytes, count: int) -> list[Edit]:
    """Return the changes, in the order of the text, that make tree-sitter read it as Ruby does.

    In a text that it takes for broken, only the first misreading is one for certain: what follows may be
    its consequence. There the first ``count`` are corrected, in each round more.
    """
    code = content.decode("latin-1")  # a letter a byte, and Python's patterns are faster on text
    found = [one for rule in MISREADINGS for one in rule(root, code)]
    if root.has_error:
        found = sorted(found)[:count] or list(gaps(root, code))
    return sorted(edit for correction in found for edit in correction)


def corrected(content: bytes, edits: list[Edit]) -> bytes:
    """Return the changed text; the changes are in the order of the text."""
    parts, done = [], 0
    for start, end, new in edits:
        parts += [content[done:start], new]
        done = end
    return b"".join([*parts, content[done:]])


def mistake_line(source: str) -> int | None:
    """Return the first line of a text that is not Ruby.

    >>> mistake_line("a = 1\\nb = )"), mistake_line("a = 1")
    (2, None)
    """
    return mistake_in(parse_ruby(source))


def mistake_in(node: Any) -> int | None:
    """Return the first line of a tree that is not Ruby."""
    if not node.has_error:
        row = first_mistake(node)
        return None if row is None else row + 1
    while True:
        inner = next((one for one in node.children if one.has_error or one.is_missing), None)
        if inner is None or node.type == "ERROR":
            return int(node.start_point[0]) + 1
        node = inner
