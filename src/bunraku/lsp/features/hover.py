"""What the editor shows under the mouse."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json


def on_hover(query: ClientQuery) -> Json:
    """Answer what is known about the name at the cursor."""
    from bunraku.workbench.editor.hover import hover

    found = hover(query.snapshot, query.path, query.offset)
    if found is None:
        return None
    contents = {"kind": "markdown", "value": found.markdown}
    return {"contents": contents, "range": query.range(query.path, found.range)}
