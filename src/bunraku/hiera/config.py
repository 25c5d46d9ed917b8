"""``hiera.yaml`` of version 3, 4 and 5: its checked content as plain records."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from bunraku.base.errors import Issue, PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.formats.places import place_in_yaml
from bunraku.formats.shape import SCALAR, TEXT, Array, Either, Fields, Mismatch, Shape
from bunraku.hiera import issues
from bunraku.hiera.data import DataFiles, keys_to_text, parse_yaml
from bunraku.world.special_files import is_present

Value = Any
Layer = Literal["global", "environment", "module"]
FUNCTION_KEYS = ("data_hash", "lookup_key", "data_dig", "hiera3_backend")
LOCATION_KEYS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
LIST_KEYS = frozenset({"paths", "globs", "uris", "mapped_paths"})
LEVEL_KEYS = frozenset({"name", "options", "datadir", *FUNCTION_KEYS, *LOCATION_KEYS})
LEVEL_KEYS_4 = frozenset({"backend", "name", "datadir", "path", "paths"})
TOP_KEYS = frozenset({"version", "defaults", "hierarchy", "plan_hierarchy", "default_hierarchy"})
DEFAULT_KEYS = frozenset({"datadir", "options", "data_hash", "lookup_key", "data_dig"})
RESERVED_OPTIONS = ("path", "uri")
OPTION_NAME = lazy_pattern(r"[A-Za-z]:?(?:[0-9A-Za-z_-]*[0-9A-Za-z])?")
WORDS = Either((SCALAR, Array(SCALAR)))
BACKEND = Fields({"datadir": TEXT, "extension": TEXT})
"""The settings of a backend of version 3."""
BACKEND_FUNCTIONS = {"yaml": "yaml_data", "json": "json_data", "hocon": "hocon_data"}
EXTENSIONS = {"yaml": ".yaml", "json": ".json", "hocon": ".conf"}


@record(frozen=True)
class Level:
    """A level of a hierarchy: which function reads which files.

    ``locations`` are as written, ``location_kind`` is their key (None: no file);
    ``extension`` is added to paths of the old versions.
    """

    name: str
    kind: str
    function: str
    options: Mapping[str, Value] = field(default_factory=dict)
    datadir: str = "data"
    location_kind: str | None = None
    locations: tuple[str, ...] = ()
    extension: str | None = None


@record(frozen=True)
class Config:
    """A ``hiera.yaml``. ``path`` is None when there is none and the default applies.

    ``merge`` is version 3's ``merge_behavior`` with its options, None for ``native``.
    """

    version: int
    path: str | None
    root: str
    hierarchy: tuple[Level, ...]
    default_hierarchy: tuple[Level, ...] | None = None
    merge: Mapping[str, Value] | None = None
    text: str = field(default="", shown=False, compared=False)

    def line_of_variable(self, name: str) -> int | None:
        """Return the line in which a variable is interpolated."""
        return uncommented_line(self.text, rf"""%\{{\s*['"]?{re.escape(name)}\b""")


DEFAULT_LEVEL: dict[str, Value] = {"name": "Common", "path": "common.yaml"}
DEFAULTS: dict[str, Value] = {"datadir": "data", "data_hash": "yaml_data"}


def read_config(path: str, layer: Layer, files: DataFiles, codedir: str) -> Config | None:
    """Return the configuration of a layer; None where real Puppet passes it over."""
    root = os.path.dirname(path)
    if not is_present(path, files.world):
        return parse_config({"version": 5}, None, root, layer, codedir, "")
    data = files.parsed(
        path, "hiera.yaml", lambda content, name: (parse_yaml(content, name), content)
    )
    parsed, content = data.value
    text = content.decode("utf-8", "surrogateescape")
    if parsed.__class__ is not dict:
        files.warn(issues.CONFIG_IS_NO_HASH.diagnostic(Place(path), severity="warning", path=path))
        parsed = {}
    config = parse_config(keys_to_text(parsed), path, root, layer, codedir, text)
    if config.version == 3 and layer != "global":
        error = fail(
            issues.VERSION_3_NOT_GLOBAL, path, text, None, where=f"a {layer}".replace("a e", "an e")
        )
        if files.strict:
            raise error
        files.warn(replace(error.diagnostic, severity="warning"))
        return None
    if config.version < files.newest_format and files.warn is not None:
        found = issues.OLD_CONFIG.diagnostic(
            Place(path), severity="deprecation", path=path, version=config.version
        )
        files.warn_once("hiera.yaml", found)
    return config


def fail(
    issue: Issue, path: str | None, text: str, pattern: str | None, **arguments: object
) -> PuppetError:
    """Return an error about the configuration with the line that the pattern finds."""
    line = uncommented_line(text, pattern) if pattern else None
    return issue(**arguments).at(Place.in_text(path, text, line))


def uncommented_line(text: str, pattern: str, occurrence: int = 1) -> int | None:
    """Return the line (from 1) of the n-th line that matches, comments apart."""
    seen = 0
    for number, line in enumerate(text.split("\n"), 1):
        if re.search(pattern, without_comment(line)):
            seen += 1
            if seen == occurrence:
                return number
    return None


def name_line(name: str) -> str:
    """Return the pattern of the line that names a level."""
    return rf"\bname:\s+['\"]?{re.escape(name)}(?:[^\w]|$)"


def without_comment(line: str) -> str:
    """Return a line of YAML up to its comment."""
    quote = ""
    for at, letter in enumerate(line):
        if letter in "'\"":
            quote = "" if quote == letter else quote or letter
        elif letter == "#" and not quote:
            return line[:at]
    return line


def parse_config(
    data: dict[Any, Value], path: str | None, root: str, layer: Layer, codedir: str, text: str
) -> Config:
    """Return the record of a configuration's data."""
    version = data.get("version")
    number = 3 if version is None else whole_number(version)
    reader = HieraConfigReader(path, root, layer, text)
    if number in {3, 4, 5} and version is not None and version.__class__ is not int:
        raise reader.invalid("'version' must be a whole number, not in quotes", r"\bversion:")
    if number == 5:
        return reader.version_5(data)
    if number == 4:
        if layer == "global":
            raise fail(issues.VERSION_4_GLOBAL, path, text, r"\bversion:")
        return reader.version_4(data)
    if number == 3:
        return reader.version_3(data, codedir)
    raise fail(issues.UNSUPPORTED_VERSION, path, text, r"\bversion:", version=version)


def whole_number(value: Value) -> int:
    """Return a version as a number, 0 if it is invalid."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return 0


class HieraConfigReader:
    """Checks a configuration and turns it into records."""

    def __init__(self, path: str | None, root: str, layer: Layer, text: str) -> None:
        self.path = path
        self.root = root
        self.layer = layer
        self.text = text

    def fail(self, issue: Issue, pattern: str | None = None, **arguments: object) -> PuppetError:
        """See :func:`fail`."""
        return fail(issue, self.path, self.text, pattern, **arguments)

    def invalid(self, problem: str, pattern: str | None = None) -> PuppetError:
        """Return the error for something that does not have the required form."""
        return self.fail(issues.INVALID_CONFIG, pattern, problem=problem)

    def invalid_at(self, problem: str, *keys: str | int) -> PuppetError:
        """Return the same error, at the line of a key of the file."""
        line, _ = place_in_yaml(self.text, keys) or (None, None)
        return issues.INVALID_CONFIG(problem=problem).at(Place.in_text(self.path, self.text, line))

    def known(
        self, data: Mapping[Any, Value], allowed: Iterable[str], where: str, *keys: str | int
    ) -> None:
        """Refuse keys that are not allowed; ``keys`` lead to the hash in the file."""
        allowed = sorted(allowed)
        for key in data:
            if key not in allowed:
                raise self.invalid_at(f"{where}: unrecognized key '{key}'", *keys, str(key)).hinted(
                    did_you_mean(str(key), allowed) or f"valid keys: {', '.join(allowed)}"
                )

    def check(self, shape: Shape, value: Value, *keys: str | int) -> None:
        """Refuse a value of another shape at a path of keys; null is treated as missing."""
        wrong = None if value is None else shape.mismatch(value)
        if wrong is not None:
            path = (*keys, *wrong.path)
            problem = Mismatch(path, wrong.expected, wrong.got)
            raise self.invalid_at(str(problem), *path).hinted(wrong.hint)

    def text_of(self, value: Value, what: str, pattern: str | None = None) -> str:
        """Return a value that must be a non-empty string."""
        if value.__class__ is not str or not value:
            raise self.invalid(f"{what} must be a non-empty string", pattern)
        return str(value)

    def texts(self, value: Value, what: str, key: str) -> tuple[str, ...]:
        """Return a value that must be a list of strings."""
        if value.__class__ is not list or not value:
            raise self.invalid(f"{what} must be a list of strings", key_line(key))
        return tuple(self.text_of(item, f"each entry of {what}", key_line(key)) for item in value)

    def version_5(self, data: dict[Any, Value]) -> Config:
        """Return a configuration of version 5."""
        self.known(data, TOP_KEYS, "hiera.yaml")
        defaults = data.get("defaults")
        if defaults is None:
            defaults = DEFAULTS
        self.check_defaults(defaults)
        if "default_hierarchy" in data and self.layer != "module":
            raise self.fail(issues.DEFAULTS_NOT_IN_MODULE, key_line("default_hierarchy"))
        hierarchy = data.get("hierarchy")
        if hierarchy is None:
            hierarchy = [DEFAULT_LEVEL]
        self.levels(data.get("plan_hierarchy") or [], defaults, "plan_hierarchy")
        default_hierarchy = data.get("default_hierarchy")
        if default_hierarchy is None and "default_hierarchy" in data:
            raise self.invalid("'default_hierarchy' must be a list", key_line("default_hierarchy"))
        return Config(
            5,
            self.path,
            self.root,
            self.levels(hierarchy, defaults, "hierarchy"),
            None
            if default_hierarchy is None
            else self.levels(default_hierarchy, defaults, "default_hierarchy"),
            text=self.text,
        )

    def check_defaults(self, defaults: Value) -> None:
        """Check ``defaults``."""
        if defaults.__class__ is not dict:
            raise self.invalid("'defaults' must be a hash", key_line("defaults"))
        self.known(defaults, DEFAULT_KEYS, "entry 'defaults'", "defaults")
        functions = [key for key in FUNCTION_KEYS if key in defaults]
        if len(functions) > 1:
            keys = ", ".join(functions)
            raise self.fail(issues.SEVERAL_DEFAULT_FUNCTIONS, key_line(functions[1]), keys=keys)
        for key in (*functions, "datadir"):
            if key in defaults:
                self.text_of(defaults[key], f"'{key}' of the defaults", key_line(key))
        for key in self.options(defaults.get("options"), "'defaults'"):
            if key in RESERVED_OPTIONS:
                raise self.fail(issues.RESERVED_DEFAULT_OPTION, key_line(key), key=key)

    def options(self, options: Value, where: str) -> dict[str, Value]:
        """Checked options."""
        if options is None:
            return {}
        if options.__class__ is not dict:
            raise self.invalid(f"the options of {where} must be a hash", key_line("options"))
        for key in options:
            if key.__class__ is not str or not OPTION_NAME.fullmatch(key):
                raise self.invalid(f"the options of {where} have a bad name: {key!r}")
        return dict(options)

    def levels(self, data: Value, defaults: Mapping[str, Value], what: str) -> tuple[Level, ...]:
        """Return the levels of a hierarchy."""
        if data.__class__ is not list:
            raise self.invalid(f"'{what}' must be a list", key_line(what))
        levels: dict[str, Level] = {}
        for index, entry in enumerate(data):
            level = self.level(entry, defaults, what, index)
            if level.name in levels:
                raise self.twice(issues.LEVEL_TWICE, level.name, name_line(level.name))
            levels[level.name] = level
        return tuple(levels.values())

    def twice(self, issue: Issue, name: str, pattern: str) -> PuppetError:
        """Return the error for a name that occurs twice, with both lines."""
        first, second = (
            uncommented_line(self.text, pattern),
            uncommented_line(self.text, pattern, 2),
        )
        where = f", first in line {first}" if first and second else ""
        return issue(name=name, first=where).at(Place(self.path, second or first))

    def level(self, entry: Value, defaults: Mapping[str, Value], what: str, index: int) -> Level:
        """Return one level of a hierarchy."""
        place = f"entry '{what}' index {index}"
        if entry.__class__ is not dict:
            raise self.invalid_at(f"{place} must be a hash", what, index)
        self.known(entry, LEVEL_KEYS, place, what, index)
        if "name" not in entry:
            raise self.invalid_at(f"{place} expects a value for key 'name'", what, index)
        name = entry["name"]
        if name.__class__ is not str or not name:
            raise self.invalid_at(
                f"{place}: 'name' must be a non-empty string", what, index, "name"
            )
        at = name_line(name)
        where = f"the level '{name}'"
        kind, function = self.function(entry, defaults, name, at)
        given = [key for key in LOCATION_KEYS if key in entry]
        if len(given) > 1:
            raise self.fail(issues.SEVERAL_LOCATIONS, at, name=name, keys=", ".join(given))
        location_kind = given[0] if given else None
        locations: tuple[str, ...] = ()
        if location_kind in LIST_KEYS:
            locations = self.texts(
                entry[location_kind], f"'{location_kind}' of {where}", str(location_kind)
            )
            if location_kind == "mapped_paths" and len(locations) != 3:
                raise self.invalid(f"'mapped_paths' of {where} must have three strings", at)
        elif location_kind is not None:
            locations = (self.text_of(entry[location_kind], f"'{location_kind}' of {where}", at),)
        own = entry.get("options")
        options = self.options(defaults.get("options") if own is None else own, where)
        for key in RESERVED_OPTIONS:
            if key in options:
                raise self.fail(issues.RESERVED_OPTION, at, key=key, name=name)
        datadir = entry.get("datadir") or defaults.get("datadir") or "data"
        datadir = self.text_of(datadir, f"'datadir' of {where}", at)
        return Level(name, kind, function, options, datadir, location_kind, locations)

    def function(
        self, entry: Mapping[str, Value], defaults: Mapping[str, Value], name: str, at: str
    ) -> tuple[str, str]:
        """Kind and name of the function that reads a level."""
        kinds = [key for key in FUNCTION_KEYS if key in entry]
        if len(kinds) > 1:
            raise self.fail(issues.SEVERAL_FUNCTIONS, at, name=name, keys=", ".join(kinds))
        source = entry if kinds else defaults
        kind = next((key for key in FUNCTION_KEYS if key in source), None)
        if kind is None:
            raise self.fail(issues.NO_FUNCTION, at, name=name)
        function = self.text_of(source[kind], f"'{kind}' of the level '{name}'", at)
        if kind == "hiera3_backend":
            if self.layer != "global":
                raise self.fail(issues.BACKEND_3_NOT_GLOBAL, key_line(kind))
            if function in BACKEND_FUNCTIONS:
                raise self.fail(issues.BACKEND_3_REPLACED, key_line(kind), name=function)
        return kind, function

    def version_4(self, data: dict[Any, Value]) -> Config:
        """Return a configuration of version 4."""
        self.known(data, {"version", "datadir", "hierarchy"}, "hiera.yaml")
        self.check(TEXT, data.get("datadir"), "datadir")
        hierarchy = data.get("hierarchy")
        if hierarchy is None:
            hierarchy = [{"name": "common", "backend": "yaml"}]
        if hierarchy.__class__ is not list:
            raise self.invalid("'hierarchy' must be a list", key_line("hierarchy"))
        levels: dict[str, Level] = {}
        for index, entry in enumerate(hierarchy):
            place = f"entry 'hierarchy' index {index}"
            if entry.__class__ is not dict:
                raise self.invalid_at(f"{place} must be a hash", "hierarchy", index)
            self.known(entry, LEVEL_KEYS_4, place, "hierarchy", index)
            name = self.text_of(entry.get("name"), "the name of a level", key_line("hierarchy"))
            if name in levels:
                raise self.twice(issues.LEVEL_TWICE, name, name_line(name))
            backend = self.text_of(entry.get("backend"), f"the backend of '{name}'")
            if backend not in BACKEND_FUNCTIONS:
                raise self.fail(
                    issues.NO_BACKEND, rf"[^\w]{re.escape(backend)}(?:[^\w]|$)", name=backend
                )
            paths = entry.get("paths")
            locations = (
                (self.text_of(entry.get("path") or name, f"the path of '{name}'"),)
                if paths is None
                else self.texts(paths, f"'paths' of '{name}'", "paths")
            )
            self.check(TEXT, entry.get("datadir"), "hierarchy", index, "datadir")
            levels[name] = Level(
                name,
                "data_hash",
                BACKEND_FUNCTIONS[backend],
                datadir=entry.get("datadir") or data.get("datadir") or "data",
                location_kind="paths",
                locations=locations,
                extension=EXTENSIONS[backend],
            )
        return Config(4, self.path, self.root, tuple(levels.values()), text=self.text)

    def version_3(self, data: dict[Any, Value], codedir: str) -> Config:
        """Return a configuration of version 3."""
        for key in ("backends", "hierarchy"):
            self.check(WORDS, data.get(key), key)
        backends = as_texts(data.get("backends"), ["yaml"])
        hierarchy = as_texts(data.get("hierarchy"), ["nodes/%{::trusted.certname}", "common"])
        levels: list[Level] = []
        for backend in backends:
            if backend in {level.name for level in levels}:
                pattern = rf"[^\w]{re.escape(backend)}(?:[^\w]|$)"
                raise self.twice(issues.BACKEND_TWICE, backend, pattern)
            self.check(BACKEND, data.get(backend), backend)
            settings = data.get(backend) or {}
            extension = settings.get("extension")
            function = BACKEND_FUNCTIONS.get(backend)
            kind = (
                "data_hash"
                if function
                else "lookup_key"
                if backend == "eyaml"
                else "hiera3_backend"
            )
            levels.append(
                Level(
                    backend,
                    kind,
                    function or ("eyaml_lookup_key" if backend == "eyaml" else backend),
                    options=settings if backend == "eyaml" else {},
                    datadir=settings.get("datadir")
                    or f"{codedir}/environments/%{{::environment}}/hieradata",
                    # What a backend in Ruby reads is its own matter; it needs no file in the datadir.
                    location_kind=None if kind == "hiera3_backend" else "paths",
                    locations=() if kind == "hiera3_backend" else tuple(hierarchy),
                    extension=f".{extension}"
                    if extension
                    else EXTENSIONS.get(backend, f".{backend}"),
                )
            )
        return Config(
            3, self.path, self.root, tuple(levels), merge=self.merge_3(data), text=self.text
        )

    def merge_3(self, data: Mapping[str, Value]) -> dict[str, Value] | None:
        """Return the merge strategy that version 3 sets for hashes."""
        behavior = data.get("merge_behavior") or "native"
        if behavior == "native":
            return None
        if behavior.__class__ is not str or behavior not in {"deep", "deeper"}:
            raise self.invalid("'merge_behavior' must be native, deep or deeper", "merge_behavior")
        name = "reverse_deep" if behavior == "deep" else "unconstrained_deep"
        options = data.get("deep_merge_options")
        if options is not None and options.__class__ is not dict:
            raise self.invalid("'deep_merge_options' must be a hash", "deep_merge_options")
        return {"strategy": name, **(options or {})}


def as_texts(value: Value, default: list[str]) -> list[str]:
    """Return a string or a list of strings as a list."""
    if value is None:
        return default
    return [str(item) for item in (value if value.__class__ is list else [value])]


def key_line(key: object) -> str:
    """Return a pattern for the line of a key."""
    return rf"""(?:^|[\s{{,:'"-]){re.escape(str(key))}['"]?\s*:"""
