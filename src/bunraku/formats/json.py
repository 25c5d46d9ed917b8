"""JSON as bunraku writes it."""

from __future__ import annotations

import json
from typing import Any

from bunraku.formats.issues import NUMBER_NOT_JSON

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
scalar = ENCODER.encode
quoted = json.encoder.encode_basestring


def json_text(data: Any, *, indent: bool = False) -> str:
    """Return data as JSON, on one line or indented by two spaces.

    Raises PuppetError for NaN and infinite numbers.

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
    """Return the same indented text faster, by ``orjson``; worth its import when many are written.

    ``orjson`` formats floats differently and refuses keys that are not strings, long integers and
    invalid UTF-8: :func:`json_text` writes these.

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
    """Return whether an array or hash contains a float at any depth.

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
    """Return JSON with one item on each line; ``newline`` is the line end with its indentation.

    The ``json`` package indents through nested generators, which takes half as long again.
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
    """Return a key that is not a string, as JSON writes it.

    >>> key_text(1), key_text(None)
    ('"1"', '"null"')
    """
    return scalar({key: 0})[1:-3]


def clean_json_text(data: Any) -> str:
    """Return indented JSON in valid UTF-8; invalid bytes are replaced."""
    text = json_text(data, indent=True)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "\n"
