"""Functions that later became core functions; old versions of the language use these."""

from __future__ import annotations

import math
import re
import time as clock
from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_array, need_hash, unsuitable
from bunraku.functions.core.numbers import absolute_of_text
from bunraku.functions.core.strings import (
    camel,
    capital,
    lower,
    strip_both,
    strip_left,
    strip_right,
    upper,
    without_last,
    without_newline,
)
from bunraku.functions.declaration import FunctionTable
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.strings import each_string
from bunraku.runtime.state import Scope
from bunraku.types.ruby_semantics.values import to_s
from bunraku.types.ruby_semantics.values import unique as distinct
from bunraku.values.keys import as_key, make_hash, pairs
from bunraku.values.keys import keys as hash_keys
from bunraku.values.ruby_semantics.collections import flatten as dissolve
from bunraku.values.ruby_semantics.collections import truthy
from bunraku.values.ruby_semantics.numbers import is_number, parse_float, parse_integer, to_f, to_i
from bunraku.values.ruby_semantics.texts import kind_name

Value = Any
function = Api3Table()
new_function = FunctionTable()


@function.api_3("abs", since="2.2.0", until="8.6.0")
def absolute(value: Value, *_: Value) -> Value:
    """Return the distance of a number from zero."""
    found: Value = absolute_of_text(value) if value.__class__ is str else value
    if not is_number(found):
        raise unsuitable("abs", 0, "a number", value)
    return abs(found)


def need_float(name: str, value: Value) -> float:
    """Return the value as a floating-point number."""
    number: Value = parse_float(value) if value.__class__ is str else value
    if not is_number(number) or not math.isfinite(number):
        raise unsuitable(name, 0, "a number", value)
    return float(number)


@function.api_3("ceiling", 1, 1, since="4.6.0", until="8.6.0")
def ceiling(value: Value) -> int:
    """Return the smallest integer that is not below a number."""
    return math.ceil(need_float("ceiling", value))


@function.api_3("floor", 1, 1, since="4.0.0", until="8.6.0")
def floor(value: Value) -> int:
    """Return the greatest integer that is not above a number."""
    return math.floor(need_float("floor", value))


@function.api_3("round", 1, 1, since="4.19.0", until="8.6.0")
def round_number(value: Value) -> int:
    """Return the integer nearest to a number, halves away from zero."""
    if not is_number(value):
        raise unsuitable("round", 0, "a Numeric", value)
    return int(value + 0.5) if value >= 0 else int(value - 0.5)


def on_strings(name: str, change: Callable[[str], str], since: str) -> None:
    """Register a function that changes a string or the strings of an array."""

    def called(value: Value, *_: Value) -> Value:
        return each_string(name, value, change)

    called.__doc__ = f"Change a string, or the strings of an array, by ``{name}``."
    function.api_3(name, since=since, until="8.6.0")(called)


on_strings("camelcase", camel, since="4.3.0")
on_strings("capitalize", capital, since="2.2.0")
on_strings("chomp", without_newline, since="2.2.0")
on_strings("chop", without_last, since="2.2.0")
on_strings("downcase", lower, since="2.2.0")
on_strings("lstrip", strip_left, since="2.2.0")
on_strings("rstrip", strip_right, since="2.2.0")
on_strings("strip", strip_both, since="2.2.0")


@function.api_3("upcase", 1, 1, since="2.2.0", until="8.6.0")
def upcase(value: Value) -> Value:
    """Write strings in capitals, also those in arrays and hashes."""
    if value.__class__ is list:
        return [upcase(item) for item in value]
    if value.__class__ is dict:
        return make_hash((upcase(key), upcase(item)) for key, item in pairs(value))
    if value.__class__ is not str:
        raise unsuitable("upcase", 0, "a String, an Array or a Hash", value)
    return upper(value)


