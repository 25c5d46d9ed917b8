"""Who uses whom: classes, defined types, functions and nodes; and which class inherits which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.base.records import record, replace
from bunraku.workbench.editor.definition import children_of, types_of
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol, canonical
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.references import candidates
from bunraku.workbench.editor.resolution import OWNERS
from bunraku.workbench.editor.snapshot import Snapshot

CALLED: frozenset[Kind] = frozenset({"class", "resource_type", "function", "plan"})
"""What other code includes, declares or calls."""
TYPED: frozenset[Kind] = frozenset({"class", "data_type"})
USED = frozenset({"use"})


@record(frozen=True)
class HierarchyItem:
    """A definition, or a file whose code is in none: ``range`` is its name, ``whole`` all of its code."""

    kind: Kind
    name: str
    path: str
    range: TextRange
    whole: TextRange


@record(frozen=True)
class HierarchyCall:
    """A definition that uses another one, or that is used; ``ranges`` are the uses."""

    item: HierarchyItem
    ranges: tuple[TextRange, ...]


def items_at(
    snapshot: Snapshot, path: str, offset: int, kinds: frozenset[Kind] = CALLED
) -> list[HierarchyItem]:
    """Return the definitions of the name at a cursor."""
    mention = snapshot.mention_at(path, offset)
    if mention is None:
        return []
    symbol = snapshot.symbol(mention)
    return items_of(snapshot, symbol) if symbol.kind in kinds else []


def items_of(snapshot: Snapshot, symbol: PuppetSymbol) -> list[HierarchyItem]:
    """Return the definitions of a symbol."""
    return [item_of(one) for one in snapshot.index.definitions(symbol.kind, symbol.name)]


def item_of(one: IndexedDefinition) -> HierarchyItem:
    """Return a definition of the index."""
    return HierarchyItem(one.kind, one.name, one.path, one.place, one.whole)


# -- calls ---------------------------------------------------------------------------------------


def incoming(snapshot: Snapshot, symbol: PuppetSymbol) -> list[HierarchyCall]:
    """Return the definitions whose code uses a symbol."""
    found: dict[HierarchyItem, list[TextRange]] = {}
    for path in candidates(snapshot, symbol, ""):
        snapshot.guard.check()
        for one in snapshot.mentions_of(symbol, path, USED):
            item = owner_item(snapshot, path, one.around)
            found.setdefault(item, []).append(one.range)
    return calls_of(found)


def outgoing(snapshot: Snapshot, symbol: PuppetSymbol) -> list[HierarchyCall]:
    """Return the definitions that the code of a symbol uses."""
    owner = symbol.name if symbol.kind in OWNERS else f"{symbol.kind} {symbol.name}"
    found: dict[HierarchyItem, list[TextRange]] = {}
    for one in snapshot.index.definitions(symbol.kind, symbol.name):
        for mention in snapshot.mentions(one.path):
            if mention.around == owner and mention.role == "use":
                for item in called_items(snapshot, mention):
                    found.setdefault(item, []).append(mention.range)
    return calls_of(found)


def calls_of(found: dict[HierarchyItem, list[TextRange]]) -> list[HierarchyCall]:
    """Return the uses by definition."""
    return [HierarchyCall(item, tuple(ranges)) for item, ranges in found.items()]


def called_items(snapshot: Snapshot, mention: Mention) -> list[HierarchyItem]:
    """Return the definitions that a name in code uses."""
    symbol = snapshot.symbol(mention)
    return items_of(snapshot, symbol) if symbol.kind in CALLED else []


def owner_item(snapshot: Snapshot, path: str, owner: str) -> HierarchyItem:
    """Return the definition in a file whose code an owner is; the file, if it is none."""
    kind, _, name = owner.rpartition(" ")
    record = snapshot.index.record_of(path)
    for one in record.definitions if record is not None else ():
        same = one.name == name and (one.kind == kind if kind else one.kind in OWNERS)
        if same or (one.kind == "node" and owner == f"{path}:{one.whole.start}"):
            return item_of(one)
    nothing = TextRange(0, 0)
    return HierarchyItem("file", path.rpartition("/")[2], path, nothing, nothing)


# -- types ---------------------------------------------------------------------------------------


def supertypes(snapshot: Snapshot, symbol: PuppetSymbol) -> list[HierarchyItem]:
    """Return the class that a class inherits, or the types that a type alias names."""
    if symbol.kind == "data_type":
        return each_once(
            item for one in types_of(snapshot, symbol) for item in items_of(snapshot, one)
        )
    return each_once(
        item
        for one in snapshot.index.definitions("class", symbol.name)
        if one.parent is not None
        for item in items_of(snapshot, replace(symbol, name=canonical(one.parent)))
    )


def subtypes(snapshot: Snapshot, symbol: PuppetSymbol) -> list[HierarchyItem]:
    """Return the classes that inherit a class, or the type aliases that name a type."""
    if symbol.kind == "class":
        return [item_of(one) for one in children_of(snapshot, symbol.name)]
    return each_once(
        item_of(one)
        for one in aliases_in(snapshot, candidates(snapshot, symbol, ""))
        if symbol in types_of(snapshot, PuppetSymbol("data_type", one.name))
    )


def aliases_in(snapshot: Snapshot, paths: Iterable[str]) -> Iterator[IndexedDefinition]:
    """Yield the type aliases in some files."""
    for path in paths:
        snapshot.guard.check()
        record = snapshot.index.record_of(path)
        some = () if record is None else record.definitions
        yield from (one for one in some if one.kind == "data_type")


def each_once(items: Iterable[HierarchyItem]) -> list[HierarchyItem]:
    """Return items, each once."""
    return list(dict.fromkeys(items))
