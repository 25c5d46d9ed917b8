"""Values in the code of ERB templates, and the operators of Ruby on them.

Puppet's values are used unchanged. An operation whose result may differ from Ruby's raises
:class:`NeedsRuby`: then Ruby renders the whole template, and reports errors in its own words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from math import isnan
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.model import ClassType, ResourceType
from bunraku.values.keys import Key, as_key, from_key, pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Match, Regexp
from bunraku.values.ruby_object import UNDEF, Symbol
from bunraku.values.ruby_semantics.texts import inspect_array, inspect_hash, inspect_text
from bunraku.values.sensitive import Sensitive

Value = Any


class NeedsRuby(Exception):
    """Raised when only Ruby can continue; the message names the construct."""


class Raised(NeedsRuby):
    """An error that Ruby certainly raises: ``rescue`` may catch it; it holds its classes by name."""

    def __init__(self, what: str, *classes: str) -> None:
        super().__init__(what)
        self.classes = frozenset((*classes, "StandardError", "Exception"))

    def fits(self, *names: str) -> bool:
        """Return whether one of some classes is the error's own or an ancestor of it."""
        return not self.classes.isdisjoint(names)


class Array(list[Value]):
    """An array that the template made and so may change."""

    __slots__ = ("shared",)

    def __init__(self, items: Any = ()) -> None:
        super().__init__(items)
        self.shared = False


class Hash(dict[Any, Value]):
    """A hash that the template made and so may change."""

    __slots__ = ("shared",)

    def __init__(self, items: Any = ()) -> None:
        super().__init__(items)
        self.shared = False


class Found:
    """The result of ``match``: Ruby's MatchData."""

    __slots__ = ("match", "regexp")

    def __init__(self, match: Match, regexp: Regexp) -> None:
        self.match = match
        self.regexp = regexp


@remembered(4096)
def symbol(name: str) -> Any:
    """Return the symbol of a name."""
    return UNDEF if name == "undef" else Symbol(name)


LISTS: frozenset[Any] = frozenset({list, Array})
HASHES: frozenset[Any] = frozenset({dict, Hash})
NUMBERS: frozenset[Any] = frozenset({int, float})
SYMBOLS: frozenset[Any] = frozenset({Symbol, type(UNDEF)})
SIMPLE: frozenset[Any] = frozenset({str, int, bool, type(None)})
KNOWN: frozenset[Any] = LISTS | HASHES | NUMBERS | SIMPLE | SYMBOLS | {Sensitive, Found, Regexp}
"""Classes whose values this module fully supports."""
CLASS_NAMES = {
    str: "String",
    int: "Integer",
    float: "Float",
    bool: "true or false",
    type(None): "nil",
    list: "Array",
    Array: "Array",
    dict: "Hash",
    Hash: "Hash",
    Symbol: "Symbol",
    Found: "MatchData",
}


def unknown(what: str, *operands: Value) -> NeedsRuby:
    """Return the exception for an operation on values that it does not support here."""
    kinds = ", ".join(CLASS_NAMES.get(item.__class__, item.__class__.__name__) for item in operands)
    return NeedsRuby(f"{what} on {kinds}")


