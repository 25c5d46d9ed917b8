"""HOCON, the JSON for people: comments, optional quotes and braces, paths as keys, substitutions.

``include`` is refused in a text alone, for Hiera gives the parser no place to look for files. In a
:class:`HoconFile`, it is read at the top level, but not inside of an object.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.formats.json import parse_json

Value = Any


class HoconError(Exception):
    """An error in a HOCON text, with its line."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


@record()
class HoconFile:
    """A text with its path, and the files that an ``include`` with a name means, the weaker ones first."""

    path: str
    text: str
    included: Callable[[str], Iterable[HoconFile]]


@record()
class Reference:
    """``${path}`` or ``${?path}``."""

    path: tuple[str, ...]
    optional: bool
    line: int


@record()
class Joined:
    """Values beside one another: joined to a string, an array or an object."""

    parts: list[Value]
    line: int


@record()
class Over:
    """A value that replaces an earlier one, which is not known before substitution."""

    earlier: Value
    later: Value


class Nothing:
    """The result of an optional substitution without a value."""

    __slots__ = ()


NOTHING = Nothing()
SPACE = lazy_pattern(r"(?:[^\S\n]|\ufeff)+")
COMMENT = lazy_pattern(r"(?:#|//)[^\n]*")
BARE = lazy_pattern(r'(?:(?!//)[^$"{}\[\]:=,+#`^?!@*&\\\s])+')
INCLUDE = lazy_pattern(r'include\s+(?:"|(?:required|file|url|classpath)\()')
FILE_CALL = lazy_pattern(r"file\(\s*")
MOST_INCLUDED = 50
"""How deep files that include others may nest."""
NUMBER = lazy_pattern(r"-?\d+(\.\d+)?([eE][+-]?\d+)?\Z")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}


NO_VARIABLES: Mapping[str, str] = {}


def parse_hocon(text: str, variables: Mapping[str, str] = NO_VARIABLES) -> Value:
    """Return the hash that a HOCON text describes, substitutions done.

    ``variables`` are values of substitutions that name nothing in the text.

    >>> parse_hocon("a.b = 1, c = [x y, ${a.b}] // done")
    {'a': {'b': 1}, 'c': ['x y', 1]}
    >>> parse_hocon("a = ${HOME}/a", {"HOME": "/root"})
    {'a': '/root/a'}
    """
    try:
        return read_hocon(text, variables)
    except RecursionError:
        raise HoconError("it is nested too deeply") from None


def read_hocon(text: str, variables: Mapping[str, str] = NO_VARIABLES) -> Value:
    """Return the value of a HOCON text; raise RecursionError if it nests too deeply."""
    tree = HoconReader(text).document()
    return Resolver(tree, variables).resolve(tree, ())


def parse_hocon_file(file: HoconFile, variables: Mapping[str, str] = NO_VARIABLES) -> Value:
    """Return the hash that a file and those that it includes describe, substitutions done."""
    try:
        tree = HoconReader(file.text, file).document()
        return Resolver(tree, variables).resolve(tree, ())
    except RecursionError:
        raise HoconError("it is nested too deeply") from None


