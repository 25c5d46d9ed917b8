"""Lines above definitions: uses, which are counted when the client shows the line, and tests."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json, member, symbol_in
from bunraku.lsp.uris import path_uri, uri_path

SHOW_REFERENCES, RUN_TEST = "bunraku.showReferences", "bunraku.runTest"
"""Commands of the client."""


def on_code_lens(query: ClientQuery) -> Json:
    """Answer the lines above the definitions of a document."""
    from bunraku.workbench.editor.code_lens import lenses

    uri = path_uri(query.path)
    found: list[Json] = []
    for one in lenses(query.snapshot, query.path):
        place = query.range(query.path, one.range)
        if one.kind == "test":
            command = {"title": "run test", "command": RUN_TEST, "arguments": [path_uri(one.test)]}
            found.append({"range": place, "command": command})
        else:
            data = {"uri": uri, "kind": one.symbol.kind, "name": one.symbol.name}
            found.append({"range": place, "data": data})
    return found


def on_resolve_code_lens(query: ClientQuery) -> Json:
    """Answer a line with the number of uses."""
    from bunraku.workbench.editor.code_lens import uses_of

    data = member(query.params, "data")
    uri, symbol = str(member(data, "uri")), symbol_in(data)
    places = [query.location(one) for one in uses_of(query.snapshot, symbol, uri_path(uri))]
    title = "1 use" if len(places) == 1 else f"{len(places)} uses"
    start = member(query.params, "range", "start")
    command = {"title": title, "command": SHOW_REFERENCES, "arguments": [uri, start, places]}
    return {**query.params, "command": command}
