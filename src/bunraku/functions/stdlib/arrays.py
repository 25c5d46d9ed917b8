"""Functions on arrays: joining, deleting, comparing as sets, picking."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_array, need_hash, need_string, unsuitable
from bunraku.functions.issues import WRONG_COUNT
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.conversion import string_to_boolean
from bunraku.functions.stdlib.text_sets import count_letters
from bunraku.types.ruby_semantics.values import identity, to_s, unique
from bunraku.values.keys import as_key, make_hash
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.collections import as_array, entries, flatten, same, truthy
from bunraku.values.ruby_semantics.numbers import has_to_i, to_i
from bunraku.values.ruby_semantics.texts import kind_name

Value = Any
function = Api3Table()
newer = Api3Table()


@function.api_3("any2array", 0, since="4.0.0")
def any_to_array(*values: Value) -> list[Value]:
    """Return an array of the arguments; a hash becomes alternating keys and values.

    ```puppet
    any2array('a') == ['a']
    any2array({'a' => 1}) == ['a', 1]
    any2array('') == []
    ```
    """
    if len(values) != 1:
        return list(values)
    (value,) = values
    if value.__class__ is list:
        return list(value)
    if value.__class__ is dict:
        return [item for entry in entries(value) for item in entry]
    return [] if value == "" else [value]


@function.api_3("concat", 2, since="4.0.0")
def concat(array: Value, *others: Value) -> list[Value]:
    """Return an array with arrays and single values added to its end.

    ```puppet
    concat(['a'], ['b'], 'c') == ['a', 'b', 'c']
    ```
    """
    result = list(need_array(array, "concat"))
    for other in others:
        if other.__class__ is list:
            result.extend(other)
        else:
            result.append(other)
    return result


@function.api_3("count", 1, 2, since="4.0.0")
def count(collection: Value, item: Value = None) -> int:
    """Count the elements that equal the second argument, or those that are not empty.

    ```puppet
    count(['a', 'b', 'a'], 'a') == 2
    count(['a', '', undef]) == 1
    ```
    """
    kind = collection.__class__
    if truthy(item):
        if kind is str:
            return count_letters(collection, need_string(item, "count", 1))
        if kind is list or kind is dict:
            return sum(same(element, item) for element in as_array(collection))
    elif kind is list or kind is dict:
        return sum(element is not None and element != "" for element in as_array(collection))
    raise unsuitable("count", 0, "an Array or a Hash", collection)


@function.api_3("delete", 2, 2, since="2.2.0")
def delete(collection: Value, items: Value) -> Value:
    """Return an array, hash or string without the given elements, keys or pieces.

    ```puppet
    delete(['a', 'b', 'a'], 'a') == ['b']
    delete({'a' => 1, 'b' => 2}, ['a']) == {'b' => 2}
    delete('abracadabra', 'bra') == 'acada'
    ```
    """
    for item in as_array(items):
        if collection.__class__ is list:
            collection = [element for element in collection if not same(element, item)]
        elif collection.__class__ is dict:
            key = as_key(item)
            collection = {name: value for name, value in collection.items() if name != key}
        elif collection.__class__ is str:
            collection = collection.replace(need_string(item, "delete", 1), "")
        else:
            raise unsuitable("delete", 0, "an Array, a String or a Hash", collection)
    return collection


@function.api_3("delete_at", 2, since="2.2.0")
def delete_at(array: Value, index: Value, *_: Value) -> list[Value]:
    """Return an array without the element at an index.

    ```puppet
    delete_at(['a', 'b', 'c'], 1) == ['a', 'c']
    ```
    """
    result = list(need_array(array, "delete_at"))
    if index.__class__ is str and not re.search(r"^[0-9]+$", index, re.MULTILINE):
        raise issues.NEGATIVE_INDEX(name="delete_at")
    if not has_to_i(index):
        raise unsuitable("delete_at", 1, "an Integer", index)
    at = to_i(index)
    if at >= len(result):
        raise issues.INDEX_TOO_LARGE(name="delete_at", at=at)
    if at >= -len(result):
        del result[at]
    return result


@function.api_3("delete_regex", 2, 2, since="4.13.0")
def delete_regex(collection: Value, patterns: Value) -> Value:
    """Return an array or hash without the elements or keys that contain a matching word.

    ```puppet
    delete_regex(['abf', 'xyz'], ['^a.*']) == ['xyz']
    ```
    """
    for item in as_array(patterns):
        pattern = Regexp(f"\\b{to_s(item)}\\b")
        if collection.__class__ is list:
            collection = [value for value in collection if not matches(pattern, value)]
        elif collection.__class__ is dict:
            collection = {
                key: value for key, value in collection.items() if not matches(pattern, key)
            }
        else:
            raise unsuitable("delete_regex", 0, "an Array or a Hash", collection)
    return collection


def matches(pattern: Regexp, value: Value) -> bool:
    """Return whether a value is a string that matches."""
    return value.__class__ is str and pattern.search(value) is not None


@function.api_3("delete_undef_values", since="4.2.0")
def delete_undef_values(collection: Value, *_: Value) -> Value:
    """Return an array or hash without the elements that are undef.

    ```puppet
    delete_undef_values(['a', undef, '']) == ['a', '']
    delete_undef_values({'a' => 1, 'b' => undef}) == {'a' => 1}
    ```
    """
    if collection.__class__ is list:
        return [value for value in collection if value is not None]
    if collection.__class__ is dict:
        return {key: value for key, value in collection.items() if value is not None}
    raise unsuitable("delete_undef_values", 0, "an Array or a Hash", collection)


@function.api_3("delete_values", 2, 2, since="4.2.0")
def delete_values(hash_: Value, item: Value) -> dict[Any, Value]:
    """Return a hash without the entries that have a value.

    ```puppet
    delete_values({'a' => 'A', 'b' => 'B'}, 'B') == {'a' => 'A'}
    ```
    """
    entries_ = need_hash(hash_, "delete_values").items()
    return {key: value for key, value in entries_ if not same(value, item)}


@function.api_3("difference", 2, 2, since="4.2.0")
def difference(first: Value, second: Value) -> list[Value]:
    """Return the elements of the first array that the second does not have.

    ```puppet
    difference(['a', 'b', 'a'], ['b', 'c']) == ['a', 'a']
    ```
    """
    known = set(map(identity, need_array(second, "difference", 1)))
    return [value for value in need_array(first, "difference") if identity(value) not in known]


@function.api_3("intersection", 2, 2, since="4.2.0")
def intersection(first: Value, second: Value) -> list[Value]:
    """Return the elements that both arrays have, each once.

    ```puppet
    intersection(['a', 'b', 'b'], ['b', 'c']) == ['b']
    ```
    """
    known = set(map(identity, need_array(second, "intersection", 1)))
    array = need_array(first, "intersection")
    return unique(value for value in array if identity(value) in known)


@function.api_3("union", 2, since="4.2.0")
def union(*arrays: Value) -> list[Value]:
    """Return the elements of all arrays, each once.

    ```puppet
    union(['a', 'b'], ['b', 'c'], ['c', 'd']) == ['a', 'b', 'c', 'd']
    ```
    """
    checked = [need_array(array, "union", min(at, 3)) for at, array in enumerate(arrays)]
    return unique(value for array in checked for value in array)


@function.api_3("member", 2, since="2.2.0")
def member(array: Value, item: Value, *_: Value) -> bool:
    """Return whether an array has an element, or all of several.

    ```puppet
    member(['a', 'b'], 'b')
    !member(['a', 'b'], ['a', 'c'])
    ```
    """
    known = set(map(identity, need_array(array, "member")))
    if item.__class__ not in {str, int, list}:
        raise unsuitable("member", 1, "a String, an Integer or an Array", item)
    if item == []:
        raise issues.EMPTY_ITEM(name="member")
    wanted = item if item.__class__ is list else [item]
    return all(identity(value) in known for value in wanted)


@function.api_3("grep", 2, 2, since="2.2.0")
def grep(array: Value, pattern: Value) -> list[Value]:
    """Return the strings of an array that match a regular expression.

    ```puppet
    grep(['aaa', 'bbb', 'aab'], 'aa') == ['aaa', 'aab']
    ```
    """
    regexp = Regexp(need_string(pattern, "grep", 1))
    if array.__class__ not in {list, dict}:
        raise unsuitable("grep", 0, "an Array", array)
    return [value for value in as_array(array) if matches(regexp, value)]


@function.api_3("reject", 2, 2, since="2.6.0")
def reject(collection: Value, pattern: Value) -> Value:
    """Return the elements of an array that do not match a regular expression.

    ```puppet
    reject(['aaa', 'bbb', 'aab'], 'aa') == ['bbb']
    ```
    """
    regexp = Regexp(need_string(pattern, "reject", 1))
    if collection.__class__ is dict:
        return {key: value for key, value in collection.items() if not matches(regexp, key)}
    array = need_array(collection, "reject")
    return [value for value in array if not matches(regexp, value)]


@newer.api_3("reject", 2, 2, since="9.0.0")
def newer_reject(collection: Value, pattern: Value) -> list[Value]:
    """Return the elements of an array that do not match a regular expression."""
    regexp = Regexp(need_string(pattern, "reject", 1))
    if collection.__class__ not in {list, dict}:
        raise unsuitable("reject", 0, "an Array", collection)
    return [value for value in as_array(collection) if not matches(regexp, value)]


def affixed(name: str, collection: Value, affix: Value, *, before: bool) -> Value:
    """Return the elements or keys of a collection with a text before or after each."""
    kind = collection.__class__
    if kind is not list and kind is not dict:
        raise unsuitable(name, 0, "an Array or a Hash", collection)
    text = need_string(affix, name, 1) if truthy(affix) else ""
    if kind is list:
        return [text + to_s(value) if before else to_s(value) + text for value in collection]
    return make_hash(
        (text + to_s(key) if before else to_s(key) + text, value)
        for key, value in entries(collection)
    )


@function.api_3("prefix", since="2.2.0")
def prefix(collection: Value, text: Value = None, *_: Value) -> Value:
    """Put a text before each element of an array or each key of a hash.

    ```puppet
    prefix(['a', 'b'], 'p') == ['pa', 'pb']
    prefix({'a' => 1}, 'p') == {'pa' => 1}
    ```
    """
    return affixed("prefix", collection, text, before=True)


@function.api_3("suffix", since="4.0.0")
def suffix(collection: Value, text: Value = None, *_: Value) -> Value:
    """Put a text after each element of an array or each key of a hash.

    ```puppet
    suffix(['a', 'b'], 's') == ['as', 'bs']
    ```
    """
    return affixed("suffix", collection, text, before=False)


@function.api_3("pick", 0, since="3.2.0", earlier="2.6.0-2.6.0 3x")
def pick(*values: Value) -> Value:
    """Return the first value that is neither undef nor the empty string.

    ```puppet
    pick(undef, '', 'x') == 'x'
    ```
    """
    for value in values:
        if value != "" and value is not None:
            return value
    raise issues.NOTHING_TO_PICK(name="pick")


@function.api_3("pick_default", 0, since="4.2.0")
def pick_default(*values: Value) -> Value:
    """Return the first value that is neither undef nor empty, otherwise the last one unchanged.

    ```puppet
    pick_default(undef, '') == ''
    pick_default('a', 'b') == 'a'
    ```
    """
    if not values:
        raise issues.NO_ARGUMENTS(name="pick_default")
    for value in values[:-1]:
        if value != "" and value is not None:
            return value
    return values[-1]


@function.api_3("reverse", since="2.2.0")
def reverse(value: Value, *_: Value) -> Value:
    """Return a string or an array backwards.

    ```puppet
    reverse('abc') == 'cba'
    reverse([1, 2]) == [2, 1]
    ```
    """
    if value.__class__ not in {str, list}:
        raise unsuitable("reverse", 0, "an Array or a String", value)
    return value[::-1]


@function.api_3("clamp", since="4.12.0")
def clamp(*values: Value) -> int:
    """Return the middle one of three numbers, which may be in arrays.

    ```puppet
    clamp('24', [575, 187]) == 187
    ```
    """
    numbers = flatten(values)
    if len(numbers) != 3:
        raise WRONG_COUNT(name="clamp", actual=len(numbers), expected="3 numbers", wanted="3")
    for value in numbers:
        digits = value.__class__ is str and re.search(r"^[0-9]+$", value, re.MULTILINE)
        if not (has_to_i(value) if value.__class__ is not str else digits):
            raise unsuitable("clamp", 0, "a number", value)
    return sorted(map(to_i, numbers))[1]


INDEX_RANGE = lazy_pattern(r"^([0-9]+)(\.\.\.?|-)([0-9]+)$", re.MULTILINE)
INDEX = lazy_pattern(r"^[0-9]+$", re.MULTILINE)


def indices(text: str, size: int) -> range:
    """Return the positions that an index, or a range of them as text, means."""
    found = INDEX_RANGE.search(text)
    if found is None:
        if not INDEX.search(text):
            raise issues.NOT_AN_INDEX(name="values_at", text=text)
        first = last = to_i(text)
        end = last + 1
    else:
        first, last = int(found[1]), int(found[3])
        if first > last:
            raise issues.INDEXES_REVERSED(name="values_at", text=text)
        end = last if found[2] == "..." else last + 1
    if last >= size:
        raise issues.INDEXES_TOO_LARGE(name="values_at", text=text)
    return range(first, end)


@function.api_3("values_at", 2, since="2.2.0")
def values_at(array: Value, places: Value, *_: Value) -> list[Value]:
    """Return the elements at indices, given as numbers or as texts such as '0-2'.

    ```puppet
    values_at(['a', 'b', 'c'], 2) == ['c']
    values_at(['a', 'b', 'c', 'd'], ['0-1', 3]) == ['a', 'b', 'd']
    ```
    """
    need_array(array, "values_at")
    wanted = flatten([places])
    if not wanted:
        raise issues.NO_INDEX(name="values_at")
    found = [array[at] for place in wanted for at in indices(to_s(place), len(array))]
    return [value for value in found if value is not None]


@function.api_3("zip", 2, since="2.2.0")
def zip_arrays(first: Value, second: Value, flat: Value = None, *_: Value) -> list[Value]:
    """Pair the elements of two arrays; with a third argument that is true, in one flat array.

    ```puppet
    zip([1, 2], ['a', 'b']) == [[1, 'a'], [2, 'b']]
    zip([1, 2], ['a'], true) == [1, 'a', 2, undef]
    ```
    """
    if first.__class__ is not list or second.__class__ is not list:
        wrong = first if first.__class__ is not list else second
        raise issues.TWO_ARRAYS(name="zip", actual=kind_name(wrong))
    dissolve = string_to_boolean(flat, "zip") if truthy(flat) else False
    missing = [None] * (len(first) - len(second))
    paired: list[Value] = [list(pair) for pair in zip(first, [*second, *missing], strict=False)]
    return flatten(paired) if dissolve else paired
