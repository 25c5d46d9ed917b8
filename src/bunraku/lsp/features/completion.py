"""What can be inserted at the cursor."""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.lsp.query import ClientQuery, Json, member, symbol_in

if TYPE_CHECKING:
    from bunraku.workbench.editor.completion.items import CompletionItem

KINDS = {
    "class": 7,
    "resource_type": 22,
    "function": 3,
    "data_type": 25,
    "variable": 6,
    "parameter": 6,
    "attribute": 5,
    "value": 12,
    "keyword": 14,
    "snippet": 15,
    "fact": 21,
    "key": 10,
    "file": 17,
    "resource": 18,
}
"""Kinds of items as those that editors have pictures for."""
SNIPPET = 2
TRIGGERS = ["$", ":", "'", '"', "[", ".", "/", ">", " "]
"""Characters after which clients ask without being told to."""


def on_completion(query: ClientQuery) -> Json:
    """Answer what can be inserted at the cursor."""
    from bunraku.workbench.editor.completion.complete import completions

    found = completions(query.snapshot, query.path, query.offset)
    if found is None:
        return None
    place = query.range(query.path, found.range)
    items = [item(one, place, number, query) for number, one in enumerate(found.items)]
    return {"isIncomplete": found.is_incomplete, "items": items}


def item(one: CompletionItem, place: Json, number: int, query: ClientQuery) -> Json:
    """Return an item as the client reads it; plain text, if the client has no snippets."""
    takes_snippets = query.can("textDocument", "completion", "completionItem", "snippetSupport")
    made = {
        "label": one.label,
        "kind": KINDS[one.kind],
        "sortText": f"{number:04}",
        "textEdit": {"range": place, "newText": one.insert if takes_snippets else plain(one)},
    }
    if one.snippet and takes_snippets:
        made["insertTextFormat"] = SNIPPET
    if one.detail:
        made["detail"] = one.detail
    if one.documentation:
        made["documentation"] = {"kind": "markdown", "value": one.documentation}
    if one.subject is not None:
        kind, name = one.subject
        made["data"] = {"kind": kind, "name": name, "path": query.path}
    return made


def plain(one: CompletionItem) -> str:
    """Return the text to insert without places to fill in."""
    return one.label if one.snippet else one.insert


def on_resolve_completion(query: ClientQuery) -> Json:
    """Answer an item with its documentation."""
    from bunraku.workbench.editor.hover import described

    if "data" not in query.params:
        return query.params
    data = member(query.params, "data")
    text = described(query.snapshot, symbol_in(data), str(member(data, "path")))
    documentation = {} if text is None else {"documentation": {"kind": "markdown", "value": text}}
    return {**query.params, **documentation}
