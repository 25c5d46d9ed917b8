"""Call hierarchy and type hierarchy."""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.lsp.features.symbols import KINDS
from bunraku.lsp.query import ClientQuery, Json, member, symbol_in
from bunraku.lsp.uris import path_uri

if TYPE_CHECKING:
    from bunraku.workbench.editor.hierarchy import HierarchyCall, HierarchyItem
    from bunraku.workbench.editor.mentions import PuppetSymbol


def on_prepare_calls(query: ClientQuery) -> Json:
    """Answer the definitions at the cursor, whose uses the client will ask for."""
    from bunraku.workbench.editor.hierarchy import CALLED, items_at

    found = items_at(query.snapshot, query.path, query.offset, CALLED)
    return [item_data(query, one) for one in found] or None


def on_incoming(query: ClientQuery) -> Json:
    """Answer who uses a definition."""
    from bunraku.workbench.editor.hierarchy import incoming

    found = incoming(query.snapshot, symbol_of(query))
    return [{"from": item_data(query, one.item), "fromRanges": ranges(query, one)} for one in found]


def on_outgoing(query: ClientQuery) -> Json:
    """Answer what a definition uses."""
    from bunraku.workbench.editor.hierarchy import outgoing

    symbol = symbol_of(query)
    places = query.snapshot.index.definitions(symbol.kind, symbol.name)
    path = places[0].path if places else ""
    return [
        {
            "to": item_data(query, one.item),
            "fromRanges": [query.range(path, piece) for piece in one.ranges],
        }
        for one in outgoing(query.snapshot, symbol)
    ]


def on_prepare_types(query: ClientQuery) -> Json:
    """Answer the classes and type aliases at the cursor."""
    from bunraku.workbench.editor.hierarchy import TYPED, items_at

    found = items_at(query.snapshot, query.path, query.offset, TYPED)
    return [item_data(query, one) for one in found] or None


def on_supertypes(query: ClientQuery) -> Json:
    """Answer what a class inherits, or which types an alias names."""
    from bunraku.workbench.editor.hierarchy import supertypes

    return [item_data(query, one) for one in supertypes(query.snapshot, symbol_of(query))]


def on_subtypes(query: ClientQuery) -> Json:
    """Answer which classes inherit a class, or which aliases name a type."""
    from bunraku.workbench.editor.hierarchy import subtypes

    return [item_data(query, one) for one in subtypes(query.snapshot, symbol_of(query))]


def item_data(query: ClientQuery, one: HierarchyItem) -> Json:
    """Return an item; the client sends it back with its ``data``."""
    return {
        "name": one.name,
        "kind": KINDS[one.kind],
        "uri": path_uri(one.path),
        "range": query.range(one.path, one.whole),
        "selectionRange": query.range(one.path, one.range),
        "data": {"kind": one.kind, "name": one.name},
    }


def ranges(query: ClientQuery, call: HierarchyCall) -> Json:
    """Return the places of the uses in the file of the one that uses."""
    return [query.range(call.item.path, one) for one in call.ranges]


def symbol_of(query: ClientQuery) -> PuppetSymbol:
    """Return the symbol of an item that the client sends back. Raises InvalidMessage."""
    return symbol_in(member(query.params, "item", "data"))
