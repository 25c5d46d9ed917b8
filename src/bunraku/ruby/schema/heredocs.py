"""Here documents in Ruby code, ``<<-END`` and ``<<~END``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.ruby.schema.nodes import unescape
from bunraku.ruby.schema.reader import SchemaReader
from bunraku.ruby.schema.static_values import UNKNOWN, RubyScope, as_text, text

BEGINNING, BODY = "heredoc_beginning", "heredoc_body"
PLACE = "\0"
"""Stands for an interpolation or an escape while the indentation is removed."""
INDENTATION = re.compile(r"^([ \t]*)(?=[^\s])", re.MULTILINE)


def heredoc_value(reader: SchemaReader, node: Any, scope: RubyScope) -> Any:
    """Return the text of a here document; UNKNOWN for an unknown interpolation, or tabs to remove."""
    body = heredoc_body(node)
    if body is None:
        return UNKNOWN
    raw = "'" in text(node)
    parts, inserted = [], []
    for child in body.named_children[:-1]:
        if child.type == "heredoc_content" or raw:
            parts.append(text(child))
            continue
        interpolated = child.type == "interpolation"
        piece = as_text(reader.run(child, scope)) if interpolated else unescape(text(child))
        if piece is UNKNOWN:
            return UNKNOWN
        parts.append(PLACE)
        inserted.append(piece)
    content = "".join(parts).partition("\n")[2]
    content = content[: content.rfind("\n") + 1]  # the rest is the indentation of the end
    if text(node).startswith("<<~"):
        found = without_indentation(content)
        if found is None:
            return UNKNOWN
        content = found
    for piece in inserted:
        content = content.replace(PLACE, piece, 1)
    return content


def heredoc_body(node: Any) -> Any:
    """Return the body of the here document that a node begins; None if the code is broken."""
    root = node
    while root.parent is not None:
        root = root.parent
    found = list(nodes_below(root))
    beginnings = [one.start_byte for one in found if one.type == BEGINNING]
    bodies = [one for one in found if one.type == BODY]
    number = beginnings.index(node.start_byte)
    return bodies[number] if number < len(bodies) else None


def nodes_below(root: Any) -> Iterator[Any]:
    """Yield the beginnings and bodies of here documents in the order of the code."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in {BEGINNING, BODY}:
            yield node
        stack.extend(reversed(node.children))


def without_indentation(content: str) -> str | None:
    """Return lines without their common indentation; None if that has tabs.

    >>> without_indentation("    a\\n      b\\n\\n")
    'a\\n  b\\n\\n'
    """
    found = INDENTATION.findall(content)
    if any("\t" in one for one in found):
        return None
    width = min(map(len, found), default=0)
    return re.sub(rf"^ {{0,{width}}}", "", content, flags=re.MULTILINE)
