"""The items that an editor offers."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record, replace
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.symbols import has_letters, rank

ItemKind = Literal[
    "class",
    "resource_type",
    "function",
    "data_type",
    "variable",
    "parameter",
    "attribute",
    "value",
    "keyword",
    "snippet",
    "fact",
    "key",
    "file",
    "resource",
]
MOST_ITEMS = 2_000
"""Clients ask again when more letters are known."""


@record(frozen=True)
class CompletionItem:
    """Something to insert.

    ``insert`` replaces the range of the answer; a ``snippet`` has places to fill in. ``documentation`` is
    Markdown; a ``subject`` (kind and name) tells where more of it is. Items with a lower ``group`` come first.
    """

    label: str
    kind: ItemKind
    insert: str = ""
    detail: str = ""
    documentation: str = ""
    snippet: bool = False
    subject: tuple[str, str] | None = None
    group: int = 0


@record(frozen=True)
class Completions:
    """Items, the best ones first, and the piece of the text that each replaces.

    An incomplete answer has the best of many; more letters may bring others.
    """

    items: list[CompletionItem]
    range: TextRange
    is_incomplete: bool = False


def selected(items: Iterable[CompletionItem], word: str, piece: TextRange) -> Completions:
    """Return the items that have the letters of a word, the best ones first, each once.

    >>> found = selected(
    ...     [CompletionItem("notice", "function"), CompletionItem("file", "function")],
    ...     "no",
    ...     TextRange(0, 2),
    ... )
    >>> [one.insert for one in found.items]
    ['notice']
    """
    wanted = word.lower().removeprefix("::")
    fitting: dict[tuple[str, str], CompletionItem] = {}
    for one in items:
        if has_letters(one.label.lower(), wanted):
            fitting.setdefault((one.label, one.kind), one)
    order = sorted(
        fitting.values(), key=lambda one: (rank(one.label.lower(), wanted), one.group, one.label)
    )
    best = [one if one.insert else replace(one, insert=one.label) for one in order[:MOST_ITEMS]]
    return Completions(best, piece, is_incomplete=len(order) > MOST_ITEMS)
