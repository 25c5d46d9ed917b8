"""Going over Ruby's arrays and hashes: loops, and methods that are given a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cmp_to_key
from typing import Any

from bunraku.ruby.values.objects import (
    HASHES,
    KNOWN,
    LISTS,
    Array,
    Found,
    Hash,
    NeedsRuby,
    plain_key,
    same,
    sorted_by,
    unknown,
)
from bunraku.ruby.values.texts import NOT_GIVEN, F
from bunraku.values.keys import from_key, pairs
from bunraku.values.ruby_semantics.collections import truthy

Value = Any
Block = Callable[..., Value]
SYMBOL = -1
"""The number of parameters of a method that is used as a block: ``&:name``."""
BLOCK_METHODS: dict[str, Callable[..., Value]] = {}
"""Methods that are given a block: receiver, block, how many parameters it has, arguments."""


def block_method(*names: str) -> Callable[[F], F]:
    """Register a method with a block under its names."""

    def register(function: F) -> F:
        for name in names:
            BLOCK_METHODS[name] = function
        return function

    return register


# -- going over items ------------------------------------------------------------------------------


def sequence(value: Value, what: str) -> list[Value]:
    """Return the items of an array."""
    if value.__class__ in LISTS:
        return value  # type: ignore[no-any-return]
    raise unknown(what, value)


def entries(value: Value) -> Array:
    """Return the pairs of a hash as arrays."""
    return Array(Array(pair) for pair in pairs(value))


def items_of(value: Value, what: str) -> list[Value]:
    """Return the items that ``Enumerable`` visits: those of an array, the pairs of a hash."""
    return entries(value) if value.__class__ in HASHES else sequence(value, what)


def watched(value: Any, items: list[Value]) -> Iterator[Value]:
    """Yield the items of a hash; raise if the loop adds one, as Ruby does."""
    size = len(value)
    for item in items:
        yield item
        if len(value) != size:
            raise NeedsRuby("a hash that changes while it is gone over")


def each_one(value: Value) -> Any:
    """Return the items of ``each`` for a block with one parameter."""
    if value.__class__ in LISTS:
        return value
    return watched(value, items_of(value, "each"))


def each_two(value: Value) -> Any:
    """Return the items of ``each`` for a block with two parameters."""
    if value.__class__ in HASHES:
        return watched(value, list(pairs(value)))
    return (two(item) for item in sequence(value, "each"))


def each_pair(value: Value) -> Any:
    """Return the items of ``each_pair``, a method of hashes only, for a block with two parameters."""
    if value.__class__ in HASHES:
        return watched(value, list(pairs(value)))
    raise unknown("each_pair", value)


def each_pairs(value: Value) -> Any:
    """Return the items of ``each_pair`` for any other block."""
    return each_one(value) if value.__class__ in HASHES else each_pair(value)


def each_several(items: Any, count: int) -> Any:
    """Return items for a block with several parameters."""
    return (spread(item, count) for item in items)


def two(item: Value) -> tuple[Value, Value]:
    """Return an item unpacked for two parameters."""
    if item.__class__ in LISTS:
        return (*item[:2], None, None)[:2]
    return checked_item(item), None


def spread(item: Value, count: int) -> list[Value]:
    """Return an item unpacked for several parameters or variables."""
    found = list(item[:count]) if item.__class__ in LISTS else [checked_item(item)]
    return found + [None] * (count - len(found))


def checked_item(item: Value) -> Value:
    """Return an item other than an array that does not convert to one."""
    if item.__class__ not in KNOWN or item.__class__ is Found:
        raise unknown("several variables", item)
    return item


def with_index(value: Value) -> Any:
    """Return the items of ``each_with_index``."""
    found = items_of(value, "each_with_index")
    if value.__class__ in HASHES:
        return zip(watched(value, found), range(len(found)), strict=False)
    return ((item, at) for at, item in enumerate(found))


def indices(value: Value) -> Any:
    """Yield the items of ``each_index``."""
    found = sequence(value, "each_index")
    size = len(found)
    for at in range(size):
        yield at
        if len(found) != size:
            raise NeedsRuby("an array that changes while it is gone over")


def times(value: Value) -> range:
    """Return the items of ``times``."""
    if value.__class__ is int:
        return range(value)
    raise unknown("times", value)


def number_range(first: Value, last: Value, exclusive: bool) -> Array:
    """Return the integers of a range."""
    if first.__class__ is int and last.__class__ is int and last - first < 100_000:
        return Array(range(first, last if exclusive else last + 1))
    raise unknown("a range", first, last)


def keys_of(value: Value) -> Array:
    """Return the keys of a hash."""
    if value.__class__ in HASHES:
        return Array(map(from_key, value))
    raise unknown("keys", value)


def values_of(value: Value) -> Array:
    """Return the values of a hash."""
    if value.__class__ in HASHES:
        return Array(value.values())
    raise unknown("values", value)


def calls(block: Block, count: int) -> Callable[[Value], Value]:
    """Return a block as a function of one item, which several parameters share."""
    if count in (1, SYMBOL):
        return block
    if count == 0:
        return lambda _item: block()
    return lambda item: block(*spread(item, count))


def calls_pair(block: Block, count: int) -> Callable[[Value, Value], Value]:
    """Return a block as a function of key and value."""
    if count == 2:
        return block
    if count == SYMBOL:
        raise NeedsRuby("a method of keys with the values as arguments")
    return lambda key, value: block(*[key, value, *[None] * count][:count])


# -- blocks ----------------------------------------------------------------------------------------


@block_method("map", "collect")
def mapped(value: Value, block: Block, count: int) -> Array:
    """Translate ``map``."""
    call = calls(block, count)
    return Array([call(item) for item in items_of(value, "map")])


@block_method("flat_map", "collect_concat")
def flat_mapped(value: Value, block: Block, count: int) -> Array:
    """Translate ``flat_map``."""
    made = Array()
    for item in mapped(value, block, count):
        if item.__class__ in LISTS:
            made.extend(item)
        else:
            made.append(checked_item(item))
    return made


@block_method("select", "filter")
def selected(value: Value, block: Block, count: int) -> Value:
    """Translate ``select``."""
    return kept(value, block, count, True, "select")


@block_method("reject")
def rejected(value: Value, block: Block, count: int) -> Value:
    """Translate ``reject``."""
    return kept(value, block, count, False, "reject")


def kept(value: Value, block: Block, count: int, wanted: bool, what: str) -> Value:
    """Return the items, or pairs, for which a block is true."""
    if value.__class__ in HASHES:
        decide = calls_pair(block, count)
        return Hash(
            {
                key: item
                for key, item in list(value.items())
                if truthy(decide(from_key(key), item)) is wanted
            }
        )
    call = calls(block, count)
    return Array([item for item in sequence(value, what) if truthy(call(item)) is wanted])


@block_method("find", "detect")
def found_first(value: Value, block: Block, count: int) -> Value:
    """Translate ``find``."""
    call = calls(block, count)
    return next((item for item in items_of(value, "find") if truthy(call(item))), None)


@block_method("find_all")
def found_all(value: Value, block: Block, count: int) -> Array:
    """Translate ``find_all``: of a hash the pairs."""
    call = calls(block, count)
    return Array([item for item in items_of(value, "find_all") if truthy(call(item))])


@block_method("partition")
def parted(value: Value, block: Block, count: int) -> Array:
    """Translate ``partition``."""
    call = calls(block, count)
    yes, no = Array(), Array()
    for item in items_of(value, "partition"):
        (yes if truthy(call(item)) else no).append(item)
    return Array((yes, no))


@block_method("group_by")
def grouped(value: Value, block: Block, count: int) -> Hash:
    """Translate ``group_by``."""
    call = calls(block, count)
    made = Hash()
    for item in items_of(value, "group_by"):
        made.setdefault(plain_key(call(item)), Array()).append(item)
    return made


@block_method("any?")
def any_of(value: Value, block: Block, count: int) -> bool:
    """Translate ``any?``."""
    call = calls(block, count)
    return any(truthy(call(item)) for item in items_of(value, "any?"))


@block_method("all?")
def all_of(value: Value, block: Block, count: int) -> bool:
    """Translate ``all?``."""
    call = calls(block, count)
    return all(truthy(call(item)) for item in items_of(value, "all?"))


@block_method("none?")
def none_of(value: Value, block: Block, count: int) -> bool:
    """Translate ``none?``."""
    return not any_of(value, block, count)


@block_method("count")
def counted(value: Value, block: Block, count: int) -> int:
    """Translate ``count``."""
    call = calls(block, count)
    return sum(truthy(call(item)) for item in items_of(value, "count"))


@block_method("sort_by")
def sorted_with(value: Value, block: Block, count: int) -> Array:
    """Translate ``sort_by``."""
    call = calls(block, count)
    items = items_of(value, "sort_by")
    return sorted_by(items, [call(item) for item in items])


@block_method("sort")
def sorted_comparing(value: Value, block: Block, count: int) -> Array:
    """Translate ``sort`` with a block of two parameters."""
    if count != 2:
        raise NeedsRuby("sort with this kind of block")
    items = items_of(value, "sort")

    def comparison(left: Value, right: Value) -> int:
        found = block(left, right)
        if found.__class__ is not int:
            raise unknown("sort", found)
        if found == 0 and not same(left, right):
            raise NeedsRuby("the order of items that are equal for it")
        return int(found)

    return Array(sorted(items, key=cmp_to_key(comparison)))


@block_method("inject", "reduce")
def injected(value: Value, block: Block, count: int, start: Value = NOT_GIVEN) -> Value:
    """Translate ``inject``."""
    items = list(items_of(value, "inject"))
    if count != 2 or (start is NOT_GIVEN and not items):
        raise NeedsRuby("inject of this form")
    result = items.pop(0) if start is NOT_GIVEN else start
    for item in items:
        result = block(result, item)
    return result


@block_method("each_with_object")
def with_object(value: Value, block: Block, count: int, target: Value) -> Value:
    """Translate ``each_with_object``."""
    if count != 2:
        raise NeedsRuby("each_with_object of this form")
    for item in items_of(value, "each_with_object"):
        block(item, target)
    return target
