"""Rename a name everywhere."""

from __future__ import annotations

from bunraku.lsp.connection import INVALID_PARAMS, InvalidMessage
from bunraku.lsp.query import ClientQuery, Json, member
from bunraku.lsp.uris import path_uri

REQUEST_FAILED = -32803


def on_prepare_rename(query: ClientQuery) -> Json:
    """Answer the place of the name at the cursor, or the reason why it cannot be renamed."""
    from bunraku.workbench.editor.rename import RenameRefused, renamable

    try:
        mention = renamable(query.snapshot, query.path, query.offset)
    except RenameRefused as refused:
        raise InvalidMessage(REQUEST_FAILED, str(refused)) from refused
    source = query.snapshot.source(query.path)
    written = "" if source is None else source.text[mention.range.start : mention.range.end]
    return {"range": query.range(query.path, mention.range), "placeholder": written}


def on_rename(query: ClientQuery) -> Json:
    """Answer the changes of all files, or the reason why there are none."""
    from bunraku.workbench.editor.rename import RenameRefused, renamed

    name = member(query.params, "newName")
    if not isinstance(name, str):
        raise InvalidMessage(INVALID_PARAMS, "newName is not a string")
    try:
        edits = renamed(query.snapshot, query.path, query.offset, name)
    except RenameRefused as refused:
        raise InvalidMessage(REQUEST_FAILED, str(refused)) from refused
    texts = {
        path: [query.text_edit(path, one) for one in some] for path, some in edits.texts.items()
    }
    if not query.can("workspace", "workspaceEdit", "documentChanges"):
        return {"changes": {path_uri(path): some for path, some in texts.items()}}
    changes: list[Json] = [
        {
            "textDocument": {"uri": path_uri(path), "version": query.session.versions.get(path)},
            "edits": some,
        }
        for path, some in texts.items()
    ]
    if "rename" in (
        query.session.capability("workspace", "workspaceEdit", "resourceOperations") or ()
    ):
        changes += [
            {"kind": "rename", "oldUri": path_uri(old), "newUri": path_uri(new)}
            for old, new in edits.moves.items()
        ]
    return {"documentChanges": changes}


def on_highlights(query: ClientQuery) -> Json:
    """Answer where a document has the name at the cursor."""
    snapshot = query.snapshot
    mention = snapshot.mention_at(query.path, query.offset)
    if mention is None:
        return None
    symbol = snapshot.symbol(mention)
    return [
        {"range": query.range(query.path, one.range), "kind": 2 if one.role == "use" else 3}
        for one in snapshot.mentions(query.path)
        if one.symbol.kind != "resource" or mention.symbol.kind == "resource"
        if snapshot.symbol(one) == symbol
    ]
