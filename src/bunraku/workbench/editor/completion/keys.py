"""Keys of Hiera to complete: in ``lookup``, and in files of data."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.workbench.editor.completion.items import CompletionItem, Completions, selected
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.resource_attributes import parameter_entries
from bunraku.workbench.editor.snapshot import Snapshot

KEY = lazy_pattern(r"""^['"]?((?:::)?[a-z][\w:]*)?\Z""")
VALUE = lazy_pattern(r"""^['"]?([a-z]\w*(?:::\w+)+)['"]?:\s+(\S*)\Z""")
MOST_CLASSES = 40
"""The classes whose parameters are read for one answer; more letters leave fewer."""


def parameter_keys(snapshot: Snapshot, word: str) -> Iterator[CompletionItem]:
    """Yield the keys that set parameters of the classes whose names begin like a word."""
    for one in classes_like(snapshot, word):
        for item in parameter_entries(snapshot, one):
            yield CompletionItem(
                f"{one.name}::{item.name}", "key", "", item.declaration, item.documentation
            )


def classes_like(snapshot: Snapshot, word: str) -> list[IndexedDefinition]:
    """Return the classes whose parameters a key may mean."""
    wanted = word.lower().removeprefix("::")
    around = wanted.rpartition("::")[0]
    found = [
        snapshot.index.definitions("class", name)[0]
        for name in snapshot.index.names("class")
        if name == around or name.startswith(wanted)
    ]
    return sorted(found, key=lambda one: (one.name != around, one.name))[:MOST_CLASSES]


def in_data(snapshot: Snapshot, path: str, offset: int) -> Completions | None:
    """Return the keys or values for a cursor in a file of data."""
    source = snapshot.source(path)
    if source is None:
        return None
    line = source.text[:offset].rpartition("\n")[2]
    key = KEY.match(line)
    if key is not None:
        word = key[1] or ""
        items = (as_line(one) for one in parameter_keys(snapshot, word))
        return selected(items, word, TextRange(offset - len(word), offset))
    value = VALUE.match(line)
    if value is not None:
        word = value[2]
        return selected(values_of(snapshot, value[1]), word, TextRange(offset - len(word), offset))
    return None


def as_line(one: CompletionItem) -> CompletionItem:
    """Return the item of a key with its colon."""
    return CompletionItem(one.label, "key", f"{one.label}: ", one.detail, one.documentation)


def values_of(snapshot: Snapshot, key: str) -> Iterator[CompletionItem]:
    """Yield the values that the type of a parameter lists."""
    owner, _, name = key.rpartition("::")
    for one in snapshot.index.definitions("class", owner):
        for item in parameter_entries(snapshot, one):
            if item.name == name:
                yield from (
                    CompletionItem(word.strip("'"), "value")
                    for word in item.words
                    if word != "undef"
                )
