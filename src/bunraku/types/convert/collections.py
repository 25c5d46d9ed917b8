"""Arrays and hashes from other values."""

from __future__ import annotations

from typing import Any

from bunraku.types import model as m
from bunraku.types.convert import issues
from bunraku.types.convert.words import not_convertible
from bunraku.types.text.display import literal
from bunraku.values.binary import Binary
from bunraku.values.iterator import Iterator
from bunraku.values.keys import as_key, from_key, make_hash, pairs

Value = Any


def items_of(value: Value) -> list[Value] | None:
    """Return the items of an iterable value as an array; None for any other value."""
    kind = value.__class__
    if kind is list:
        items: list[Value] = value
        return items
    if kind is dict:
        return [[key, item] for key, item in pairs(value)]
    if kind is str or kind is Iterator or kind is Binary:
        return list(value)
    if kind is int:
        return numbers(0, value - 1) if value >= 0 else None
    value = m.resolved(value)
    if isinstance(value, m.IntegerType) and value.low is not None and value.high is not None:
        return numbers(value.low, value.high)
    if isinstance(value, m.EnumType):
        return list(value.values)
    return None


def numbers(low: int, high: int) -> list[Value]:
    """Return the whole numbers of a range; MemoryError for more than Python can count."""
    try:
        return list(range(low, high + 1))
    except OverflowError:
        raise MemoryError from None


def array_from(value: Value, wrap: bool = False) -> list[Value]:
    """Return the value of ``Array.new``; ``wrap`` puts any other value into an array.

    >>> array_from("ab"), array_from({"a": 1}), array_from({"a": 1}, True), array_from(None, True)
    (['a', 'b'], [['a', 1]], [{'a': 1}], [None])
    """
    if value.__class__ is list:
        return list(value)
    if wrap:
        return [value]
    items = items_of(value)
    if items is None:
        raise not_convertible(value, "Array")
    return items


def is_pair(value: Value) -> bool:
    """Return whether a value is an array of two."""
    return value.__class__ is list and len(value) == 2


def hash_from(value: Value) -> dict[Any, Value]:
    """Return the value of ``Hash.new``: of pairs, or of keys and values in turn.

    >>> hash_from([["a", 1]]), hash_from(["a", 1, "b", 2])
    ({'a': 1}, {'a': 1, 'b': 2})
    """
    if value.__class__ is dict:
        return dict(value)
    items = None if value.__class__ is Binary else items_of(value)
    if items is None:
        raise not_convertible(value, "Hash")
    if all(map(is_pair, items)):
        return make_hash((key, item) for key, item in items)
    if len(items) % 2:
        raise issues.ODD_COUNT(count=len(items))
    return make_hash(zip(items[::2], items[1::2], strict=True))


# -- trees ---------------------------------------------------------------------------------------


def is_tree(value: Value) -> bool:
    """Return whether a value is a non-empty array of pairs of a path and a value."""
    return (
        value.__class__ is list
        and bool(value)
        and all(is_pair(item) and item[0].__class__ is list for item in value)
    )


def hash_from_tree(entries: list[Value], all_hashes: bool) -> dict[Any, Value]:
    """Return the value of ``Hash.new(…, 'tree')``; with ``all_hashes`` arrays become hashes.

    >>> hash_from_tree([[["a", 0], 1], [["a", 1], 2]], False)
    {'a': {0: 1, 1: 2}}
    """
    root: dict[Any, Value] = {}
    for path, value in entries:
        if path:
            place(root, path, copied(value, all_hashes), all_hashes)
        elif value.__class__ is dict:
            root.update(copied(value, all_hashes))
        elif value.__class__ is list:
            root.update(enumerate(copied(value, False)))
        else:
            raise bad_tree(path, all_hashes, "the root must be a hash or an array")
    return root


def copied(value: Value, as_hash: bool) -> Value:
    """Return a copy of the containers so that paths may lead into them."""
    if value.__class__ is list:
        items = [copied(item, False) for item in value]
        return dict(enumerate(items)) if as_hash else items
    if value.__class__ is dict:
        return {key: copied(item, False) for key, item in value.items()}
    return value


def bad_tree(path: list[Value], all_hashes: bool, reason: str) -> Exception:
    """Return the error for a path to a missing element."""
    mode = "hash_tree" if all_hashes else "tree"
    return issues.BAD_TREE(mode=mode, path=literal(path), reason=reason)


def place(root: Value, path: list[Value], value: Value, all_hashes: bool) -> None:
    """Put a value where a path leads; hashes are made on the way."""
    here = root
    for position, step in enumerate(path):
        last = position == len(path) - 1
        if here.__class__ is dict:
            key = as_key(step)
            if last:
                here[key] = value
                return
            here = here.setdefault(key, {})
        elif here.__class__ is list:
            here = into_array(here, step, path, (value if last else {}), last, all_hashes)
        else:
            raise bad_tree(path, all_hashes, f"{literal(from_key(here))} has no parts")


def into_array(
    here: list[Value],
    step: Value,
    path: list[Value],
    value: Value,
    last: bool,
    all_hashes: bool,
) -> Value:
    """Return an element of an array; create it if it is absent or the path ends there."""
    if step.__class__ is not int or step < -len(here):
        raise bad_tree(path, all_hashes, f"{literal(step)} is not an array index")
    if step >= len(here):
        here += [None] * (step + 1 - len(here))
    if last or here[step] is None:
        here[step] = value
    return here[step]
