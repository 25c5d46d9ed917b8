"""How Ruby sees values: the texts, comparisons and conversions that old functions expose.

The library's functions were written in Ruby without declared types, so what they return for
unusual arguments is what Ruby's ``to_s``, ``inspect``, ``==``, ``Float()`` … do.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.model import ClassType, ResourceType, Type
from bunraku.types.text.ruby import inspect_text
from bunraku.types.text.text import to_text
from bunraku.values.default import DEFAULT
from bunraku.values.keys import Key, as_key, from_key, pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import EXTENDED, IGNORECASE, MULTILINE, Regexp, escape_slashes
from bunraku.values.ruby_object import RubyObject
from bunraku.values.sensitive import Sensitive

Value = Any


# -- texts -----------------------------------------------------------------------------------------
def to_s(value: Value) -> str:
    """Return the text of a value as Ruby's ``to_s`` gives it to functions of the old kind.

    >>> to_s(["a", None, {"k": True}])
    '["a", nil, {"k"=>true}]'
    """
    kind = value.__class__
    if kind is str:
        return str(value)
    if value is None:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is float:
        return float_text(value)
    if kind is list or kind is dict:
        return inspect(value)
    if kind is Regexp:
        return regexp_text(value)
    if kind is Sensitive:
        return "Sensitive [value redacted]"
    return reference_text(to_text(value)) if isinstance(value, Type) else to_text(value)


def new_s(value: Value) -> str:
    """Return the text of a value for functions of the new kind, which get references as types."""
    return to_text(value) if isinstance(value, Type) else to_s(value)


FLAGS = (("m", MULTILINE), ("i", IGNORECASE), ("x", EXTENDED))


def regexp_text(value: Regexp) -> str:
    """Return a regular expression as part of another.

    >>> regexp_text(Regexp("a/b", IGNORECASE))
    '(?i-mx:a\\\\/b)'
    """
    on = "".join(letter for letter, flag in FLAGS if value.options & flag)
    off = "".join(letter for letter, flag in FLAGS if not value.options & flag)
    return f"(?{on}{'-' + off if off else ''}:{escape_slashes(value.pattern)})"


REFERENCE = lazy_pattern(r"\A([A-Z][\w:]*)\['(.*)'\]\Z", re.DOTALL)


def reference_text(text: str) -> str:
    """Return a resource reference without the quotes that Puppet 4 puts around its title."""
    found = REFERENCE.match(text)
    if found is None or found[1] in {"Enum", "String", "Runtime", "SemVer", "Timestamp"}:
        return text
    return f"{found[1]}[{found[2]}]"


def inspect(value: Value) -> str:
    """Return the text of a value as Ruby's ``inspect`` gives it."""
    kind = value.__class__
    if kind is str:
        return inspect_text(value)
    if value is None:
        return "nil"
    if kind is list:
        return f"[{', '.join(map(inspect, value))}]"
    if kind is dict:
        inside = ", ".join(f"{inspect(key)}=>{inspect(item)}" for key, item in pairs(value))
        return f"{{{inside}}}"
    if value is DEFAULT:
        return ":default"
    if kind is Regexp:
        return to_text(value)
    if kind is Sensitive:
        return "#<Sensitive [value redacted]>"
    return repr(value) if kind is RubyObject else to_s(value)


CLASS_NAMES = {
    bool: "Boolean",
    int: "Integer",
    float: "Float",
    str: "String",
    list: "Array",
    dict: "Hash",
    type(None): "Undef",
}


def kind_name(value: Value) -> str:
    """Return the name of the kind of a value, for messages."""
    kind: type = value.__class__
    return CLASS_NAMES.get(kind, kind.__name__)


# -- comparisons -----------------------------------------------------------------------------------
def same(left: Value, right: Value) -> bool:
    """Compare by Ruby's ``==``: ``1 == 1.0``, letter case counts, arrays and hashes go deep.

    >>> same([1, "a"], [1.0, "a"]), same("a", "A"), same(1, True)
    (True, False, False)
    """
    kind, other = left.__class__, right.__class__
    if kind is not other:
        if (kind is int and other is float) or (kind is float and other is int):
            return bool(left == right)
        return False
    if kind is list:
        return len(left) == len(right) and all(map(same, left, right))
    if kind is dict:
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


def identity(value: Value) -> Hashable:
    """Return what Ruby's set operations on arrays compare: ``1`` and ``1.0`` differ.

    References to resources are objects of which no two are the same.
    """
    key: Hashable = object() if isinstance(value, ResourceType | ClassType) else as_key(value)
    return key


