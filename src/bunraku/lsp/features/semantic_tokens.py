"""Colours of names."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.lsp.query import ClientQuery, Json, member

if TYPE_CHECKING:
    from bunraku.workbench.editor.semantic_tokens import SemanticToken

TYPES = ["class", "struct", "function", "type", "variable", "parameter", "property"]
MODIFIERS = ["declaration", "readonly", "defaultLibrary", "modification"]
LEGEND = {"tokenTypes": TYPES, "tokenModifiers": MODIFIERS}


def on_semantic_tokens(query: ClientQuery) -> Json:
    """Answer the names of a document."""
    from bunraku.workbench.editor.semantic_tokens import semantic_tokens

    return {"data": encoded_tokens(query, semantic_tokens(query.snapshot, query.path))}


def on_semantic_tokens_of_range(query: ClientQuery) -> Json:
    """Answer the names of a piece of a document."""
    from bunraku.workbench.editor.semantic_tokens import semantic_tokens

    piece = query.text_range(member(query.params, "range"))
    return {"data": encoded_tokens(query, semantic_tokens(query.snapshot, query.path, piece))}


def encoded_tokens(query: ClientQuery, tokens: Iterable[SemanticToken]) -> list[int]:
    """Return five numbers for each token: lines and characters since the last one, length, kind, modifiers."""
    data: list[int] = []
    line = character = 0
    for one in tokens:
        place = query.range(query.path, one.range)
        start, end = place["start"], place["end"]
        if start["line"] != line:
            character = 0
        bits = sum(1 << MODIFIERS.index(name) for name in one.modifiers)
        length = end["character"] - start["character"]
        kind = TYPES.index(one.kind)
        data += [start["line"] - line, start["character"] - character, length, kind, bits]
        line, character = start["line"], start["character"]
    return data
