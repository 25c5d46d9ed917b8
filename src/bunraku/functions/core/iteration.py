"""Functions that call a lambda for each item of something.

``break()`` in the lambda ends these: each, map, filter (of anything but a hash), reduce, slice,
step, reverse_each, tree_each. In the others it ends the iteration around them, as real Puppet has
it.
"""

from __future__ import annotations

from typing import Any

from bunraku.functions.core import issues
from bunraku.functions.core.iterables import (
    call_loosely,
    chunks,
    is_pairs,
    items,
    numbered,
    resumed,
    reverse_each,
    step,
    takes_two,
)
from bunraku.functions.core.tree import breadth_first, depth_first, tree_options
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.control import BreakIteration
from bunraku.types.relations.equality import equal
from bunraku.values.iterator import Iterator
from bunraku.values.keys import as_key, make_hash, pairs
from bunraku.values.regexp.regexp import Regexp

function = FunctionTable()
MISSING: Any = object()


@function(
    "each(Hash $hash, Callable[2, 2] &$block)",
    "each(Hash $hash, Callable[1, 1] &$block)",
    "each(Iterable $enumerable, Callable[2, 2] &$block)",
    "each(Iterable $enumerable, Callable[1, 1] &$block)",
    since="3.2.0",
)
def each(value: Value, block: Closure) -> Value:
    """Call a lambda for each item (or index and item, or key and value); returns the argument.

    ```puppet
    [1, 2].each |$x| { $x } == [1, 2]
    { a => 1 }.each |$key, $value| { "${key}${value}" } == { a => 1 }
    ```
    """
    call = block.function
    try:
        if takes_two(block):
            for left, right in numbered(value):
                call(left, right)
        else:
            for item in resumed(value):
                call(item)
    except BreakIteration:
        pass
    return value


@function(
    "map(Hash $hash, Callable[2, 2] &$block)",
    "map(Hash $hash, Callable[1, 1] &$block)",
    "map(Iterable $enumerable, Callable[2, 2] &$block)",
    "map(Iterable $enumerable, Callable[1, 1] &$block)",
    since="3.4.0",
)
def map_(value: Value, block: Closure) -> list[Value]:
    """Return an array of the results of a lambda for each item.

    ```puppet
    [1, 2].map |$x| { $x * 10 } == [10, 20]
    map({ a => 1 }) |$key, $value| { "${key}=${value}" } == ['a=1']
    map('ab') |$index, $letter| { "${index}${letter}" } == ['0a', '1b']
    ```
    """
    call = block.function
    found: list[Value] = []
    append = found.append
    try:
        if takes_two(block):
            for left, right in numbered(value):
                append(call(left, right))
        else:
            for item in items(value):
                append(call(item))
    except BreakIteration:
        pass
    return found


@function(
    "filter(Hash $hash, Callable[2, 2] &$block)",
    "filter(Hash $hash, Callable[1, 1] &$block)",
    since="3.4.0",
)
def filter_hash(value: dict[Any, Value], block: Closure) -> dict[Any, Value]:
    """Keep the entries of a hash for which a lambda returns a true value.

    ```puppet
    { a => 1, b => 2 }.filter |$entry| { $entry[1] > 1 } == { b => 2 }
    { a => 1, b => 2 }.filter |$key, $value| { $key == 'a' } == { a => 1 }
    ```
    """
    call = block.function
    if takes_two(block):
        kept = [(key, item) for key, item in pairs(value) if true(call(key, item))]
    else:
        kept = [(key, item) for key, item in pairs(value) if true(call([key, item]))]
    return make_hash(kept)


@function(
    "filter(Iterable $enumerable, Callable[2, 2] &$block)",
    "filter(Iterable $enumerable, Callable[1, 1] &$block)",
)
def filter_(value: Value, block: Closure) -> list[Value] | dict[Any, Value]:
    """Keep the items for which a lambda returns a true value.

    ```puppet
    [1, 2, 3].filter |$x| { $x > 1 } == [2, 3]
    ['a', 'b'].filter |$index, $x| { $index == 1 } == ['b']
    ```
    """
    call = block.function
    found: list[Value] = []
    try:
        if is_pairs(value) and takes_two(block):
            return make_hash((key, item) for key, item in value if true(call(key, item)))
        if takes_two(block):
            found.extend(item for place, item in numbered(value) if true(call(place, item)))
        else:
            found.extend(item for item in resumed(value) if true(call(item)))
    except BreakIteration:
        pass
    return found


