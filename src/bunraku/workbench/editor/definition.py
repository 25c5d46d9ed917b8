"""Where a name is defined, of which type its value is, and what implements it."""

from __future__ import annotations

import os

from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.languages.readers import DATA
from bunraku.workbench.editor.mentions import PuppetSymbol, canonical
from bunraku.workbench.editor.module_files import FOLDERS, directories, files_named
from bunraku.workbench.editor.nodes import definition_nodes, parameter_nodes
from bunraku.workbench.editor.places import FilePlace, TextRange
from bunraku.workbench.editor.references import candidates
from bunraku.workbench.editor.resolution import OWNERS
from bunraku.workbench.editor.snapshot import Snapshot

DEFINES = frozenset({"definition"})
SETS = frozenset({"definition", "write"})
BEGIN = TextRange(0, 0)


def definitions_at(snapshot: Snapshot, path: str, offset: int) -> list[FilePlace]:
    """Return the places that define the name at a cursor."""
    found: list[FilePlace] = []
    for symbol in symbols_at(snapshot, path, offset):
        found += definitions_of(snapshot, symbol, path)
    return list(dict.fromkeys(found))


def symbols_at(snapshot: Snapshot, path: str, offset: int) -> list[PuppetSymbol]:
    """Return what the name at a cursor can mean."""
    found = snapshot.mentions_at(path, offset)
    return [symbol for one in found for symbol in snapshot.symbols(one)]