@function.api_3("empty", since="2.2.0", until="8.6.0")
def empty(value: Value, *_: Value) -> bool:
    """Return whether a string, an array or a hash is empty."""
    if is_number(value):
        return False
    if value.__class__ not in {str, list, dict}:
        raise unsuitable("empty", 0, "an Array, a Hash, a String or a number", value)
    return not value


@function.api_3("flatten", 1, 1, since="2.2.0", until="8.6.0")
def flatten(value: Value) -> list[Value]:
    """Dissolve the arrays in an array."""
    return dissolve(need_array(value, "flatten"))


@function.api_3("join", since="2.2.0", until="8.6.0")
def join(value: Value, separator: Value = None, *_: Value) -> str:
    """Join the elements of an array to a string."""
    items = map(to_s, dissolve(need_array(value, "join")))
    if not truthy(separator):
        return "".join(items)
    if separator.__class__ is not str:
        raise unsuitable("join", 1, "a String", separator)
    return str(separator).join(items)


@function.api_3("keys", since="2.2.0", until="8.6.0")
def keys(value: Value, *_: Value) -> list[Value]:
    """Return the keys of a hash."""
    return hash_keys(need_hash(value, "keys"))


@function.api_3("values", since="2.2.0", until="8.6.0")
def values(value: Value, *_: Value) -> list[Value]:
    """Return the values of a hash."""
    return list(need_hash(value, "values").values())


@new_function("length(Variant[String, Array, Hash] $value)", since="4.16.0", until="8.6.0")
def length(value: Value) -> int:
    """Return the length of a string, an array or a hash."""
    return len(value)


@function.api_3("size", since="2.2.0", until="8.6.0")
def size(value: Value, *_: Value) -> int:
    """Return the length of an array, a hash or a string that is not a number."""
    numeric = value.__class__ is str and parse_float(value) is not None
    if numeric or value.__class__ not in {str, list, dict}:
        raise unsuitable("size", 0, "a String, an Array or a Hash", value)
    return len(value)


NUMBER = lazy_pattern(r"\A-?\d+(?:.\d+)?\Z", re.ASCII)


def by_text(left: Value, right: Value) -> int:
    """Return numbers by size, all else by its text."""
    one, two = to_s(left), to_s(right)
    if NUMBER.match(one) and NUMBER.match(two):
        return (to_f(one) > to_f(two)) - (to_f(one) < to_f(two))
    first, second = one.encode("utf-8", "surrogateescape"), two.encode("utf-8", "surrogateescape")
    return (first > second) - (first < second)


@function.api_3("max", since="3.2.0", until="8.6.0", earlier="2.6.0-2.6.0 3x")
def greatest(*items: Value) -> Value:
    """Return the greatest of the arguments."""
    return max(items, key=cmp_to_key(by_text))


@function.api_3("min", since="3.2.0", until="8.6.0", earlier="2.6.0-2.6.0 3x")
def least(*items: Value) -> Value:
    """Return the smallest of the arguments."""
    return min(items, key=cmp_to_key(by_text))


@function.api_3("sort", 1, 1, since="2.2.0", until="8.6.0")
def sort(value: Value) -> Value:
    """Sort an array of strings or of numbers, or the letters of a string."""
    if value.__class__ is str:
        return "".join(sorted(value))
    if value.__class__ is not list:
        return None
    if all(item.__class__ is str for item in value):
        return sorted(value, key=lambda item: item.encode("utf-8", "surrogateescape"))
    if not all(map(is_number, value)) and len(value) > 1:
        kinds = " and ".join(sorted(set(map(kind_name, value))))
        raise issues.NOT_COMPARABLE(name="sort", kinds=kinds)
    return sorted(value)


@function.api_3("unique", since="2.2.0", until="8.6.0")
def unique(value: Value, *_: Value) -> Value:
    """Return an array or a string without repetitions."""
    if value.__class__ is str:
        return "".join(distinct(value))
    if value.__class__ is not list:
        raise unsuitable("unique", 0, "an Array or a String", value)
    return distinct(value)


