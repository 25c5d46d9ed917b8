"""The three layers of data (global, environment, module), their levels, and the files of these."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.source import NOWHERE, Place
from bunraku.hiera import issues
from bunraku.hiera.config import Config, Level
from bunraku.hiera.context import LookupContext
from bunraku.hiera.data import (
    FOREIGN_KEYS,
    PARSERS,
    DataFiles,
    DataHash,
    find_foreign,
    foreign_keys,
)
from bunraku.hiera.explain import SILENT
from bunraku.hiera.eyaml import decrypt
from bunraku.hiera.failures import note_layer
from bunraku.hiera.interpolate import (
    Engine,
    current,
    has_interpolation,
    interpolate,
    variable,
)
from bunraku.hiera.invocation import NO_VALUES, Invocation
from bunraku.hiera.keys import Key, Segment, undig
from bunraku.hiera.location import Location
from bunraku.hiera.merge import FIRST, HashMerge, Strategy, Unique, strategy
from bunraku.modules.environment import Environment
from bunraku.modules.files import join
from bunraku.values.keys import from_key
from bunraku.values.missing import MISSING, KeyNotFound

Value = Any

OF_THE_TEXT = (issues.UNKNOWN_METHOD, issues.ALIAS_NOT_WHOLE)
"""Mistakes in the text that is interpolated; its key and file are added to the message."""


class Services(Engine, Protocol):
    """The part of the lookup engine that layers use."""

    environment: Environment
    files: DataFiles

    def has_environment_data(self) -> bool:
        """Return whether the environment has a hierarchy of version 5."""

    def undefined_variable_in_path(self, name: str) -> None:
        """Warn of a variable in a path of hiera.yaml that does not exist."""

    def are_missing(
        self, keys: Sequence[str], provider: Provider, place: Location | None
    ) -> list[str]:
        """Return the keys that are missing in all data searched before a file of a level."""


class Provider:
    """A level at work: its function with interpolated options and resolved files."""

    __slots__ = ("contexts", "hashes", "layer", "level", "locations", "options", "results")

    def __init__(
        self,
        layer: Layer,
        level: Level,
        options: Mapping[str, Value],
        locations: list[Location | None],
    ) -> None:
        self.layer = layer
        self.level = level
        self.options = options
        self.locations = locations
        self.hashes: dict[Location | None, DataHash] = {}
        self.results: dict[Location | None, dict[str, Value]] = {}
        self.contexts: dict[Location | None, LookupContext] = {}

    def lookup(self, invocation: Invocation, key: Key, merge: Strategy) -> Value:
        """Return the level's value of a key, merged over its files."""
        explain = invocation.explain
        read = READERS[self.level.kind]
        locations = self.locations
        if invocation.old_paths and self.layer.is_old:
            locations = [*self.layer.extra_locations(self.level, invocation), *locations]

        def get(location: Location | None) -> Value:
            if location is None:
                return read(self, invocation, key, None)
            with explain.step(location.kind, location.shown, written_as=location.written):
                if location.exists:
                    return read(self, invocation, key, location)
                explain.absent()
                return MISSING

        with explain.step("level", self.level.name):
            return merge.lookup(locations, get, explain)

    def first(self, invocation: Invocation, key: Key) -> Value:
        """Return the level's first value of a key, for a lookup that is not explained."""
        read = READERS[self.level.kind]
        for location in self.locations:
            if location is None or location.exists:
                value = read(self, invocation, key, location)
                if value is not MISSING:
                    return value
        return MISSING

    def is_missing(self, location: Location | None, key: str) -> bool:
        """Return whether a file of the level certainly lacks a key."""
        if self.level.kind == "data_hash":
            data = self.hashes.get(location)
            return data is not None and key not in data.entries
        context = self.contexts.get(location)
        return context is not None and "absent" in context.answers.get(key, ())

    def further_keys(self, invocation: Invocation, location: Location | None) -> list[str]:
        """Return the keys that the function of the level is certain to be called with next."""
        if self.level.kind != "lookup_key" or self.layer.is_old:
            return []
        known = self.results.get(location, {})
        keys = [key for key in invocation.upcoming if key not in known]
        return self.layer.services.are_missing(keys, self, location)

    # -- the kinds of functions --------------------------------------------------------------------

    def read_data_hash(self, invocation: Invocation, key: Key, location: Location | None) -> Value:
        """Return the value in the hash that a ``data_hash`` function returned."""
        data = self.data(invocation, location)
        root = key.root
        if data.asked is not None:
            data.asked[root] = data.entries.get(root, MISSING)
        if root not in data.entries:
            invocation.explain.missing(root)
            return MISSING
        value = data.value(root)
        simple = data.simple.get(root)
        if simple is None:
            self.check_value(root, value, location)
            simple = data.simple[root] = not has_interpolation(value)
        if not simple:
            value = self.interpolated(invocation, root, value, location)
        invocation.explain.found(root, value)
        return value

    def interpolated(
        self, invocation: Invocation, key: str, value: Value, location: Location | None
    ) -> Value:
        """Return a value of a file with its variables replaced; errors name the file."""
        try:
            return interpolate(value, self.layer.services, invocation, methods=True)
        except PuppetError as error:
            issue = next((one for one in OF_THE_TEXT if error.is_a(one)), None)
            if issue is None or location is None or error.place.file is not None:
                raise
            where = f" (in the value of '{key}' in {location.path})"
            named = issue(**{**error.arguments, "where": where}).at(Place(location.path))
            raise named.with_traceback(error.__traceback__) from None

    def data(self, invocation: Invocation, location: Location | None) -> DataHash:
        """Return the hash of a file, read when first needed in this compile."""
        known = self.hashes.get(location)
        if known is None:
            known = self.hashes[location] = self.load(invocation, location)
        return known

    def load(self, invocation: Invocation, location: Location | None) -> DataHash:
        """Call the ``data_hash`` function."""
        name = self.level.function
        if name in PARSERS:
            if location is None or location.kind != "path":
                raise issues.PATH_MISSING(function=name).at(self.layer.place)
            if self.options:
                keys = ", ".join(self.options)
                error = issues.NO_OPTIONS_TAKEN(function=name, level=self.level.name, keys=keys)
                raise error.at(self.layer.place)
            return self.of_file(name, location.path)
        if self.level.kind == OLD_FUNCTION:
            data = self.call_old(invocation)
        else:
            data = self.call(invocation, location, [])
        if data.__class__ is not dict:
            kind = "no value" if data is None or data is MISSING else "another value"
            where = f" for {location.path}" if location else ""
            raise issues.NO_HASH_RETURNED(name=name, kind=kind, where=where)
        self.layer.check(data, location.path if location else "")
        return DataHash(data)

    def of_file(self, function: str, path: str) -> DataHash:
        """Return the hash in a file of data."""
        layer = self.layer
        data = layer.services.files.data(function, path, layer.check)
        if data.asked is not None and layer.module_name is not None:
            found = foreign_keys(data.entries, layer.module_name)
            data.asked[FOREIGN_KEYS, layer.module_name] = found
        return data

    def read_lookup_key(self, invocation: Invocation, key: Key, location: Location | None) -> Value:
        """Return the value that a ``lookup_key`` function returns."""
        results = self.results.setdefault(location, {})
        value = results.get(key.root, MISSING)
        if value is MISSING:
            if self.level.function == "eyaml_lookup_key":
                value = self.read_eyaml(invocation, key.root, location)
            else:
                value = self.call(invocation, location, [key.root])
            if value is not MISSING:
                self.check_value(key.root, value, location)
                results[key.root] = value
        return self.told(invocation, key.root, value)

    def read_eyaml(self, invocation: Invocation, root: str, location: Location | None) -> Value:
        """Return a value of a YAML file whose encrypted texts are opened."""
        if location is None or location.kind != "path":
            error = issues.PATH_MISSING(function=self.level.function)
            raise error.at(self.layer.place)
        services = self.layer.services
        value = services.files.raw_value("yaml_data", location.path, root)
        if value is MISSING:
            return MISSING
        world = services.environment.world
        opened = decrypt(value, self.options, world, key=root, path=location.path)
        return self.interpolated(invocation, root, opened, location)

    def read_data_dig(self, invocation: Invocation, key: Key, location: Location | None) -> Value:
        """Return the value that a ``data_dig`` function finds below the key."""
        results = self.results.setdefault(location, {})
        value = results.get(key.text, MISSING)
        if value is MISSING:
            value = self.call(invocation, location, [[key.root, *key.segments]])
            if value is not MISSING:
                self.check_value(key.text, value, location)
                results[key.text] = value
        value = self.told(invocation, key.text, value)
        return value if value is MISSING else undig(key.segments, value)

    def read_backend(self, invocation: Invocation, key: Key, location: Location | None) -> Value:
        """Hiera 3 backends are Ruby programs."""
        raise issues.BACKEND_IS_RUBY(name=self.level.function).at(self.layer.place)

    @staticmethod
    def told(invocation: Invocation, key: str, value: Value) -> Value:
        """Return the value, after a report to the explanation."""
        if value is MISSING:
            invocation.explain.missing(key)
        else:
            invocation.explain.found(key, value)
        return value

    def call(self, invocation: Invocation, location: Location | None, first: list[Value]) -> Value:
        """Call the level's function with key, options and context; MISSING when it has no value."""
        name = self.level.function
        context = self.contexts.get(location)
        if context is None:
            if not invocation.has_function(name):
                raise self.unknown_function(name)
            context = self.contexts[location] = self.context(location)
        asks_more = context.calls_at_once and invocation.upcoming and not context.answers
        before = context.invocation, context.further
        # A lookup inside of a call must not use the keys that the outer call asks for.
        context.further = self.further_keys(invocation, location) if asks_more else []
        context.invocation = invocation
        try:
            return invocation.call_function(name, [*first, context.options, context])
        except KeyNotFound:
            return MISSING
        finally:
            context.invocation, context.further = before

    def call_old(self, invocation: Invocation) -> Value:
        """Call a data function of the old kind, which takes no arguments."""
        name = self.level.function
        if not invocation.has_function(name):
            raise self.unknown_function(name)
        found = issues.OLD_DATA_FUNCTION.diagnostic(
            self.layer.place, severity="deprecation", name=name
        )
        self.layer.services.files.warn_once("data function", found)
        return invocation.call_function(name, [])

    def unknown_function(self, name: str) -> PuppetError:
        """Return the error for a level whose function does not exist."""
        error = issues.FUNCTION_NOT_FOUND(
            level=self.level.name,
            kind=self.level.kind,
            name=name,
            path=self.layer.config_path or "the default hierarchy",
        )
        return error.at(self.layer.place)

    def context(self, location: Location | None) -> LookupContext:
        """Return the context of the level's function for a file, with its options."""
        services = self.layer.services
        options = dict(self.options)
        if location is not None:
            options[location.kind] = location.path
        return LookupContext(
            services.environment.name,
            self.layer.module_name,
            services,
            services.files.made,
            options,
            function=self.level.function.removeprefix("::").lower(),
            has_location=location is not None,
        )

    @staticmethod
    def check_value(key: str, value: Value, location: Location | None) -> None:
        """Refuse Ruby symbols, for which Puppet has no value."""
        bad = find_foreign(value)
        if bad is not None:
            where = f" in {location.path}" if location else ""
            error = issues.WRONG_VALUE(key=key, where=where, kind=bad)
            raise error.at(Place(location.path) if location else NOWHERE)


