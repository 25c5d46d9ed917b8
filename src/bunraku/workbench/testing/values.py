"""Values of parameters: whether one is the expected one, and the difference."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from bunraku.values.literal import Code, literal
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive

ABSENT: Any = object()
"""Stands for the value of a parameter that is not set."""
PATTERNS = (re.Pattern, Regexp)
LONG = 70
"""Characters of a value that fits on a line."""


def is_expected(actual: Any, expected: Any) -> bool:
    """Return whether a value is the expected one.

    A pattern of :mod:`re`, or a regular expression of Puppet, must be found in a string, or in one string of an array. A function must
    return true for the value; None stands for a parameter that is not set.

    >>> (
    ...     is_expected("0644", re.compile("^06")),
    ...     is_expected(ABSENT, None),
    ...     is_expected(1, True),
    ...     is_expected(5, lambda n: n > 4),
    ... )
    (True, True, False, True)
    """
    if expected is None:
        return actual is ABSENT or actual is None
    if actual is ABSENT:
        return False
    if isinstance(expected, PATTERNS):
        return found_in(expected, actual)
    if isinstance(expected, Code):
        return is_reference(actual, expected.text)
    if callable(expected) and not isinstance(expected, type):
        return bool(expected(actual))
    if isinstance(expected, Sensitive):
        return isinstance(actual, Sensitive) and is_expected(actual.value, expected.value)
    if isinstance(expected, Mapping):
        return (
            isinstance(actual, Mapping)
            and actual.keys() == expected.keys()
            and all(is_expected(actual[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(actual, list)
            and len(actual) == len(expected)
            and all(map(is_expected, actual, expected))
        )
    return is_same(actual, expected)


def is_same(actual: Any, expected: Any) -> bool:
    """Return whether two values are equal and of one kind: Puppet's ``true`` is not 1."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    return bool(actual == expected)


def found_in(pattern: re.Pattern[str] | Regexp, actual: Any) -> bool:
    """Return whether a pattern is found in a string, or in one of an array."""
    if isinstance(actual, list):
        return any(found_in(pattern, one) for one in actual)
    return isinstance(actual, str) and pattern.search(actual) is not None


def is_reference(actual: Any, text: str) -> bool:
    """Return whether a value of the catalog is the reference that code makes.

    >>> is_reference("Package[ntp]", "Package['ntp']")
    True
    """
    return isinstance(actual, str) and actual.replace("'", "") == text.replace("'", "")


def shown(value: Any) -> str:
    """Return a value for a message, as Puppet code if that exists; a secret is not shown.

    >>> shown("0644"), shown(Sensitive("x")), shown(re.compile("a+"))
    ("'0644'", 'Sensitive [value redacted]', 'a string that matches /a+/')
    """
    if value is ABSENT or value is None:
        return "not set"
    if isinstance(value, Sensitive):
        return "Sensitive [value redacted]"
    if isinstance(value, PATTERNS):
        return f"a string that matches /{value.pattern}/"
    if callable(value) and not isinstance(value, type):
        return f"a value for which {getattr(value, '__name__', 'the function')} returns true"
    try:
        return literal(value)
    except TypeError:
        return repr(value)


def difference(name: str, actual: Any, expected: Any) -> str:
    """Return the lines of a message about a parameter that has another value.

    >>> print(difference("mode", "0600", "0644"))
      mode: expected '0644'
                 got '0600'
    """
    if isinstance(actual, str) and isinstance(expected, str) and "\n" in actual + expected:
        return text_difference(name, actual, expected)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        return hash_difference(name, actual, expected)
    indent = " " * (len(name) + len("expected") - len("got") + 2)
    if isinstance(actual, str) and isinstance(expected, PATTERNS) and "\n" in actual:
        lines = "\n".join(f"      {line}" for line in actual.splitlines())
        return f"  {name}: expected {shown(expected)}, got\n{lines}"
    return f"  {name}: expected {shown(expected)}\n  {indent}got {shown(actual)}{kind_hint(actual, expected)}"


def kind_hint(actual: Any, expected: Any) -> str:
    """Return a remark about values that only look alike.

    >>> kind_hint("123", 123), kind_hint(Sensitive("a"), "a")
    (' (a String)', '; expect Sensitive(…)')
    """
    if isinstance(actual, Sensitive) and not isinstance(expected, Sensitive):
        return "; expect Sensitive(…)"
    if isinstance(actual, str) != isinstance(expected, str) and (
        shown(actual).strip("'") == shown(expected).strip("'")
    ):
        return f" (a {kind_of(actual)})"
    return ""


def kind_of(value: Any) -> str:
    """Return the name of the type of a string, number or Boolean."""
    return {str: "String", bool: "Boolean", int: "Integer", float: "Float"}.get(
        type(value), "value"
    )


def text_difference(name: str, actual: str, expected: str) -> str:
    """Return the lines that differ in texts of several lines."""
    found = difflib.unified_diff(
        expected.splitlines(), actual.splitlines(), "expected", "catalog", lineterm="", n=2
    )
    lines = "\n".join(f"      {line}" for line in found)
    return f"  {name}: the text differs\n{lines or '      only in the end of the last line'}"


def hash_difference(name: str, actual: Mapping[Any, Any], expected: Mapping[Any, Any]) -> str:
    """Return the keys that differ in hashes."""
    keys = [*expected, *(key for key in actual if key not in expected)]
    parts = [
        difference(f"{name}[{shown(key)}]", actual.get(key, ABSENT), expected.get(key))
        for key in keys
        if not is_expected(actual.get(key, ABSENT), expected.get(key))
    ]
    return "\n".join(parts)
