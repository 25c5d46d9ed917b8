"""The data of an environment and of its modules: all files that levels can name, on any node.

A variable in a path stands for any text. What a level gets from functions of modules, from servers
or from Ruby is not known; such a layer is ``opaque``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.formats.places import YamlPlaces, place_in_json
from bunraku.hiera.config import Config, Layer, Level, read_config
from bunraku.hiera.data import PARSERS, DataFiles
from bunraku.modules.environment import Environment
from bunraku.modules.files import expand_braces, join
from bunraku.workbench.analysis.definitions import Definitions

EYAML = "eyaml_lookup_key"
OPTIONS = "lookup_options"
READERS = {**PARSERS, EYAML: PARSERS["yaml_data"]}
"""The functions whose files the analysis reads."""
SUFFIXES = (".yaml", ".yml", ".eyaml", ".json")
OF_FILES = frozenset({"path", "paths", "glob", "globs", "mapped_paths"})
VARIABLE = re.compile(r"%\{[^}]*\}")


@record(slots=False)
class DataFile:
    """A file that a level can name; ``path`` is absolute, ``shown`` the path for findings."""

    path: str
    shown: str
    level: Level
    content: bytes
    entries: dict[Any, Any]

    @cached_property
    def text(self) -> str:
        """The text of the file."""
        return self.content.decode("utf-8", "surrogateescape")

    @cached_property
    def places(self) -> YamlPlaces:
        """The places in the YAML text."""
        return YamlPlaces(self.content)

    def place(self, *keys: str | int) -> Place:
        """Return the place of an entry: its key."""
        if self.path.endswith(".json"):
            found = place_in_json(self.text, keys)
        else:
            found = self.places.of(keys)
        line, column = found or (None, None)
        return Place.in_text(self.shown, self.text, line, column)


@record(slots=False)
class DataLayer:
    """The data of the environment (``module`` is None) or of a module.

    ``opaque`` is whether keys may come from elsewhere. ``unused`` are files in directories of data
    that no level names.
    """

    module: str | None
    config: Config
    files: list[DataFile] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    opaque: bool = False

    @cached_property
    def by_key(self) -> dict[Any, list[DataFile]]:
        """The files that have each key."""
        found: dict[Any, list[DataFile]] = {}
        for one in self.files:
            for key in one.entries:
                found.setdefault(key, []).append(one)
        return found

    @cached_property
    def options(self) -> list[tuple[str, dict[Any, Any]]]:
        """The ``lookup_options`` of all files: each key or pattern with its options."""
        data = (one.entries[OPTIONS] for one in self.by_key.get(OPTIONS, ()))
        return [
            (name, options)
            for one in data
            if isinstance(one, dict)
            for name, options in one.items()
            if isinstance(name, str) and isinstance(options, dict)
        ]


class Layers:
    """The layers of data of an environment, each read when it is first needed.

    ``checked`` maps absolute paths of the files that are checked to the paths for findings.
    """

    def __init__(self, definitions: Definitions, checked: Mapping[str, str]) -> None:
        self.environment: Environment = definitions.environment
        self.settings = definitions.resolved.settings
        self.checked = checked
        self.data_files = DataFiles(self.environment, strict=False, warn=ignore)
        self.by_module: dict[str | None, DataLayer | None] = {}
        self.unreadable: set[str | None] = set()

    def of(self, module: str | None) -> DataLayer | None:
        """Return the layer of a module, or of the environment; None without readable data."""
        if module not in self.by_module:
            self.by_module[module] = self.read(module)
        return self.by_module[module]

    def read(self, module: str | None) -> DataLayer | None:
        """Read a layer; a configuration with a mistake gives none, which its own check reports."""
        root, provider = self.environment.path, self.environment.data_provider
        if module is not None:
            found = self.environment.find_module(module)
            root = None if found is None else found.path
            provider = None if found is None else found.metadata.get("data_provider")
        if provider not in {None, "", "none"}:
            self.unreadable.add(module)
        if root is None or not self.environment.files.exists(f"{root}/hiera.yaml"):
            return None
        layer: Layer = "environment" if module is None else "module"
        codedir = str(self.settings.get("codedir") or "")
        try:
            config = read_config(f"{root}/hiera.yaml", layer, self.data_files, codedir)
        except (PuppetError, OSError):
            self.unreadable.add(module)
            return None
        return None if config is None else self.with_files(DataLayer(module, config))

    def with_files(self, layer: DataLayer) -> DataLayer:
        """Read the files of a layer's levels."""
        patterns = []
        config = layer.config
        for level in (*config.hierarchy, *(config.default_hierarchy or ())):
            known = level.function in READERS and level.location_kind in OF_FILES
            layer.opaque |= not known
            if level.location_kind in OF_FILES:
                patterns += [(level, one) for one in level_patterns(config, level)]
        folders = {data_folder(config, level) for level, _ in patterns}
        for path in sorted({one for folder in folders for one in self.files_below(folder)}):
            first = next((one for one, pattern in patterns if pattern.fullmatch(path)), None)
            if first is None:
                if path.endswith(SUFFIXES) and not is_root(config, folders):
                    layer.unused.append(path)
            elif first.function in READERS:
                found = self.data_file(path, first)
                layer.opaque |= found is None
                layer.files += [] if found is None else [found]
        return layer

    def files_below(self, folder: str) -> list[str]:
        """Return the files below a directory."""
        return [
            path
            for path in self.environment.files.glob(f"{folder}/**/*")
            if "." in os.path.basename(path) and not self.environment.world.is_directory(path)
        ]

    def data_file(self, path: str, level: Level) -> DataFile | None:
        """Return the content of a file; None for a file with a mistake, which its own check reports."""
        function = "yaml_data" if level.function == EYAML else level.function
        try:
            parsed = self.data_files.entries(function, path)
        except (PuppetError, OSError):
            return None
        shown = self.checked.get(os.path.abspath(path), path)
        return DataFile(path, shown, level, parsed.content, parsed.value)

    def all(self) -> Iterator[DataLayer]:
        """Yield the layer of the environment, and those of all modules."""
        for module in (None, *sorted(self.environment.modules)):
            if (layer := self.of(module)) is not None:
                yield layer

    def for_key(self, key: str) -> Iterator[DataLayer]:
        """Yield the layers in which a key is looked up."""
        module, qualified, _ = key.partition("::")
        for one in (None, module) if qualified else (None,):
            if (layer := self.of(one)) is not None:
                yield layer

    def values(self, key: str) -> Iterator[tuple[DataFile, Any]]:
        """Yield the files that have a key, and its values."""
        for layer in self.for_key(key):
            for one in layer.by_key.get(key, ()):
                yield one, one.entries[key]

    @cached_property
    def has_global(self) -> bool:
        """Whether a global hiera.yaml with levels is configured here."""
        path = self.settings.get("hiera_config")
        if not path or not self.environment.world.is_file(str(path)):
            return False
        try:
            config = read_config(str(path), "global", self.data_files, "")
        except (PuppetError, OSError):
            return True
        return config is None or bool(config.hierarchy)

    def are_opaque_for(self, key: str) -> bool:
        """Return whether a key may have a value that the analysis cannot see."""
        if self.has_global or any(layer.opaque for layer in self.for_key(key)):
            return True
        module, qualified, _ = key.partition("::")
        return None in self.unreadable or (bool(qualified) and module in self.unreadable)

    @cached_property
    def are_all_readable(self) -> bool:
        """Whether the analysis can see all data of the environment and of its modules."""
        layers = list(self.all())
        return not (self.has_global or self.unreadable or any(one.opaque for one in layers))


