"""JSON as the commands print it."""

from __future__ import annotations

import json
from typing import Any

from bunraku.catalog.issues import NUMBER_NOT_JSON

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
scalar = ENCODER.encode
quoted = json.encoder.encode_basestring


def json_text(data: Any, *, indent: bool = False) -> str:
    """JSON with text as it is, indented by two if so wanted; an error for numbers that JSON cannot
    hold.

    >>> json_text({"é": [1, None]})
    '{"é":[1,null]}'
    >>> print(json_text({"é": [1, {}]}, indent=True))
    {
      "é": [
        1,
        {}
      ]
    }
    """
    try:
        return indented(data, "\n") if indent else scalar(data)
    except ValueError:
        raise NUMBER_NOT_JSON() from None


def quick_text(data: Any) -> str:
    """The same text, indented, for one who writes many: by ``orjson``, whose import takes longer than
    it saves once.

    It writes numbers with a fraction in another way, and refuses keys that are no text, long integers
    and bytes that are no UTF-8: these are for :func:`json_text`.

    >>> quick_text({"é": [1, {}]}) == json_text({"é": [1, {}]}, indent=True)
    True
    """
    import orjson

    if has_fraction(data):
        return json_text(data, indent=True)
    try:
        return orjson.dumps(data, option=orjson.OPT_INDENT_2).decode()
    except TypeError:
        return json_text(data, indent=True)


def has_fraction(value: Any) -> bool:
    """Whether there is a number with a fraction in an array or hash, however deep.

    >>> has_fraction([1, {"a": [2.5]}]), has_fraction([1, "2.5"])
    (True, False)
    """
    for item in value.values() if isinstance(value, dict) else value:
        kind = item.__class__
        if kind is str:
            continue
        if kind is float or (isinstance(item, dict | list | tuple) and has_fraction(item)):
            return True
    return False


def indented(value: Any, newline: str) -> str:
    """JSON with each item on a line; ``newline`` is the line end with the indentation.

    ``json`` does this in Python too, through a generator for each array and hash, and takes half as
    long again.
    """
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = f"{newline}  "
        parts = [
            f"{quoted(key)}: {quoted(item) if item.__class__ is str else indented(item, inner)}"
            if key.__class__ is str
            else f"{key_text(key)}: {indented(item, inner)}"
            for key, item in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(parts)}{newline}}}" if parts else "{}"
    if isinstance(value, list | tuple):
        inner = f"{newline}  "
        parts = [quoted(item) if item.__class__ is str else indented(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(parts)}{newline}]" if parts else "[]"
    if value.__class__ is bool:
        return "true" if value else "false"
    return int.__repr__(value) if value.__class__ is int else scalar(value)


def key_text(key: Any) -> str:
    """A key that is no text, as JSON has it.

    >>> key_text(1), key_text(None)
    ('"1"', '"null"')
    """
    return scalar({key: 0})[1:-3]


def clean_json_text(data: Any) -> str:
    """JSON for programs that insist on UTF-8: bytes that are none are replaced, lines indented."""
    text = json_text(data, indent=True)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "\n"
