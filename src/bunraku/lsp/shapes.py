"""The types of members that parameters have in common: those of other types are refused before a feature sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.lazy_typing import Any
from bunraku.lsp.connection import INVALID_PARAMS, InvalidMessage

DEEPEST = 200
"""Levels of parameters: no request has more than ten."""


def is_text(value: Any) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def is_object(value: Any) -> bool:
    """Return whether a value is an object."""
    return isinstance(value, dict)


def is_count(value: Any) -> bool:
    """Return whether a value is a number from 0."""
    return isinstance(value, int) and value >= 0


def is_position(value: Any) -> bool:
    """Return whether a value is a position.

    >>> is_position({"line": 0, "character": 1}), is_position({"line": -1, "character": 1})
    (True, False)
    """
    return is_object(value) and is_count(value.get("line")) and is_count(value.get("character"))


def is_range(value: Any) -> bool:
    """Return whether a value is a range."""
    return is_object(value) and is_position(value.get("start")) and is_position(value.get("end"))


def list_of(is_one: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return what says whether a value is a list of some type."""
    return lambda value: isinstance(value, list) and all(map(is_one, value))


FREE = frozenset({"capabilities", "data", "initializationOptions", "options", "settings"})
"""Members with whatever names; the data of a diagnostic can be that of another server."""
SHAPES: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("uri", "rootUri", "rootPath", "newName", "query", "text", "message"), is_text),
    **dict.fromkeys(("textDocument", "context", "item", "event"), is_object),
    **dict.fromkeys(
        ("workspaceFolders", "diagnostics", "contentChanges", "changes", "added", "removed"),
        list_of(is_object),
    ),
    "position": is_position,
    "positions": list_of(is_position),
    "range": is_range,
}


def check_shapes(value: Any, depth: int = 0) -> None:
    """Raise InvalidMessage for a member of another type; ``null`` stands for none."""
    if depth > DEEPEST:
        raise InvalidMessage(INVALID_PARAMS, f"the parameters have more than {DEEPEST} levels")
    if isinstance(value, dict):
        for name, one in value.items():
            is_right = SHAPES.get(name)
            if is_right is not None and one is not None and not is_right(one):
                raise InvalidMessage(INVALID_PARAMS, f"{name} is not what the protocol says")
            if name not in FREE:
                check_shapes(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            check_shapes(one, depth + 1)
