"""More methods of Ruby's hashes and arrays: merging, choosing, changing in place."""

from __future__ import annotations

from typing import Any

from bunraku.ruby.values.blocks import Block, block_method, calls, calls_pair, items_of, sequence
from bunraku.ruby.values.collections import own
from bunraku.ruby.values.objects import (
    HASHES,
    LISTS,
    Array,
    Hash,
    NeedsRuby,
    add,
    equal,
    fit,
    multiply,
    plain_key,
    sorted_by,
    text,
    unknown,
)
from bunraku.ruby.values.texts import NOT_GIVEN, method, string
from bunraku.values.keys import from_key, pairs
from bunraku.values.ruby_semantics.collections import truthy

Value = Any
FOLDS = {"+": add, "*": multiply}
"""The operators that ``inject`` takes as a symbol."""


def hash_of(value: Value, what: str) -> Any:
    """Return a hash."""
    if value.__class__ in HASHES:
        return value
    raise unknown(what, value)


def own_hash(value: Value, what: str) -> Hash:
    """Return a hash that the code made itself and so may change."""
    if value.__class__ is Hash and not value.shared:
        return value
    raise unknown(what, value)


# -- merging ---------------------------------------------------------------------------------------


@block_method("merge")
def merged_by(value: Value, block: Block, count: int, *others: Value) -> Hash:
    """Implement ``merge`` with a block that decides for keys of both."""
    made = Hash(hash_of(value, "merge"))
    for other in others:
        merge_into(made, other, block, count)
    return made


def merge_into(made: Hash, other: Value, block: Block, count: int) -> None:
    """Add the entries of a hash; a block decides about existing keys."""
    if count != 3:
        raise NeedsRuby("merge with this kind of block")
    for key, item in hash_of(other, "merge").items():
        if key in made:
            item = block(from_key(key), made[key], item)
        made[key] = item


@block_method("merge!", "update")
def merge_by_in_place(value: Value, block: Block, count: int, *others: Value) -> Hash:
    """Implement ``merge!`` with a block."""
    made = own_hash(value, "merge!")
    for other in others:
        merge_into(made, fit(made, other), block, count)
    return made


@method("merge!", "update")
def merge_in_place(value: Value, *others: Value) -> Hash:
    """Implement ``merge!``."""
    made = own_hash(value, "merge!")
    for other in others:
        made.update(fit(made, hash_of(other, "merge!")))
    return made


@method("store")
def store(value: Value, key: Value, item: Value) -> Value:
    """Implement ``store``."""
    made = own_hash(value, "store")
    made[plain_key(key)] = fit(made, item)
    return item


# -- choosing --------------------------------------------------------------------------------------


@method("slice")
def sliced(value: Value, *keys: Value) -> Hash:
    """Implement ``slice`` of a hash."""
    found = hash_of(value, "slice")
    names = [plain_key(key) for key in keys]
    return Hash({name: found[name] for name in names if name in found})


@method("except")
def without(value: Value, *keys: Value) -> Hash:
    """Implement ``except``."""
    names = {plain_key(key) for key in keys}
    found = hash_of(value, "except")
    return Hash({name: item for name, item in found.items() if name not in names})


@method("key")
def key_of(value: Value, wanted: Value) -> Value:
    """Implement ``key``: that of a value."""
    found = hash_of(value, "key")
    return next((key for key, item in pairs(found) if equal(item, wanted)), None)


@block_method("fetch")
def fetch_or(value: Value, block: Block, count: int, at: Value) -> Value:
    """Implement ``fetch`` with a block for a missing key."""
    if value.__class__ in LISTS:
        if at.__class__ is not int:
            raise unknown("fetch", at)
        if -len(value) <= at < len(value):
            return value[at]
    else:
        key = plain_key(at)
        if key in hash_of(value, "fetch"):
            return value[key]
    return calls(block, count)(at)


@block_method("filter_map")
def chosen_and_mapped(value: Value, block: Block, count: int) -> Array:
    """Implement ``filter_map``."""
    call = calls(block, count)
    made = (call(item) for item in items_of(value, "filter_map"))
    return Array([item for item in made if truthy(item)])


@block_method("take_while")
def taken_while(value: Value, block: Block, count: int) -> Array:
    """Implement ``take_while``."""
    call, made = calls(block, count), Array()
    for item in items_of(value, "take_while"):
        if not truthy(call(item)):
            break
        made.append(item)
    return made


@block_method("drop_while")
def dropped_while(value: Value, block: Block, count: int) -> Array:
    """Implement ``drop_while``."""
    call, made = calls(block, count), Array()
    for item in items_of(value, "drop_while"):
        if made or not truthy(call(item)):
            made.append(item)
    return made


