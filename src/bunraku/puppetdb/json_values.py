"""JSON as PuppetDB stores it: read leniently from bytes, written in one canonical form.

The canonical form is the text of PostgreSQL's ``jsonb``: keys by length, then by bytes. Regular
expressions on structured facts match this text, and equal values have equal text.
"""

from __future__ import annotations

import json
import math
import re
from json.encoder import encode_basestring as quoted
from typing import TypeAlias

from bunraku.base.bounded_cache import remembered
from bunraku.puppetdb import issues

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

SURROGATE_BYTES = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
MOST_LEVELS = 200
"""How deeply arrays and objects may be nested."""
REPLACEMENT = "\ufffd"
encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def read_json(content: bytes) -> Json:
    """Return the value of a JSON text; PuppetError if it is not JSON or nested too deeply.

    Invalid UTF-8 is replaced as Java does it: one U+FFFD for each malformed sequence, and one for
    an encoded surrogate. NUL and lone surrogates become U+FFFD, because databases refuse them.

    >>> read_json(b'["a", "\\xff", "\\\\u0000", 1E400]')
    ['a', '\ufffd', '\ufffd', 'Infinity']
    """
    value, flawed = read_flawed_json(content)
    return storable(value) if flawed else value


def read_flawed_json(content: bytes) -> tuple[Json, bool]:
    """Return the value of a JSON text, and whether some of its characters may be unstorable.

    Invalid UTF-8 is replaced as by :func:`read_json`; NUL and lone surrogates stay.
    """
    try:
        text, flawed = content.decode(), False
    except UnicodeDecodeError:
        text = SURROGATE_BYTES.sub(REPLACEMENT.encode(), content).decode("utf-8", "replace")
        flawed = True
    try:
        value: Json = decode(text)
    except ValueError as error:
        raise issues.NOT_JSON(reason=str(error)) from None
    except RecursionError:
        raise issues.TOO_DEEP() from None
    if text.count("[") + text.count("{") > MOST_LEVELS and is_deep(value):
        raise issues.TOO_DEEP()
    return value, flawed or ESCAPED.search(text) is not None


def is_deep(value: Json) -> bool:
    """Return whether a value is nested more deeply than functions that recurse can follow.

    >>> is_deep([{"a": [1]}]), is_deep(json.loads("[" * 300 + "]" * 300))
    (False, True)
    """
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(MOST_LEVELS):
        if not level:
            return False
        level = [
            item
            for one in level
            for item in (one.values() if isinstance(one, dict) else one)
            if item.__class__ is dict or item.__class__ is list
        ]
    return bool(level)


def storable_float(digits: str) -> float | str:
    """Return a number; one beyond the range of floats is the text that PuppetDB stores."""
    value = float(digits)
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value or 0.0


def refused(constant: str) -> Json:
    """Refuse ``NaN`` and ``Infinity``, which Python reads and JSON does not have."""
    raise ValueError(constant)


decode = json.JSONDecoder(parse_float=storable_float, parse_constant=refused).decode


def storable(value: Json) -> Json:
    """Return the value with U+FFFD for characters that a database refuses."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, dict):
        return {storable_text(key): storable(item) for key, item in value.items()}
    return value


def storable_text(text: str) -> str:
    """Return the text with U+FFFD for NUL and for surrogates without a partner."""
    return UNSTORABLE.sub(REPLACEMENT, text)


def canonical_json(value: Json) -> str:
    """Return the one text of a value.

    >>> canonical_json({"swap": None, "a": [1, 2.0, True, "x"]})
    '{"a": [1, 2.0, true, "x"], "swap": null}'
    """
    if type(value) is str:
        return quoted(value)
    if type(value) is dict:
        members = [
            prefix + (quoted(item) if type(item) is str else canonical_json(item))
            for key, prefix in ordered_keys(tuple(value))
            for item in (value[key],)
        ]
        return f"{{{', '.join(members)}}}"
    if type(value) is list:
        items = [quoted(item) if type(item) is str else canonical_json(item) for item in value]
        return f"[{', '.join(items)}]"
    return scalar_json(value)


def scalar_json(value: Json) -> str:
    """Return the text of a value that is neither a text nor an array nor an object."""
    if value is None:
        return "null"
    if type(value) is int:
        return str(value)
    if type(value) is float and math.isfinite(value):
        return repr(value)
    if value is True:
        return "true"
    return "false" if value is False else encode(value)


@remembered(1000)
def ordered_keys(keys: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return keys by their length in UTF-8, then by their bytes, each with its text in JSON.

    The order of characters in Python is that of their bytes. Many objects have the same keys.
    """
    found = sorted(keys)
    found.sort(key=len if "".join(found).isascii() else encoded_length)
    return [(key, f"{quoted(key)}: ") for key in found]


def encoded_length(key: str) -> int:
    """Return the length of a key in UTF-8."""
    return len(key.encode())


def kind_of(value: Json) -> str:
    """Return the name of a value's type, as ``jsonb_typeof`` gives it."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"
