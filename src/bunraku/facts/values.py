"""Values of facts: what can be sent to a server and printed in every format.

Facter refuses other values (``LegacyFacter::Util::Normalization``), or fails when it prints them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

DEEPEST = 98
"""The deepest value that Ruby's JSON writes in the hash of all facts."""


def fault_of(value: Any, depth: int = 0) -> str | None:
    r"""Return why a value cannot be a fact; None if it can.

    >>> fault_of({"a": [1, None, "é"]}) is None
    True
    >>> fault_of(["caf\udce9"])
    "the text 'caf\\xe9' is not valid UTF-8"
    >>> fault_of(float("nan"))
    'nan is not a number that JSON has'
    """
    if isinstance(value, str):
        return None if is_utf_8(value) else f"the text '{visible(value)}' is not valid UTF-8"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is not a number that JSON has"
    if depth == DEEPEST and isinstance(value, Mapping | list):
        return "it is nested too deeply"
    if isinstance(value, Mapping):
        return first_fault([*value.keys(), *value.values()], depth + 1)
    return first_fault(value, depth + 1) if isinstance(value, list) else None


def first_fault(values: list[Any], depth: int) -> str | None:
    """Return the fault of the first value that has one."""
    return next(filter(None, (fault_of(value, depth) for value in values)), None)


def is_utf_8(text: str) -> bool:
    """Return whether a text has no surrogates, which stand for bytes that are not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def with_valid_text(value: Any) -> Any:
    r"""Return a value whose bytes that are not UTF-8 are replaced.

    >>> with_valid_text({"/mnt/\udce9": ["a\udce9"]})
    {'/mnt/�': ['a�']}
    """
    if isinstance(value, str):
        return value if value.isascii() else valid_text(value)
    if isinstance(value, Mapping):
        return {with_valid_text(name): with_valid_text(item) for name, item in value.items()}
    return [with_valid_text(item) for item in value] if isinstance(value, list) else value


def valid_text(text: str) -> str:
    """Return a text whose bytes that are not UTF-8 are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def visible(text: str) -> str:
    r"""Return a text with backslash escapes for bytes that are not UTF-8.

    >>> visible("caf\udce9")
    'caf\\xe9'
    """
    if is_utf_8(text):
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def over(facts: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts with others that win over them, except nulls over values.

    >>> over({"a": 1, "b": 2}, {"a": None, "b": 3, "c": None})
    {'a': 1, 'b': 3, 'c': None}
    """
    wins = {
        name: value for name, value in more.items() if facts.get(name) is None or value is not None
    }
    return {**facts, **wins}
