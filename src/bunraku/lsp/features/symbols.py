"""The outline of a document, and the search for definitions."""

from __future__ import annotations

from bunraku.lsp.connection import INVALID_PARAMS, InvalidMessage
from bunraku.lsp.partial_results import in_parts
from bunraku.lsp.query import ClientQuery, Json, member
from bunraku.lsp.shapes import is_count
from bunraku.lsp.uris import path_uri, uri_path
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.places import FilePlace, TextRange
from bunraku.workbench.editor.symbols import OutlineEntry, document_symbols, workspace_symbols

KINDS = {
    "class": 5,
    "resource_type": 23,
    "function": 12,
    "plan": 12,
    "data_type": 26,
    "node": 3,
    "resource": 19,
    "parameter": 7,
    "attribute": 7,
    "variable": 13,
    "fact": 14,
    "module": 4,
    "provider": 5,
    "file": 1,
}
"""What Puppet has, as the kinds of symbols that editors have pictures for."""


def on_document_symbols(query: ClientQuery) -> Json:
    """Answer the outline of a document: as a tree, if the client shows trees."""
    found = document_symbols(query.snapshot, query.path)
    if query.can("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"):
        return [tree(one, query) for one in found]
    return [line for one in found for line in flat_entries(one, "", query)]


def tree(one: OutlineEntry, query: ClientQuery) -> Json:
    """Return an entry with those below it."""
    return {
        "name": one.name,
        "detail": one.detail,
        "kind": KINDS[one.kind],
        "range": query.range(query.path, one.whole),
        "selectionRange": query.range(query.path, one.range),
        "children": [tree(inner, query) for inner in one.entries],
    }


def flat_entries(one: OutlineEntry, around: str, query: ClientQuery) -> list[Json]:
    """Return an entry and those below it as lines with the name of what is around."""
    entry = {
        "name": one.name,
        "kind": KINDS[one.kind],
        "location": query.location(FilePlace(query.path, one.whole)),
        "containerName": around,
    }
    return [
        entry,
        *(line for inner in one.entries for line in flat_entries(inner, one.name, query)),
    ]


def on_workspace_symbols(query: ClientQuery) -> Json:
    """Answer the definitions whose names fit."""
    found = workspace_symbols(query.snapshot, str(query.params.get("query", "")))
    return in_parts(query, (workspace_symbol(one, query) for one in found))


def workspace_symbol(one: IndexedDefinition, query: ClientQuery) -> Json:
    """Return a definition; clients that ask again get the place without a file being read now."""
    symbol = {
        "name": one.name if one.kind != "data_type" else one.written,
        "kind": KINDS[one.kind],
        "containerName": one.name.rpartition("::")[0],
    }
    if query.can("workspace", "symbol", "resolveSupport"):
        data = {"start": one.place.start, "end": one.place.end}
        return {**symbol, "location": {"uri": path_uri(one.path)}, "data": data}
    return {**symbol, "location": query.location(FilePlace(one.path, one.place))}


def on_resolve_workspace_symbol(query: ClientQuery) -> Json:
    """Answer a symbol with its place."""
    path = uri_path(member(query.params, "location", "uri"))
    data = member(query.params, "data")
    start, end = member(data, "start"), member(data, "end")
    if not is_count(start) or not is_count(end):
        raise InvalidMessage(INVALID_PARAMS, "start and end are not numbers from 0")
    place = FilePlace(path, TextRange(start, end))
    return {**query.params, "location": query.location(place)}
