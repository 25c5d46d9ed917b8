"""What can be folded, and what is selected step by step around the cursor."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json, member

KINDS = {"comment": "comment", "text": "region"}


def on_folding_ranges(query: ClientQuery) -> Json:
    """Answer the lines that can be folded."""
    from bunraku.workbench.editor.folding import folds

    return [
        {"startLine": one.first - 1, "endLine": one.last - 1}
        | ({"kind": KINDS[one.kind]} if one.kind in KINDS else {})
        for one in folds(query.snapshot, query.path)
    ]


def on_selection_ranges(query: ClientQuery) -> Json:
    """Answer the pieces around each cursor, the smallest with the larger ones as parents."""
    from bunraku.workbench.editor.folding import selections

    answer = []
    for position in member(query.params, "positions"):
        found: Json = None
        for one in reversed(selections(query.snapshot, query.path, query.offset_of(position))):
            larger = {} if found is None else {"parent": found}
            found = {"range": query.range(query.path, one), **larger}
        answer.append(found or {"range": {"start": position, "end": position}})
    return answer