OLD_FUNCTION = "v4_data_hash"
"""The kind of a level whose function takes no arguments: see :class:`lookup.DataProvider`."""
Reader = Callable[[Provider, Invocation, Key, Location | None], Value]
READERS: dict[str, Reader] = {
    "data_hash": Provider.read_data_hash,
    "lookup_key": Provider.read_lookup_key,
    "data_dig": Provider.read_data_dig,
    OLD_FUNCTION: Provider.read_data_hash,
    "hiera3_backend": Provider.read_backend,
}


class PathVariables:
    """The lookup engine for paths in hiera.yaml, where unknown variables are empty."""

    def __init__(self, services: Services) -> None:
        self.busy = services.busy
        self.enter = services.enter
        self.find = services.find
        self.undefined_variable = services.undefined_variable_in_path


class Layer:
    """The data of one ``hiera.yaml``."""

    def __init__(
        self, services: Services, config: Config, kind: str, module_name: str | None = None
    ) -> None:
        self.services = services
        self.paths = PathVariables(services)
        self.config = config
        self.kind = kind
        self.module_name = module_name
        self.is_old = config.version == 3
        self.old_merge = strategy(config.merge) if config.merge else FIRST
        # Incremented each time the levels are resolved again.
        self.generation = 0
        self._providers: list[Provider] | None = None
        self._default_providers: list[Provider] = []
        self._index: tuple[int, set[Any] | None] = (-1, None)
        self._remembered: dict[str, tuple[str, tuple[Segment, ...], Value]] = {}

    @property
    def place(self) -> Place:
        """The place of findings about the configuration: its file, if there is one."""
        return Place(self.config_path)

    @property
    def config_path(self) -> str | None:
        """The path of the configuration."""
        return self.config.path

    def lookup(self, invocation: Invocation, key: Key, merge: Strategy) -> Value:
        """Return the layer's value of a key, merged over its levels."""
        if not self.is_old:
            return self.search(invocation, key, merge, self.providers(invocation))
        before = invocation.old_scope, invocation.global_only
        invocation.old_scope = True
        # Version 3 data of the global layer look up other keys in that layer alone, unless the
        # environment has a hierarchy.
        invocation.global_only |= self.kind == "global" and not self.services.has_environment_data()
        try:
            return self.lookup_old(invocation, key, merge)
        finally:
            invocation.old_scope, invocation.global_only = before

    def first(self, invocation: Invocation, key: Key) -> Value:
        """Return the layer's first value of a key, for a lookup that is not explained."""
        if self.is_old:
            return self.lookup(invocation, key, FIRST)
        services = self.services
        services.enter(key.text)
        found = MISSING
        try:
            for provider in self.providers(invocation):
                found = provider.first(invocation, key)
                if found is not MISSING:
                    break
        except PuppetError as error:
            if self.kind == "global":
                note_layer(error, key.text)
            raise
        finally:
            services.busy.pop()
        return found

    def lookup_old(self, invocation: Invocation, key: Key, merge: Strategy) -> Value:
        """Look up in version 3 data; the ``hiera*`` functions follow its own merge behaviour."""
        if invocation.old_call and self.config.merge and isinstance(merge, HashMerge):
            merge = self.old_merge
        value = self.search(invocation, key, merge, self.providers(invocation))
        if invocation.old_call and value is not MISSING:
            merges_hashes = isinstance(merge, HashMerge) or merge is self.old_merge is not FIRST
            if merges_hashes and value.__class__ is not dict:
                raise issues.MERGE_MISMATCH(strategy=merge.name, kind="values other than hashes")
            if key.segments and isinstance(merge, HashMerge | Unique):
                raise issues.INVALID_KEY(key=key.text, where=f" with strategy {merge.name}")
        return value

    def lookup_default(self, invocation: Invocation, key: Key, merge: Strategy) -> Value:
        """Return the value in the module's ``default_hierarchy``."""
        self.providers(invocation)
        return self.search(invocation, key, merge, self._default_providers)

    def search(
        self, invocation: Invocation, key: Key, merge: Strategy, providers: list[Provider]
    ) -> Value:
        """Ask the levels."""
        services, explain = self.services, invocation.explain
        services.enter(key.text)
        configuration, version = self.config.path, self.config.version
        name = self.module_name or ""
        try:
            with explain.step(self.kind, name, configuration=configuration, version=version):
                value = merge.lookup(
                    providers, lambda provider: provider.lookup(invocation, key, merge), explain
                )
                if value is MISSING and not providers:
                    explain.missing(key.text)
        except PuppetError as error:
            if self.kind == "global":
                note_layer(error, key.text)
            raise
        finally:
            services.busy.pop()
        return value

    # -- the levels --------------------------------------------------------------------------------

    def providers(self, invocation: Invocation) -> list[Provider]:
        """Return the levels with their files; resolve them again if their variables changed."""
        if self._providers is not None and self.is_stable(invocation):
            return self._providers
        self._remembered = {}
        self.generation += 1
        before = invocation.explain, invocation.overrides, invocation.defaults
        invocation.explain = SILENT  # the files show the values of the variables
        invocation.overrides = invocation.defaults = NO_VALUES  # these are for data
        try:
            self._providers = self.resolve(self.config.hierarchy, invocation)
            self._default_providers = self.resolve(self.config.default_hierarchy or (), invocation)
        finally:
            invocation.explain, invocation.overrides, invocation.defaults = before
        return self._providers

    def current_providers(self) -> list[Provider]:
        """Return the levels as they were found last."""
        return self._providers or []

    def is_stable(self, invocation: Invocation) -> bool:
        """Return whether the variables in the hierarchy are unchanged."""
        for text, (root, segments, value) in self._remembered.items():
            now = current(text, root, segments, invocation)
            if now is not value and (now != value or now.__class__ is not value.__class__):
                return False
        return True

    def remember(self, text: str, root: str, segments: tuple[Segment, ...], value: Value) -> None:
        """Remember the value of a variable."""
        self._remembered.setdefault(text, (root, segments, value))

    def text(self, value: Value, invocation: Invocation, services: Engine | None = None) -> Value:
        """Something of ``hiera.yaml`` with its variables replaced."""
        engine = services or self.services
        return interpolate(value, engine, invocation, methods=False, remember=self.remember)

    def resolve(self, levels: tuple[Level, ...], invocation: Invocation) -> list[Provider]:
        """Return the levels at work."""
        providers = []
        for level in levels:
            try:
                datadir = self.datadir(level, invocation)
                locations = self.locations(level, datadir, invocation)
                options = self.text(dict(level.options), invocation)
            except PuppetError as error:
                line = None
                if error.is_a(issues.UNDEFINED_VARIABLE):
                    line = self.config.line_of_variable(str(error.arguments["name"]))
                raise error.at(Place(self.config_path, line)) from None
            if self.config.path is None:
                locations = [one for one in locations if one is None or one.exists]
                if not locations:
                    continue
            providers.append(Provider(self, level, options, locations))
        return providers

    def datadir(self, level: Level, invocation: Invocation) -> str:
        """Return the directory of a level's files.

        Only version 3 lets a variable hold an absolute path. A directory of the server is read where
        the environment has its contents; the default hierarchy, which no file configures, is not meant.
        """
        if self.is_old:
            path = self.old_datadir(str(self.text(level.datadir, invocation)))
        else:
            path = str(self.text(join(self.config.root, level.datadir), invocation))
        return path if self.config.path is None else self.services.environment.path_here(path)

    def old_datadir(self, written: str) -> str:
        """Return a directory of version 3: in the working directory, as for Puppet, else beside hiera.yaml.

        Servers run elsewhere than the commands that compile for them.
        """
        here = join(os.getcwd(), written)
        world = self.services.environment.world
        return here if world.is_directory(here) else join(self.config.root, written)

    def locations(
        self, level: Level, datadir: str, invocation: Invocation
    ) -> list[Location | None]:
        """Return the files of a level; ``[None]`` for a level without files."""
        kind = level.location_kind
        if kind is None:
            return [None]
        if kind == "mapped_paths":
            return list(self.mapped(level, datadir, invocation))
        found: list[Location | None] = []
        for written in level.locations:
            text = self.text(written, invocation, self.paths)
            if kind in {"uri", "uris"}:
                found.append(Location(written, text, exists=True, kind="uri"))
            elif kind in {"glob", "globs"}:
                pattern = join(datadir, text)
                world = self.services.environment.world
                found.extend(
                    Location(pattern, path, exists=True)
                    for path in self.services.environment.files.glob(pattern)
                    if not world.is_directory(path)
                )
            else:
                found.append(self.location(written, text, datadir, level.extension))
        return found

    def location(
        self, written: str, text: str, datadir: str, extension: str | None = None
    ) -> Location:
        """Return a file of a level."""
        if extension is not None and not text.endswith(extension):
            text += extension
        path = join(datadir, text)
        shown = f"{datadir}/{text}" if "//" in text and ".." not in text else path
        exists = self.services.environment.files.is_there(path)
        return Location(written, path, exists=exists, shown=shown)

    def mapped(self, level: Level, datadir: str, invocation: Invocation) -> list[Location]:
        """Return a file for each value of a variable."""
        source, name, template = level.locations
        values = variable(source, source, self.paths, invocation, self.remember)
        if values is None or values in ("", [], {}):
            return []
        if values.__class__ is dict:
            values = [[from_key(key), value] for key, value in values.items()]
        if values.__class__ is not list:
            values = [values]
        before = invocation.local
        found = []

        def remember(text: str, root: str, segments: tuple[Segment, ...], value: Value) -> None:
            if root != name:
                self.remember(text, root, segments, value)

        try:
            for value in values:
                invocation.local = {name: value}
                text = interpolate(
                    template, self.paths, invocation, methods=False, remember=remember
                )
                found.append(self.location(template, text, datadir))
        finally:
            invocation.local = before
        return found

    def extra_locations(self, level: Level, invocation: Invocation) -> list[Location]:
        """Return the files that a ``hiera*`` function puts before a version 3 hierarchy."""
        datadir = self.datadir(level, invocation)
        return [
            self.location(path, self.text(path, invocation), datadir, level.extension)
            for path in invocation.old_paths
        ]

    def check(self, data: dict[Any, Value], path: str) -> None:
        """Warn of keys in a module's data that are not the module's."""
        if self.module_name is None:
            return
        foreign = foreign_keys(data, self.module_name)
        if foreign:
            self.services.files.warn_foreign(self.module_name, path, foreign)

    def index(self, invocation: Invocation) -> set[Any] | None:
        """Return all keys of the layer; None if a level's function cannot list its keys."""
        if invocation.old_paths:
            return None
        providers = (*self.providers(invocation), *self._default_providers)
        if self._index[0] != self.generation:
            self._index = self.generation, self.keys_of(providers, invocation)
        return self._index[1]

    def note_missing(self, keys: Iterable[str]) -> None:
        """Record, for a recorded compile, that data was searched for keys that it does not have."""
        for provider in (*self.current_providers(), *self._default_providers):
            for data in provider.hashes.values():
                if data.asked is not None:
                    data.asked.update(dict.fromkeys(keys, MISSING))

    @staticmethod
    def keys_of(providers: Iterable[Provider], invocation: Invocation) -> set[Any] | None:
        """Return all keys of levels."""
        keys: set[Any] = set()
        for provider in providers:
            if provider.level.kind != "data_hash":
                return None
            for location in provider.locations:
                if location is None or location.exists:
                    keys.update(provider.data(invocation, location).entries)
        return keys
