"""Methods of Ruby's arrays and hashes, and of any value, for the code of ERB templates."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from bunraku.ruby.values.blocks import (
    Block,
    block_method,
    checked_item,
    entries,
    items_of,
    keys_of,
    mapped,
    rejected,
    sequence,
    values_of,
)
from bunraku.ruby.values.objects import (
    HASHES,
    KNOWN,
    LISTS,
    NUMBERS,
    SYMBOLS,
    Array,
    Found,
    Hash,
    NeedsRuby,
    checked,
    equal,
    fit,
    in_order,
    join,
    plain_key,
    same,
    text,
    unique,
    unknown,
)
from bunraku.ruby.values.texts import METHODS, NOT_GIVEN, count_of, method, slice_text
from bunraku.values.keys import pairs
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.collections import truthy
from bunraku.values.sensitive import Sensitive

Value = Any
CLASSES: dict[str, frozenset[type]] = {
    "String": frozenset({str}),
    "Array": LISTS,
    "Hash": HASHES,
    "Integer": frozenset({int}),
    "Float": frozenset({float}),
    "Numeric": NUMBERS,
    "TrueClass": frozenset(),
    "FalseClass": frozenset(),
    "NilClass": frozenset({type(None)}),
    "Symbol": SYMBOLS,
    "Regexp": frozenset({Regexp}),
    "Enumerable": LISTS | HASHES,
    "Object": KNOWN,
    "Puppet::Pops::Types::PSensitiveType::Sensitive": frozenset({Sensitive}),
}
"""Ruby's classes by the classes of values."""
TEXT_METHODS = (
    "gsub sub split strip upcase downcase capitalize chomp to_sym start_with? end_with? to_str"
)
RESPONDS: dict[str, frozenset[type]] = {
    **dict.fromkeys(TEXT_METHODS.split(), frozenset({str})),
    **dict.fromkeys(("each", "map", "collect", "select", "first"), LISTS | HASHES),
    **dict.fromkeys(("join", "push", "last", "to_ary"), LISTS),
    **dict.fromkeys(("each_pair", "keys", "has_key?", "key?", "to_hash", "values"), HASHES),
    "empty?": LISTS | HASHES | {str},
    "flatten": LISTS | HASHES,
    "to_a": LISTS | HASHES | {type(None)},
    "unwrap": frozenset({Sensitive}),
}
"""Classes of values by method."""


# -- any value -------------------------------------------------------------------------------------


@method("nil?")
def is_nil(value: Value) -> bool:
    """Implement ``nil?``."""
    return value is None


def is_a(value: Value, name: str) -> bool:
    """Implement ``is_a?`` with a class of :data:`CLASSES`."""
    kind = value.__class__
    if kind not in KNOWN:
        raise unknown("is_a?", value)
    if kind is bool:
        return name in ("TrueClass" if value else "FalseClass", "Object")
    return kind in CLASSES[name]


@method("respond_to?")
def responds(value: Value, name: Value) -> bool:
    """Implement ``respond_to?`` for methods of :data:`RESPONDS`."""
    kinds = RESPONDS.get(text(name))
    if kinds is None or value.__class__ not in KNOWN or value.__class__ is Found:
        raise NeedsRuby("respond_to? with a rarer method")
    if name.__class__ not in SYMBOLS and name.__class__ is not str:
        raise unknown("respond_to?", name)
    if value.__class__ in SYMBOLS and text(name) not in ("each", "join", "keys", "unwrap"):
        raise unknown("respond_to?", value)
    return value.__class__ in kinds


@method("eql?")
def is_same(value: Value, other: Value) -> bool:
    """Implement ``eql?``."""
    return same(value, other)


@method("frozen?")
def is_frozen(value: Value) -> bool:
    """Implement ``frozen?`` is known of no value."""
    raise unknown("frozen?", value)


def to_list(value: Value) -> Any:
    """Implement ``Array(x)``."""
    kind = value.__class__
    if kind in LISTS:
        return value
    if value is None:
        return Array()
    if kind in HASHES:
        return entries(value)
    if kind in KNOWN and kind is not Found:
        return Array((value,))
    raise unknown("Array()", value)


@method("to_a")
def to_a(value: Value) -> Any:
    """Implement ``to_a``."""
    if value is None or value.__class__ in LISTS or value.__class__ in HASHES:
        return to_list(value)
    raise unknown("to_a", value)


@method("to_h")
def to_h(value: Value) -> Any:
    """Implement ``to_h``."""
    if value is None:
        return Hash()
    if value.__class__ in HASHES:
        return value
    made = Hash()
    for item in sequence(value, "to_h"):
        if item.__class__ not in LISTS or len(item) != 2:
            raise unknown("to_h", value)
        made[plain_key(item[0])] = item[1]
    return made