def checked(value: str) -> str:
    """Return a string of whole characters; text operations require it."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise NeedsRuby("a string that is not UTF-8") from None
    return value


# -- texts -----------------------------------------------------------------------------------------


def text(value: Value) -> str:
    """Implement ``to_s``."""
    kind = value.__class__
    if kind is str:
        return value  # type: ignore[no-any-return]
    if value is None:
        return ""
    if kind is int:
        return integer_text(value)
    if kind is Symbol or value is UNDEF:
        return str(value.name) if kind is Symbol else "undef"
    if kind is Sensitive:
        return "Sensitive [value redacted]"
    if kind is Found:
        return value.match.group() or ""
    if kind is Regexp:
        raise unknown("to_s", value)
    return inspect(value)


def integer_text(value: int) -> str:
    """Return an integer in digits."""
    if value.bit_length() > 10_000:  # Python refuses many digits
        raise NeedsRuby("a long integer")
    return str(value)


def inspect(value: Value) -> str:
    """Implement ``inspect``, as Ruby before 3.4 writes hashes."""
    kind = value.__class__
    if kind is str:
        return quoted(value)
    if value is None:
        return "nil"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return integer_text(value)
    if kind is float:
        return float_text(value)
    if kind in LISTS:
        return inspect_array(value, inspect)
    if kind in HASHES:
        return inspect_hash(pairs(value), inspect)
    if kind is Sensitive:
        return "#<Sensitive [value redacted]>"
    if value is UNDEF:
        return ":undef"
    if kind is Symbol and value.name.isidentifier() and value.name.isascii():
        return f":{value.name}"
    raise unknown("inspect", value)


def quoted(value: str) -> str:
    """Implement ``inspect`` of a string of letters that all versions of Ruby print."""
    if RARE.search(value):
        raise NeedsRuby("inspect of rare characters")
    return inspect_text(value)


RARE = lazy_pattern("[^\\x00-\\x7f\\xa1-\\xac\\xae-\\u017f]")


# -- comparing -------------------------------------------------------------------------------------


def equal(left: Value, right: Value) -> bool:
    """Implement ``==``."""
    one, other = left.__class__, right.__class__
    if one is str or other is str or left is None or right is None:
        return bool(one is other and left == right)
    if one is bool or other is bool:
        return left is right
    if one in NUMBERS and other in NUMBERS:
        return bool(left == right)
    if one not in KNOWN or other not in KNOWN or one is Regexp or one is Found:
        compared = getattr(left, "compared", None)  # versions of gems
        if compared is None:
            raise unknown("==", left, right)
        return bool(compared(right) == 0)
    if one in LISTS and other in LISTS:
        return len(left) == len(right) and all(map(equal, left, right))
    if one in HASHES and other in HASHES:
        return len(left) == len(right) and all(
            key in right and equal(item, right[key]) for key, item in left.items()
        )
    if one is Sensitive and other is Sensitive:
        return equal(left.value, right.value)
    return left is right


def spaceship(left: Value, right: Value) -> int | None:
    """Implement ``<=>``; None if the two have no order."""
    one, other = left.__class__, right.__class__
    if one is str and other is str:
        a, b = order_key(left), order_key(right)
        return int(a > b) - int(a < b)
    if one in NUMBERS and other in NUMBERS and not isnan(left) and not isnan(right):
        return int(left > right) - int(left < right)
    if one in LISTS and other in LISTS:
        for a, b in zip(left, right, strict=False):
            found = spaceship(a, b)
            if found != 0:
                return found
        return (len(left) > len(right)) - (len(left) < len(right))
    if one in SIMPLE and other in SIMPLE:
        return 0 if equal(left, right) else None
    compared = getattr(left, "compared", None)  # versions of gems
    if compared is not None:
        return int(compared(right))
    raise unknown("<=>", left, right)


def order_key(value: str) -> Any:
    """Return the sort key of a string: its bytes, which sort as its characters do."""
    return checked(value)


def comparison(keys: list[Value]) -> Callable[[int, int], int]:
    """Return the comparison of two items of a list."""
    return lambda left, right: compare(keys[left], keys[right])


def compare(left: Value, right: Value) -> int:
    """Implement ``<=>`` of two that must have an order."""
    found = spaceship(left, right)
    if found is None:
        raise unknown("comparison", left, right)
    return found


def less(left: Value, right: Value) -> bool:
    """Implement ``<``."""
    return order(left, right) < 0


def greater(left: Value, right: Value) -> bool:
    """Implement ``>``."""
    return order(left, right) > 0


def at_most(left: Value, right: Value) -> bool:
    """Implement ``<=``."""
    return order(left, right) <= 0


def at_least(left: Value, right: Value) -> bool:
    """Implement ``>=``."""
    return order(left, right) >= 0


def order(left: Value, right: Value) -> int:
    """Return the comparison of two numbers or two strings; other values have no ``<``."""
    one, other = left.__class__, right.__class__
    if (one is str and other is str) or (one in NUMBERS and other in NUMBERS):
        return compare(left, right)
    compared = getattr(left, "compared", None)  # versions of gems
    if compared is not None:
        return int(compared(right))
    raise unknown("comparison", left, right)


def in_order(items: list[Value]) -> Array:
    """Return the items sorted; those that are equal but not the same leave their order to Ruby."""
    kinds = {item.__class__ for item in items}
    if kinds == {str}:
        return Array(sorted(map(checked, items)))
    if kinds == {int}:
        return Array(sorted(items))
    return sorted_by(items, items)


def sorted_by(items: list[Value], keys: list[Value]) -> Array:
    """Return items in the order of their keys."""
    ranked = sorted(range(len(items)), key=cmp_to_key(comparison(keys)))
    if len(items) == 1:
        compare(keys[0], keys[0])
    for before, after in pairwise(ranked):
        if compare(keys[before], keys[after]) == 0 and not same(items[before], items[after]):
            raise NeedsRuby("the order of items that are equal for it")
    return Array(items[at] for at in ranked)


def same(left: Value, right: Value) -> bool:
    """Implement ``eql?``: whether two values are one hash key."""
    return bool(plain_key(left) == plain_key(right))


# -- arithmetic ------------------------------------------------------------------------------------


def add(left: Value, right: Value) -> Value:
    """Implement ``+``."""
    one, other = left.__class__, right.__class__
    if one is str and other is str:
        return left + right
    if one in NUMBERS and other in NUMBERS:
        return left + right
    if one in LISTS and other in LISTS:
        return Array([*left, *right])
    raise unknown("+", left, right)


def subtract(left: Value, right: Value) -> Value:
    """Implement ``-``."""
    one, other = left.__class__, right.__class__
    if one in NUMBERS and other in NUMBERS:
        return left - right
    if one in LISTS and other in LISTS:
        gone = set(map(plain_key, right))
        return Array(item for item in left if plain_key(item) not in gone)
    raise unknown("-", left, right)


def multiply(left: Value, right: Value) -> Value:
    """Implement ``*``."""
    one, other = left.__class__, right.__class__
    if one in NUMBERS and other in NUMBERS:
        return left * right
    if other is int and 0 <= right < 100_000:
        if one is str:
            return left * right
        if one in LISTS:
            return Array(list(left) * right)
    if one in LISTS and other is str:
        return join(left, right)
    raise unknown("*", left, right)


def divide(left: Value, right: Value) -> Value:
    """Implement ``/``: of integers the quotient rounded down."""
    if left.__class__ is int and right.__class__ is int and right != 0:
        return left // right
    if left.__class__ in NUMBERS and right.__class__ in NUMBERS and right != 0:
        return left / right
    raise unknown("/", left, right)


def bit_and(left: Value, right: Value) -> Value:
    """Implement ``&``: the common items of two arrays; or bits."""
    if left.__class__ in LISTS and right.__class__ in LISTS:
        wanted = set(map(plain_key, right))
        return unique([item for item in left if plain_key(item) in wanted])
    if left.__class__ is int and right.__class__ is int:
        return left & right
    raise unknown("&", left, right)


def bit_or(left: Value, right: Value) -> Value:
    """Implement ``|``: the items of either of two arrays; or bits."""
    if left.__class__ in LISTS and right.__class__ in LISTS:
        return unique([*left, *right])
    if left.__class__ is int and right.__class__ is int:
        return left | right
    raise unknown("|", left, right)


def fit(target: Value, item: Value) -> Value:
    """Return an item for an array or hash that it does not hold itself."""
    if item is target:
        raise NeedsRuby("an array or hash within itself")
    if item.__class__ is Array:
        for inner in item:
            fit(target, inner)
    elif item.__class__ is Hash:
        for inner in item.values():
            fit(target, inner)
    return item


def push(target: Value, item: Value) -> Value:
    """Implement ``<<`` onto an array that the template made."""
    if target.__class__ is Array and not target.shared:
        target.append(fit(target, item))
        return target
    if target.__class__ is int and item.__class__ is int and 0 <= item < 1000:
        return target << item
    raise unknown("<<", target, item)


def negative(value: Value) -> Value:
    """Implement ``-x``."""
    if value.__class__ in NUMBERS:
        return -value
    raise unknown("-", value)


def hashable(value: Value) -> Value:
    """Return a value whose ``hash`` and ``eql?`` are known."""
    kind = value.__class__
    if kind in LISTS:
        for item in value:
            hashable(item)
    elif kind in HASHES:
        for key, item in value.items():
            hashable(from_key(key))
            hashable(item)
    elif kind not in SIMPLE and kind is not float and kind not in SYMBOLS:
        raise unknown("hash", value)
    return value


def unique(items: list[Value]) -> Array:
    """Implement ``uniq``."""
    found: dict[Any, Value] = {}
    for item in items:
        found.setdefault(plain_key(item), item)
    return Array(found.values())


def plain_key(value: Value) -> Any:
    """Return the dict key of a value; the template's own arrays and hashes equal Puppet's."""
    kind = value.__class__
    if kind in SIMPLE and kind is not bool:
        return value
    return as_key(plain(hashable(value)))


def plain(value: Value) -> Value:
    """Return a value with Puppet's own arrays and hashes in place of the template's."""
    kind = value.__class__
    if kind in LISTS:
        return [plain(item) for item in value]
    if kind in HASHES:
        return {as_key(plain(from_key(key))): plain(item) for key, item in value.items()}
    return value


def join(items: list[Value], separator: str) -> str:
    """Implement ``join``: arrays inside are joined with the same separator."""
    return separator.join(
        item if item.__class__ is str else join_item(item, separator) for item in items
    )


def join_item(item: Value, separator: str) -> str:
    """Return an item of ``join`` as text."""
    return join(item, separator) if item.__class__ in LISTS else text(item)


def old_variable(value: Value) -> Value:
    """Return a variable for Ruby code of Puppet 3: undef inside arrays and hashes is a symbol."""
    kind = value.__class__
    if kind is list:
        return shared(value, Array(map(old_item, value)))
    if kind is dict:
        return shared(value, Hash({old_item(key): old_item(item) for key, item in value.items()}))
    return old_result(value)


def old_item(value: Value) -> Value:
    """Return an element of an array or hash in the form of Ruby code."""
    return UNDEF if value is None else old_variable(value)


def shared(value: Value, made: Any) -> Any:
    """A value if it is the same for Ruby code; otherwise a copy made for it, which must not change."""
    parts = zip(value, made, strict=True)
    if value.__class__ is dict:
        parts = zip((*value, *value.values()), (*made, *made.values()), strict=True)
    if all(old is new for old, new in parts):
        return value
    made.shared = True
    return made


def old_result(value: Value) -> Value:
    """Return the result of a Puppet 3 function, if Ruby code receives it unchanged."""
    kind = value.__class__
    if kind is list:
        for item in value:
            old_result(item)
    elif kind is dict:
        for key, item in value.items():
            old_result(key)
            old_result(item)
    elif value is UNDEF or isinstance(value, ResourceType | ClassType | Key):
        raise unknown("a variable", value)
    return value
