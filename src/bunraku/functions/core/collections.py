"""Functions that reach into data: dig, get, getvar, and sizes and parts of collections."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.core import issues
from bunraku.functions.core.iterables import items
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.once import is_first
from bunraku.runtime.state import Scope
from bunraku.types.builtin import make_error
from bunraku.types.model import Type
from bunraku.types.relations.infer import infer
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import display
from bunraku.values.binary import Binary
from bunraku.values.keys import as_key, from_key, make_hash
from bunraku.values.sensitive import Sensitive

function = FunctionTable()
MISSING: Any = object()


# -- dig, get, getvar ------------------------------------------------------------------------------
class Obstacle(Exception):
    """A path that cannot be walked; ``error`` describes the obstacle.

    ``details`` are the details of the Error value that a lambda of ``get`` receives.
    """

    def __init__(self, error: PuppetError, details: dict[Any, Value]) -> None:
        super().__init__(error.message)
        self.error = error
        self.details = details


def walk_path(name: str, data: Value, path: list[Value]) -> Value:
    """Return the value at a path in arrays and hashes; undef if the path ends early.

    >>> walk_path("dig", {"a": [1, 2]}, ["a", 1])
    2
    """
    for at, step in enumerate(path):
        kind = data.__class__
        if data is None:
            return None
        if kind is not dict and kind is not list:
            raise obstacle(issues.EXPECTED_COLLECTION, "value_type", name, path[:at], data)
        if step is None:
            return None
        if kind is dict:
            data = data.get(as_key(step))
        elif step.__class__ is int:
            data = data[step] if -len(data) <= step < len(data) else None
        else:
            raise obstacle(issues.EXPECTED_INTEGER_INDEX, "index_type", name, path[: at + 1], step)
    return data


def obstacle(issue: Any, key: str, name: str, path: list[Value], value: Value) -> Obstacle:
    """Return the exception for a value that blocks the path, or for an invalid index."""
    type_ = infer(value)
    error = issue(name=name, path=inspect(path), actual=display(type_))
    return Obstacle(error, {"walked_path": path, key: type_})


@function("dig(Optional[Collection] $data, Any *$arg)", since="4.5.0")
def dig(data: Value, *path: Value) -> Value:
    """Return the value at a path of keys and indices in data; undef if the path ends early.

    ```puppet
    { a => [1, { b => 2 }] }.dig(a, 1, b) == 2
    { a => 1 }.dig(x, y) == undef
    ```
    """
    try:
        return walk_path("dig", data, list(path))
    except Obstacle as found:
        raise found.error from None


NAVIGATION = lazy_pattern(
    r"""\s*(?:'([^']+)'|"([^"]+)"|([^'".\s](?:[^'".]*[^'".\s])?))\s*(\.|\Z)""", re.DOTALL
)
WHOLE_NUMBER = lazy_pattern(r"[+-]?\d+\Z", re.ASCII)


def navigation(name: str, text: str) -> list[Value]:
    """Return the steps of a dotted string: integers, and names, optionally in quotes.

    >>> navigation("get", "a.1.'b.c'")
    ['a', 1, 'b.c']
    """
    steps: list[Value] = []
    at = 0
    while True:
        found = NAVIGATION.match(text, at)
        if found is None:
            raise issues.NAVIGATION_SYNTAX(name=name, text=text)
        step = found[1] or found[2]
        if step is None:
            step = found[3]
            steps.append(int(step) if WHOLE_NUMBER.match(step) else step)
        else:
            steps.append(step)
        at = found.end()
        if found[4] != ".":
            return steps


def navigate(name: str, value: Value, text: str, default: Value, block: Closure | None) -> Value:
    """Return the value at a dotted path; a lambda gets the error if the path is blocked."""
    if not text:
        return default if value is None else value
    path = navigation(name, text)
    if value is None:
        return default
    if value.__class__ is not list and value.__class__ is not dict:
        raise issues.UNSUITABLE(
            name=name, parameter="value", expected="a Collection", actual=display(infer(value))
        )
    try:
        found = walk_path(name, value, path)
    except Obstacle as problem:
        if block is None:
            raise problem.error from None
        return block(error_value(problem))
    return default if found is None else found


def error_value(problem: Obstacle) -> Value:
    """Return the Error that a lambda gets."""
    error = problem.error
    return make_error(error.message, "SLICE_ERROR", problem.details, error.code)


@function(
    "get(Any $value, String $dotted_string, Any $default_value = undef, "
    "Optional[Callable[1, 1]] &$block)",
    since="6.0.0",
)
def get(value: Value, text: str, default: Value = None, block: Closure | None = None) -> Value:
    """Return the value at a dotted path in data, or a default.

    ```puppet
    get({ a => [1, { b => 2 }] }, 'a.1.b') == 2
    get({ a => 1 }, 'x.y', 'none') == 'none'
    get({ a => 1 }, 'a.b') |$error| { $error.issue_code } == 'EXPECTED_COLLECTION'
    ```
    """
    return navigate("get", value, text, default, block)


VARIABLE = lazy_pattern(r"(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?=\.|\Z)", re.ASCII)


@function(
    "getvar(String $get_string, Any $default_value = undef, Optional[Callable[1, 1]] &$block)",
    scope=True,
    since="6.0.0",
)
def getvar(scope: Scope, text: str, default: Value = None, block: Closure | None = None) -> Value:
    """Return the value of a variable, or the value at a dotted path in it.

    ```puppet
    getvar('facts.no.such.fact', 5) == 5
    ```
    """
    found = VARIABLE.match(text)
    if found is None:
        raise issues.VARIABLE_NAME(name="getvar", text=text)
    value = scope.lookup(found[0], None)
    return navigate("getvar", value, text[found.end() + 1 :], default, block)


