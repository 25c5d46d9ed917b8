"""The kinds of the names in a text, for colours that a grammar cannot know."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.types.names import TYPES
from bunraku.workbench.editor.built_in_variables import RESERVED_VARIABLES
from bunraku.workbench.editor.mentions import Mention
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot

TokenKind = Literal["class", "struct", "function", "type", "variable", "parameter", "property"]
MODIFIERS = ("declaration", "readonly", "defaultLibrary", "modification")
KINDS: dict[str, TokenKind] = {
    "class": "class",
    "resource_type": "struct",
    "function": "function",
    "plan": "function",
    "data_type": "type",
    "variable": "variable",
    "attribute": "property",
}
"""The kinds of names that have a colour; others, such as titles and keys, are texts."""


@record(frozen=True)
class SemanticToken:
    """A name in a text: its place, its kind and what modifies it."""

    range: TextRange
    kind: TokenKind
    modifiers: frozenset[str] = frozenset()


def semantic_tokens(
    snapshot: Snapshot, path: str, piece: TextRange | None = None
) -> list[SemanticToken]:
    """Return the names in a manifest or template, or in a piece of it, in order and without overlaps."""
    found: list[SemanticToken] = []
    for one in snapshot.mentions(path):
        inside = piece is None or (one.range.start < piece.end and one.range.end > piece.start)
        if inside and (not found or one.range.start >= found[-1].range.end):
            found.extend(token_of(snapshot, one))
    return found


def token_of(snapshot: Snapshot, one: Mention) -> Iterator[SemanticToken]:
    """Yield the token of a name, if it has a colour."""
    symbol = snapshot.symbol(one)
    kind = KINDS.get(one.symbol.kind if one.symbol.kind == "attribute" else symbol.kind)
    if kind is None:
        return
    modifiers = set()
    if one.role == "definition":
        modifiers.add("declaration")
        kind = "parameter" if kind == "variable" else kind
    if one.role == "write":
        modifiers.add("declaration")
    if is_built_in(snapshot, symbol.kind, symbol.name):
        modifiers.add("defaultLibrary")
    if kind == "variable":
        modifiers.add("readonly")
    yield SemanticToken(one.range, kind, frozenset(modifiers))


def is_built_in(snapshot: Snapshot, kind: str, name: str) -> bool:
    """Return whether a name is Puppet's own."""
    match kind:
        case "function":
            return "::" not in name and not snapshot.index.definitions("function", name)
        case "data_type":
            return name in LOWER_TYPES
        case "variable":
            return name in RESERVED_VARIABLES
        case _:
            return False


LOWER_TYPES = frozenset(name.lower() for name in TYPES)
