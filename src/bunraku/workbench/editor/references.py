"""Where a name is used."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.workbench.editor.index.index import Index
from bunraku.workbench.editor.index.scan import WORD
from bunraku.workbench.editor.mentions import EPP, FUNCTION, PuppetSymbol
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.resolution import OWNERS
from bunraku.workbench.editor.snapshot import Snapshot

USES = frozenset({"use", "write"})
ALL = frozenset({"use", "write", "definition"})


def references(
    snapshot: Snapshot, path: str, offset: int, *, with_definition: bool = True
) -> Iterator[FilePlace]:
    """Yield the places of the name at a cursor, in all files, each once."""
    mention = snapshot.mention_at(path, offset)
    seen: set[FilePlace] = set()
    for symbol in [] if mention is None else snapshot.symbols(mention):
        for one in symbol_places(snapshot, symbol, path, ALL if with_definition else USES):
            if one not in seen:
                seen.add(one)
                yield one


def symbol_places(
    snapshot: Snapshot, symbol: PuppetSymbol, path: str, roles: frozenset[str]
) -> Iterator[FilePlace]:
    """Yield the places where a symbol, which a file mentions, has one of some roles."""
    for name in candidates(snapshot, symbol, path):
        snapshot.guard.check()
        yield from snapshot.places(symbol, name, roles)


def candidates(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[str]:
    """Return the files that can mention a symbol which a file mentions.

    Only these are parsed.
    """
    index = snapshot.index
    if ":" in symbol.owner and symbol.kind == "variable" and symbol.owner.startswith("/"):
        return [path]  # a lambda or a template
    if symbol.owner.startswith(EPP):
        name = symbol.owner.removeprefix(EPP)
        paths = dict.fromkeys([*index.template_files(name), *callers_of(snapshot, name)])
        return [one for one in paths if index.has_word(one, symbol.name)]
    if symbol.owner.startswith(FUNCTION):
        return index.files_with(symbol.owner.removeprefix(FUNCTION))
    if symbol.kind == "resource":
        words = WORD.findall(symbol.name.partition("[")[2])
        if not words:
            return sorted(one.path for one in index.records())
        return index.files_with(max(words, key=len))
    if symbol.kind == "variable" and symbol.owner:
        qualified = f"{symbol.owner}::{symbol.name}"
        found = index.files_with(symbol.owner, qualified)
        found += rendered_files(index, symbol.owner)
        return [name for name in found if index.has_word(name, symbol.name, qualified)]
    return index.files_with(symbol.name)


def callers_of(snapshot: Snapshot, template: str) -> list[str]:
    """Return the files that can render an EPP template: they have the longest word of its name."""
    words = WORD.findall(template.removesuffix(".epp").rpartition("/")[2]) or [""]
    return snapshot.index.files_with(max(words, key=len))


def rendered_files(index: Index, owner: str) -> list[str]:
    """Return the ERB templates that the code of a class or defined type renders."""
    records = (
        index.record_of(one.path) for kind in OWNERS for one in index.definitions(kind, owner)
    )
    names = {
        template: None
        for one in records
        if one is not None
        for template, around in one.renders
        if around == owner and template.endswith(".erb")
    }
    return [path for name in names for path in index.template_files(name)[-1:]]