@block_method("find_index", "index")
def place_where(value: Value, block: Block, count: int) -> int | None:
    """Implement ``find_index`` with a block."""
    call = calls(block, count)
    items = sequence(value, "find_index")
    return next((at for at, item in enumerate(items) if truthy(call(item))), None)


@block_method("min_by")
def least_by(value: Value, block: Block, count: int) -> Value:
    """Implement ``min_by``."""
    found = ranked(value, block, count, "min_by")
    return found[0] if found else None


@block_method("max_by")
def greatest_by(value: Value, block: Block, count: int) -> Value:
    """Implement ``max_by``."""
    found = ranked(value, block, count, "max_by")
    return found[-1] if found else None


def ranked(value: Value, block: Block, count: int, what: str) -> Array:
    """Return the items sorted by a block's results; ties leave the order to Ruby."""
    call = calls(block, count)
    items = list(items_of(value, what))
    return sorted_by(items, [call(item) for item in items])


@block_method("uniq")
def unique_by(value: Value, block: Block, count: int) -> Array:
    """Implement ``uniq`` with a block."""
    call = calls(block, count)
    found: dict[Any, Value] = {}
    for item in items_of(value, "uniq"):
        found.setdefault(plain_key(call(item)), item)
    return Array(found.values())


# -- making others ---------------------------------------------------------------------------------


@block_method("transform_values")
def values_changed(value: Value, block: Block, count: int) -> Hash:
    """Implement ``transform_values``."""
    call = calls(block, count) if count != 0 else lambda _item: block()
    return Hash({key: call(item) for key, item in hash_of(value, "transform_values").items()})


@block_method("transform_keys")
def keys_changed(value: Value, block: Block, count: int) -> Hash:
    """Implement ``transform_keys``."""
    call, made = calls(block, count), Hash()
    for key, item in pairs(hash_of(value, "transform_keys")):
        made[plain_key(call(key))] = item
    return made


@block_method("to_h")
def hash_made(value: Value, block: Block, count: int) -> Hash:
    """Implement ``to_h`` with a block that makes a pair of each item."""
    made = Hash()
    if value.__class__ in HASHES:
        decide = calls_pair(block, count)
        found = [decide(key, item) for key, item in pairs(value)]
    else:
        call = calls(block, count)
        found = [call(item) for item in sequence(value, "to_h")]
    for pair in found:
        if pair.__class__ not in LISTS or len(pair) != 2:
            raise unknown("to_h", pair)
        made[plain_key(pair[0])] = pair[1]
    return made


@method("inject", "reduce")
def folded(value: Value, first: Value, operator: Value = NOT_GIVEN) -> Value:
    """Implement ``inject(:+)`` and ``inject(0, :+)``."""
    items = list(items_of(value, "inject"))
    name = first if operator is NOT_GIVEN else operator
    fold = FOLDS.get(text(name)) if name.__class__ is not str else None
    if fold is None or (operator is NOT_GIVEN and not items):
        raise unknown("inject", name)
    result = items.pop(0) if operator is NOT_GIVEN else first
    for item in items:
        result = fold(result, item)
    return result


# -- changing in place -----------------------------------------------------------------------------


@method("pop")
def pop(value: Value) -> Value:
    """Implement ``pop``."""
    target = own(value, "pop")
    return target.pop() if target else None


@method("shift")
def shift(value: Value) -> Value:
    """Implement ``shift`` of an array."""
    target = own(value, "shift")
    return target.pop(0) if target else None


@method("clear")
def clear(value: Value) -> Value:
    """Implement ``clear``."""
    target: Any = own_hash(value, "clear") if value.__class__ is Hash else own(value, "clear")
    target.clear()
    return target


@method("delete_prefix")
def without_prefix(value: Value, prefix: Value) -> str:
    """Implement ``delete_prefix``."""
    return string(value, "delete_prefix").removeprefix(string(prefix, "delete_prefix"))


@method("delete_suffix")
def without_suffix(value: Value, suffix: Value) -> str:
    """Implement ``delete_suffix``."""
    return string(value, "delete_suffix").removesuffix(string(suffix, "delete_suffix"))


@method("even?")
def is_even(value: Value) -> bool:
    """Implement ``even?``."""
    return integer_of(value, "even?") % 2 == 0


@method("odd?")
def is_odd(value: Value) -> bool:
    """Implement ``odd?``."""
    return integer_of(value, "odd?") % 2 == 1


def integer_of(value: Value, what: str) -> int:
    """Return an integer."""
    if value.__class__ is int:
        return int(value)
    raise unknown(what, value)
