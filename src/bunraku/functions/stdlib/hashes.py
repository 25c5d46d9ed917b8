"""Functions on hashes: merging, looking inside, joining."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bunraku.functions.api_3 import Api3Table, need_hash, need_string, unsuitable
from bunraku.functions.core.iterables import items as elements
from bunraku.functions.core.iterables import numbered
from bunraku.functions.issues import WRONG_COUNT
from bunraku.functions.stdlib import issues
from bunraku.runtime.callables import Closure
from bunraku.runtime.control import BreakIteration
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.keys import make_hash
from bunraku.values.ruby_semantics.collections import entries, flatten
from bunraku.values.ruby_semantics.texts import kind_name

Value = Any
function = Api3Table()
older = Api3Table()


@function(
    "merge(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$hashes)", since="6.0.0", until="8.6.0"
)
@function("stdlib::merge(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$hashes)", since="9.0.0")
def merge(*hashes: Value) -> dict[Any, Value]:
    """Merge hashes, later ones winning; with a block, merge the hashes that the block returns.

    The block gets the result of the earlier merges and each element; with three parameters also its index
    or key.

    ```puppet
    merge({'a' => 1, 'b' => 2}, {'b' => 3}) == {'a' => 1, 'b' => 3}
    merge({'a' => 1}, undef, '') == {'a' => 1}
    ['a', 'b'].merge |$result, $item| { { $item => $result.length } } == {'a' => 0, 'b' => 1}
    ```
    """
    result: dict[Any, Value] = {}
    for hash_ in hashes:
        if hash_.__class__ is dict:
            result.update(hash_)
    return result


@function(
    "merge(Iterable *$items, Callable[3, 3] &$block)",
    "stdlib::merge(Iterable *$items, Callable[3, 3] &$block)",
)
def merge_with_keys(*items: Value, block: Closure) -> dict[Any, Value]:
    """Merge the results of a block with three parameters."""
    (value,) = single(items)
    keyed = numbered(value) if value.__class__ is dict else enumerate(elements(value))
    return merge_results(keyed, block)


@function(
    "merge(Iterable *$items, Callable[2, 2] &$block)",
    "stdlib::merge(Iterable *$items, Callable[2, 2] &$block)",
)
def merge_with(*items: Value, block: Closure) -> dict[Any, Value]:
    """Merge the results of a block with two parameters."""
    (value,) = single(items)
    return merge_results(((item,) for item in elements(value)), block)


def single(items: tuple[Value, ...]) -> tuple[Value]:
    """Return the collection that ``merge`` with a block walks over."""
    if len(items) != 1:
        raise WRONG_COUNT(name="merge", actual=len(items), expected="1 with a block", wanted="1")
    return items


def merge_results(rows: Iterable[tuple[Value, ...]], block: Closure) -> dict[Any, Value]:
    """Return the hashes that a block returns, merged; the block also gets the result of the earlier calls."""
    result: dict[Any, Value] = {}
    try:
        for row in rows:
            found = block(result, *row)
            if found.__class__ is dict:
                result = {**result, **found}
    except BreakIteration:
        pass
    return result


@older.api_3("merge", 2, since="1.0.0")
def older_merge(*hashes: Value) -> dict[Any, Value]:
    """Merge hashes, later ones winning."""
    result: dict[Any, Value] = {}
    for at, hash_ in enumerate(hashes):
        if hash_ != "":
            result.update(need_hash(hash_, "merge", min(at, 3)))
    return result


@function.api_3("deep_merge", 2, since="4.2.0")
def deep_merge(*hashes: Value) -> dict[Any, Value]:
    """Merge hashes at every depth, later ones winning.

    ```puppet
    deep_merge({'a' => {'b' => 1}}, {'a' => {'c' => 2}}) == {'a' => {'b' => 1, 'c' => 2}}
    ```
    """
    result: dict[Any, Value] = {}
    for at, hash_ in enumerate(hashes):
        if hash_ != "":
            result = merged(result, need_hash(hash_, "deep_merge", min(at, 3)))
    return result


def merged(under: dict[Any, Value], over: dict[Any, Value]) -> dict[Any, Value]:
    """Return two hashes merged at every depth."""
    result = dict(under)
    for key, value in over.items():
        known = result.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            result[key] = merged(known, value)
        else:
            result[key] = value
    return result


@function.api_3("join_keys_to_values", 2, 2, since="3.2.0", earlier="2.6.0-2.6.0 3x")
def join_keys_to_values(hash_: Value, separator: Value) -> list[str]:
    """Join each key with its value, or with each value of an array.

    ```puppet
    join_keys_to_values({'a' => 1, 'b' => [2, 3]}, ' is ') == ['a is 1', 'b is 2', 'b is 3']
    ```
    """
    need_hash(hash_, "join_keys_to_values")
    between = need_string(separator, "join_keys_to_values", 1)
    result: list[str] = []
    for key, value in entries(hash_):
        name = to_s(key)
        if value.__class__ is list:
            result.extend(name + between + to_s(item) for item in value)
        elif value == "undef":
            result.append(name)
        else:
            result.append(name + between + to_s(value))
    return result


@function("stdlib::nested_values(Hash $hash)", since="9.1.0")
def nested_values(hash_: dict[Any, Value]) -> list[Value]:
    """Return the values of a hash and of the hashes in it.

    ```puppet
    stdlib::nested_values({'a' => {'b' => 1}, 'c' => 2}) == [1, 2]
    ```
    """
    result: list[Value] = []
    for value in hash_.values():
        if value.__class__ is dict:
            result.extend(nested_values(value))
        else:
            result.append(value)
    return result


def in_order(rows: list[tuple[Value, Value]]) -> list[Value]:
    """Return the second of each pair, sorted by the first as Ruby compares."""
    try:
        rows.sort(key=lambda row: sort_key(row[0]))
    except TypeError:
        kinds = " and ".join(sorted({kind_name(key) for key, _ in rows}))
        raise issues.RESULTS_NOT_COMPARABLE(name="stdlib::sort_by", kinds=kinds) from None
    return [item for _, item in rows]


def sort_key(value: Value) -> Value:
    """Return the sort key of a value; arrays are compared element by element."""
    if value.__class__ is list:
        return [sort_key(item) for item in value]
    if value.__class__ is str:
        return value.encode("utf-8", "surrogateescape")
    if value.__class__ is bool or value is None or value.__class__ is dict:
        return Incomparable()
    return value


class Incomparable:
    """Stands for a value that Ruby has no order for."""


@function("stdlib::sort_by(Array $array, Callable[1, 1] &$block)", since="9.5.0")
def sort_array_by(array: list[Value], block: Closure) -> list[Value]:
    """Sort an array, a hash or the letters of a string by the result of a block.

    ```puppet
    stdlib::sort_by(['bb', 'a']) |$item| { $item.length } == ['a', 'bb']
    ```
    """
    return in_order([(block(item), item) for item in array])


@function("stdlib::sort_by(String $text, Callable[1, 1] &$block)")
def sort_text_by(text: str, block: Closure) -> str:
    """Sort the letters of a string by the result of a block."""
    return "".join(in_order([(block(letter), letter) for letter in text]))


@function("stdlib::sort_by(Hash $hash, Variant[Callable[1, 1], Callable[2, 2]] &$block)")
def sort_hash_by(hash_: dict[Any, Value], block: Closure) -> dict[Any, Value]:
    """Sort the entries of a hash by the result of a block."""
    pairwise = block.high is None or block.high > 1
    rows = [
        (block(key, value) if pairwise else block([key, value]), (key, value))
        for key, value in entries(hash_)
    ]
    return make_hash(in_order(rows))


@function.api_3("has_key", 2, 2, since="1.0.0", until="8.6.0")
def has_key(hash_: Value, key: Value) -> bool:
    """Return whether a hash has a key.

    ```puppet
    has_key({'a' => 1}, 'a')
    ```
    """
    if hash_.__class__ is not dict:
        raise unsuitable("has_key", 0, "a Hash", hash_)
    return bool(make_hash([(key, None)]).keys() <= hash_.keys())


@function.api_3("hash", since="2.2.0", until="8.6.0")
def hash_of(array: Value, *_: Value) -> dict[Any, Value]:
    """Make a hash of an array of alternating keys and values.

    ```puppet
    hash(['a', 1, 'b', 2]) == {'a' => 1, 'b' => 2}
    ```
    """
    if array.__class__ is not list:
        raise unsuitable("hash", 0, "an Array", array)
    flat = flatten(array)
    if len(flat) % 2:
        raise issues.KEY_WITHOUT_VALUE(name="hash")
    return make_hash(zip(flat[::2], flat[1::2], strict=True))
