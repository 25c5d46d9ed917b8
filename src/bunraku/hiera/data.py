"""Data files: read once for as long as they do not change, parsed by their kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from bunraku.errors import Diagnostic
from bunraku.hiera import issues, yaml
from bunraku.hiera.hocon import HoconError, parse_hocon
from bunraku.modules.environment import Environment
from bunraku.values.keys import from_key

Value = Any
Wrapped = TypeVar("Wrapped")
Warn = Callable[[Diagnostic], None]
JSON_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*', re.DOTALL)


class DataFiles:
    """The files of an environment's data; what was parsed lives as long as the environment.

    ``strict`` tells whether a file without a hash is an error or a warning.
    """

    __slots__ = ("_cache", "_checked", "_wrappers", "newest_format", "strict", "warn", "world")

    def __init__(self, environment: Environment, *, strict: bool, warn: Warn) -> None:
        self.world = environment.world
        self.strict = strict
        self.warn = warn
        self.newest_format = 5
        self._cache: dict[tuple[str, str], tuple[bytes, Value]]
        self._cache = environment.cache.setdefault("data files", {})
        self._wrappers: dict[str, tuple[Value, Any]]
        self._wrappers = environment.cache.setdefault("wrapped data", {})
        # Within one compile a file is not looked at twice.
        self._checked: dict[tuple[str, str], Value] = {}

    def parsed(self, path: str, kind: str, parse: Callable[[bytes, str], Value]) -> Value:
        """What a parser makes of a file."""
        key = (path, kind)
        if key in self._checked:
            return self._checked[key]
        content = self.read(path)
        known = self._cache.get(key)
        if known is not None and known[0] == content:
            value = known[1]
        else:
            value = parse(content, path)
            self._cache[key] = content, value
        self._checked[key] = value
        return value

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        try:
            return self.world.read(path)
        except OSError as error:
            reason = error.strerror or "it does not exist"
            raise issues.placed(issues.UNREADABLE_DATA(path=path, reason=reason), path) from None

    def yaml(self, path: str) -> dict[Any, Value]:
        """A YAML file's hash, symbols among its keys made strings."""
        return self.hash(
            path, "yaml", lambda content, name: keys_to_text(parse_yaml(content, name))
        )

    def json(self, path: str) -> dict[Any, Value]:
        """A JSON file's hash."""
        data = self.parsed(path, "json", parse_json)
        if data.__class__ is not dict:
            raise issues.placed(issues.DATA_IS_NO_HASH(path=path), path)
        return data

    def hocon(self, path: str) -> dict[Any, Value]:
        """A HOCON file's hash."""
        return self.hash(path, "hocon", parse_hocon_file)

    def hash(self, path: str, kind: str, parse: Callable[[bytes, str], Value]) -> dict[Any, Value]:
        """What a parser makes of a file, if that is a hash; an empty file is an empty hash."""
        data = self.parsed(path, kind, parse)
        if data.__class__ is dict:
            return data
        if self.strict and data is not False:
            raise issues.placed(issues.DATA_IS_NO_HASH(path=path), path)
        found = issues.DATA_IS_NO_HASH.diagnostic(severity="warning", path=path)
        found.file = path
        self.warn(found)
        self._checked[path, kind] = {}
        return {}

    def wrapped(
        self,
        data: dict[Any, Value],
        path: str,
        wrapper: Callable[[dict[Any, Value]], Wrapped],
        check: Callable[[dict[Any, Value], str], None],
    ) -> Wrapped:
        """The wrapper of a file's data, kept with it; new data is checked."""
        known = self._wrappers.get(path)
        if known is not None and known[0] is data:
            found: Wrapped = known[1]
            return found
        check(data, path)
        found = wrapper(data)
        self._wrappers[path] = data, found
        return found

    def warn_foreign(self, module: str, path: str, keys: list[str]) -> None:
        """Warn of keys in a module's data that are not the module's."""
        where = f" in {path}" if path else ""
        found = issues.FOREIGN_KEYS.diagnostic(
            severity="warning", module=module, where=where, keys=", ".join(keys)
        )
        found.file = path or None
        self.warn(found)


def parse_yaml(content: bytes, path: str) -> Value:
    """YAML text of a file; the error names file and line."""
    try:
        return yaml.load(content)
    except yaml.YamlError as error:
        problem = issues.UNPARSABLE_DATA(path=path, format="YAML", reason=error.problem)
        raise issues.placed(problem, path, error.line) from None


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
    """JSON text of a file; comments are allowed, as Ruby allows them."""
    text = content.decode("utf-8", "surrogateescape")
    try:
        try:
            return json.loads(text, parse_constant=refuse_constant)
        except ValueError:
            bare = JSON_COMMENT.sub(lambda found: found[1] or blank(found[0]), text)
            if bare == text:
                raise
            return json.loads(bare, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        problem = issues.UNPARSABLE_DATA(path=path, format="JSON", reason=error.msg)
        raise issues.placed(problem, path, error.lineno) from None
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        problem = issues.UNPARSABLE_DATA(path=path, format="JSON", reason=reason)
        raise issues.placed(problem, path) from None


def blank(comment: str) -> str:
    """White space that takes a comment's place and keeps its line ends."""
    return " " + "\n" * comment.count("\n")


def refuse_constant(name: str) -> Value:
    """``NaN`` and ``Infinity`` are no JSON."""
    raise ValueError(f"{name} is not allowed")


def parse_hocon_file(content: bytes, path: str) -> Value:
    """HOCON text of a file."""
    try:
        return parse_hocon(content.decode("utf-8", "surrogateescape"))
    except HoconError as error:
        problem = issues.UNPARSABLE_DATA(path=path, format="HOCON", reason=error.problem)
        raise issues.placed(problem, path, error.line) from None


def find_foreign(value: Value) -> str | None:
    """What in a value no Puppet value is: Ruby's symbols, and keys that are no text or number.

    >>> find_foreign({"a": [{None: 1}]})
    'a key that is undef'
    """
    kind = value.__class__
    if kind is list:
        return next((bad for item in value if (bad := find_foreign(item))), None)
    if kind is dict:
        for key, item in value.items():
            if key.__class__ is yaml.Symbol or key.__class__ is str or key.__class__ is int:
                bad = None
            else:
                bad = foreign_key(from_key(key))
            if bad := bad or find_foreign(item):
                return bad
        return None
    return f"the symbol :{value}" if kind is yaml.Symbol else None


def foreign_key(key: Value) -> str | None:
    """What a key is that no hash of data may have."""
    if key.__class__ is float:
        return None
    kinds = {bool: "true or false", list: "an array", dict: "a hash", type(None): "undef"}
    return f"a key that is {kinds.get(key.__class__, 'of a strange kind')}"