def unique(values: Iterable[Value]) -> list[Value]:
    """Return the values without repetitions, first ones kept.

    >>> unique([1, 1.0, 1, "a", "A", "a"])
    [1, 1.0, 'a', 'A']
    """
    found: dict[Hashable, Value] = {}
    for value in values:
        found.setdefault(identity(value), value)
    return list(found.values())


def flatten(values: Iterable[Value]) -> list[Value]:
    """Arrays in arrays dissolved, at every depth."""
    found: list[Value] = []
    for value in values:
        if value.__class__ is list:
            found.extend(flatten(value))
        else:
            found.append(value)
    return found


def as_array(value: Value) -> list[Value]:
    """Return Ruby's ``Array()``: undef is empty, a hash is pairs, another value an array of one."""
    if value.__class__ is list:
        return list(value)
    if value is None:
        return []
    if value.__class__ is dict:
        return [[key, item] for key, item in pairs(value)]
    return [value]


def entries(value: dict[Any, Value]) -> Iterator[tuple[Value, Value]]:
    """Key and value of each entry, keys as Puppet values."""
    return ((from_key(key) if key.__class__ is Key else key, item) for key, item in value.items())


def truthy(value: Value) -> bool:
    """Return whether Ruby takes a value for true: all but undef and false."""
    return value is not None and value is not False


# -- numbers ---------------------------------------------------------------------------------------
STRICT_FLOAT = lazy_pattern(
    r"[+-]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?\Z",
    re.ASCII,
)
HEX_FLOAT = lazy_pattern(
    r"[+-]?0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?\d+)?\Z", re.ASCII
)
STRICT_INTEGER = lazy_pattern(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|0[bB]([01]+(?:_[01]+)*)"
    r"|0[dD](\d+(?:_\d+)*)|0_?[oO]?_?([0-7]+(?:_[0-7]+)*)|(0|[1-9]\d*(?:_\d+)*))\Z",
    re.ASCII,
)
BASES = (16, 2, 10, 8, 10)
LOOSE_FLOAT = lazy_pattern(
    r"\s*([+-]?(?:\d+(?:_\d+)*)?(?:(?<=\d)\.?(?:(?<=\.)\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)"
    r"(?:(?<=\d)[eE][+-]?\d+(?:_\d+)*)?)",
    re.ASCII,
)
LOOSE_INTEGER = lazy_pattern(r"\s*([+-]?\d+(?:_\d+)*)", re.ASCII)
BLANKS = " \t\n\v\f\r"


def parse_float(text: str) -> float | None:
    """Return Ruby's ``Float(text)``, or None where that raises.

    >>> parse_float(" 1_0.5e1 "), parse_float("0x1f"), parse_float("1."), parse_float("")
    (105.0, 31.0, None, None)
    """
    text = text.strip(BLANKS)
    if STRICT_FLOAT.match(text):
        return float(text.replace("_", ""))
    if HEX_FLOAT.match(text):
        return float.fromhex(text.replace("_", ""))
    return None


def parse_integer(text: str) -> int | None:
    """Return Ruby's ``Integer(text)``, or None where that raises.

    >>> parse_integer("0x1f"), parse_integer("010"), parse_integer("1_000"), parse_integer("08")
    (31, 8, 1000, None)
    """
    found = STRICT_INTEGER.match(text.strip(BLANKS))
    if found is None:
        return None
    for digits, base in zip(found.groups()[1:], BASES, strict=True):
        if digits is not None:
            number = int(digits.replace("_", ""), base)
            return -number if found[1] == "-" else number
    return None


def to_f(text: str) -> float:
    """Return Ruby's ``String#to_f``: the number a text begins with, else 0.0.

    >>> to_f("1.5 MB"), to_f("1_000"), to_f("x"), to_f(".5")
    (1.5, 1000.0, 0.0, 0.5)
    """
    found = LOOSE_FLOAT.match(text)
    digits = found[1].replace("_", "") if found else ""
    return float(digits) if digits.strip("+-.") else 0.0


def to_i(value: Value) -> int:
    """Return Ruby's ``to_i`` of a string or number; undef is 0.

    >>> to_i("12abc"), to_i(-1.9), to_i("")
    (12, -1, 0)
    """
    if value.__class__ is str:
        found = LOOSE_INTEGER.match(value)
        return int(found[1].replace("_", "")) if found else 0
    return 0 if value is None else int(value)


def has_to_i(value: Value) -> bool:
    """Return whether Ruby's ``to_i`` exists for a value."""
    return value is None or value.__class__ in {str, int, float}


def is_number(value: Value) -> bool:
    """Return whether a value is an Integer or a Float."""
    return value.__class__ is int or value.__class__ is float