def true(value: Value) -> bool:
    """Return whether Puppet takes a value for true: all but undef and false."""
    return value is not None and value is not False


@function("reduce(Iterable $enumerable, Callable[2, 2] &$block)", since="3.2.0")
def reduce(value: Value, block: Closure) -> Value:
    """Combine all items into one: a lambda gets the result of its last call and the next item.

    ```puppet
    [1, 2, 3].reduce |$memo, $x| { $memo + $x } == 6
    [].reduce |$memo, $x| { 1 } == undef
    ```
    """
    walk = iter(items(value))
    memo = next(walk, MISSING)
    return None if memo is MISSING else fold(walk, memo, block)


@function("reduce(Iterable $enumerable, Any $memo, Callable[2, 2] &$block)")
def reduce_from(value: Value, memo: Value, block: Closure) -> Value:
    """Combine all items into one, beginning with a start value.

    ```puppet
    [1, 2].reduce(10) |$memo, $x| { $memo + $x } == 13
    ```
    """
    return fold(iter(items(value)), memo, block)


def fold(walk: Any, memo: Value, block: Closure) -> Value:
    """Call the lambda with the memo and each item; it returns the next memo."""
    call = block.function
    try:
        for item in walk:
            memo = call(memo, item)
    except BreakIteration:
        pass
    return memo


@function(
    "slice(Iterable $enumerable, Integer[1] $slice_size, Optional[Callable] &$block)", since="3.2.0"
)
def slice_(value: Value, size: int, block: Closure | None) -> Value:
    """Return arrays of a number of items each; with a lambda, call it with each array.

    ```puppet
    [1, 2, 3].slice(2) == [[1, 2], [3]]
    [1, 2, 3].slice(2) |$a, $b| { $b } == [1, 2, 3]
    ```
    """
    if block is None:
        return list(chunks(value, size))
    call = block.function
    low, high = block.low, block.high
    if high == 0 or low > size:
        raise issues.BLOCK_PARAMETERS(name="slice", most=size, actual=max(low, high or 0))
    padding: Value = [] if value.__class__ is dict else None
    try:
        for chunk in chunks(value, size):
            if high == 1:
                call(chunk)
            else:
                # Missing ones at the end are undef; of a hash they are empty arrays.
                chunk += [padding] * (size - len(chunk))
                call(*chunk)
    except BreakIteration:
        pass
    return value


@function("reverse_each(Iterable $iterable)", since="4.4.0")
def reverse_each_lazy(value: Value) -> Iterator:
    """Return a lazy sequence of the items from the last to the first.

    ```puppet
    [1, 2].reverse_each.map |$x| { $x } == [2, 1]
    ```
    """
    return reverse_each(value)


@function("reverse_each(Iterable $iterable, Callable[1, 1] &$block)")
def reverse_each_block(value: Value, block: Closure) -> None:
    """Call a lambda for each item from the last to the first.

    ```puppet
    [1, 2].reverse_each |$x| { $x } == undef
    ```
    """
    call_each(reverse_each(value), block)


def call_each(walk: Any, block: Closure) -> None:
    """Call a lambda with one argument for each item until it breaks."""
    call = block.function
    try:
        for item in walk:
            call(item)
    except BreakIteration:
        pass


@function("step(Iterable $iterable, Integer[1] $step)", since="4.4.0")
def step_lazy(value: Value, size: int) -> Iterator:
    """Return a lazy sequence of every ``step``-th item.

    ```puppet
    Integer[1, 10].step(4).map |$x| { $x } == [1, 5, 9]
    ```
    """
    return step(value, size)


@function("step(Iterable $iterable, Integer[1] $step, Callable[1, 1] &$block)")
def step_block(value: Value, size: int, block: Closure) -> None:
    """Call a lambda for every so many-th item.

    ```puppet
    [1, 2].step(2) |$x| { $x } == undef
    ```
    """
    call_each(step(value, size), block)


