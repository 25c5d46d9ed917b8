"""Links to the files that a text names."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json
from bunraku.lsp.uris import path_uri


def on_links(query: ClientQuery) -> Json:
    """Answer the links of a document."""
    from bunraku.workbench.editor.links import file_links

    return [
        {"range": query.range(query.path, one.range), "target": path_uri(one.target)}
        for one in file_links(query.snapshot, query.path)
    ]
