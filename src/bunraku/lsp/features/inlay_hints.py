"""Hints between the code."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json, member
from bunraku.workbench.editor.places import TextRange

TYPE = 1


def on_inlay_hints(query: ClientQuery) -> Json:
    """Answer the hints in a piece of a document."""
    from bunraku.workbench.editor.inlay_hints import inlay_hints

    piece = query.text_range(member(query.params, "range"))
    return [
        {
            "position": query.range(query.path, TextRange(one.offset, one.offset))["start"],
            "label": one.text,
            "kind": TYPE,
        }
        for one in inlay_hints(query.snapshot, query.path, piece)
    ]