class HoconReader:
    """Reads text into a tree in which substitutions are not replaced yet."""

    def __init__(
        self, text: str, file: HoconFile | None = None, outer: HoconReader | None = None
    ) -> None:
        self.text = text
        self.file = file
        self.position = 0
        self.level = 0
        """How deep objects are nested here."""
        self.outer_line = None if outer is None else outer.line
        """The line of the ``include``, which errors in an included file name."""
        self.nesting: int = 0 if outer is None else outer.nesting + 1
        """How many files include one another."""

    def document(self) -> dict[str, Value]:
        """Read the whole text."""
        self.skip_lines()
        if self.at("["):
            raise HoconError("the document is an array, not an object", self.line)
        tree = self.object(braces=self.at("{"))
        self.skip_lines()
        if self.position < len(self.text):
            raise self.error(f"unexpected {self.text[self.position]!r}")
        return tree

    def error(self, problem: str) -> HoconError:
        """Return the error at the current line."""
        return HoconError(problem, self.line)

    @property
    def line(self) -> int:
        """The current line (from 1)."""
        if self.outer_line is not None:
            return self.outer_line
        return self.text.count("\n", 0, self.position) + 1

    def at(self, mark: str) -> bool:
        """Return whether the text continues with the given one."""
        return self.text.startswith(mark, self.position)

    def take(self, mark: str) -> bool:
        """Go past this if the text goes on with it."""
        if self.at(mark):
            self.position += len(mark)
            return True
        return False

    def skip(self) -> str:
        """Go past white space and comments within the line; the white space."""
        start = self.position
        if found := SPACE.match(self.text, start):
            self.position = found.end()
        white = self.text[start : self.position]
        if found := COMMENT.match(self.text, self.position):
            self.position = found.end()
        return white

    def skip_lines(self) -> bool:
        """Go past white space, comments and line ends; whether there was a line end."""
        seen = False
        while True:
            self.skip()
            if not self.take("\n"):
                return seen
            seen = True

    def object(self, *, braces: bool) -> dict[str, Value]:
        """Read the fields of an object, up to ``}`` or the end of the text."""
        self.level += 1
        fields = self.fields(braces=braces)
        self.level -= 1
        return fields

    def fields(self, *, braces: bool) -> dict[str, Value]:
        """Read fields, up to ``}`` or the end of the text."""
        if braces:
            self.take("{")
        fields: dict[str, Value] = {}
        while True:
            self.skip_lines()
            if braces and self.take("}"):
                return fields
            if self.position >= len(self.text):
                if braces:
                    raise self.error("an object is not closed")
                return fields
            self.field(fields)
            separated = self.skip_lines()
            if not (self.take(",") or separated) and not (
                self.at("}") if braces else self.position >= len(self.text)
            ):
                raise self.error("a comma or a new line is missing")

    def field(self, fields: dict[str, Value]) -> None:
        """Read one field: a path and its value."""
        if INCLUDE.match(self.text, self.position):
            self.include(fields)
            return
        path = self.path()
        line = self.line
        if self.at("{"):
            value: Value = self.value()
        elif self.take("+="):
            self.skip_lines()
            value = Joined([Reference(path, optional=True, line=line), [self.value()]], line)
        elif self.take("=") or self.take(":"):
            self.skip_lines()
            value = self.value()
        else:
            raise self.error(f"the key '{'.'.join(path)}' has no value")
        put(fields, path, value)

    def include(self, fields: dict[str, Value]) -> None:
        """Read an ``include`` and the fields of the files that it names."""
        if self.file is None:
            raise self.error("include is not supported")
        if self.level > 1:
            raise self.error("include is not supported inside of an object")
        name = self.included_name()
        if self.nesting == MOST_INCLUDED:
            raise self.error(f"more than {MOST_INCLUDED} files include one another")
        for file in self.file.included(name):
            try:
                inner = HoconReader(file.text, file, self).document()
            except HoconError as error:
                raise HoconError(f"{file.path}: {error.problem}", self.line) from None
            for key, value in inner.items():
                fields[key] = overlay(fields[key], value) if key in fields else value

    def included_name(self) -> str:
        """Read the name in an ``include``: of a file beside this one, or an absolute path."""
        self.take("include")
        self.skip_lines()
        call = FILE_CALL.match(self.text, self.position)
        if call is not None:
            self.position = call.end()
        if not self.at('"'):
            raise self.error("include is supported for files only")
        name = self.string()
        if call is not None:
            self.skip_lines()
            if not self.take(")"):
                raise self.error("a parenthesis is missing after the name of a file")
        if "://" in name or (call is not None and not name.startswith("/")):
            raise self.error(
                f"include is supported for files only, by absolute paths in file(): {name}"
            )
        return name

    def path(self) -> tuple[str, ...]:
        """Read a key: names between dots, quoted or not."""
        names, current, quoted = [], "", False
        while True:
            if self.at('"'):
                current += self.string()
                quoted = True
            elif found := BARE.match(self.text, self.position):
                self.position = found.end()
                first, *others = found[0].split(".")
                current += first
                for name in others:
                    names.append(self.name(current, quoted=quoted))
                    current, quoted = name, False
            else:
                white = self.skip()
                if BARE.match(self.text, self.position) or self.at('"'):
                    current += white
                    continue
                return (
                    *names,
                    self.name(current.strip() if not quoted else current, quoted=quoted),
                )

    def name(self, text: str, *, quoted: bool) -> str:
        """Read a name of a path; only a quoted name may be empty."""
        if not text and not quoted:
            raise self.error("a key is missing")
        return text

    def value(self) -> Value:
        """Read a value: all pieces up to a comma, a closing bracket or the line end."""
        parts: list[Value] = []
        line = self.line
        while True:
            white = self.skip()
            if self.position >= len(self.text) or self.text[self.position] in "\n,}]":
                break
            part = self.part()
            if parts and white:
                parts.append(Space(white))
            parts.append(part)
        if not parts:
            raise self.error("a value is missing")
        if len(parts) == 1:
            return parts[0].value() if isinstance(parts[0], Bare) else parts[0]
        return Joined(parts, line)

    def part(self) -> Value:
        """Read one piece of a value."""
        if self.at("{"):
            return self.object(braces=True)
        if self.at("["):
            return self.array()
        if self.at('"'):
            return self.string()
        if self.at("${"):
            return self.reference()
        found = BARE.match(self.text, self.position)
        if found is None:
            raise self.error(f"unexpected {self.text[self.position]!r}")
        self.position = found.end()
        return Bare(found[0])

    def array(self) -> list[Value]:
        """Read an array."""
        self.take("[")
        items: list[Value] = []
        while True:
            self.skip_lines()
            if self.take("]"):
                return items
            if self.position >= len(self.text):
                raise self.error("an array is not closed")
            items.append(self.value())
            separated = self.skip_lines()
            if not (self.take(",") or separated or self.at("]")):
                raise self.error("a comma or a new line is missing")

    def reference(self) -> Reference:
        """Read a substitution."""
        line = self.line
        self.position += 2
        optional = self.take("?")
        path = self.path()
        if not self.take("}"):
            raise self.error("a substitution is not closed")
        return Reference(path, optional, line)

    def string(self) -> str:
        """Read a string in one or three double quotes."""
        if self.take('"""'):
            end = self.text.find('"""', self.position)
            if end < 0:
                raise self.error("a string is not closed")
            while self.text.startswith('"', end + 3):
                end += 1
            found = self.text[self.position : end]
            self.position = end + 3
            return found
        self.position += 1
        out: list[str] = []
        while True:
            letter = self.text[self.position : self.position + 1]
            if letter in {"", "\n"}:
                raise self.error("a string is not closed")
            self.position += 1
            if letter == '"':
                return "".join(out)
            out.append(self.escape() if letter == "\\" else letter)

    def escape(self) -> str:
        """Return the character that an escape sequence represents."""
        letter = self.text[self.position : self.position + 1]
        self.position += 1
        if letter == "u":
            found = UNICODE.match(self.text, self.position)
            if found is None:
                raise self.error("\\u needs four digits")
            self.position = found.end()
            return unicode_text(found[0])
        if letter not in ESCAPES:
            raise self.error(f"\\{letter} means nothing")
        return ESCAPES[letter]


