"""Lay a document out: all of it, some lines, or what has just been written."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json, member

ON_TYPE = {"firstTriggerCharacter": "}", "moreTriggerCharacter": ["]", ")"]}


def on_formatting(query: ClientQuery) -> Json:
    """Answer the edits for a document."""
    from bunraku.workbench.editor.formatting import layout_edits

    return [query.text_edit(query.path, one) for one in layout_edits(query.snapshot, query.path)]


def on_range_formatting(query: ClientQuery) -> Json:
    """Answer the edits for some lines of a document."""
    piece = member(query.params, "range")
    return edits_around(query, piece["start"]["line"], piece["end"]["line"])


def on_type_formatting(query: ClientQuery) -> Json:
    """Answer the edits for the statement that a bracket has ended."""
    line = member(query.params, "position", "line")
    return edits_around(query, line, line)


def edits_around(query: ClientQuery, first: int, last: int) -> Json:
    """Return the edits for the statements on some lines, which count from 0."""
    from bunraku.workbench.editor.formatting import layout_edits

    lines = [range(first + 1, last + 2)]
    return [
        query.text_edit(query.path, one) for one in layout_edits(query.snapshot, query.path, lines)
    ]