def ignore(_found: Diagnostic) -> None:
    """Drop a warning about a file of data: the checks of files report it."""


def data_folder(config: Config, level: Level) -> str:
    """Return the directory with all files of a level, for any values of its variables."""
    folder = join(config.root, level.datadir)
    if "%{" in folder:
        return os.path.dirname(folder.partition("%{")[0])
    return folder


def is_root(config: Config, folders: set[str]) -> bool:
    """Return whether data is beside other files, which are not meant as data."""
    return any(folder == config.root or config.root.startswith(f"{folder}/") for folder in folders)


def level_patterns(config: Config, level: Level) -> list[re.Pattern[str]]:
    """Return regular expressions for the paths of the files of a level."""
    locations = level.locations[2:] if level.location_kind == "mapped_paths" else level.locations
    is_glob = level.location_kind in {"glob", "globs"}
    found = []
    for location in locations:
        path = join(join(config.root, level.datadir), location)
        if level.extension and not path.endswith(level.extension):
            path += level.extension
        texts = expand_braces(VARIABLE.sub("\0", path)) if is_glob else [VARIABLE.sub("\0", path)]
        found += [re.compile(path_pattern(text, is_glob), re.DOTALL) for text in texts]
    return found


def path_pattern(text: str, is_glob: bool) -> str:
    r"""Return the regular expression of a path in which a null byte stands for a variable.

    >>> path_pattern("/d/\0.yaml", False), path_pattern("/d/**/*.yaml", True)
    ('/d/.*\\.yaml', '/d/(?:.*/)?[^/]*\\.yaml')
    """
    out = "".join(".*" if letter == "\0" else re.escape(letter) for letter in text)
    if is_glob:
        out = out.replace(re.escape("**/"), "(?:.*/)?").replace(re.escape("*"), "[^/]*")
        out = out.replace(re.escape("?"), "[^/]")
    return out
