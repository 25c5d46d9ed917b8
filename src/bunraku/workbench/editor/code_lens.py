"""What stands above definitions: how often they are used, their nodes, their tests and their last change."""

from __future__ import annotations

import os
from collections.abc import Iterator

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import Kind, PuppetSymbol
from bunraku.workbench.editor.places import FilePlace, TextRange
from bunraku.workbench.editor.references import USES, symbol_places
from bunraku.workbench.editor.snapshot import Snapshot

LensKind = Literal["uses", "test", "change", "nodes"]
SPECS: dict[Kind, str] = {
    "class": "classes",
    "resource_type": "defines",
    "function": "functions",
    "data_type": "type_aliases",
}
"""The folders of ``spec`` with the tests of each kind of definition."""


@record(frozen=True)
class Lens:
    """A line above a definition, whose code is ``whole``; ``test`` is the path of a test."""

    kind: LensKind
    symbol: PuppetSymbol
    range: TextRange
    whole: TextRange
    test: str = ""


def lenses(snapshot: Snapshot, path: str) -> Iterator[Lens]:
    """Yield the lines above the definitions in a manifest."""
    record = snapshot.index.record_of(path)
    for one in record.definitions if record is not None and path.endswith(".pp") else ():
        symbol = PuppetSymbol(one.kind, one.name)
        if one.kind in SPECS:
            yield Lens("uses", symbol, one.place, one.whole)
            if one.kind == "class":
                yield Lens("nodes", symbol, one.place, one.whole)
            for test in tests_of(snapshot, one):
                yield Lens("test", symbol, one.place, one.whole, test)
            if snapshot.project_of(path).is_in_git:
                yield Lens("change", symbol, one.place, one.whole)


def tests_of(snapshot: Snapshot, one: IndexedDefinition) -> list[str]:
    """Return the tests of a definition: those of rspec-puppet, and those of pytest by name."""
    root = snapshot.project_of(one.path).root
    module, _, name = one.name.partition("::")
    names = {name.replace("::", "/") or module, one.name.replace("::", "/")}
    plain = one.name.replace("::", "_")
    possible = [f"{root}/spec/{SPECS[one.kind]}/{each}_spec.rb" for each in sorted(names)]
    possible += [f"{root}/tests/test_{each.replace('/', '_')}.py" for each in sorted(names)]
    possible += [f"{root}/tests/test_{plain}.py"]
    return [path for path in dict.fromkeys(possible) if os.path.isfile(path)]


def uses_of(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[FilePlace]:
    """Return the places that use a definition."""
    return list(symbol_places(snapshot, symbol, path, USES))
