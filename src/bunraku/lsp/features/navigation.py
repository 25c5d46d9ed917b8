"""Definitions and references."""

from __future__ import annotations

from bunraku.lsp.query import ClientQuery, Json


def on_definition(query: ClientQuery) -> Json:
    """Answer where the name at the cursor is defined."""
    from bunraku.workbench.editor.definition import definitions_at

    found = definitions_at(query.snapshot, query.path, query.offset)
    return [query.location(one) for one in found]


def on_references(query: ClientQuery) -> Json:
    """Answer where the name at the cursor is used."""
    from bunraku.workbench.editor.references import references

    context = query.params.get("context") or {}
    found = references(
        query.snapshot,
        query.path,
        query.offset,
        with_definition=bool(context.get("includeDeclaration", True)),
    )
    return [query.location(one) for one in found]
