"""Where a name is defined."""

from __future__ import annotations

from bunraku.workbench.editor.mentions import PuppetSymbol
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.references import candidates
from bunraku.workbench.editor.snapshot import Snapshot

SETS = frozenset({"definition", "write"})


def definitions_at(snapshot: Snapshot, path: str, offset: int) -> list[FilePlace]:
    """Return the places that define the name at a cursor."""
    mention = snapshot.mention_at(path, offset)
    if mention is None:
        return []
    return definitions_of(snapshot, snapshot.symbol(mention), path)


def definitions_of(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[FilePlace]:
    """Return the places that define a symbol that a file uses."""
    found = snapshot.index.definitions(symbol.kind, symbol.name)
    if found:
        return [FilePlace(one.path, one.place) for one in found]
    if symbol.kind not in {"variable", "resource"}:
        return []
    places: list[FilePlace] = []
    for name in candidates(snapshot, symbol, path):
        snapshot.guard.check()
        places += snapshot.places(symbol, name, SETS)
    return places
