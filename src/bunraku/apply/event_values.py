"""The values of events as reports, plans and stored states hold them."""

from __future__ import annotations

from typing import Any

from bunraku.formats.encoding import to_bytes
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs


def reported(value: Any) -> Any:
    """Return a value as events hold it: data, and text for all that is none, as in Puppet.

    Bytes that are not UTF-8 become replacement characters; texts of a subclass become plain texts.

    >>> from bunraku.types.parse import parse_type
    >>> reported({"a": [1, parse_type("Array[Integer]")], "b": "\\udcff"})
    {'a': [1, 'Array[Integer]'], 'b': '\ufffd'}
    """
    kind = value.__class__
    if isinstance(value, str):
        return str(value) if value.isascii() else to_bytes(value).decode("utf-8", "replace")
    if value is None or kind is int or kind is float or kind is bool:
        return value
    if kind is list:
        return [reported(item) for item in value]
    if kind is dict:
        return {to_text(key): reported(item) for key, item in pairs(value)}
    return to_text(value)