# Four digits; of a character with a surrogate pair those of both.
UNICODE = lazy_pattern(r"[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4}")


def unicode_text(digits: str) -> str:
    r"""Return the character of an escape; a surrogate alone becomes bytes, as in JSON.

    >>> unicode_text(r"d83d\ude00"), unicode_text("00e9")
    ('😀', 'é')
    """
    text: str = parse_json(f'"\\u{digits}"')
    return text


@record()
class Bare:
    """Text without quotes; alone it may be a number or a word."""

    text: str

    def value(self) -> Value:
        """Return the value of unquoted text that is a whole value."""
        if self.text in WORDS:
            return WORDS[self.text]
        found = NUMBER.match(self.text)
        if found is None:
            return self.text
        if not (found[1] or found[2]):
            return int(self.text)
        number = float(self.text)
        if math.isinf(number):
            raise HoconError(f"the number {self.text} is too large")
        # Ruby's reader makes a whole number of 1.0, too.
        return int(number) if number.is_integer() else number


@record()
class Space:
    """White space between pieces, which counts when they are joined to a string."""

    text: str


def put(fields: dict[str, Value], path: tuple[str, ...], value: Value) -> None:
    """Set a field; two objects of one name are merged, else the later value counts."""
    name, below = path[0], path[1:]
    if below:
        inner: dict[str, Value] = {}
        put(inner, below, value)
        value = inner
    if name in fields:
        value = overlay(fields[name], value)
    fields[name] = value


def overlay(earlier: Value, later: Value) -> Value:
    """Return the merged value of a field that is set twice."""
    if isinstance(earlier, dict) and isinstance(later, dict):
        # The later fields come first, as in the library that Puppet uses.
        merged = {
            name: overlay(earlier[name], value) if name in earlier else value
            for name, value in later.items()
        }
        return merged | {name: value for name, value in earlier.items() if name not in later}
    if isinstance(later, Reference | Joined | Over):
        return Over(earlier, later)
    if isinstance(earlier, Reference | Joined | Over) and isinstance(later, dict):
        return Over(earlier, later)
    return later


MOST_SUBSTITUTED = 500_000
"""Most values to which the substitutions of a text may expand, each counted at every use."""


def names_itself(reference: Reference) -> HoconError:
    """Return the error for a substitution whose value it would be part of."""
    return HoconError(f"${{{'.'.join(reference.path)}}} names itself", reference.line)


