"""Looking keys up: layers, merging, ``lookup_options``, automatic parameters.

>>> from bunraku.modules.environment import Environment
>>> from bunraku.world.dictionary import DictionaryWorld
>>> files = {"/e/hiera.yaml": b"version: 5", "/e/data/common.yaml": b"a: {b: '%{os}'}"}
>>> engine = LookupEngine(Environment("e", (), DictionaryWorld(files), path="/e"), {})
>>> engine.lookup(Invocation({"os": "Debian"}.get, print), "a.b")
'Debian'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError, Words
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.hiera import issues
from bunraku.hiera.config import Config, Level, read_config
from bunraku.hiera.config import Layer as LayerName
from bunraku.hiera.data import DataFiles
from bunraku.hiera.explain import SILENT, Explanation
from bunraku.hiera.failures import take_place
from bunraku.hiera.invocation import Invocation
from bunraku.hiera.keys import Key, dig, parse_key
from bunraku.hiera.layers import Layer, Provider
from bunraku.hiera.location import Location
from bunraku.hiera.merge import HashMerge, Strategy, strategy
from bunraku.hiera.origin import origin
from bunraku.limits.limits import TimeLimitReached, note_work
from bunraku.modules.environment import Environment
from bunraku.types.base import Type
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.relations.instance import is_instance
from bunraku.values.keys import from_key
from bunraku.values.missing import MISSING
from bunraku.values.sensitive import Sensitive

Value = Any
Layers = list[tuple[Layer, int]]
Keys = list[set[Any]]
UNKNOWN_KEYS: tuple[Layers, Keys | None] = ([], None)
Merge = Strategy | str | Mapping[str, Value] | None
OPTIONS = "lookup_options"
OPTIONS_KEY = parse_key(OPTIONS)
HASH = HashMerge()


@record(frozen=True)
class DataProvider:
    """A data provider that ``environment.conf`` or a module's ``metadata.json`` names instead of a hiera.yaml.

    ``function`` is the function that the provider ``function`` calls.
    """

    name: str
    setting: str
    file: str
    function: str

    def function_config(self, root: str) -> Config:
        """Return the configuration that represents a data function of the old kind."""
        level = Level(f"Legacy function '{self.function}'", "v4_data_hash", self.function)
        return Config(5, self.file, root, (level,))


class LookupOptions:
    """``lookup_options`` ready for use: by key, then by pattern in their order."""

    __slots__ = ("keys", "patterns")

    def __init__(self, data: Mapping[str, Value]) -> None:
        self.keys = {key: value for key, value in data.items() if not key.startswith("^")}
        self.patterns: list[tuple[re.Pattern[str], Value]] = []
        for key, value in data.items():
            if key.startswith("^"):
                try:
                    self.patterns.append((re.compile(key, re.MULTILINE), value))
                except re.error as error:
                    raise issues.BAD_PATTERN(pattern=key, reason=error) from None

    def of(self, key: Key) -> Mapping[str, Value]:
        """Return the options of a key."""
        found = self.keys.get(key.root)
        if found is None:
            for pattern, value in self.patterns:
                if pattern.search(key.root):
                    found = value
                    break
        if found is None or found.__class__ is str:
            return {}
        if found.__class__ is not dict:
            raise issues.OPTIONS_NO_HASH(key=key.root)
        return dict(found)


NO_OPTIONS = LookupOptions({})


class LookupEngine:
    """Looks up keys for one compile; the data of files is kept in the environment.

    ``settings`` gives ``hiera_config`` (path of the global hiera.yaml), ``strict``, ``codedir``
    and ``data_binding_terminus``. ``warn`` is called with warnings, for example that a
    ``hiera.yaml`` has an old format.
    """

    def __init__(
        self,
        environment: Environment,
        settings: Mapping[str, Value],
        warn: Callable[[Diagnostic], None] = lambda _: None,
        newest_format: int = 5,
    ) -> None:
        self.environment = environment
        self.settings = settings
        self.strict = str(settings.get("strict", "error"))
        self.busy: list[str] = []
        self.warn = warn
        self.files = DataFiles(environment, strict=self.strict == "error", warn=warn)
        self.files.newest_format = newest_format
        self._layers: dict[str, Layer | None] = {}
        self._options: dict[str | None, LookupOptions] = {}
        self._shared_options: dict[str, Value] | Any | None = MISSING
        self._default_options: dict[str, LookupOptions] = {}
        self._keys: dict[str, tuple[Layers, Keys | None]] = {}

    # -- interface --------------------------------------------------------------------------------

    def lookup_parameter(self, invocation: Invocation, class_name: str, parameter: str) -> Value:
        """Return the value that data has for a class's parameter, or MISSING.

        Most parameters have none: that is found with one look into a set of all keys.
        """
        name = f"{class_name}::{parameter}"
        module = class_name.partition("::")[0]
        known = self._keys.get(module)
        if known is None:
            known = self._keys[module] = self.all_keys(invocation, module)
        layers, keys = known
        if keys is not None and not any(name in some for some in keys):
            if self.are_stable(layers, invocation):
                self.note_missing(layers, [name])
                return MISSING
            del self._keys[module]
        return self.lookup(invocation, name)

    def lookup_parameters(
        self, invocation: Invocation, class_name: str, names: Sequence[str]
    ) -> dict[str, Value]:
        """Return the values that data has for parameters of a class, those that have one."""
        found = {}
        names = self.perhaps_known(invocation, class_name, names)
        keys = [f"{class_name}::{name}" for name in names]
        try:
            for at, name in enumerate(names):
                invocation.upcoming = () if invocation.explain.active else keys[at + 1 :]
                value = self.lookup_parameter(invocation, class_name, name)
                if value is not MISSING:
                    found[name] = value
        except PuppetError as error:
            take_place(error)
            raise
        return found

    def perhaps_known(
        self, invocation: Invocation, class_name: str, names: Sequence[str]
    ) -> Sequence[str]:
        """Return the names without those at the beginning that no data has.

        Looking up the first of the rest may call functions, which may change the answer.
        """
        layers, keys = self._keys.get(class_name.partition("::")[0], UNKNOWN_KEYS)
        if keys is None or not self.are_stable(layers, invocation):
            return names
        missing = []
        for name in names:
            whole = f"{class_name}::{name}"
            if any(whole in some for some in keys):
                break
            missing.append(whole)
        self.note_missing(layers, missing)
        return names[len(missing) :]

    def note_missing(self, layers: Layers, keys: Sequence[str]) -> None:
        """Record, for a recorded compile, that no layer has keys."""
        if self.files.recording is not None:
            for layer, _ in layers:
                layer.note_missing(keys)

    @staticmethod
    def are_stable(layers: Layers, invocation: Invocation) -> bool:
        """Return whether layers still have the keys that they had."""
        return all(
            layer.generation == generation and layer.is_stable(invocation)
            for layer, generation in layers
        )

    def lookup(self, invocation: Invocation, name: str, merge: Merge = None) -> Value:
        """Return the value of a key in all layers, or MISSING; ``lookup_options`` select the merge strategy."""
        explain = invocation.explain
        if name == OPTIONS or name.startswith(OPTIONS + "."):
            with explain.step("invalid_key", name):
                return MISSING
        key = parse_key(name)
        if explain.options_only:
            self.search(invocation, OPTIONS_KEY, HASH, key.module)
            return MISSING
        options = self.options_for(key.module, invocation).of(key)
        if merge is None:
            merge = options.get("merge")
            if merge is not None:
                with explain.step("merge_source", OPTIONS):
                    pass
        try:
            with explain.step("data", name):
                value = self.search(invocation, key, strategy(merge), key.module)
                if value is MISSING and not invocation.global_only:
                    value = self.search_defaults(invocation, key)
        except (MemoryError, TimeLimitReached) as limit:
            note_work(limit, f"the lookup of '{name}' was running")
            raise
        convert_to = options.get("convert_to")
        if convert_to is not None and value is not MISSING:
            value = self.convert(invocation, name, value, convert_to)
            explain.converted(convert_to, secret=value.__class__ is Sensitive)
        return value

    def find(
        self,
        invocation: Invocation,
        names: Sequence[str],
        *,
        value_type: Type | None = None,
        merge: Merge = None,
        default: Value = MISSING,
        block: Callable[[Value], Value] | None = None,
        function: str = "lookup",
    ) -> Value:
        """Return the result of the function ``lookup``: several names, overrides, defaults, a type."""
        for name in names:
            if name in invocation.overrides:
                value = invocation.overrides[name]
                puppet = f"Value found for key '{name}' in override hash"
                return self.typed(value_type, value, f"the override of '{name}'", puppet)
            try:
                value = self.lookup(invocation, name, merge)
            except PuppetError as error:
                take_place(error)
                raise
            if value is not MISSING:
                try:
                    return self.typed(value_type, value, f"the value of '{name}'")
                except PuppetError as error:
                    raise error.hinted(self.origin_hint(invocation, name)) from None
        for name in names:
            if name in invocation.defaults:
                value = invocation.defaults[name]
                puppet = f"Value found for key '{name}' in default values hash"
                return self.typed(value_type, value, f"the default of '{name}'", puppet)
        if block is not None:
            given = names[0] if len(names) == 1 else list(names)
            puppet = "Value returned from default block"
            return self.typed(value_type, block(given), "the value of the block", puppet)
        if default is not MISSING:
            return self.typed(value_type, default, "the default value", "Default value")
        raise issues.NOT_FOUND(**issues.absent_keys(function, names))

    def origin_hint(self, invocation: Invocation, *names: str) -> str | None:
        """Return where the values of keys come from, as a hint."""
        found = {name: origin(self, invocation, name) for name in names}
        texts = [f"value of '{name}' from {place}" for name, place in found.items() if place]
        return "; ".join(texts) or None

    @staticmethod
    def typed(
        value_type: Type | None, value: Value, subject: str, puppet: str = "Found value"
    ) -> Value:
        """Return the value, if it has the type; ``puppet`` is Puppet's name of the subject."""
        if value_type is not None and not is_instance(value, value_type):
            raise issues.TYPE_MISMATCH(
                mismatch=describe_mismatch(subject, value_type, value),
                mismatch_words=describe_mismatch(f"{puppet} has wrong type,", value_type, value),
            )
        return value

    def has_environment_data(self) -> bool:
        """Return whether the environment has a hiera.yaml of version 5."""
        layer = self.environment_layer()
        return layer is not None and layer.config.version >= 5

    # -- searching ---------------------------------------------------------------------------------

    def search(
        self, invocation: Invocation, key: Key, merge: Strategy, module: str | None
    ) -> Value:
        """Return the merged value over the layers, and the way into it."""
        if merge.__class__ is Strategy and invocation.explain is SILENT:
            value = self.first(invocation, key, module)
        elif invocation.global_only:
            layer = self.global_layer()
            value = MISSING if layer is None else layer.lookup(invocation, key, merge)
        else:
            layers = (
                self.global_layer,
                self.environment_layer,
                lambda: self.asked_module_layer(module, invocation),
            )

            def ask(layer_of: Callable[[], Layer | None]) -> Value:
                layer = layer_of()
                return MISSING if layer is None else layer.lookup(invocation, key, merge)

            value = merge.lookup(layers, ask, invocation.explain)
        if value is MISSING or not key.segments:
            return value
        return dig(key.text, key.segments, value, invocation.explain)

    def are_missing(
        self, keys: Sequence[str], provider: Provider, place: Location | None
    ) -> list[str]:
        """Return the keys that are missing in all data searched before a file of a level."""
        layers = [self._layers.get("global"), self._layers.get("environment"), provider.layer]
        found = list(keys)
        for layer in dict.fromkeys(filter(None, layers)):
            for one in layer.current_providers():
                for location in one.locations:
                    if one is provider and location is place:
                        return found
                    if location is None or location.exists:
                        found = [key for key in found if one.is_missing(location, key)]
        return found

    def first(self, invocation: Invocation, key: Key, module: str | None) -> Value:
        """Return the first value in the layers, for a lookup that is not explained."""
        layer = self.global_layer()
        value = MISSING if layer is None else layer.first(invocation, key)
        if value is not MISSING or invocation.global_only:
            return value
        layer = self.environment_layer()
        value = MISSING if layer is None else layer.first(invocation, key)
        if value is not MISSING or module is None:
            return value
        layer = self.module_layer(module)
        return MISSING if layer is None else layer.first(invocation, key)

    def search_defaults(self, invocation: Invocation, key: Key) -> Value:
        """Return the value in the ``default_hierarchy`` of the key's module."""
        layer = None if key.module is None else self.module_layer(key.module)
        if layer is None or layer.config.default_hierarchy is None or key.module is None:
            return MISSING
        explain = invocation.explain
        with explain.step("default_hierarchy", key.module):
            options = self._default_options.get(key.module)
            if options is None:
                with explain.step("default_key", OPTIONS):
                    found = layer.lookup_default(invocation, OPTIONS_KEY, HASH)
                data = self.checked_options(None if found is MISSING else found, key.module)
                options = self._default_options[key.module] = LookupOptions(data or {})
            merge = strategy(options.of(key).get("merge"))
            with explain.step("default_key", key.text):
                value = layer.lookup_default(invocation, key, merge)
        if value is MISSING or not key.segments:
            return value
        return dig(key.text, key.segments, value, explain)

    def convert(self, invocation: Invocation, name: str, value: Value, convert_to: Value) -> Value:
        """Return the value converted by ``convert_to``: a type, or a type and arguments."""
        given = convert_to if convert_to.__class__ is list else [convert_to]
        wanted, arguments = (given[0] if given else None), given[1:]
        if wanted.__class__ is str:
            try:
                wanted = invocation.parse_type(wanted)
            except PuppetError as error:
                raise issues.BAD_CONVERT_TYPE(
                    key=name, source=wanted, reason=error.message
                ) from None
        try:
            return invocation.call_function("new", [wanted, value, *arguments])
        except PuppetError as error:
            words = error.diagnostic.in_puppet.words or error.message
            reason = Words(error.message, partial(str, words))
            raise issues.CONVERT_FAILED(key=name, reason=reason) from None

    # -- lookup_options ----------------------------------------------------------------------------

    def options_for(self, module: str | None, invocation: Invocation) -> LookupOptions:
        """Return the options in force for keys of a module (or of none)."""
        known = self._options.get(module)
        if known is None:
            known = self._options[module] = self.read_options(module, invocation)
        return known

    def read_options(self, module: str | None, invocation: Invocation) -> LookupOptions:
        """Read ``lookup_options`` of all layers."""
        ask_module = module is not None and not invocation.global_only
        if not ask_module and self._shared_options is not MISSING:
            data = self.shared_options(invocation)
        else:
            with invocation.explain.step("meta", OPTIONS):
                data = self.searched_options(module if ask_module else None, invocation)
        return LookupOptions(data) if data else NO_OPTIONS

    def searched_options(
        self, module: str | None, invocation: Invocation
    ) -> dict[str, Value] | None:
        """Return ``lookup_options`` of all layers, those of a module included."""
        data = self.shared_options(invocation)
        layer = self.asked_module_layer(module, invocation)
        if layer is not None:
            found = layer.lookup(invocation, OPTIONS_KEY, HASH)
            own = self.checked_options(None if found is MISSING else found, module)
            if own is not None and data is not None:
                sources = ("shared_options", "", data), ("module_options", str(module), own)
                own = self.merged_options(sources, invocation.explain)
            data = data if own is None else own
        return data

    @staticmethod
    def merged_options(
        sources: Sequence[tuple[str, str, dict[str, Value]]], explain: Explanation
    ) -> dict[str, Value]:
        """Return the options of all layers and those of a module as one hash, and their explanation."""

        def options_of(source: tuple[str, str, dict[str, Value]]) -> dict[str, Value]:
            kind, name, data = source
            with explain.step(kind, name):
                explain.found(OPTIONS, data)
                return data

        merged: dict[str, Value] = HASH.lookup(sources, options_of, explain)
        return merged

    def shared_options(self, invocation: Invocation) -> dict[str, Value] | None:
        """Return ``lookup_options`` of the global and the environment's data."""
        if self._shared_options is not MISSING:
            found: dict[str, Value] | None = self._shared_options
            return found
        data: dict[str, Value] | None = None
        layers = [self.global_layer()]
        if not invocation.global_only:
            layers.append(self.environment_layer())
        for layer in layers:
            if layer is not None:
                value = layer.lookup(invocation, OPTIONS_KEY, HASH)
                own = self.checked_options(None if value is MISSING else value, None)
                if own is not None:
                    data = own if data is None else HASH.merge(data, own)
        if not invocation.global_only:
            self._shared_options = data
        return data

    @staticmethod
    def checked_options(data: Value, module: str | None) -> dict[str, Value] | None:
        """Check that ``lookup_options`` are a hash and name only keys of the module."""
        if data is None:
            return None
        if data.__class__ is not dict:
            raise issues.LOOKUP_OPTIONS_NO_HASH()
        for key in data:
            if key.__class__ is not str:
                raise issues.OPTIONS_KEY(key=from_key(key))
        if module is not None:
            prefix = f"{module}::"
            for key in data:
                if not str(key).removeprefix("^").startswith(prefix):
                    raise issues.FOREIGN_LOOKUP_OPTIONS(module=module, key=key)
        return dict(data)

    # -- layers ------------------------------------------------------------------------------------

    def layer(self, name: str, make: Callable[[], Layer | None]) -> Layer | None:
        """Return a layer, made at the first request."""
        try:
            return self._layers[name]
        except KeyError:
            layer = self._layers[name] = make()
            return layer

    def global_layer(self) -> Layer | None:
        """Return the data for all environments."""
        return self.layer("global", self.make_global_layer)

    def make_global_layer(self) -> Layer | None:
        """Read the global hiera.yaml; without one there may still be default data."""
        path = self.settings.get("hiera_config")
        if not path or self.settings.get("data_binding_terminus", "hiera") in {"none", "", None}:
            return None
        config = read_config(str(path), "global", self.files, self.codedir)
        return None if config is None else Layer(self, config, "global")

    def environment_layer(self) -> Layer | None:
        """Return the data of the environment."""
        return self.layer("environment", self.make_environment_layer)

    def make_environment_layer(self) -> Layer | None:
        """Read the environment's hiera.yaml."""
        root = self.environment.path
        if root is None:
            return None
        name = self.environment.data_provider
        provider = None
        if name:
            setting = f"environment_data_provider='{name}'"
            conf = f"{root}/environment.conf"
            provider = DataProvider(name, setting, conf, "environment::data")
        config = self.layer_config(root, "environment", provider)
        return None if config is None else Layer(self, config, "environment")

    def module_layer(self, name: str) -> Layer | None:
        """Return the data of a module."""
        return self.layer(f"module {name}", lambda: self.make_module_layer(name))

    def make_module_layer(self, name: str) -> Layer | None:
        """Read a module's hiera.yaml."""
        module = self.environment.find_module(name)
        if module is None:
            return None
        replaced = self.environment.module_hiera
        if name in replaced:
            other = replaced[name]
            config = (
                None if other is None else read_config(other, "module", self.files, self.codedir)
            )
            return None if config is None else Layer(self, config, "module", name)
        named = module.metadata.get("data_provider")
        provider = None
        if named:
            setting, metadata = f'"data_provider": "{named}"', f"{module.path}/metadata.json"
            provider = DataProvider(str(named), setting, metadata, f"{name}::data")
        config = self.layer_config(module.path, "module", provider)
        return None if config is None else Layer(self, config, "module", name)

    def is_old_global(self, path: str) -> bool:
        """Return whether a file is the configuration of the global layer in version 3.

        An old repository has it at its root, for the server.
        """
        if path != self.settings.get("hiera_config"):
            return False
        layer = self.global_layer()
        return layer is not None and layer.config.version == 3

    def layer_config(
        self, root: str, kind: LayerName, provider: DataProvider | None
    ) -> Config | None:
        """Read a hiera.yaml; a data provider of the old kind counts where there is none of version 5."""
        path = f"{root}/hiera.yaml"
        config = None
        if self.environment.files.exists(path) and not self.is_old_global(path):
            config = read_config(path, kind, self.files, self.codedir)
        if provider is None:
            return config
        ignored = config is not None and config.version >= 5
        issue = issues.DATA_PROVIDER_IGNORED if ignored else issues.OLD_DATA_PROVIDER
        place = Place(provider.file)
        self.warn(issue.diagnostic(place, severity="deprecation", setting=provider.setting))
        if ignored or provider.name == "none":
            return config if ignored else None
        if provider.name == "hiera":
            return config or read_config(path, kind, self.files, self.codedir)
        if provider.name == "function":
            return provider.function_config(root)
        raise issues.NO_DATA_PROVIDER(name=provider.name).at(place)

    def asked_module_layer(self, name: str | None, invocation: Invocation) -> Layer | None:
        """Return the layer of a key's module; record in the explanation if there is none."""
        if name is None:
            return None
        layer = self.module_layer(name)
        if layer is None:
            found = self.environment.find_module(name) is not None
            invocation.explain.no_layer(name, exists=found)
        return layer

    def all_keys(self, invocation: Invocation, module: str) -> tuple[Layers, Keys | None]:
        """Return the layers for keys of a module, and all keys in each if they can be listed."""
        candidates = (self.global_layer(), self.environment_layer(), self.module_layer(module))
        keys: Keys | None = []
        layers: Layers = []
        for layer in candidates:
            if layer is not None:
                own = layer.index(invocation)
                keys = None if keys is None or own is None else [*keys, own]
                layers.append((layer, layer.generation))
        return layers, keys

    # -- services for layers and interpolation -----------------------------------------------------

    @property
    def codedir(self) -> str:
        """The directory of environments, for the default of version 3."""
        return str(self.settings.get("codedir") or "/etc/puppetlabs/code")

    def enter(self, name: str) -> None:
        """Begin work on a name, which must not be under way; the caller removes it from ``busy``."""
        if name in self.busy:
            stack = ", ".join(self.busy)
            names = f"{stack}, {name}"
            raise issues.RECURSIVE_LOOKUP(names=names, first=self.busy[0], stack=stack)
        self.busy.append(name)

    def undefined_variable(self, name: str) -> None:
        """Raise an error, warn or do nothing, by the setting ``strict``."""
        if self.strict == "error":
            raise issues.UNDEFINED_VARIABLE(name=name)
        if self.strict == "warning":
            self.warn(issues.UNDEFINED_VARIABLE.diagnostic(severity="warning", name=name))

    def undefined_variable_in_path(self, name: str) -> None:
        """Warn of a variable in a path of hiera.yaml, unless ``strict`` is off."""
        if self.strict != "off":
            self.warn(issues.UNDEFINED_IN_PATH.diagnostic(severity="warning", name=name))


def names_of(name: str | Iterable[str]) -> list[str]:
    """Return one name or several as a list."""
    return [name] if isinstance(name, str) else list(name)
