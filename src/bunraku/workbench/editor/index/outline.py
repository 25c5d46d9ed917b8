"""The record of a manifest from its tokens alone, without a syntax tree: that takes half the time.

It is found for the usual manifest, in which all code is in classes, defined types, functions and plans that are not nested.
"""

from __future__ import annotations

from itertools import pairwise

from bunraku.base.records import record
from bunraku.syntax.tokens import Tokens
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import FUNCTION, Kind, canonical
from bunraku.workbench.editor.places import TextRange

KEYWORDS: dict[str, Kind] = {
    "class": "class",
    "define": "resource_type",
    "function": "function",
}
OWNERS = {"class": "", "define": "", "function": FUNCTION}
"""How the owner of code begins: see :class:`bunraku.workbench.editor.mentions.PuppetSymbol`."""
OTHERS = frozenset({"node", "type", "plan", "application", "ERROR", "import"})
NAMES = frozenset({"NAME", "WORD"})
OPENERS = frozenset({"{", "SELBRACE", "[", "LISTSTART", "(", "WSLPAREN"})
CLOSERS = frozenset({"}", "]", ")"})
CALLS = frozenset({"(", "WSLPAREN"})
VALUES_IN_TYPES = ("CLASSREF", "STRING", "NUMBER", "REGEX", "BOOLEAN", "default")
AFTER_VALUES = frozenset({*VALUES_IN_TYPES, "]"})
BEFORE_VALUES = frozenset({"[", ","})
BEFORE_IN_TYPES = {
    **dict.fromkeys(VALUES_IN_TYPES, BEFORE_VALUES),
    "[": frozenset({"CLASSREF"}),
    ",": AFTER_VALUES,
    "]": AFTER_VALUES,
}
"""The kinds of tokens in the brackets of the usual type, each with those that can be before it."""


@record(frozen=True)
class Outline:
    """The definitions of a manifest, and the templates that it renders, each with the owner of the code."""

    definitions: tuple[IndexedDefinition, ...]
    renders: tuple[tuple[str, str], ...]


class Unusual(Exception):
    """The manifest must be parsed."""


def outline_of(tokens: Tokens, path: str) -> Outline | None:
    """Return the outline of a manifest; None if it must be parsed."""
    definitions: list[IndexedDefinition] = []
    renders: list[tuple[str, str]] = []
    at = 0
    try:
        while tokens.kinds[at] != "END":
            at = add_definition(tokens, at, path, definitions, renders)
    except Unusual:
        return None
    return Outline(tuple(definitions), tuple(renders))


def add_definition(
    tokens: Tokens,
    at: int,
    path: str,
    definitions: list[IndexedDefinition],
    renders: list[tuple[str, str]],
) -> int:
    """Add the definition that begins at a token; return the token behind it. Raises Unusual."""
    kinds, keyword = tokens.kinds, tokens.kinds[at]
    if keyword == "type":
        return add_alias(tokens, at, path, definitions)
    if keyword not in KEYWORDS or kinds[at + 1] not in NAMES:
        raise Unusual
    name: str = tokens.values[at + 1]
    parent = None
    opened = at + 2
    if kinds[opened] in CALLS:
        opened = closer_of(tokens, opened) + 1
    if kinds[opened] == "inherits" and keyword == "class" and kinds[opened + 1] in NAMES:
        parent = tokens.values[opened + 1]
        opened += 2
    if kinds[opened] != "{" or name.startswith("::"):
        raise Unusual
    owner = f"{OWNERS[keyword]}{canonical(name)}"
    end = closer_of(tokens, opened)
    for index in range(at + 2, end):
        if kinds[index] == "NAME" and tokens.values[index] in {"template", "epp"}:
            renders += [(one, owner) for one in templates_of_call(tokens, index)]
    place = TextRange(tokens.starts[at + 1], tokens.ends[at + 1])
    whole = TextRange(tokens.starts[at], tokens.ends[end])
    definitions.append(
        IndexedDefinition(KEYWORDS[keyword], canonical(name), name, path, place, whole, parent)
    )
    return end + 1


def add_alias(tokens: Tokens, at: int, path: str, definitions: list[IndexedDefinition]) -> int:
    """Add the type alias that begins at a token and is the last definition; return the token behind it. Raises Unusual."""
    kinds = tokens.kinds
    if kinds[at + 1 : at + 4] != ["CLASSREF", "=", "CLASSREF"]:
        raise Unusual
    end = at + 3
    if kinds[end + 1] == "[":
        end = closer_of(tokens, end + 1)
        for before, kind in pairwise(kinds[at + 3 : end + 1]):
            if before not in BEFORE_IN_TYPES.get(kind, ()):
                raise Unusual
    name: str = tokens.values[at + 1]
    if kinds[end + 1] != "END" or name.startswith("::"):
        raise Unusual
    place = TextRange(tokens.starts[at + 1], tokens.ends[at + 1])
    whole = TextRange(tokens.starts[at], tokens.ends[end])
    definitions.append(IndexedDefinition("data_type", canonical(name), name, path, place, whole))
    return end + 1


def closer_of(tokens: Tokens, opened: int) -> int:
    """Return the token that closes a bracket. Raises Unusual if it is open, or has definitions in it."""
    kinds, depth = tokens.kinds, 0
    for index in range(opened, len(kinds)):
        kind = kinds[index]
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth -= 1
            if depth == 0:
                return index
        elif kind in OTHERS or (kind in KEYWORDS and kinds[index + 1] != "{"):
            raise Unusual
    raise Unusual


def templates_of_call(tokens: Tokens, at: int) -> list[str]:
    """Return the templates that the arguments of a call name as plain texts."""
    kinds = tokens.kinds
    if kinds[at - 1] == "." or kinds[at + 1] not in CALLS:
        raise Unusual
    end = closer_of(tokens, at + 1)
    found: list[str] = []
    is_epp, depth = tokens.values[at] == "epp", 0
    for index in range(at + 1, end):
        if kinds[index] in OPENERS:
            depth += 1
        elif kinds[index] in CLOSERS:
            depth -= 1
        elif kinds[index] == "STRING" and depth == 1:
            if kinds[index - 1] not in {",", *CALLS} or kinds[index + 1] not in {",", ")"}:
                raise Unusual
            if not is_epp:
                found.append(tokens.values[index])
            elif index == at + 2:
                found.append(f"{tokens.values[index].removesuffix('.epp')}.epp")
    return found