# -- parts and sizes -------------------------------------------------------------------------------
@function("keys(Hash $hsh)", since="5.5.0")
def keys(value: dict[Any, Value]) -> list[Value]:
    """Return the keys of a hash.

    ```puppet
    keys({ a => 1, 2 => 3 }) == ['a', 2]
    ```
    """
    return [from_key(key) for key in value]


@function("values(Hash $hsh)", since="5.5.0")
def values(value: dict[Any, Value]) -> list[Value]:
    """Return the values of a hash.

    ```puppet
    values({ a => 1, b => 2 }) == [1, 2]
    ```
    """
    return list(value.values())


@function("length(Variant[Collection, String, Binary] $arg)", since="5.5.0")
@function("size(Variant[Collection, String, Binary] $arg)", since="6.0.0")
def length(value: Value) -> int:
    """Return the number of items in a collection, characters in a string or bytes in a binary.

    ```puppet
    length('abc') == 3
    size([1, 2]) == 2
    ```
    """
    return len(value.data) if isinstance(value, Binary) else len(value)


@function("empty(Variant[Collection, String] $coll)", since="5.5.0")
def empty(value: Value) -> bool:
    """Return whether a collection, string or binary is empty; undef is empty.

    ```puppet
    empty([])
    !empty('a')
    empty(undef)
    ```
    """
    return not value


@function("empty(Sensitive[String] $str)")
def empty_sensitive(value: Sensitive) -> bool:
    """Return whether the string in a Sensitive is empty."""
    return not value.value


@function("empty(Numeric $num)", scope=True)
def empty_number(scope: Scope, _value: float) -> bool:
    """Return false: a number is never empty (deprecated, with a warning for each line)."""
    messages = scope.compilation.messages
    file, line = messages.current_place()
    if is_first(scope.compilation, "empty", file, str(line)):
        messages.warn(
            "deprecations", "Calling empty() with a number is deprecated: it is never empty"
        )
    return False


@function("empty(Binary $bin)")
def empty_binary(value: Binary) -> bool:
    """Return whether a binary has no bytes."""
    return not value.data


@function("empty(Undef $x)")
def empty_undef(_value: None) -> bool:
    """Undef is empty."""
    return True


@function("flatten(Any *$args)", since="5.5.0")
def flatten(*arguments: Value) -> list[Value]:
    """Return all arguments in one array without arrays in it.

    ```puppet
    flatten(1, [2, [3]]) == [1, 2, 3]
    ```
    """
    found: list[Value] = []
    for value in arguments:
        if value.__class__ is list:
            found.extend(flatten(*value))
        else:
            found.append(value)
    return found


@function("join(Array $arg, String $delimiter = '')", since="5.5.0")
def join(value: list[Value], delimiter: str = "") -> str:
    """Join the items of an array, and of arrays in it, with a delimiter between them.

    ```puppet
    join(['a', [1, undef]], '-') == 'a-1-'
    ```
    """
    return delimiter.join(join_texts(value, delimiter))


def join_texts(value: list[Value], delimiter: str) -> list[str]:
    """Return the texts of items; an inner array is one text."""
    return [
        delimiter.join(join_texts(item, delimiter)) if item.__class__ is list else joined_text(item)
        for item in value
    ]


def joined_text(value: Value) -> str:
    """Return the text of an item; references keep the quotes around their title."""
    kind = value.__class__
    if kind is str:
        return str(value)
    return display(value) if isinstance(value, Type) else to_s(value)


# -- unique ----------------------------------------------------------------------------------------
def distinct(found: Any, block: Closure | None) -> list[Value]:
    """Return the first of equal items; items are compared by the lambda's result if given."""
    first: dict[Any, Value] = {}
    for item in found:
        first.setdefault(as_key(item if block is None else block.function(item)), item)
    return list(first.values())


@function("unique(String $string, Optional[Callable[1, 1]] &$block)", since="5.0.0")
def unique_letters(value: str, block: Closure | None) -> str:
    """Return a string without repeated letters.

    ```puppet
    unique('hello') == 'helo'
    ```
    """
    return "".join(distinct(value, block))


@function("unique(Hash $hash, Optional[Callable[1, 1]] &$block)")
def unique_hash(value: dict[Any, Value], block: Closure | None) -> dict[Any, Value]:
    """Return the keys of equal values in one array, with the values.

    ```puppet
    unique({ a => 1, b => 2, c => 1 }) == { [a, c] => [1], [b] => [2] }
    ```
    """
    groups: dict[Any, tuple[list[Value], list[Value]]] = {}
    for key, item in value.items():
        group = as_key(item if block is None else block.function(item))
        names, members = groups.setdefault(group, ([], []))
        names.append(from_key(key))
        members.append(item)
    return make_hash((names, distinct(members, None)) for names, members in groups.values())


@function("unique(Iterable $iterable, Optional[Callable[1, 1]] &$block)")
def unique(value: Value, block: Closure | None) -> list[Value]:
    """Return the items without duplicates; a lambda may return the value to compare.

    ```puppet
    unique([1, 2, 1, 1.0]) == [1, 2, 1.0]
    unique(['a', 'A']) |$x| { $x.downcase } == ['a']
    ```
    """
    return distinct(items(value), block)
