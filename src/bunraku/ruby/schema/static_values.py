"""Ruby values as far as reading a resource type needs them, and their harmless methods.

Symbols and strings are both ``str``; arrays, hashes, numbers, true, false and nil are Python's own.
A value that cannot be known without running Ruby is :data:`UNKNOWN`, as is everything made from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.values.regexp.regexp import EXTENDED, IGNORECASE, MULTILINE, Regexp, escape

LARGEST = 100_000
"""The longest list or text in a type; a longer one is treated as unknown."""


class Unknown:
    """A value that only running the Ruby code would give."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@record(frozen=True)
class RubyRegexp:
    """A regular expression literal: its text and its flags, of ``mix``."""

    source: str
    flags: str = ""

    def __str__(self) -> str:
        """Return the pattern's source in the form that Ruby interpolates."""
        off = "".join(flag for flag in "mix" if flag not in self.flags)
        on = "".join(flag for flag in "mix" if flag in self.flags)
        source = re.sub(r"(\\.)|/", lambda found: found[1] or "\\/", self.source, flags=re.DOTALL)
        return f"(?{on}{'-' + off if off else ''}:{source})"

    @property
    def names(self) -> list[str]:
        """The named groups, each once, in order."""
        return list(dict.fromkeys(re.findall(r"\(\?<([A-Za-z_]\w*)>", self.source)))


@record(frozen=True)
class ModuleName:
    """A module or class, by its full name."""

    name: str


@record(eq=False)
class RubyScope:
    """Local variables, the value of ``self``, and the enclosing modules."""

    me: Any
    path: str
    nesting: tuple[str, ...] = ()
    variables: dict[str, Any] = field(default_factory=dict)
    parent: RubyScope | None = None
    block: Code | None = None
    frame: tuple[str, Any, list[Any]] | None = None

    def find(self, name: str) -> dict[str, Any] | None:
        """Return the variables of the scope that defines a name."""
        scope: RubyScope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables
            scope = scope.parent
        return None

    def inner(self, me: Any = None, nesting: tuple[str, ...] | None = None) -> RubyScope:
        """Return a scope inside this one, for a block."""
        return RubyScope(
            self.me if me is None else me,
            self.path,
            self.nesting if nesting is None else nesting,
            {},
            self,
            self.block,
            self.frame,
        )


@record(eq=False)
class Code:
    """A block, lambda or method body, and the place where it was written."""

    parameters: Any
    body: Any
    scope: RubyScope

    def is_identity(self) -> bool:
        """Return whether it returns its one argument unchanged."""
        names = parameter_names(self.parameters)
        statements = [child for child in named(self.body) if child.type != "comment"]
        while len(statements) == 1 and statements[0].type in {"block_body", "body_statement"}:
            statements = named(statements[0])
        return (
            len(names) == 1
            and len(statements) == 1
            and statements[0].type == "identifier"
            and text(statements[0]) == names[0]
        )


@record(eq=False)
class Attribute:
    """A parameter or property while its block is read."""

    name: str
    is_parameter: bool
    is_namevar: bool = False


@record(eq=False)
class TypeBuilder:
    """A resource type while its block is read."""

    name: str
    line: int
    parameters: dict[str, Attribute] = field(default_factory=dict)
    properties: dict[str, Attribute] = field(default_factory=dict)
    methods: dict[str, Any] = field(default_factory=dict)
    instance_methods: set[str] = field(default_factory=set)
    features: list[str] = field(default_factory=list)
    providers: list[str] = field(default_factory=list)
    title_patterns: Any = None
    isomorphic: bool = True
    applies_to: str = "host"
    old_call: bool = False
    has_providers: bool | None = None
    reasons: list[str] = field(default_factory=list)

    def open(self, reason: str) -> None:
        """Note why the attributes may be incomplete."""
        if reason not in self.reasons:
            self.reasons.append(reason)


def named(node: Any) -> list[Any]:
    """Return the children of a syntax node that mean something."""
    if node is None:
        return []
    return [
        child
        for child in node.named_children
        if child.type not in {"comment", "heredoc_body", "empty_statement"}
    ]