@function.api_3("getvar", 1, 1, scope=True, since="0.1.7", until="8.6.0")
def getvar(scope: Scope, name: Value) -> Value:
    """Return a variable by its name, or undef."""
    return scope.lookup(to_s(name), None)


def dug(data: Value, path: Value, default: Value) -> Value:
    """Return the value at a path in arrays and hashes."""
    if data.__class__ is not list and data.__class__ is not dict:
        raise unsuitable("dig44", 0, "an Array or a Hash", data)
    for step in need_array(path, "dig44", 1):
        if data.__class__ is dict:
            data = data.get(as_key(step))
        elif data.__class__ is list:
            index: Value = parse_integer(step) if step.__class__ is str else step
            known = index.__class__ is int and -len(data) <= index < len(data)
            data = data[index] if known else None
        else:
            return default
        if data is None:
            return default
    return data


@function.api_3("dig", 2, since="4.12.0", until="8.6.0")
@function.api_3("dig44", 2, since="4.13.0", until="8.6.0")
def dig44(data: Value, path: Value, default: Value = None, *_: Value) -> Value:
    """Look into arrays and hashes along a path; the default when nothing is there.

    ```puppet
    dig44({'a' => ['x']}, ['a', 0]) == 'x'
    dig44({'a' => ['x']}, ['b', 0], 'none') == 'none'
    ```
    """
    return dug(data, path, default)


@function.api_3("try_get_value", 1, scope=True, since="4.9.0", until="8.6.0")
def try_get_value(
    scope: Scope, data: Value, path: Value = "", default: Value = None, *separators: Value
) -> Value:
    """Look into arrays and hashes along a path written with slashes; deprecated.

    ```puppet
    try_get_value({'a' => ['x']}, 'a/0') == 'x'
    ```
    """
    text = "try_get_value() is deprecated, use dig() instead"
    scope.compilation.messages.log("warning", text, scope)
    if data.__class__ not in {list, dict} or path == "":
        return default if truthy(default) else data
    separator = separators[0] if separators and truthy(separators[0]) else "/"
    if path.__class__ is not str or separator.__class__ is not str:
        raise unsuitable("try_get_value", 1, "a String", path)
    steps = path.split(separator) if separator else list(path)
    while steps and not steps[-1]:
        steps.pop()
    return dug(
        data, [int(step) if re.fullmatch(r"[0-9]+", step) else step for step in steps], default
    )


KINDS = {bool: "boolean", list: "array", int: "integer", float: "float", dict: "hash"}


@function.api_3("type", 1, 1, since="2.2.0", until="8.6.0")
@function.api_3("type3x", 1, 1, since="4.6.0", until="8.6.0")
def type3x(value: Value) -> str:
    """Name the kind of a value in small letters; strings with numbers count as numbers.

    ```puppet
    type3x([]) == 'array'
    ```
    """
    if value.__class__ is str:
        if value == str(to_i(value)):
            return "integer"
        return "float" if value == to_s(to_f(value)) else "string"
    if value.__class__ not in KINDS:
        raise unsuitable("type3x", 0, "plain data", value)
    return KINDS[value.__class__]


@function.api_3("strftime", 1, 2, scope=True, since="2.2.0", until="6.2.0")
def strftime(scope: Scope, pattern: Value, zone: Value = None) -> str:
    """Write the present time by a pattern, in UTC unless a zone is given.

    Zones other than UTC are refused: a catalog must not hang on the machine's zone tables.
    """
    if pattern.__class__ is not str or not pattern:
        raise unsuitable("strftime", 0, "a pattern", pattern)
    if truthy(zone) and zone not in {"", "UTC", "GMT"}:
        raise issues.NOT_AVAILABLE(name="strftime", reason=f"the time zone {zone}")
    return clock.strftime(pattern, clock.gmtime(scope.compilation.world.now()))
