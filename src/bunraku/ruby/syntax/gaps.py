"""Forms of Ruby that the grammar of tree-sitter lacks, and other forms of the same meaning for them.

The new form has the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any

Edit = tuple[int, int, bytes]
"""Where a text changes: start and end of what is replaced, and what replaces it."""
Correction = tuple[Edit, ...]
"""Changes that belong together."""

FORMS = lazy_pattern(r":(?P<variable>\$[^\w\s(#])|(?P<splat>(?<=[=(,\s])\*)(?=/)")
"""The name of a variable such as ``$;`` as a symbol; a splat before a regular expression."""
ENDLESS = lazy_pattern(
    r"(?m)^(?P<head>[ \t]*(?:\w+[ \t]+)*def[ \t]+[\w.]+[?!]?(?:\([^()\n]*\))?[ \t]*=[ \t]*)(?=\w)"
    r"[^\n#]*$"
)
"""A method without ``end`` on one line, which may call another without brackets."""
END = lazy_pattern("[\0\x04\x1a]")
"""Characters that end a file for Ruby."""
TEXTS = frozenset({"comment", "string_content", "heredoc_content", "escape_sequence"})
PLACES = frozenset({"file", "line", "encoding"})
"""``__FILE__``, ``__LINE__`` and ``__ENCODING__``."""


def gaps(root: Any, code: str) -> Iterator[Correction]:
    """Yield changes for the forms that the grammar lacks, in a text that it takes for broken."""
    for found in FORMS.finditer(code):
        if root.descendant_for_byte_range(found.start(), found.end()).type in TEXTS:
            continue
        if found["splat"]:
            yield ((found.end(), found.end(), b" "),)
        else:
            name = re.sub(r'["\\]', r"\\\g<0>", found["variable"])
            yield ((found.start(), found.end(), f':"{name}"'.encode("latin-1")),)
    for found in ENDLESS.finditer(code):
        yield (found.end("head"), found.end("head"), b"("), (found.end(), found.end(), b")")
    for found in END.finditer(code):
        if root.descendant_for_byte_range(found.start(), found.end()).type not in TEXTS:
            yield ((found.start(), len(code), b""),)
            return
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "match_pattern":
            yield from pairs(node)
        waiting += node.named_children


def pairs(node: Any) -> Iterator[Correction]:
    """Yield the changes for ``a => __FILE__, b => 1``, which the grammar takes for a pattern."""
    pattern = node.child_by_field_name("pattern")
    first = pattern
    if pattern is not None and pattern.type not in PLACES:
        first = next(iter(pattern.named_children), None)
    if first is not None and first.type in PLACES:
        yield enclosed(first, b"begin ", b" end")


def enclosed(node: Any, before: bytes, after: bytes) -> Correction:
    """Return the changes that write something before and after a node."""
    start, end = node.start_byte, node.end_byte
    return (start, start, before), (end, end, after)
