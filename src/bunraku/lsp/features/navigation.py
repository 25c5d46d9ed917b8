"""Definitions and references."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.lsp.partial_results import in_parts
from bunraku.lsp.query import ClientQuery, Json
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.snapshot import Snapshot

Finder = Callable[[Snapshot, str, int], list[FilePlace]]


def on_definition(query: ClientQuery) -> Json:
    """Answer where the name at the cursor is defined."""
    from bunraku.workbench.editor.definition import definitions_at

    return locations(query, definitions_at)


def on_type_definition(query: ClientQuery) -> Json:
    """Answer where the type of the name at the cursor is defined."""
    from bunraku.workbench.editor.definition import type_definitions_at

    return locations(query, type_definitions_at)


def on_implementation(query: ClientQuery) -> Json:
    """Answer what implements the name at the cursor: subclasses, providers, data."""
    from bunraku.workbench.editor.definition import implementations_at

    return locations(query, implementations_at)


def locations(query: ClientQuery, function: Finder) -> Json:
    """Return the places that a function finds for the cursor."""
    found = function(query.snapshot, query.path, query.offset)
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
    return in_parts(query, map(query.location, found))
