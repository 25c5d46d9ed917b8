"""What a name means if all files of the workspace are known."""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.workbench.editor.index.index import Index
from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol, canonical

MOST_PARENTS = 20
"""A class that inherits more often inherits itself."""


def resolved_symbol(index: Index, mention: Mention) -> PuppetSymbol:
    """Return the symbol that a name means."""
    symbol = mention.symbol
    match symbol.kind:
        case "variable" if not mention.settled:
            return inherited_variable(index, symbol)
        case "attribute":
            return attribute_or_parameter(index, symbol)
        case "data_type":
            return type_or_resource_type(index, symbol)
        case "key":
            return key(index, symbol)
        case _:
            return symbol


def inherited_variable(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return a variable of a parent class, or of the top scope, that code in a class uses."""
    for owner in parents(index, symbol.owner):
        if sets(index, owner, symbol.name):
            return replace(symbol, owner=owner)
    return replace(symbol, owner="")


def parents(index: Index, name: str) -> list[str]:
    """Return the classes that a class inherits, the nearest first."""
    found: list[str] = []
    while len(found) < MOST_PARENTS:
        definitions = index.definitions("class", name)
        parent = definitions[0].parent if definitions else None
        if parent is None:
            break
        name = canonical(parent)
        found.append(name)
    return found


def sets(index: Index, owner: str, name: str) -> bool:
    """Return whether the files of a class have the name of a variable."""
    return any(
        index.files[one.path].has_word(name.lower()) for one in index.definitions("class", owner)
    )


def attribute_or_parameter(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return an attribute as the parameter of a class or defined type, if it is one of these."""
    owned: tuple[Kind, ...] = ("class", "resource_type")
    if any(index.by_name.get((kind, symbol.owner)) for kind in owned):
        return PuppetSymbol("variable", symbol.name, symbol.owner)
    return symbol


def type_or_resource_type(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return a capitalised name as what it is the name of."""
    if not index.definitions("data_type", symbol.name):
        if index.definitions("resource_type", symbol.name):
            return PuppetSymbol("resource_type", symbol.name)
    return symbol


def key(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return a key of Hiera as the parameter of a class that it sets."""
    owner, separator, name = symbol.name.rpartition("::")
    if separator and index.definitions("class", owner):
        return PuppetSymbol("variable", name, owner)
    return symbol
