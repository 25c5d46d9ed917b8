"""The data of a catalog for clients that do not know rich data: other values become text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.catalog.rich_data import PLAIN, from_data
from bunraku.types.value_text import to_text

TYPE = "__ptype"


def plain_data(data: Any) -> Any:
    """Return JSON data with values of Puppet's own types as text; the data itself if it has none.

    >>> plain_data({"a": {"__ptype": "Regexp", "__pvalue": "^a"}, "b": [1]})
    {'a': '/^a/', 'b': [1]}
    """
    if data.__class__ in PLAIN:
        return data
    if isinstance(data, list):
        return [item if item.__class__ in PLAIN else plain_data(item) for item in data]
    if not isinstance(data, Mapping):
        return data
    kind = data.get(TYPE)
    if kind == "Hash":
        flat = data["__pvalue"]
        pairs = zip(flat[::2], flat[1::2], strict=True)
        return {as_text(key): plain_data(value) for key, value in pairs}
    if isinstance(kind, str):
        return as_text(data)
    return {
        key: item if item.__class__ in PLAIN else plain_data(item) for key, item in data.items()
    }


def as_text(data: Any) -> str:
    """Return a value as the text that it has in a string."""
    return data if isinstance(data, str) else to_text(from_data(data))
