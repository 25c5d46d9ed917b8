"""Values by the rules of Puppet 3: text that is a number when used as one, truth, text of values.

Seed texts 0 and 1 (data types of Puppet 3.0 and 3.8); where they are silent, Puppet 3.8.7.
"""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.runtime.references import is_reference, reference_text
from bunraku.runtime.state import current_scope
from bunraku.runtime.titles import title_attribute
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.ruby_semantics.texts import inspect_array, inspect_hash, inspect_text

Value = Any

NUMBERS = frozenset({int, float})
# A number may be on any line of its text; "1:.5" is one too: both as in Puppet 3.8.7.
FLOAT = lazy_pattern(r"^-?\d+(?::?\.\d+|(?::?\.\d+)?e\d+)$", re.MULTILINE | re.ASCII)
HEXADECIMAL = lazy_pattern(r"^0x[0-9a-f]+$", re.MULTILINE | re.IGNORECASE | re.ASCII)
OCTAL = lazy_pattern(r"^0[0-7]+$", re.MULTILINE | re.ASCII)
DECIMAL = lazy_pattern(r"^-?\d+$", re.MULTILINE | re.ASCII)
LEADING_FLOAT = lazy_pattern(r"\s*-?\d+(?:\.\d+)?(?:e\d+)?", re.ASCII)
LEADING_INTEGER = lazy_pattern(r"\s*-?\d+", re.ASCII)
LEADING_HEXADECIMAL = lazy_pattern(r"\s*(?:0x)?([0-9a-f]+)", re.IGNORECASE)
LEADING_OCTAL = lazy_pattern(r"\s*0?([0-7]+)")


def number(value: Value) -> Any:
    """Return a value as a number, or None: numbers themselves, and text that looks like one.

    >>> [number(text) for text in ("12", "0x1F", "010", "1e3", "1.5", " 1", "", True)]
    [12, 31, 8, 1000.0, 1.5, None, None, None]
    """
    kind = value.__class__
    if kind is int or kind is float:
        return value
    if kind is not str or not value:
        return None
    if FLOAT.search(value):
        if "e" in value and plain_numbers():
            return None
        found = LEADING_FLOAT.match(value)
        return float(found[0]) if found else 0.0
    if HEXADECIMAL.search(value):
        if plain_numbers():
            return None
        found = LEADING_HEXADECIMAL.match(value)
        return int(found[1], 16) if found else 0
    if OCTAL.search(value):
        found = LEADING_OCTAL.match(value)
        return int(found[1], 8) if found else 0
    if DECIMAL.search(value):
        found = LEADING_INTEGER.match(value)
        return int(found[0]) if found else 0
    return None


def plain_numbers() -> bool:
    """Return whether a number has digits, a minus and a point only (Puppet 3 manual, Numbers)."""
    scope = current_scope()
    return scope is not None and scope.compilation.rules.plain_numbers


def truthy(value: Value) -> bool:
    """Return whether a value is true: all but ``false``, ``undef`` and the empty string."""
    return value is not None and value is not False and value != ""


def small(value: Value) -> Value:
    """Return text in lower case (of ASCII) for comparison; other values unchanged."""
    if value.__class__ is not str:
        return value
    if value.isascii():
        return value.lower()
    return "".join(letter.lower() if letter.isascii() else letter for letter in value)


def text(value: Value) -> str:
    """Return a value as text for interpolation: undef is empty, arrays have no separators.

    >>> text(["a", ["b", None], True]), text(None), text({"k": "v"})
    ('abundeftrue', '', '{"k"=>"v"}')
    """
    if value.__class__ is str:
        shown: str = value
        return shown
    return "" if value is None else inner_text(value)


def inner_text(value: Value) -> str:
    """Return an array's element as text for interpolation; undef is a word there."""
    kind = value.__class__
    if kind is str:
        shown: str = value
        return shown
    if value is None:
        return "undef"
    if kind is list:
        return "".join(map(inner_text, value))
    return plain_text(value)


def plain_text(value: Value) -> str:
    """Return a value as Ruby's ``to_s`` shows it."""
    kind = value.__class__
    if kind is str:
        shown: str = value
        return shown
    if kind is bool:
        return "true" if value else "false"
    if value is None:
        return "undef"
    if kind is float:
        return float_text(value)
    if kind is list or kind is dict:
        return inspect(value)
    return reference_text(value) if is_reference(value) else to_text(value)


def inspect(value: Value) -> str:
    """Return a value as Ruby's ``inspect`` shows it; undef is a symbol.

    >>> inspect(["a", None, {"k": True}])
    '["a", :undef, {"k"=>true}]'
    """
    kind = value.__class__
    if kind is str:
        return inspect_text(value)
    if value is None:
        return ":undef"
    if kind is list:
        return inspect_array(value, inspect)
    if kind is dict:
        return inspect_hash(pairs(value), inspect)
    return inspect_reference(value) if is_reference(value) else plain_text(value)


def inspect_reference(reference: ResourceType | ClassType) -> str:
    """Return a reference as Ruby shows it: with the attribute that its title gives.

    >>> inspect_reference(ResourceType("file", "/a/")), inspect_reference(ClassType("a::b"))
    ('File[/a/]{:path=>"/a"}', 'Class[A::B]{:name=>"A::B"}')
    """
    shown = reference_text(reference)
    if isinstance(reference, ClassType):
        name, title = "name", shown[len("Class[") : -1]
    else:
        name, title = title_attribute(reference.type_name or "", str(reference.title))
    return f"{shown}{{:{name}=>{inspect_text(title)}}}"