class Resolver:
    """Replaces substitutions by the values that they name."""

    def __init__(self, root: Value, variables: Mapping[str, str]) -> None:
        self.root = root
        self.variables = variables
        self.busy: list[tuple[str, ...]] = []
        self.line: int | None = None  # of the last substitution
        self.substituted = 0
        self.before: dict[tuple[str, ...], list[Value]] = {}
        self.followed: set[tuple[int, int]] = set()
        """The substitutions that are being replaced, with how many earlier values were left."""

    def resolve(self, value: Value, path: tuple[str, ...]) -> Value:
        """Return the value at a path without substitutions."""
        if self.busy and isinstance(value, dict | list):
            self.count(len(value))
        if isinstance(value, dict):
            done = {name: self.resolve(item, (*path, name)) for name, item in value.items()}
            return {name: item for name, item in done.items() if item is not NOTHING}
        if isinstance(value, list):
            items = (self.resolve(item, path) for item in value)
            return [item for item in items if item is not NOTHING]
        if isinstance(value, Bare):
            return value.value()
        if isinstance(value, Over):
            return self.resolve_over(value, path)
        if not isinstance(value, Reference | Joined):
            return value
        self.busy.append(path)
        try:
            return self.follow(value) if isinstance(value, Reference) else self.join(value, path)
        finally:
            self.busy.pop()

    def count(self, size: int) -> None:
        """Count the values of substitutions; HoconError when there are too many."""
        self.substituted += size
        if self.substituted > MOST_SUBSTITUTED:
            problem = f"its substitutions expand to more than {MOST_SUBSTITUTED} values"
            raise HoconError(problem, self.line)

    def resolve_over(self, value: Over, path: tuple[str, ...]) -> Value:
        """Return a field that was set twice: the later value may name the earlier one as itself."""
        self.before.setdefault(path, []).append(value.earlier)
        try:
            later = self.resolve(value.later, path)
        finally:
            self.before[path].pop()
        if later is NOTHING:
            return self.resolve(value.earlier, path)
        if isinstance(later, dict):
            earlier = self.resolve(value.earlier, path)
            if isinstance(earlier, dict):
                return overlay(earlier, later)
        return later

    def follow(self, reference: Reference) -> Value:
        """Return the value of a substitution; raise an error if it depends on itself."""
        self.line = reference.line
        self.count(1)
        step = id(reference), len(self.before.get(reference.path, ()))
        if step in self.followed:
            if reference.optional:
                return NOTHING
            raise names_itself(reference)
        self.followed.add(step)
        try:
            return self.named(reference)
        finally:
            self.followed.remove(step)

    def named(self, reference: Reference) -> Value:
        """Return the value that the path of a substitution leads to."""
        path = reference.path
        for length in range(len(path), 0, -1):
            earlier = self.before.get(path[:length])
            if earlier:  # a field that is being resolved means its earlier value
                value = earlier.pop()
                try:
                    return self.below(value, reference, length)
                finally:
                    earlier.append(value)
        if path in self.busy:
            if reference.optional:
                return NOTHING
            raise names_itself(reference)
        self.busy.append(path)
        try:
            return self.below(self.root, reference, 0)
        finally:
            self.busy.pop()

    def below(self, value: Value, reference: Reference, start: int) -> Value:
        """Return the value that the rest of a path leads to, from the value of its beginning."""
        for name in reference.path[start:]:
            while isinstance(value, Over | Reference | Joined):
                value = self.resolve(value, ())
            if not isinstance(value, dict) or name not in value:
                if reference.path == (name,) and name in self.variables:
                    return self.variables[name]
                if reference.optional:
                    return NOTHING
                raise HoconError(f"${{{'.'.join(reference.path)}}} names nothing", reference.line)
            value = value[name]
        return self.resolve(value, reference.path)

    def join(self, joined: Joined, path: tuple[str, ...]) -> Value:
        """Return adjacent pieces joined into one value."""
        parts = [
            part if isinstance(part, Space | Bare) else self.resolve(part, path)
            for part in joined.parts
        ]
        solid = [part for part in parts if not isinstance(part, Space) and part is not NOTHING]
        if not solid:
            return NOTHING
        lists = [part for part in solid if isinstance(part, list)]
        if len(lists) == len(solid):
            return [item for part in lists for item in part]
        if all(isinstance(part, dict) for part in solid):
            merged: Value = solid[0]
            for part in solid[1:]:
                merged = overlay(merged, part)
            return merged
        if any(isinstance(part, list | dict) for part in solid):
            raise HoconError("cannot concatenate values of different kinds", joined.line)
        if len(solid) == 1 and not any(isinstance(part, Space) for part in parts):
            return solid[0].value() if isinstance(solid[0], Bare) else solid[0]
        return "".join(self.piece(part) for part in parts)

    @staticmethod
    def piece(part: Value) -> str:
        """Return a piece as text."""
        if isinstance(part, Space | Bare):
            return part.text
        if part is NOTHING:
            return ""
        if part is None:
            return "null"
        return str(part).lower() if part.__class__ is bool else str(part)
