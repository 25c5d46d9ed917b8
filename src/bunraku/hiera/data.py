"""Data files: read once for as long as they do not change, parsed by their kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.formats import json as formats_json
from bunraku.formats import yaml
from bunraku.formats.failure import FormatError
from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.hiera import issues
from bunraku.hiera.file_data import Made, file_data_of
from bunraku.modules.environment import Environment
from bunraku.values.copying import copied
from bunraku.values.keys import from_key
from bunraku.values.missing import MISSING
from bunraku.values.ruby_object import Symbol
from bunraku.world.protocol import World
from bunraku.world.recording import recording_of

Value = Any
Warn = Callable[[Diagnostic], None]
MOST_FILES = 5_000
"""Most parsed files that are kept: a file for each of many nodes must not fill the memory."""
FOREIGN_KEYS = "keys of others"
"""With the name of a module, a recorded question: the keys that are not the module's."""
JSON_COMMENT = lazy_pattern(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*', re.DOTALL)


@record()
class Parsed:
    """The parsed content of a file, for all compiles that find the same content.

    ``of_backend`` is whether a backend function made the value. ``simple`` remembers which of the
    values have nothing to interpolate.
    """

    content: bytes
    value: Value
    of_backend: bool = False
    simple: dict[Any, bool] = field(default_factory=dict)


class DataHash:
    """A hash of data in one compile, which gets copies of the arrays and hashes in it.

    A recorded compile has the keys that it looked up, and their values, in ``asked``.
    """

    __slots__ = ("_own", "asked", "entries", "simple")

    def __init__(
        self,
        entries: dict[Any, Value],
        simple: dict[Any, bool] | None = None,
        asked: dict[Any, Value] | None = None,
    ) -> None:
        self.entries = entries
        self.simple = {} if simple is None else simple
        self.asked = asked
        self._own: dict[Any, Value] = {}

    def value(self, key: Any) -> Value:
        """Return the value of a key that the hash has, the same object each time."""
        value = self.entries[key]
        if value.__class__ is not list and value.__class__ is not dict:
            return value
        if key not in self._own:
            self._own[key] = copied(value)
        return self._own[key]

    def give_up(self, is_changed: Callable[[Value], bool]) -> None:
        """Forget the objects that were returned for values, where they are about to change."""
        for key in [key for key, value in self._own.items() if is_changed(value)]:
            del self._own[key]


class DataFiles:
    """The files of an environment's data; parsed files are kept as long as its listings.

    ``strict`` decides whether a file without a hash is an error or a warning.
    """

    __slots__ = (
        "_checked",
        "_hashes",
        "_known",
        "made",
        "newest_format",
        "recording",
        "strict",
        "warn",
        "warned",
        "world",
    )

    def __init__(self, environment: Environment, *, strict: bool, warn: Warn) -> None:
        self.world = environment.world
        self.recording = recording_of(environment.world)
        self.strict = strict
        self.warn = warn
        self.warned: set[str] = set()
        self.newest_format = 5
        self._known: dict[tuple[str, str], Parsed]
        self._known = environment.files.lasting.setdefault("data files", {})
        self.made = file_data_of(environment.files)
        # Within one compile a file is not looked at twice.
        self._checked: dict[tuple[str, str], Parsed] = {}
        self._hashes: dict[tuple[str, str], DataHash] = {}

    def parsed(self, path: str, kind: str, parse: Callable[[bytes, str], Value]) -> Parsed:
        """Return the parsed content of a file."""
        return self.parsed_content(path, kind, parse, self.world)

    def parsed_content(
        self, path: str, kind: str, parse: Callable[[bytes, str], Value], world: World
    ) -> Parsed:
        """Return the parsed content that a file has in a world."""
        key = (path, kind)
        found = self._checked.get(key)
        if found is None:
            content = read_data(world, path)
            found = self._known.pop(key, None)
            if found is None or found.content != content:
                found = Parsed(content, *self.parse(content, path, parse))
            self._known[key] = found  # the most recently used is last
            self._checked[key] = found
            while len(self._known) > MOST_FILES:
                self._known.pop(next(iter(self._known)), None)
        return found

    def parse(
        self, content: bytes, path: str, parse: Callable[[bytes, str], Value]
    ) -> tuple[Value, bool]:
        """Return the parsed content of a file, or the value that a backend function made of it.

        The second value is whether a backend function made it.
        """
        made = self.made.known(path, content)
        value = MISSING if made is None else made.found()
        if value is not MISSING:
            return value, True
        value = parse(content, path)
        self.made.keep(path, Made(content, value))
        return value, False

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        return read_data(self.world, path)

    def entries(self, function: str, path: str) -> Parsed:
        """Return the hash in a file, by the function for its kind; an empty file is an empty hash."""
        if self.recording is not None:
            self.read(path)  # the whole content counts, also where it was parsed before
        return self.checked_hash(function, path, self.parsed(path, function, PARSERS[function]))

    def checked_hash(self, function: str, path: str, found: Parsed) -> Parsed:
        """Return the parsed content of a file, if it is a hash, or an empty hash after a warning."""
        if found.value.__class__ is not dict:
            if function == "json_data" or (self.strict and found.value is not False):
                raise issues.DATA_IS_NO_HASH(path=path).at(Place(path))
            self.warn(issues.DATA_IS_NO_HASH.diagnostic(Place(path), severity="warning", path=path))
            found = self._checked[path, function] = Parsed(found.content, {})
        return found

    def copy(self, function: str, path: str) -> dict[Any, Value]:
        """Return the hash in a file, for callers that change it."""
        whole: dict[Any, Value] = copied(self.entries(function, path).value)
        return whole

    def data(
        self, function: str, path: str, check: Callable[[dict[Any, Value], str], None]
    ) -> DataHash:
        """Return the hash in a file as data of this compile; check it at the first request."""
        found = self._hashes.get((path, function))
        if found is None:
            parsed, asked = self.hash_by_key(function, path)
            check(parsed.value, path)
            found = self._hashes[path, function] = DataHash(parsed.value, parsed.simple, asked)
        return found

    def hash_by_key(self, function: str, path: str) -> tuple[Parsed, dict[Any, Value] | None]:
        """Return the hash in a file, and where a recorded compile records the keys it looks up.

        Of a file without a hash, a recorded compile depends on the whole content.
        """
        if self.recording is None:
            return self.entries(function, path), None
        world = self.recording.below
        found = self.parsed_content(path, function, PARSERS[function], world)
        if found.of_backend:
            self.recording.cannot_repeat(f"a backend function made the data of {path}")
        if found.value.__class__ is not dict:
            return self.entries(function, path), None
        return found, self.recording.keys_of(function, path, found.content)

    def give_up(self, is_changed: Callable[[Value], bool]) -> None:
        """Let the next lookups read values again that the caller of an earlier one is about to change."""
        for data in self._hashes.values():
            data.give_up(is_changed)

    def raw_value(self, function: str, path: str, key: Any) -> Value:
        """Return the value of a key in a file as it is written; MISSING without it."""
        parsed, asked = self.hash_by_key(function, path)
        value = parsed.value.get(key, MISSING)
        if asked is not None:
            asked[key] = value
        return value

    def warn_once(self, kind: str, found: Diagnostic) -> None:
        """Warn, unless there was a warning of this kind; Puppet has one for all old files and functions."""
        if kind not in self.warned:
            self.warned.add(kind)
            self.warn(found)

    def warn_foreign(self, module: str, path: str, keys: list[str]) -> None:
        """Warn of keys in a module's data that are not the module's."""
        where = f" in {path}" if path else ""
        found = issues.FOREIGN_KEYS.diagnostic(
            Place(path or None),
            severity="warning",
            module=module,
            where=where,
            keys=", ".join(keys),
        )
        self.warn(found)


def read_data(world: World, path: str) -> bytes:
    """Return the bytes of a file of data."""
    try:
        return world.read(path)
    except OSError as error:
        reason = error.strerror or "it does not exist"
        raise issues.UNREADABLE_DATA(path=path, reason=reason).at(Place(path)) from None


def foreign_keys(data: dict[Any, Value], module: str) -> list[str]:
    """Return the keys in a module's data that are not the module's.

    >>> foreign_keys({"ntp::a": 1, "b": 2, "lookup_options": {}}, "ntp")
    ['b']
    """
    prefix = f"{module}::"
    return [
        str(key)
        for key in data
        if key != "lookup_options" and not (key.__class__ is str and key.startswith(prefix))
    ]


def parse_yaml(content: bytes, path: str) -> Value:
    """Parse the YAML text of a file; the error names file and line."""
    try:
        return yaml.load(content)
    except yaml.YamlError as error:
        words = error.problem
        if error.context is not None:
            words += " at line {} column {}".format(*error.context)
        problem = issues.UNPARSABLE_DATA(
            format="YAML", reason=error.problem, path=path, problem=words
        )
        raise problem.at(Place.in_text(path, content, error.line, error.column)) from None


def parse_yaml_data(content: bytes, path: str) -> Value:
    """Return the value with symbols among the keys made strings."""
    return keys_to_text(parse_yaml(content, path))


def keys_to_text(value: Value) -> Value:
    """Data whose symbol keys are strings; unchanged data is the same object."""
    if value.__class__ is dict:
        changed = {
            (str(key) if key.__class__ is yaml.Symbol else key): keys_to_text(item)
            for key, item in value.items()
        }
        same = all(new is old for new, old in zip(changed.values(), value.values(), strict=False))
        if same and len(changed) == len(value) and yaml.Symbol not in set(map(type, value)):
            return value
        return changed
    if value.__class__ is list:
        items = [keys_to_text(item) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    return value


def parse_json(content: bytes, path: str) -> Value:
    """Parse the JSON text of a file; comments are allowed, as in Ruby."""
    text = content.decode("utf-8", "surrogateescape")
    try:
        try:
            return formats_json.parse_json(text)
        except FormatError:
            bare = JSON_COMMENT.sub(lambda found: found[1] or blank(found[0]), text)
            if bare == text:
                raise
            return formats_json.parse_json(bare)
    except FormatError as error:
        reason = error.problem
        problem = issues.UNPARSABLE_DATA(format="JSON", reason=reason, path=path, problem=reason)
        raise problem.at(Place.in_text(path, content, error.line, error.column)) from None


def blank(comment: str) -> str:
    """White space that takes a comment's place and keeps its line ends."""
    return " " + "\n" * comment.count("\n")


def parse_hocon_file(content: bytes, path: str) -> Value:
    """Parse the HOCON text of a file."""
    try:
        return parse_hocon(content.decode("utf-8", "surrogateescape"))
    except HoconError as error:
        reason = error.problem
        problem = issues.UNPARSABLE_DATA(format="HOCON", reason=reason, path=path, problem=reason)
        raise problem.at(Place.in_text(path, content, error.line)) from None


PARSERS: dict[str, Callable[[bytes, str], Value]] = {
    "yaml_data": parse_yaml_data,
    "json_data": parse_json,
    "hocon_data": parse_hocon_file,
}
"""The functions that read files of data → their parsers."""


KEYS = frozenset({str, int, yaml.Symbol, Symbol})


GOOD = frozenset({str, int, bool, float, type(None)})
"""Classes of values that Puppet has."""


def find_foreign(value: Value) -> str | None:
    """Describe the first part of a value that Puppet lacks: Ruby symbols, unusual hash keys.

    >>> find_foreign({"a": [{None: 1}]})
    'a key that is undef'
    """
    kind = value.__class__
    if kind is list:
        for item in value:
            if item.__class__ not in GOOD and (bad := find_foreign(item)):
                return bad
        return None
    if kind is dict:
        for key, item in value.items():
            if key.__class__ not in KEYS and (bad := foreign_key(from_key(key))):
                return bad
            if item.__class__ not in GOOD and (bad := find_foreign(item)):
                return bad
        return None
    return f"the symbol :{value}" if kind is yaml.Symbol or kind is Symbol else None


def foreign_key(key: Value) -> str | None:
    """Return the kind of a key that a hash of data must not have."""
    if key.__class__ is float:
        return None
    kinds = {bool: "true or false", list: "an array", dict: "a hash", type(None): "undef"}
    return f"a key that is {kinds.get(key.__class__, 'of an unknown kind')}"
