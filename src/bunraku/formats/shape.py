"""The shape of data that is read: described once, checked with a path into the data.

>>> person = Fields({"name": TEXT, "tags": Array(TEXT)}, required=("name",))
>>> print(person.mismatch({"name": "a", "tags": ["b", 1]}))
tags[1]: expected a String, got an Integer
>>> print(person.mismatch({"tags": []}))
name: expected a String, got nothing
>>> person.mismatch({"name": "a", "more": 1}) is None
True
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.base.suggestions import did_you_mean
from bunraku.values.keys import from_key

Step = str | int
Path = tuple[Step, ...]
"""The keys and indexes that lead to a piece of data."""
LONGEST_KEY = 60
"""Characters of a key that a path shows."""
KINDS: dict[type, str] = {
    type(None): "nothing",
    bool: "a Boolean",
    str: "a String",
    int: "an Integer",
    float: "a Float",
    list: "an Array",
    dict: "a Hash",
}


def kind_of(value: Any) -> str:
    """Return Puppet's name of the kind of a value, with its article.

    >>> kind_of([1]), kind_of(None), kind_of(True)
    ('an Array', 'nothing', 'a Boolean')
    """
    found = KINDS.get(value.__class__)
    if found is None:
        named = (name for kind, name in KINDS.items() if isinstance(value, kind))
        found = next(named, "a Hash" if isinstance(value, Mapping) else type(value).__name__)
    return found


def path_text(path: Path) -> str:
    """Return a path as messages show it.

    >>> path_text(("resources", 3, "a.b"))
    "resources[3]['a.b']"
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif re.fullmatch(r"\w[\w:-]*", step):
            text += f".{step}" if text else step
        else:
            text += f"[{step[:LONGEST_KEY]!r}]"
    return text


@record(frozen=True)
class Mismatch:
    """Data that do not have the expected shape: place, expected form and actual kind."""

    path: Path
    expected: str
    got: str
    hint: str | None = None

    def __str__(self) -> str:
        where = f"{path_text(self.path)}: " if self.path else ""
        return f"{where}expected {self.expected}, got {self.got}"

    def below(self, step: Step) -> Mismatch:
        """Return the same mismatch seen from the data that hold these under a key or an index."""
        return Mismatch((step, *self.path), self.expected, self.got, self.hint)


class WrongShape(Exception):
    """Data do not have the expected shape; the reader of the file adds its name."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(str(mismatch))
        self.mismatch = mismatch


class Shape(ABC):
    """A required form of data."""

    @property
    @abstractmethod
    def expected(self) -> str:
        """The name of the shape in messages."""

    @abstractmethod
    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the first difference between a value and this shape; None if it fits."""

    def require(self, value: Any) -> None:
        """Raise WrongShape unless a value fits."""
        found = self.mismatch(value)
        if found is not None:
            raise WrongShape(found)


@record(frozen=True)
class Kind(Shape):
    """A value of some Python classes; a ``bool`` is not accepted as ``int``."""

    expected: str
    classes: tuple[type, ...]

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference if the value is of another class."""
        if value.__class__ in self.classes:
            return None
        if isinstance(value, self.classes) and not isinstance(value, bool):
            return None
        return Mismatch((), self.expected, kind_of(value))


class Anything(Shape):
    """Any value; a required field must still be there."""

    expected = "a value"

    def mismatch(self, _value: Any) -> Mismatch | None:
        """Return None."""
        return None


ANYTHING = Anything()
TEXT = Kind("a String", (str,))
WHOLE = Kind("an Integer", (int,))
NUMBER = Kind("a number", (int, float))
FLAG = Kind("true or false", (bool,))
NULL = Kind("nothing", (type(None),))
ANY_ARRAY = Kind("an Array", (list, tuple))
SCALAR = Kind("a single value", (str, int, float, bool))
TEXT_ALONE = frozenset([str])


@record(frozen=True)
class Filled(Shape):
    """Text that is not empty and has no NUL, which ends the arguments of system calls."""

    expected: str = "a String that is not empty"

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference if the value is not text, is empty, or has a NUL."""
        if not isinstance(value, str):
            return Mismatch((), self.expected, kind_of(value))
        if value and "\0" not in value:
            return None
        return Mismatch((), self.expected, "a String with a NUL" if value else "an empty String")


