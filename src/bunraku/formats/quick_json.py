"""JSON in the form that the package ``orjson`` writes, about ten times faster than ``json``.

Without that package, code of the standard library writes the same bytes. ``orjson`` is built for each
version of Python and each system; a new version may have none.
"""

from __future__ import annotations

from functools import cache

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.formats.json import json_text, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

DEEPEST = 254
"""Levels of arrays and hashes at which ``orjson`` stops."""
LEAST, MOST = -(1 << 63), 1 << 64
"""The range of integers that ``orjson`` writes; the end is not in it."""
NO_NUMBERS = frozenset({"nan", "inf", "-inf"})


@cache
def orjson_module() -> ModuleType | None:
    """Return the package; None if it is not installed."""
    try:
        import orjson
    except ImportError:
        return None
    return orjson


def quick_bytes(data: Any, *, indent: bool = False, sort_keys: bool = False) -> bytes:
    """Return data as JSON, on one line or indented by two spaces.

    Raise TypeError for keys that are not strings, integers of more than 64 bits, invalid UTF-8 and data
    that are nested too deeply.

    >>> quick_bytes({"é": [1, None, 1e-5]}).decode()
    '{"é":[1,null,0.00001]}'
    """
    module = orjson_module()
    if module is None:
        return standard_bytes(data, indent=indent, sort_keys=sort_keys)
    options = (module.OPT_INDENT_2 if indent else 0) | (module.OPT_SORT_KEYS if sort_keys else 0)
    content: bytes = module.dumps(data, option=options)
    return content


def quick_text(data: Any, numbers: Any = None) -> str:
    """Return the same indented text as :func:`json_text` faster; for many catalogs.

    :func:`json_text` writes floats, which ``orjson`` formats differently, and what that refuses. ``numbers``
    is the part of the data that may hold floats, by default all of it.

    >>> quick_text({"é": [1, {}]}) == json_text({"é": [1, {}]}, indent=True)
    True
    """
    if orjson_module() is None or has_fraction(data if numbers is None else numbers):
        return json_text(data, indent=True)
    try:
        return quick_bytes(data, indent=True).decode()
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


# -- without the package -----------------------------------------------------------------------------


def standard_bytes(data: Any, *, indent: bool = False, sort_keys: bool = False) -> bytes:
    """Return what ``orjson`` writes, by the standard library; raise TypeError as it does."""
    text = standard_text(data, "\n" if indent else "", 0, sort_keys)
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise TypeError("str is not valid UTF-8: surrogates not allowed") from None


def standard_text(value: Any, newline: str, depth: int, sort_keys: bool) -> str:
    """Return the JSON of a value; ``newline`` is the line end with its indentation, or empty."""
    if isinstance(value, str):
        return quoted(value)
    if value is None or value is True or value is False:
        return "null" if value is None else "true" if value else "false"
    if value.__class__ is float:
        return float_text(value)
    if isinstance(value, int):
        if not LEAST <= value < MOST:
            raise TypeError("Integer exceeds 64-bit range")
        return int.__repr__(value)
    inner = f"{newline}  " if newline else ""
    if isinstance(value, dict):
        if depth >= DEEPEST:
            raise TypeError("Recursion limit reached")
        colon = ": " if newline else ":"
        parts = [
            f"{key_text(key)}{colon}{standard_text(item, inner, depth + 1, sort_keys)}"
            for key, item in entries(value, sort_keys)
        ]
        return joined("{", parts, "}", newline)
    if isinstance(value, list) or value.__class__ is tuple:
        if depth >= DEEPEST:
            raise TypeError("Recursion limit reached")
        items = [standard_text(item, inner, depth + 1, sort_keys) for item in value]
        return joined("[", items, "]", newline)
    raise TypeError(f"Type is not JSON serializable: {value.__class__.__name__}")


def joined(opening: str, parts: list[str], closing: str, newline: str) -> str:
    """Return parts in brackets, each on a line of its own if there are lines."""
    if not parts or not newline:
        return f"{opening}{','.join(parts)}{closing}"
    inner = f"{newline}  "
    return f"{opening}{inner}{f',{inner}'.join(parts)}{newline}{closing}"


def entries(value: dict[Any, Any], sort_keys: bool) -> Iterable[tuple[Any, Any]]:
    """Return the entries of a hash in their order, or in that of the keys."""
    return sorted(value.items(), key=lambda entry: entry[0]) if sort_keys else value.items()


def key_text(key: Any) -> str:
    """Return a key as JSON; raise TypeError for one that is not a string."""
    if key.__class__ is not str:
        raise TypeError("Dict key must be str")
    return quoted(key)


def float_text(value: float) -> str:
    """Return a float as ``orjson`` writes it: Python's digits with another exponent.

    >>> (
    ...     float_text(1e-5),
    ...     float_text(-1.5e-5),
    ...     float_text(1e-7),
    ...     float_text(1e16),
    ...     float_text(float("nan")),
    ... )
    ('0.00001', '-0.000015', '1e-7', '1e+16', 'null')
    """
    text = float.__repr__(value)
    if text in NO_NUMBERS:
        return "null"
    digits, small, exponent = text.partition("e-0")
    if not small:
        return text
    if exponent != "5":
        return f"{digits}e-{exponent}"
    return f"{'-' * (value < 0)}0.0000{digits.lstrip('-').replace('.', '')}"