@method("dup", "clone")
def duplicate(value: Value) -> Value:
    """Implement ``dup``: its result may be changed."""
    if value.__class__ in LISTS:
        return Array(value)
    if value.__class__ in HASHES:
        return Hash(value)
    return value


# -- asking ----------------------------------------------------------------------------------------


@method("empty?")
def is_empty(value: Value) -> bool:
    """Implement ``empty?``."""
    kind = value.__class__
    if kind is str or kind in LISTS or kind in HASHES:
        return not value
    raise unknown("empty?", value)


@method("size", "length")
def size(value: Value) -> int:
    """Implement ``size``."""
    kind = value.__class__
    if kind is str:
        return len(checked(value))
    if kind in LISTS or kind in HASHES:
        return len(value)
    raise unknown("size", value)


@method("count")
def count_items(value: Value, wanted: Value = NOT_GIVEN) -> int:
    """Implement ``count``; with an argument, count the items equal to it."""
    if value.__class__ is str:
        raise unknown("count", value)
    items = items_of(value, "count")
    if wanted is NOT_GIVEN:
        return len(items)
    return sum(equal(item, wanted) for item in items)


@method("member?")
def is_member(value: Value, wanted: Value) -> bool:
    """Implement ``member?``, which strings do not have."""
    if value.__class__ is str:
        raise unknown("member?", value)
    return includes(value, wanted)


@method("include?")
def includes(value: Any, wanted: Value) -> bool:
    """Implement ``include?``."""
    kind = value.__class__
    if kind in LISTS:
        return any(equal(item, wanted) for item in value)
    if kind in HASHES:
        return bool(plain_key(wanted) in value)
    if kind is str and wanted.__class__ is str:
        return checked(wanted) in checked(value)
    raise unknown("include?", value, wanted)


@method("has_key?", "key?")
def has_key(value: Value, key: Value) -> bool:
    """Implement ``key?``."""
    if value.__class__ in HASHES:
        return plain_key(key) in value
    raise unknown("key?", value)


@method("has_value?", "value?")
def has_value(value: Value, wanted: Value) -> bool:
    """Implement ``value?``."""
    if value.__class__ in HASHES:
        return any(equal(item, wanted) for item in value.values())
    raise unknown("value?", value)


@method("any?")
def has_any(value: Value) -> bool:
    """Implement ``any?`` without a block."""
    return any(map(truthy, items_of(value, "any?")))


@method("all?")
def has_all(value: Value) -> bool:
    """Implement ``all?`` without a block."""
    return all(map(truthy, items_of(value, "all?")))


@method("none?")
def has_none(value: Value) -> bool:
    """Implement ``none?`` without a block."""
    return not has_any(value)


@method("find_index")
def place_of(value: Value, wanted: Value) -> int | None:
    """Implement ``find_index``, which strings do not have."""
    return index_of(sequence(value, "find_index"), wanted)


@method("index")
def index_of(value: Value, wanted: Value) -> int | None:
    """Implement ``index``."""
    if value.__class__ is str and wanted.__class__ is str:
        found = checked(value).find(checked(wanted))
        return None if found < 0 else found
    items = sequence(value, "index")
    return next((at for at, item in enumerate(items) if equal(item, wanted)), None)


# -- parts -----------------------------------------------------------------------------------------


def element(value: Value, at: Value) -> Value:
    """Implement ``value[at]``."""
    kind = value.__class__
    if kind in HASHES:
        return value.get(at if at.__class__ is str else plain_key(at))
    if kind in LISTS and at.__class__ is int:
        return value[at] if -len(value) <= at < len(value) else None
    if kind is str:
        return slice_text(value, at)
    if kind is Found:
        return found_group(value, at)
    inner = getattr(value, "element", None)  # of the scope that a function reads
    if inner is not None:
        return inner(at)
    raise unknown("[]", value, at)


def found_group(value: Found, at: Value) -> Value:
    """Return a group of a match by number or name."""
    if at.__class__ is int:
        size = len(value.match.groups()) + 1
        return value.match.group(at % size) if -size <= at < size else None
    numbers = value.regexp.group_names().get(text(at), []) if at.__class__ is str else []
    if len(numbers) != 1:
        raise unknown("[]", value, at)
    return value.match.group(numbers[0])


def part(value: Value, start: Value, length: Value) -> Value:
    """Implement ``value[start, length]``."""
    if value.__class__ is Found:
        value = Array((value.match.group(), *value.match.groups()))
    begin, count = count_of(start, "[]"), count_of(length, "[]")
    found = checked(value) if value.__class__ is str else sequence(value, "[]")
    begin = begin + len(found) if begin < 0 else begin
    if begin < 0 or begin > len(found) or count < 0:
        return None
    piece = found[begin : begin + count]
    return piece if piece.__class__ is str else Array(piece)


