"""Attributes of resources, their values, and titles of resources to complete."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.workbench.editor.completion.before import Before
from bunraku.workbench.editor.completion.expected import Expected
from bunraku.workbench.editor.completion.items import CompletionItem
from bunraku.workbench.editor.completion.names import expressions, reference_items
from bunraku.workbench.editor.completion.variables import variables
from bunraku.workbench.editor.resource_attributes import (
    RELATIONS,
    AttributeEntry,
    attribute_entries,
    metaparameter_entries,
)
from bunraku.workbench.editor.snapshot import Snapshot


def attributes(snapshot: Snapshot, wanted: Expected) -> Iterator[CompletionItem]:
    """Yield the attributes that a resource does not have yet, the required ones first."""
    own = attribute_entries(snapshot, wanted.owner)
    names = {one.name for one in own}
    rest = [one for one in metaparameter_entries() if one.name not in names]
    for group, some in enumerate((own, rest)):
        for one in some:
            if one.name not in wanted.used:
                yield attribute_item(one, 0 if one.required else group + 1)
    yield CompletionItem(
        "* =>", "keyword", "* => $0,", "the attributes of a hash", snippet=True, group=3
    )


def attribute_item(one: AttributeEntry, group: int) -> CompletionItem:
    """Return the item for an attribute."""
    detail = one.declaration or ("required" if one.required else "")
    return CompletionItem(
        one.name,
        "attribute",
        f"{one.name} => $0,",
        detail,
        one.documentation,
        snippet=True,
        group=group,
    )


def values(
    snapshot: Snapshot, path: str, before: Before, wanted: Expected
) -> Iterator[CompletionItem]:
    """Yield the values that an attribute takes; in quotes, only texts."""
    for one in attribute_entries(snapshot, wanted.owner):
        for word in one.words if one.name == wanted.name else ():
            if not before.quote:
                yield CompletionItem(word, "value")
            elif word.startswith("'"):
                yield CompletionItem(word.strip("'"), "value")
    if before.quote:
        return
    if wanted.name in RELATIONS:
        yield from reference_items(snapshot, path, group=1)
    yield from variables(snapshot, path, before, wanted_group=2)
    yield from expressions(snapshot, path)


def titles(snapshot: Snapshot, path: str, owner: str, *, quoted: bool) -> Iterator[CompletionItem]:
    """Yield the titles of the resources of a type in the open documents."""
    prefix = f"{owner}["
    for name in {path, *snapshot.documents}:
        for one in snapshot.mentions(name):
            if one.symbol.kind == "resource" and one.symbol.name.startswith(prefix):
                title = one.symbol.name[len(prefix) : -1]
                yield CompletionItem(title, "resource", title if quoted else f"'{title}'")