@record(frozen=True)
class AtLeast(Shape):
    """A whole number from a limit on."""

    least: int

    @property
    def expected(self) -> str:
        """The limit."""
        return f"a whole number of at least {self.least}"

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference if the value is not a number in the range."""
        if value.__class__ is int and value >= self.least:
            return None
        got = str(value)[:LONGEST_KEY] if value.__class__ is int else kind_of(value)
        return Mismatch((), self.expected, got)


@record(frozen=True)
class Choice(Shape):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """The words."""
        return f"one of {', '.join(self.words)}"

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference if the value is none of the words."""
        if isinstance(value, str):
            if value in self.words:
                return None
            return Mismatch((), self.expected, repr(value), did_you_mean(value, self.words))
        return Mismatch((), self.expected, kind_of(value))


@record(frozen=True)
class Array(Shape):
    """An array; ``item`` is the shape of each element."""

    item: Shape
    expected: str = "an Array"

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference, or that of the first element that has one."""
        if not isinstance(value, list | tuple):
            return Mismatch((), self.expected, kind_of(value))
        if self.item.__class__ is Kind and set(map(type, value)).issubset(self.item.classes):
            return None
        find = self.item.mismatch
        for index, item in enumerate(value):
            found = find(item)
            if found is not None:
                return found.below(index)
        return None


TEXTS = Array(TEXT, "an Array of Strings")


@record(frozen=True)
class HashOf(Shape):
    """A hash with any keys; ``value`` is the shape of each value."""

    value: Shape = ANYTHING
    key: Shape = TEXT
    expected: str = "a Hash"

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference, or that of the first key or value that has one."""
        if not isinstance(value, Mapping):
            return Mismatch((), self.expected, kind_of(value))
        if self.value is ANYTHING and TEXT_ALONE.issuperset(map(type, value)):
            return None
        find = self.value.mismatch
        for key, item in value.items():
            if key.__class__ is not str:
                found = self.key.mismatch(from_key(key))
                if found is not None:
                    return Mismatch((), f"{found.expected} as a key", found.got)
            found = find(item)
            if found is not None:
                return found.below(step_of(key))
        return None


@record(frozen=True)
class Fields(Shape):
    """A hash with known keys; a field that is null counts as missing.

    Other keys are allowed unless it is ``closed``. ``check`` finds errors that involve several
    fields.
    """

    known: Mapping[str, Shape]
    required: tuple[str, ...] = ()
    closed: bool = False
    expected: str = "a Hash"

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference, or that of the first field that has one."""
        if not isinstance(value, Mapping):
            return Mismatch((), self.expected, kind_of(value))
        for name in self.required:
            if value.get(name) is None:
                misspelt = [key for key in value if key not in self.known] if self.closed else ()
                if misspelt:
                    return unknown_key(misspelt[0], self.known)
                return Mismatch((name,), self.known[name].expected, "nothing")
        for key, item in value.items():
            shape = self.known.get(key) if key.__class__ is str else None
            if shape is None:
                if self.closed:
                    return unknown_key(key, self.known)
                continue
            if item is None or (shape.__class__ is Kind and item.__class__ in shape.classes):
                continue
            found = shape.mismatch(item)
            if found is not None:
                return found.below(key)
        return None


@record(frozen=True)
class Either(Shape):
    """Any of several shapes."""

    shapes: tuple[Shape, ...]

    @property
    def expected(self) -> str:
        """The names of the shapes."""
        return one_of([shape.expected for shape in self.shapes])

    def mismatch(self, value: Any) -> Mismatch | None:
        """Return the difference: that inside the one shape which fits from the outside, if any."""
        inner: Mismatch | None = None
        for shape in self.shapes:
            found = shape.mismatch(value)
            if found is None:
                return None
            if (found.path or found.expected != shape.expected) and (
                inner is None or len(found.path) > len(inner.path)
            ):
                inner = found
        return inner or Mismatch((), self.expected, kind_of(value))


def unknown_key(key: Any, known: Iterable[str]) -> Mismatch:
    """Return the mismatch of a key that a hash does not have."""
    names = sorted(known)
    plain = from_key(key)
    if not isinstance(plain, str):
        return Mismatch((), "a String as a key", kind_of(plain))
    hint = did_you_mean(plain, names) or f"known keys: {', '.join(names)}"
    return Mismatch((plain,), "a known key", "an unknown one", hint)


def step_of(key: Any) -> str:
    """Return the step of a path for a key of any kind."""
    plain = from_key(key)
    return plain if isinstance(plain, str) else str(plain)


def one_of(names: list[str]) -> str:
    """Return names joined for a sentence.

    >>> one_of(["a String", "an Array", "a Hash"])
    'a String, an Array or a Hash'
    """
    unique = list(dict.fromkeys(names))
    return " or ".join(filter(None, (", ".join(unique[:-1]), unique[-1])))