def text(node: Any) -> str:
    """Return the source text of a syntax node."""
    decoded: str = node.text.decode("utf-8", "surrogateescape")
    return decoded


def parameter_names(parameters: Any) -> list[str]:
    """Return the names of the plain parameters of a block, lambda or method."""
    return [text(child) for child in named(parameters) if child.type == "identifier"]


def is_known(value: Any) -> bool:
    """Return whether a value is known down to its last element."""
    if value is UNKNOWN:
        return False
    if isinstance(value, list):
        return all(map(is_known, value))
    if isinstance(value, dict):
        return all(is_known(key) and is_known(item) for key, item in value.items())
    return True


def static_truth(value: Any) -> bool | None:
    """Return whether Ruby takes a value for true; None when the value is unknown."""
    if value is UNKNOWN:
        return None
    return value is not None and value is not False


def as_text(value: Any) -> Any:
    """Return the text of a value in an interpolation."""
    match value:
        case Unknown() | list() | dict() | Code() | Attribute() | TypeBuilder():
            return UNKNOWN
        case None:
            return ""
        case bool():
            return str(value).lower()
        case ModuleName(name):
            return name
    return str(value)


def flatten(items: Iterable[Any]) -> list[Any]:
    """Evaluate ``Array#flatten``."""
    flat: list[Any] = []
    for item in items:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(item)
    return flat


def unique(items: Iterable[Any]) -> list[Any]:
    """Evaluate ``Array#uniq``; also for elements that Python cannot hash."""
    found: list[Any] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


def index(items: list[Any], at: Any, count: Any = None) -> Any:
    """Evaluate ``Array#[]`` for a whole number, or a start and a length."""
    if at.__class__ is not int:
        return UNKNOWN
    if count is None:
        return items[at] if -len(items) <= at < len(items) else None
    return items[at : at + count] if count.__class__ is int and at >= 0 else UNKNOWN


def regexp_union(parts: list[Any]) -> Any:
    """Evaluate ``Regexp.union``."""
    sources = []
    for part in flatten(parts):
        if isinstance(part, RubyRegexp):
            sources.append(str(part))
        elif isinstance(part, str):
            sources.append(escape(part))
        else:
            return UNKNOWN
    return RubyRegexp("|".join(sources))


def matched(left: Any, right: Any) -> Any:
    """Evaluate ``text =~ pattern``: where the pattern is found; UNKNOWN for other values."""
    pattern, searched = (left, right) if isinstance(left, RubyRegexp) else (right, left)
    if not isinstance(pattern, RubyRegexp) or not isinstance(searched, str):
        return UNKNOWN
    options = {"i": IGNORECASE, "x": EXTENDED, "m": MULTILINE}
    try:
        found = Regexp(pattern.source, sum(options[flag] for flag in pattern.flags)).search(
            searched
        )
    except PuppetError:
        return UNKNOWN
    return None if found is None else found.start()


Method = Callable[..., Any]

COMMON: dict[str, Method] = {
    "freeze": lambda value: value,
    "dup": lambda value: value.copy() if isinstance(value, (list, dict)) else value,
    "clone": lambda value: value.copy() if isinstance(value, (list, dict)) else value,
    "itself": lambda value: value,
    "to_s": as_text,
    "nil?": lambda value: value is None,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}
