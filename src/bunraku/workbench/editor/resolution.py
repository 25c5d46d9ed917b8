"""What a name means if all files of the workspace are known."""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.workbench.editor.index.index import Index
from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol, canonical

OWNERS: tuple[Kind, ...] = ("class", "resource_type")
TEMPLATE = "template "
"""Begins the owner of a variable in an ERB template."""
MOST_PARENTS = 20
"""A class that inherits more often inherits itself."""


def meanings(index: Index, mention: Mention) -> list[PuppetSymbol]:
    """Return the symbols that a name can mean, the likeliest first."""
    symbol = mention.symbol
    if symbol.kind == "variable" and not mention.settled and symbol.owner.startswith(TEMPLATE):
        return in_template(index, symbol)
    return [meaning(index, symbol, settled=mention.settled)]


def in_template(index: Index, symbol: PuppetSymbol) -> list[PuppetSymbol]:
    """Return a variable of an ERB template as one of each definition that renders the template."""
    owners = index.renderers_of(symbol.owner.removeprefix(TEMPLATE))
    found = [replace(symbol, owner=one) for one in owners if sets(index, one, symbol.name)]
    return found or [top_variable(index, symbol)]


def meaning(index: Index, symbol: PuppetSymbol, *, settled: bool) -> PuppetSymbol:
    """Return the symbol that a name means."""
    match symbol.kind:
        case "variable" if not settled:
            return inherited_variable(index, symbol)
        case "variable" if symbol.owner == "":
            return top_variable(index, symbol)
        case "attribute":
            return attribute_or_parameter(index, symbol)
        case "data_type":
            return type_or_resource_type(index, symbol)
        case "key":
            return key(index, symbol)
        case _:
            return symbol


def top_variable(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return a variable of the top scope: a fact, if a module defines one of the name."""
    if index.definitions("fact", symbol.name):
        return PuppetSymbol("fact", symbol.name)
    return replace(symbol, owner="")


def inherited_variable(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return a variable of a parent class, or of the top scope, that code in a class uses."""
    for owner in parents(index, symbol.owner):
        if sets(index, owner, symbol.name):
            return replace(symbol, owner=owner)
    return top_variable(index, symbol)


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
        index.has_word(one.path, name) for kind in OWNERS for one in index.definitions(kind, owner)
    )


def attribute_or_parameter(index: Index, symbol: PuppetSymbol) -> PuppetSymbol:
    """Return an attribute as the parameter of a class or defined type, if it is one of these."""
    if any(is_puppet(index, kind, symbol.owner) for kind in OWNERS):
        return PuppetSymbol("variable", symbol.name, symbol.owner)
    return symbol


def is_puppet(index: Index, kind: Kind, name: str) -> bool:
    """Return whether a class or type is defined in Puppet code."""
    return any(one.path.endswith(".pp") for one in index.definitions(kind, name))


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