def part_range(value: Value, first: Value, last: Value, exclusive: bool) -> Value:
    """Implement ``value[first..last]``; without a last to the end."""
    if value.__class__ is Found:
        value = Array((value.match.group(), *value.match.groups()))
    found = checked(value) if value.__class__ is str else sequence(value, "[]")
    begin = count_of(first, "[]")
    end = -1 if last is None else count_of(last, "[]")
    begin = begin + len(found) if begin < 0 else begin
    end = end + len(found) if end < 0 else end
    if exclusive and last is not None:
        end -= 1
    return part(found, begin, max(end - begin + 1, 0)) if begin >= 0 else None


def set_element(value: Value, at: Value, item: Value) -> Value:
    """Implement ``value[at] = item``, for values that the template created."""
    if value.__class__ is Hash and not value.shared:
        value[plain_key(at)] = fit(value, item)
    elif value.__class__ is Array and not value.shared and at.__class__ is int:
        if not 0 <= at <= len(value):
            raise unknown("[]=", value, at)
        value[at : at + 1] = [fit(value, item)]
    else:
        raise unknown("[]=", value, at)
    return item


@method("fetch")
def fetch(value: Value, at: Value, default: Value = NOT_GIVEN) -> Value:
    """Implement ``fetch`` of an existing element, or with a default."""
    if value.__class__ in HASHES:
        key = plain_key(at)
        if key in value:
            return value[key]
    elif value.__class__ in LISTS and at.__class__ is int:
        if -len(value) <= at < len(value):
            return value[at]
    else:
        raise unknown("fetch", value, at)
    if default is NOT_GIVEN:
        raise unknown("fetch of a missing element", value)
    return default


@method("dig")
def dig(value: Value, first_at: Value, *path: Value) -> Value:
    """Implement ``dig``."""
    for number, at in enumerate((first_at, *path)):
        if value is None and number:
            return None
        if value.__class__ not in HASHES and value.__class__ not in LISTS:
            raise unknown("dig", value)
        value = element(value, at)
    return value


@method("first")
def first(value: Value, count: Value = NOT_GIVEN) -> Value:
    """Implement ``first``."""
    items = items_of(value, "first")
    if count is not NOT_GIVEN:
        return part(items, 0, counted_from(count))
    return items[0] if items else None


@method("last")
def last(value: Value, count: Value = NOT_GIVEN) -> Value:
    """Implement ``last``."""
    items = sequence(value, "last")
    if count is not NOT_GIVEN:
        return Array(items[max(len(items) - counted_from(count), 0) :])
    return items[-1] if items else None


def counted_from(value: Value) -> int:
    """Return a count, which must not be negative."""
    found = count_of(value, "a number of items")
    if found < 0:
        raise unknown("a number of items", value)
    return found


@method("take")
def take(value: Value, count: Value) -> Array:
    """Implement ``take``."""
    return Array(items_of(value, "take")[: counted_from(count)])


@method("drop")
def drop(value: Value, count: Value) -> Array:
    """Implement ``drop``."""
    return Array(items_of(value, "drop")[counted_from(count) :])


@method("values_at")
def values_at(value: Value, *keys: Value) -> Array:
    """Implement ``values_at``."""
    if value.__class__ in LISTS and any(key.__class__ is not int for key in keys):
        raise unknown("values_at", value)
    if value.__class__ not in LISTS and value.__class__ not in HASHES:
        raise unknown("values_at", value)
    return Array(element(value, key) for key in keys)


METHODS["keys"] = keys_of
METHODS["values"] = values_of

# -- making new ones -------------------------------------------------------------------------------


@method("join")
def joined(value: Value, separator: Value = None) -> str:
    """Implement ``join``."""
    if separator is not None and separator.__class__ is not str:
        raise unknown("join", separator)
    return join(items_of_array(value, "join"), separator or "")


def items_of_array(value: Value, what: str) -> list[Value]:
    """Return an array."""
    return sequence(value, what)


@method("sort")
def sort(value: Value) -> Array:
    """Implement ``sort``."""
    return in_order(items_of(value, "sort"))


@method("min")
def minimum(value: Value) -> Value:
    """Implement ``min``."""
    ordered = in_order(sequence(value, "min"))
    return ordered[0] if ordered else None


@method("max")
def maximum(value: Value) -> Value:
    """Implement ``max``."""
    ordered = in_order(sequence(value, "max"))
    return ordered[-1] if ordered else None


@method("sum")
def total(value: Value) -> int:
    """Implement ``sum`` of integers."""
    items = sequence(value, "sum")
    if any(item.__class__ is not int for item in items):
        raise unknown("sum", *items)
    return sum(items)