TEXT: dict[str, Method] = {
    "to_sym": lambda value: value,
    "intern": lambda value: value,
    "to_str": lambda value: value,
    "id2name": lambda value: value,
    "name": lambda value: value,
    "upcase": str.upper,
    "downcase": str.lower,
    "capitalize": str.capitalize,
    "strip": str.strip,
    "chomp": lambda value: value.removesuffix("\n"),
    "split": lambda value, at=None: value.split(at) if at != "" else list(value),
    "start_with?": lambda value, *ends: value.startswith(ends),
    "end_with?": lambda value, *ends: value.endswith(ends),
    "include?": lambda value, part: part in value,
    "tr": lambda value, old, new: value.replace(old, new) if len(old) == 1 else UNKNOWN,
    "delete": lambda value, old: value.replace(old, "") if len(old) == 1 else UNKNOWN,
    "+": lambda value, other: value + other if isinstance(other, str) else UNKNOWN,
    "empty?": lambda value: not value,
    "size": len,
    "length": len,
}
ARRAY: dict[str, Method] = {
    "+": lambda items, other: items + other,
    "-": lambda items, other: [item for item in items if item not in other],
    "|": lambda items, other: unique(items + other),
    "&": lambda items, other: unique(item for item in items if item in other),
    "<<": lambda items, item: (items.append(item), items)[1],
    "push": lambda items, *more: (items.extend(more), items)[1],
    "append": lambda items, *more: (items.extend(more), items)[1],
    "concat": lambda items, *more: ([items.extend(other) for other in more], items)[1],
    "unshift": lambda items, *more: (items.__setitem__(slice(0, 0), more), items)[1],
    "first": lambda items: items[0] if items else None,
    "last": lambda items: items[-1] if items else None,
    "[]": index,
    "at": index,
    "flatten": flatten,
    "uniq": unique,
    "compact": lambda items: [item for item in items if item is not None],
    "reverse": lambda items: items[::-1],
    "sort": sorted,
    "to_a": lambda items: items,
    "to_h": dict,
    "to_ary": lambda items: items,
    "join": lambda items, glue="": glue.join(map(str, flatten(items))),
    "include?": lambda items, item: item in items,
    "member?": lambda items, item: item in items,
    "empty?": lambda items: not items,
    "any?": bool,
    "size": len,
    "count": len,
    "length": len,
    "zip": lambda items, other: [list(pair) for pair in zip(items, other, strict=False)],
}
HASH: dict[str, Method] = {
    "keys": list,
    "values": lambda entries: list(entries.values()),
    "merge": lambda entries, *more: {k: v for each in (entries, *more) for k, v in each.items()},
    "merge!": lambda entries, *more: ([entries.update(other) for other in more], entries)[1],
    "update": lambda entries, *more: ([entries.update(other) for other in more], entries)[1],
    "[]": lambda entries, key: entries.get(key),
    "[]=": lambda entries, key, item: (entries.__setitem__(key, item), item)[1],
    "store": lambda entries, key, item: (entries.__setitem__(key, item), item)[1],
    "fetch": lambda entries, key, other=None: entries.get(key, other),
    "delete": lambda entries, key: entries.pop(key, None),
    "dig": lambda entries, key: entries.get(key),
    "key?": lambda entries, key: key in entries,
    "has_key?": lambda entries, key: key in entries,
    "include?": lambda entries, key: key in entries,
    "empty?": lambda entries: not entries,
    "any?": bool,
    "size": len,
    "length": len,
    "to_h": lambda entries: entries,
    "to_a": lambda entries: [list(pair) for pair in entries.items()],
    "invert": lambda entries: {item: key for key, item in entries.items()},
}
NUMBER: dict[str, Method] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right if isinstance(right, int | float) else UNKNOWN,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "to_i": lambda value: value,
}
REGEXP: dict[str, Method] = {
    "source": lambda value: value.source,
    "names": lambda value: value.names,
}


def methods_of(value: Any) -> dict[str, Method]:
    """Return the methods that the reader supports for a value."""
    match value:
        case bool():
            return {}
        case str():
            return TEXT
        case list():
            return ARRAY
        case dict():
            return HASH
        case int():
            return NUMBER
        case RubyRegexp():
            return REGEXP
    return {}


def call_method(value: Any, name: str, arguments: list[Any]) -> Any:
    """Return the result of a method without a block on a plain value; UNKNOWN if unsupported."""
    method = methods_of(value).get(name) or COMMON.get(name)
    if method is None or value is UNKNOWN or UNKNOWN in arguments:
        return UNKNOWN
    return called(method, value, *arguments)


def called(method: Method, *arguments: Any) -> Any:
    """Return the result of a method of the tables; UNKNOWN for invalid or unsupported calls.

    The tables have the usual forms of each method. A call with too few or too many arguments, or with
    values of other kinds, cannot be read; whether Ruby raises an error there does not matter.
    """
    try:
        result = method(*arguments)
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        return UNKNOWN
    if isinstance(result, (str, list)) and len(result) > LARGEST:
        return UNKNOWN
    return result
