"""Iteration over the first argument of iterating functions."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator as PythonIterator
from itertools import islice
from typing import Any

from bunraku.functions.core import issues
from bunraku.runtime.callables import Closure
from bunraku.types.model import (
    ANY,
    UNIT,
    EnumType,
    IntegerType,
    StringType,
    Type,
    resolved,
)
from bunraku.types.relations.infer import infer, type_of_items, type_of_pairs
from bunraku.types.text.display import display
from bunraku.values.iterator import Iterator
from bunraku.values.keys import pairs

Value = Any


def items(value: Value) -> Iterable[Value]:
    """Return the items of an Iterable: pairs of a hash, characters of a string, 0 to 2 for 3.

    >>> list(items("ab")), list(items({"a": 1})), list(items(IntegerType(1, 3)))
    (['a', 'b'], [['a', 1]], [1, 2, 3])
    """
    kind = value.__class__
    if kind is list or kind is str or kind is Iterator:
        found: Iterable[Value] = value
        return found
    if kind is dict:
        return map(list, pairs(value))
    if kind is int:
        return range(value)
    if isinstance(value, Type):
        return type_items(resolved(value))
    raise issues.NOT_ITERABLE(actual=display(infer(value)))


def type_items(type_: Type) -> Iterable[Value]:
    """Return the values of a finite Integer range or of an Enum."""
    if isinstance(type_, IntegerType) and type_.low is not None and type_.high is not None:
        return range(type_.low, type_.high + 1)
    if isinstance(type_, EnumType):
        return type_.values
    raise issues.NOT_ITERABLE(actual=display(type_))


def resumed(value: Value) -> Iterable[Value]:
    """Return the items, of a lazy sequence those that are left."""
    if value.__class__ is Iterator:
        found: Iterable[Value] = value.resume()
        return found
    return items(value)


def is_pairs(value: Value) -> bool:
    """Return whether a lambda of two parameters gets key and value, not index and item."""
    kind = value.__class__
    return kind is dict or (kind is Iterator and value.of_pairs)


def numbered(value: Value) -> Iterable[tuple[Value, Value]]:
    """Return the arguments for a lambda with two parameters: index and item, or key and value.

    >>> list(numbered(["a", "b"])), list(numbered({"k": 1}))
    ([(0, 'a'), (1, 'b')], [('k', 1)])
    """
    if value.__class__ is dict:
        return pairs(value)
    if is_pairs(value):
        return ((key, item) for key, item in value)
    return enumerate(items(value))


def takes_two(block: Closure) -> bool:
    """Return whether a lambda is called with two arguments where one or two are possible."""
    high = block.high
    return high is None or high >= 2


def call_loosely(block: Closure, *values: Value) -> Value:
    """Call a lambda that may take fewer arguments than there are, but not more."""
    if len(values) < block.low:
        position = len(values)
        error = issues.MISSING_REQUIRED_PARAMETER(name=block.names[position])
        raise error.in_part("parameter", position)
    return block.function(*values[: block.high])


def chunks(value: Value, size: int) -> PythonIterator[list[Value]]:
    """Yield the items in arrays of a size; the last one may be shorter.

    >>> list(chunks([1, 2, 3], 2))
    [[1, 2], [3]]
    """
    walk = iter(items(value))
    while chunk := list(islice(walk, size)):
        yield chunk


def step(value: Value, size: int) -> Iterator:
    """Return the lazy sequence of every ``size``-th item."""
    return lazy(value).step(size)


def reverse_each(value: Value) -> Iterator:
    """Return the lazy sequence of the items from the last to the first."""
    return lazy(value).reverse_each()


def lazy(value: Value) -> Iterator:
    """Return the lazy sequence of all items; those of an integer range can be walked only once."""
    if value.__class__ is Iterator:
        return value
    found = items(value)
    of_pairs = value.__class__ is dict
    source = list(found) if of_pairs else found
    if isinstance(source, range):
        return Iterator(lambda: source, range_type, once=True)
    return Iterator(lambda: source, lambda _: item_type(value), of_pairs)


def range_type(iterator: Iterator) -> Type:
    """Return the type of the numbers that an iterator over a range, or over steps of one, yields."""
    numbers = iterator.start()
    assert isinstance(numbers, range)  # iterators made from ranges keep ranges
    if not numbers:
        return UNIT
    return IntegerType(min(numbers[0], numbers[-1]), max(numbers[0], numbers[-1]))


def item_type(value: Value) -> Type:
    """Return the type of the items, as the type of an Iterator over the value shows it."""
    kind = value.__class__
    if kind is list:
        return type_of_items(value)
    if kind is dict:
        return type_of_pairs(list(pairs(value)))
    if kind is str:
        return StringType(1, 1)
    if kind is int:
        return IntegerType(0, value - 1)
    return resolved(value) if isinstance(value, Type) else ANY