@method("reverse")
def reverse(value: Value) -> Value:
    """Implement ``reverse``."""
    if value.__class__ is str:
        if not value.isascii():
            raise unknown("reverse", value)
        return value[::-1]
    return Array(reversed(sequence(value, "reverse")))


@method("compact")
def compact(value: Value) -> Value:
    """Implement ``compact``."""
    if value.__class__ in HASHES:
        return Hash({key: item for key, item in value.items() if item is not None})
    return Array(item for item in sequence(value, "compact") if item is not None)


@method("flatten")
def flatten(value: Value, depth: Value = None) -> Array:
    """Implement ``flatten``."""
    limit = -1 if depth is None else count_of(depth, "flatten")
    made = Array()
    for item in sequence(value, "flatten"):
        if item.__class__ in LISTS and limit != 0:
            made.extend(flatten(item, limit - 1 if limit > 0 else None))
        else:
            made.append(checked_item(item))
    return made


@method("uniq")
def uniq(value: Value) -> Array:
    """Implement ``uniq``."""
    return unique(sequence(value, "uniq"))


@method("zip")
def zipped(value: Value, *others: Value) -> Array:
    """Implement ``zip``."""
    items = sequence(value, "zip")
    more = [sequence(other, "zip")[: len(items)] for other in others]
    return Array(Array(group) for group in zip_longest(items, *more))


@method("transpose")
def transposed(value: Value) -> Array:
    """Implement ``transpose``."""
    rows = [sequence(row, "transpose") for row in sequence(value, "transpose")]
    if len({len(row) for row in rows}) > 1:
        raise unknown("transpose", value)
    return Array(Array(column) for column in zip(*rows, strict=True))


@method("merge")
def merged(value: Value, *others: Value) -> Hash:
    """Implement ``merge``."""
    made = Hash()
    for item in (value, *others):
        if item.__class__ not in HASHES:
            raise unknown("merge", item)
        made.update(item)
    return made


@method("invert")
def inverted(value: Value) -> Hash:
    """Implement ``invert``."""
    if value.__class__ not in HASHES:
        raise unknown("invert", value)
    made = Hash()
    for key, item in pairs(value):
        made[plain_key(item)] = key
    return made


# -- changing --------------------------------------------------------------------------------------


def own(value: Value, what: str) -> Array:
    """Return an array that the template made."""
    if value.__class__ is Array and not value.shared:
        return value
    raise unknown(what, value)


def changed(value: Array, items: list[Value]) -> Array | None:
    """Return the result of methods such as ``compact!``: nil when nothing changed."""
    before = len(value)
    value[:] = items
    return value if len(items) != before else None


@method("compact!")
def compact_in_place(value: Value) -> Array | None:
    """Implement ``compact!``."""
    target = own(value, "compact!")
    return changed(target, compact(target))


@method("uniq!")
def unique_in_place(value: Value) -> Array | None:
    """Implement ``uniq!``."""
    target = own(value, "uniq!")
    return changed(target, unique(target))


@method("sort!")
def sort_in_place(value: Value) -> Array:
    """Implement ``sort!``."""
    target = own(value, "sort!")
    target[:] = in_order(target)
    return target


@block_method("map!", "collect!")
def map_in_place(value: Value, block: Block, count: int) -> Array:
    """Implement ``map!``."""
    target = own(value, "map!")
    target[:] = mapped(target, block, count)
    return target


@block_method("delete_if")
def delete_where(value: Value, block: Block, count: int) -> Array:
    """Implement ``delete_if`` of an array."""
    target = own(value, "delete_if")
    target[:] = rejected(target, block, count)
    return target


@method("push", "append")
def pushed(value: Value, *items: Value) -> Array:
    """Implement ``push``."""
    target = own(value, "push")
    target.extend([fit(target, item) for item in items])
    return target


@method("unshift", "prepend")
def put_first(value: Value, *items: Value) -> Array:
    """Implement ``unshift``."""
    target = own(value, "unshift")
    target[:0] = [fit(target, item) for item in items]
    return target


@method("concat")
def concatenated(value: Value, *others: Value) -> Array:
    """Implement ``concat``."""
    target = own(value, "concat")
    target.extend([fit(target, item) for other in others for item in sequence(other, "concat")])
    return target


@method("delete")
def delete(value: Value, wanted: Value) -> Value:
    """Implement ``delete`` for values that the template created; in a string, for one plain letter."""
    if value.__class__ is str and wanted.__class__ is str and len(wanted) == 1:
        if wanted in "^-\\":
            raise unknown("delete", value)
        return checked(value).replace(checked(wanted), "")
    if value.__class__ is Hash and not value.shared:
        return value.pop(plain_key(wanted), None)
    target = own(value, "delete")
    gone = [item for item in target if equal(item, wanted)]
    target[:] = [item for item in target if not equal(item, wanted)]
    return gone[-1] if gone else None