def definitions_of(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[FilePlace]:
    """Return the places that define a symbol that a file uses; the nearest one first."""
    found = snapshot.index.definitions(symbol.kind, symbol.name)
    if found:
        return [FilePlace(one.path, one.place) for one in nearest_first(found, path)]
    if symbol.kind in FOLDERS:
        return [FilePlace(one, BEGIN) for one in files_named(snapshot, symbol, path)]
    if symbol.kind == "module":
        inits = (f"{one}/manifests/init.pp" for one in directories(snapshot, symbol.name, path))
        return [FilePlace(one, BEGIN) for one in inits if os.path.isfile(one)]
    if symbol.kind == "attribute":
        return attribute_definitions(snapshot, symbol)
    if symbol.kind not in {"variable", "resource", "key"}:
        return []
    return places_in_candidates(snapshot, symbol, path)


def nearest_first(found: tuple[IndexedDefinition, ...], path: str) -> list[IndexedDefinition]:
    """Return definitions, those first whose paths begin like that of the file which uses them."""
    here = f"/{path}"  # the path of a document that has no file is not absolute
    return sorted(found, key=lambda one: -len(os.path.commonpath([f"/{one.path}", here])))


def places_in_candidates(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[FilePlace]:
    """Return the places that set a symbol: the definition alone, if there is one."""
    found: list[FilePlace] = []
    for name in setting_files(snapshot, symbol, path):
        snapshot.guard.check()
        found += snapshot.places(symbol, name, SETS)
    defined = [one for one in found if is_definition(snapshot, one)]
    return defined or found


def setting_files(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[str]:
    """Return the files that can set a symbol which a file mentions: fewer than those that can use it.

    Puppet code sets the variables of a class or defined type only where it is defined; data sets them everywhere.
    """
    index = snapshot.index
    if symbol.kind == "key":
        return [one for one in index.files_with(symbol.name) if one.endswith(DATA)]
    homes = {one.path for kind in OWNERS for one in index.definitions(kind, symbol.owner)}
    if symbol.kind != "variable" or not homes:
        return candidates(snapshot, symbol, path)
    key = f"{symbol.owner}::{symbol.name}"
    with_data = [one for one in index.files_with(key) if one.endswith(DATA)]
    return sorted({*(one for one in homes if index.has_word(one, symbol.name, key)), *with_data})


def is_definition(snapshot: Snapshot, place: FilePlace) -> bool:
    """Return whether a name is defined at a place, not only set."""
    return any(
        one.range == place.range and one.role == "definition"
        for one in snapshot.mentions(place.path)
    )


def attribute_definitions(snapshot: Snapshot, symbol: PuppetSymbol) -> list[FilePlace]:
    """Return where the type in Ruby defines an attribute."""
    found: list[FilePlace] = []
    for one in snapshot.index.definitions("resource_type", symbol.owner):
        found += snapshot.places(symbol, one.path, DEFINES)
    return found


# -- types and implementations -------------------------------------------------------------------


def type_definitions_at(snapshot: Snapshot, path: str, offset: int) -> list[FilePlace]:
    """Return where the type of the name at a cursor is defined.

    Of a parameter these are the type aliases in its type, of a resource its type.
    """
    found: list[FilePlace] = []
    for symbol in symbols_at(snapshot, path, offset):
        for one in types_of(snapshot, symbol):
            found += definitions_of(snapshot, one, path)
    return list(dict.fromkeys(found))


def types_of(snapshot: Snapshot, symbol: PuppetSymbol) -> list[PuppetSymbol]:
    """Return the types of a symbol that have names."""
    if symbol.kind == "resource":
        return [PuppetSymbol("resource_type", symbol.name.partition("[")[0])]
    if symbol.kind == "data_type":
        nodes_of = definition_nodes(snapshot, "data_type", symbol.name)
        return [one for node in nodes_of for one in names_of_types(getattr(node, "type", None))]
    if symbol.kind != "variable":
        return []
    found = parameter_nodes(snapshot, symbol)
    return [one for parameter in found for one in names_of_types(parameter.type)]


def names_of_types(node: Node | None) -> list[PuppetSymbol]:
    """Return the names of types in the expression of a type."""
    if node is None:
        return []
    own = (
        [PuppetSymbol("data_type", canonical(node.value))]
        if isinstance(node, nodes.Reference)
        else []
    )
    return own + [one for child in children(node) for one in names_of_types(child)]


def implementations_at(snapshot: Snapshot, path: str, offset: int) -> list[FilePlace]:
    """Return what implements the name at a cursor.

    These are the classes that inherit a class, the providers of a type in Ruby, and the data that sets a
    parameter; otherwise the definitions.
    """
    found: list[FilePlace] = []
    for symbol in symbols_at(snapshot, path, offset):
        found += implementations_of(snapshot, symbol)
    return list(dict.fromkeys(found)) or definitions_at(snapshot, path, offset)


def implementations_of(snapshot: Snapshot, symbol: PuppetSymbol) -> list[FilePlace]:
    """Return what implements a symbol."""
    if symbol.kind == "class":
        return [FilePlace(one.path, one.place) for one in children_of(snapshot, symbol.name)]
    if symbol.kind == "resource_type":
        part = f"/lib/puppet/provider/{symbol.name}/"
        return [
            FilePlace(one.path, one.place)
            for record in sorted(snapshot.index.records(), key=lambda found: found.path)
            if part in record.path
            for one in record.definitions
        ]
    if symbol.kind in {"variable", "key"}:
        key = symbol.name if symbol.kind == "key" else f"{symbol.owner}::{symbol.name}"
        return data_places(snapshot, key)
    return []


def children_of(snapshot: Snapshot, name: str) -> list[IndexedDefinition]:
    """Return the classes that inherit a class."""
    return [
        one
        for one in snapshot.index.all_definitions()
        if one.kind == "class" and one.parent is not None and canonical(one.parent) == name
    ]


def data_places(snapshot: Snapshot, key: str) -> list[FilePlace]:
    """Return the places in data that set a key of Hiera."""
    found: list[FilePlace] = []
    for path in setting_files(snapshot, PuppetSymbol("key", key), ""):
        snapshot.guard.check()
        found += [
            FilePlace(path, one.range)
            for one in snapshot.mentions(path)
            if one.role == "write" and one.symbol == PuppetSymbol("key", key)
        ]
    return found