TREE = "Variant[Iterator, Array, Hash, Object] $tree"
OPTIONS = (
    "Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean], "
    "'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean], "
    "'order' => Optional[Enum['breadth_first', 'depth_first']], "
    "'include_refs' => Optional[Boolean]}] $options = {}"
)


@function(f"tree_each({TREE}, {OPTIONS})", since="5.1.0")
def tree_each(value: Value, options: dict[Any, Value] | None = None) -> Iterator:
    """Path and value of all that a tree of arrays, hashes and objects holds.

    ```puppet
    [1, [2]].tree_each.map |$entry| { $entry[0] } == [[], [0], [1], [1, 0]]
    ```
    """
    plan = tree_options(options or {})
    walk = breadth_first if plan.breadth else depth_first
    return Iterator(lambda: ([path, item] for path, item in walk(value, plan)), once=True)


@function(
    f"tree_each({TREE}, {OPTIONS}, Callable[1, 1] &$block)",
    f"tree_each({TREE}, {OPTIONS}, Callable[2, 2] &$block)",
)
def tree_each_block(value: Value, options: dict[Any, Value] | None, block: Closure) -> Value:
    """Call a lambda with path and value (or with the value) of all that a tree holds.

    ```puppet
    [1, [2]].tree_each |$path, $value| { $path } == [1, [2]]
    [1, [2]].tree_each({ include_containers => false }) |$value| { $value } == [1, [2]]
    ```
    """
    plan = tree_options(options or {})
    call = block.function
    two = takes_two(block)
    try:
        for path, item in (breadth_first if plan.breadth else depth_first)(value, plan):
            if two:
                call(path, item)
            else:
                call(item)
    except BreakIteration:
        pass
    return value


@function(
    "all(Hash $hash, Callable[2, 2] &$block)",
    "all(Hash $hash, Callable[1, 1] &$block)",
    "all(Iterable $enumerable, Callable[2, 2] &$block)",
    "all(Iterable $enumerable, Callable[1, 1] &$block)",
    since="5.1.0",
)
def all_(value: Value, block: Closure) -> bool:
    """Return whether a lambda returns a true value for all items.

    ```puppet
    [1, 2].all |$x| { $x > 0 }
    { a => 1 }.all |$key, $value| { $value == 1 }
    ```
    """
    call = block.function
    if takes_two(block):
        return all(true(call(left, right)) for left, right in numbered(value))
    return all(true(call(item)) for item in items(value))


@function(
    "any(Hash $hash, Callable[2, 2] &$block)",
    "any(Hash $hash, Callable[1, 1] &$block)",
    "any(Iterable $enumerable, Callable[2, 2] &$block)",
    "any(Iterable $enumerable, Callable[1, 1] &$block)",
    since="5.1.0",
)
def any_(value: Value, block: Closure) -> bool:
    """Return whether a lambda returns a true value for one of the items.

    ```puppet
    [1, 2].any |$x| { $x > 1 }
    !any([]) |$x| { true }
    ```
    """
    call = block.function
    if takes_two(block):
        return any(true(call(left, right)) for left, right in numbered(value))
    return any(true(call(item)) for item in items(value))


@function(
    "partition(Collection $collection, Callable[1, 1] &$block) >> Tuple[Array, Array]",
    "partition(Array $array, Callable[2, 2] &$block) >> Tuple[Array, Array]",
    "partition(Collection $collection, Callable[2, 2] &$block) >> Tuple[Array, Array]",
    since="6.3.0",
)
def partition(value: Value, block: Closure) -> list[list[Value]]:
    """Return the items for which a lambda returns a true value, and the others.

    ```puppet
    [1, 2, 3].partition |$x| { $x > 1 } == [[2, 3], [1]]
    { a => 1 }.partition |$key, $value| { false } == [[], [[a, 1]]]
    ```
    """
    chosen: list[Value] = []
    others: list[Value] = []
    for item, result in results(value, block):
        (chosen if true(result) else others).append(item)
    return [chosen, others]


def results(value: Value, block: Closure) -> Any:
    """Yield each item with the result of the lambda."""
    call = block.function
    if not takes_two(block):
        for item in items(value):
            yield item, call(item)
    elif value.__class__ is dict:
        for key, item in pairs(value):
            yield [key, item], call(key, item)
    else:
        for index, item in enumerate(value):
            yield item, call(index, item)


@function(
    "group_by(Collection $collection, Callable[1, 1] &$block) >> Hash",
    "group_by(Array $array, Callable[2, 2] &$block) >> Hash",
    "group_by(Collection $collection, Callable[2, 2] &$block) >> Hash",
    since="6.3.0",
)
def group_by(value: Value, block: Closure) -> dict[Any, list[Value]]:
    """Return a hash from each result of a lambda to the items that gave it.

    ```puppet
    ['a', 'bb', 'cc'].group_by |$x| { $x.length } == { 1 => ['a'], 2 => ['bb', 'cc'] }
    ```
    """
    groups: dict[Any, list[Value]] = {}
    for item, result in results(value, block):
        groups.setdefault(as_key(result), []).append(item)
    return groups


@function(
    "index(Hash $hash, Callable[2, 2] &$block)",
    "index(Hash $hash, Callable[1, 1] &$block)",
    "index(Iterable $enumerable, Callable[2, 2] &$block)",
    "index(Iterable $enumerable, Callable[1, 1] &$block)",
    since="6.3.0",
)
def index(value: Value, block: Closure) -> Value:
    """Return the index, or key, of the first item for which a lambda returns a true value.

    A lambda of one parameter gets the item, of a hash the value alone.

    ```puppet
    ['a', 'b'].index |$x| { $x == 'b' } == 1
    { a => 1 }.index |$value| { $value == 1 } == 'a'
    [1].index |$x| { false } == undef
    ```
    """
    call = block.function
    two = takes_two(block)
    for left, right in numbered(value):
        if true(call(left, right) if two else call(right)):
            return left
    return None


@function("index(String $str, Variant[String, Regexp] $match)")
def index_of_text(text: str, wanted: str | Regexp) -> int | None:
    """Return where a text or pattern is first found in a string.

    ```puppet
    'abc'.index('c') == 2
    'abc'.index(/[bc]/) == 1
    ```
    """
    if isinstance(wanted, Regexp):
        found = wanted.search(text)
        return None if found is None else found.start()
    at = text.find(wanted)
    return None if at < 0 else at


@function("index(Iterable $enumerable, Any $match)")
def index_of(value: Value, wanted: Value) -> Value:
    """Return the index, or key, of the first item that equals a value; letter case counts.

    ```puppet
    [1, 2].index(2) == 1
    { a => 1 }.index(1) == 'a'
    ```
    """
    for left, right in numbered(value):
        if same(right, wanted):
            return left
    return None


def same(left: Value, right: Value) -> bool:
    """Return whether values are equal, strings letter for letter.

    >>> same("a", "A"), same(1, 1.0), same(["a"], ["A"])
    (False, True, False)
    """
    kind = left.__class__
    if kind is str and right.__class__ is str:
        return bool(left == right)
    if kind is list and right.__class__ is list:
        return len(left) == len(right) and all(map(same, left, right))
    if kind is dict and right.__class__ is dict:
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return equal(left, right)


@function("then(Any $arg, Callable[1, 1] &$block)", since="4.5.0")
def then(value: Value, block: Closure) -> Value:
    """Call a lambda with a value that is not undef.

    ```puppet
    5.then |$x| { $x + 1 } == 6
    undef.then |$x| { 1 } == undef
    ```
    """
    return None if value is None else block(value)


@function("lest(Any $arg, Callable[0, 0] &$block)", since="4.5.0")
def lest(value: Value, block: Closure) -> Value:
    """Return the value; if it is undef, the result of a lambda.

    ```puppet
    undef.lest || { 5 } == 5
    1.lest || { 5 } == 1
    ```
    """
    return block() if value is None else value


@function("with(Any *$arg, Callable &$block)", since="3.7.0")
def with_(*values: Value, block: Closure) -> Value:
    """Call a lambda with the arguments.

    ```puppet
    with(1, 2) |$a, $b| { $a + $b } == 3
    ```
    """
    return call_loosely(block, *values)
