"""Environments and the modules in them.

An environment is a folder with manifests, modules and data; ``environment.conf`` in it may name
other places. Of modules with one name the first on the modulepath is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.paths import path_list
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.formats.document import Document, read_document
from bunraku.formats.shape import ANY_ARRAY, TEXT, Fields
from bunraku.modules import issues
from bunraku.modules.files import FileTable, join, manifests_below, shared_table
from bunraku.modules.ini import read_settings
from bunraku.modules.names import checked_environment_name, is_module_name
from bunraku.modules.settings import duration
from bunraku.world.protocol import World
from bunraku.world.special_files import is_present

MODULEFILE_VERSION = lazy_pattern(r"""^\s*version\s+['"]([^'"]+)['"]""", re.MULTILINE)
REQUIRED_METADATA = ("source", "author", "version", "license", "dependencies")
METADATA = Fields({"name": TEXT, "dependencies": ANY_ARRAY}, expected="an object")
"""The metadata as far as a compile needs it; ``validate`` checks the rest."""
NO_METADATA: Mapping[str, Any] = {}
CONFIGURABLE = frozenset(
    {
        "modulepath",
        "manifest",
        "config_version",
        "environment_timeout",
        "language",
        "parser",
        "environment_data_provider",
        "static_catalogs",
        "rich_data",
    }
)


def read_metadata(path: str, content: bytes) -> Document:
    """Return a module's metadata; raise PuppetError, with the place, for invalid values."""
    document = read_document(content, path, issues.INVALID_METADATA, "JSON")
    document.check(METADATA, issues.INVALID_METADATA)
    return document


class Module:
    """A module: a folder of a known layout whose name is the namespace of its definitions.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> environment = Environment("test", ["/m"], DictionaryWorld({"/m/ntp/files/a": b""}))
    >>> environment.find_module("ntp").file("files", "a")
    '/m/ntp/files/a'
    """

    __slots__ = ("_dependencies", "_metadata", "environment", "name", "path")

    def __init__(self, name: str, path: str, environment: Environment) -> None:
        self.name = name
        self.path = path
        self.environment = environment
        self._metadata: Mapping[str, Any] | None = None
        self._dependencies: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"Module({self.name!r}, {self.path!r})"

    def path_of(self, *parts: str) -> str:
        """Return the path of something in the module, there or not."""
        return "/".join((self.path, *parts))

    def file(self, folder: str, name: str) -> str | None:
        """Return the path of an existing file below a folder of the module (``templates``, ``files``)."""
        path = f"{self.path}/{folder}/{name}" if name else f"{self.path}/{folder}"
        return path if self.environment.files.is_there(path) else None

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The content of ``metadata.json``; empty without one."""
        if self._metadata is None:
            self._metadata = self._read_metadata()
        return self._metadata

    def _read_metadata(self) -> Mapping[str, Any]:
        path = f"{self.path}/metadata.json"
        files = self.environment.files
        if not files.exists(path):
            return NO_METADATA
        try:
            document: Document = files.made(path, "JSON", partial(read_metadata, path))
        except OSError as error:
            raise issues.INVALID_METADATA(path=path, reason=error.strerror or error) from None
        data: Mapping[str, Any] = document.data
        return data

    def metadata_problem(self) -> Diagnostic | None:
        """Return why real Puppet ignores this module: broken metadata, or a missing entry."""
        path = f"{self.path}/metadata.json"
        try:
            metadata = self.metadata
        except PuppetError as error:
            return error.diagnostic
        for attribute in REQUIRED_METADATA if metadata else ():
            if metadata.get(attribute) is None:
                place = Place(path)
                return issues.MISSING_METADATA.diagnostic(place, path=path, attribute=attribute)
        return None

    @property
    def version(self) -> str | None:
        """The version in the metadata; modules of Puppet 3's time have it in a Modulefile."""
        version = self.metadata.get("version")
        if isinstance(version, str):
            return version
        path = f"{self.path}/Modulefile"
        if self.metadata or not self.environment.files.exists(path):
            return None
        text = self.environment.world.read(path).decode("utf-8", "replace")
        found = MODULEFILE_VERSION.search(text)
        return found[1] if found else None

    @property
    def dependencies(self) -> tuple[str, ...]:
        """Names (without the author) of the modules that the metadata requires."""
        if self._dependencies is None:
            entries = self.metadata.get("dependencies") or ()
            names = (entry.get("name") for entry in entries if isinstance(entry, dict))
            self._dependencies = tuple(
                re.split(r"[-/]", name, maxsplit=1)[-1] for name in names if isinstance(name, str)
            )
        return self._dependencies


class Environment:
    """A set of modules, the main manifest and the data that go together.

    ``path`` is the environment's folder, None for a plain modulepath (which has no data and no
    functions). ``module_directories`` maps names of modules to directories outside of the
    modulepath, which win over the modules of the modulepath. ``module_hiera`` maps names of modules to
    the ``hiera.yaml`` that replaces their own, or to None. ``server_directories`` maps
    directories of a server to those that hold their contents here. ``files`` lists the existing
    files; :meth:`refresh` is called between compiles that share the environment and counts
    ``generation`` up when files changed.
    """

    def __init__(
        self,
        name: str,
        modulepath: Iterable[str],
        world: World,
        *,
        path: str | None = None,
        manifest: str | None = None,
        config_version: str | None = None,
        settings: Mapping[str, Any] | None = None,
        warn: Callable[[Diagnostic], None] | None = None,
    ) -> None:
        self.name = checked_environment_name(name)
        self.module_directories: Mapping[str, str] = {}
        self.module_hiera: Mapping[str, str | None] = {}
        self.vendor_directory: str | None = None
        self.server_directories: Mapping[str, str] = {}
        self.modulepath = tuple(modulepath)
        self.world = world
        self.path = path
        self.manifest = manifest
        self.config_version = config_version
        self.timeout: str | None = None
        self.data_provider: str | None = None
        self.settings: Mapping[str, Any] = settings or {}
        self.files = shared_table(world, self.modulepath, path)
        self._version = self.files.version
        self.cache: dict[Any, Any] = {}
        self.generation = 0
        self._warn = warn
        self._modules: dict[str, Module | None] = {}

    def __repr__(self) -> str:
        return f"Environment({self.name!r}, {list(self.modulepath)!r})"

    def find_module(self, name: str) -> Module | None:
        """Return the module of a name, if there is one; only the first name of ``a::b`` counts."""
        try:
            return self._modules[name]
        except KeyError:
            module = self._modules[name] = self._find_module(name)
            return module

    def _find_module(self, name: str) -> Module | None:
        if "::" in name:
            return self.find_module(name.removeprefix("::").partition("::")[0])
        if not is_module_name(name):
            return None
        for path in self._directories_named(name):
            module = Module(name, path, self)
            problem = module.metadata_problem()
            if problem is None:
                return module
            if self._warn is not None:
                self._warn(problem)
        return None

    def _directories_named(self, name: str) -> Iterator[str]:
        """Yield the directories that can be the module of a name, in order of precedence."""
        if name in self.module_directories:
            yield self.module_directories[name]
        for folder in self.searched:
            path = f"{folder}/{name}"
            if self.files.exists(path) and self.files.is_folder(path):
                yield path

    @cached_property
    def modules(self) -> dict[str, Module]:
        """All modules by name, in the order of the modulepath, names of one folder sorted."""
        found: dict[str, Module] = {}
        listings = (sorted(self.files.names(folder)) for folder in self.searched)
        for names in (sorted(self.module_directories), *listings):
            for name in names:
                if name not in found and is_module_name(name):
                    module = self.find_module(name)
                    if module is not None:
                        found[name] = module
        return found

    @cached_property
    def module_paths(self) -> tuple[tuple[str, str], ...]:
        """Names and folders of all modules, in their order."""
        return tuple((module.name, module.path) for module in self.modules.values())

    @cached_property
    def module_folders(self) -> tuple[str, ...]:
        """The folders of all modules, in their order."""
        return tuple([path for _, path in self.module_paths])

    def module_of_path(self, path: str) -> Module | None:
        """Return the module that contains a file."""
        for folder in self.searched:
            if path.startswith(folder) and path[len(folder) : len(folder) + 1] == "/":
                module = self.find_module(path[len(folder) + 1 :].partition("/")[0])
                if module is not None and path.startswith(module.path + "/"):
                    return module
        for name, directory in self.module_directories.items():
            if path.startswith(directory + "/"):
                return self.find_module(name)
        return None

    def path_here(self, path: str) -> str:
        """Return where a directory of a server is on this machine; ``*`` stands for the name of one."""
        for directory, here in self.server_directories.items():
            above = directory.removesuffix("/*")
            if path != directory and not path.startswith(f"{above}/"):
                continue
            below = path[len(above) :]
            if above != directory:
                _, slash, rest = below[1:].partition("/")
                below = f"{slash}{rest}"
            if self.world.is_directory(here + below):
                return here + below
        return path

    @property
    def module_places(self) -> tuple[str | tuple[str, str], ...]:
        """The modulepath, and names and directories of the modules outside of it."""
        return (*self.searched, *self.module_directories.items())

    @property
    def searched(self) -> tuple[str, ...]:
        """The modulepath, and the directory of vendored modules behind it."""
        if self.vendor_directory is None:
            return self.modulepath
        return (*self.modulepath, self.vendor_directory)

    def manifests(self) -> list[str]:
        """Return the files of the main manifest: itself, or of a folder all ``.pp`` files, sorted."""
        manifest = self.manifest
        if manifest is None:
            return []
        if self.world.is_directory(manifest):
            return manifests_below(self.world, manifest, self.files.names)
        return [manifest] if self.world.is_file(manifest) else []

    def setting_values(self) -> dict[str, Any]:
        """Return the settings that an environment sets, as ``$settings::…`` shows them."""
        timeout = {} if self.timeout is None else {"environment_timeout": duration(self.timeout)}
        return {
            **timeout,
            "environment": self.name,
            "modulepath": ":".join(self.modulepath),
            "manifest": self.manifest or "",
            "config_version": self.config_version or "",
        }

    def refresh(self) -> None:
        """Notice modules and files that came, went or changed since the last compile."""
        self.files.refresh()
        if self.files.version != self._version:
            self._version = self.files.version
            self.generation += 1
        self._modules.clear()  # their metadata may be others
        self.__dict__.pop("modules", None)
        self.__dict__.pop("module_paths", None)
        self.__dict__.pop("module_folders", None)


def load_environment(
    name: str,
    environmentpath: Iterable[str],
    world: World,
    *,
    base_modulepath: Iterable[str] = (),
    settings: Mapping[str, Any] | None = None,
    warn: Callable[[Diagnostic], None] | None = None,
    removed_settings: frozenset[str] = frozenset(),
) -> Environment:
    """Return the environment that is a folder on the environmentpath: see :func:`read_environment`."""
    folders = list(environmentpath)
    for path in environment_directories(folders, name):
        if world.is_directory(path):
            return read_environment(
                name, path, world, base_modulepath, settings or {}, warn, removed_settings
            )
    searched = ", ".join(folders) or "the environmentpath, which is empty"
    meant = did_you_mean(name, names_in(folders, world))
    raise issues.ENVIRONMENT_NOT_FOUND(name=name, searched=searched, meant=meant).hinted(meant)


def environment_directories(environmentpath: Iterable[str], name: str) -> list[str]:
    """Return the directories that an environment can be; raise for an illegal name.

    >>> environment_directories(["/a/", "/b"], "production")
    ['/a/production', '/b/production']
    """
    checked_environment_name(name)
    return [f"{folder.rstrip('/')}/{name}" for folder in environmentpath]


def names_in(folders: Iterable[str], world: World) -> Iterator[str]:
    """Yield the names in directories; those that cannot be read have none."""
    for folder in folders:
        try:
            yield from world.list_directory(folder)
        except OSError:
            continue


def read_environment(
    name: str,
    path: str,
    world: World,
    base_modulepath: Iterable[str],
    settings: Mapping[str, Any],
    warn: Callable[[Diagnostic], None] | None,
    removed_settings: frozenset[str] = frozenset(),
) -> Environment:
    """Return the environment in a folder; ``removed_settings`` have no effect there."""
    configured: dict[str, str] = {}
    file = f"{path}/environment.conf"
    if is_present(file, world):
        configured = read_settings(file, world)
        unknown = sorted(set(configured) - CONFIGURABLE | configured.keys() & removed_settings)
        if unknown and warn is not None:
            names = ", ".join(unknown)
            warn(
                issues.UNKNOWN_SETTINGS.diagnostic(
                    Place(file), severity="warning", path=file, names=names
                )
            )
    base = [join("/", folder) for folder in base_modulepath]
    values = {"basemodulepath": ":".join(base), "environment": name, **settings}
    environment = Environment(
        name,
        (),
        world,
        path=path,
        config_version=command_in(path, configured.get("config_version"), values),
        settings=settings,
        warn=warn,
    )
    modulepath = expand(configured.get("modulepath"), values)
    environment.modulepath = tuple(
        [f"{path}/modules", *base]
        if modulepath is None
        else expand_modulepath(modulepath, path, environment.files)
    )
    environment.timeout = configured.get("environment_timeout")
    if "environment_data_provider" not in removed_settings:
        environment.data_provider = configured.get("environment_data_provider") or None
    manifest = manifest_setting(file, configured.get("manifest"), settings)
    environment.manifest = join(path, expand(manifest, values) or "")
    return environment


def manifest_setting(file: str, own: str | None, settings: Mapping[str, Any]) -> str:
    """Return the manifest of an environment for the settings: its own, otherwise the default one.

    With ``disable_per_environment_manifest`` it cannot have another one than the default.
    """
    default = str(settings.get("default_manifest") or "./manifests")
    if not settings.get("disable_per_environment_manifest"):
        return own or default
    if own and own != default:
        raise issues.CONFLICTING_MANIFEST(own=own, default=default).at(Place(file))
    return default


def environment_setting(directories: Iterable[str], name: str, world: World) -> str | None:
    """Return a setting in the ``environment.conf`` of the first of some directories that is there."""
    for directory in directories:
        if world.is_directory(directory):
            file = f"{directory}/environment.conf"
            return read_settings(file, world).get(name) if is_present(file, world) else None
    return None


def environment_language(
    directories: Iterable[str], world: World, parsers: Mapping[str, str]
) -> str | None:
    """Return the language that the first ``environment.conf`` in one of the directories names.

    The setting is ``language``, or ``parser`` as in Puppet 3; ``parsers`` has the language of each parser.
    """
    for directory in directories:
        file = f"{directory}/environment.conf"
        if is_present(file, world):
            configured = read_settings(file, world)
            parser = configured.get("parser")
            return configured.get("language") or (parsers.get(parser, parser) if parser else None)
    return None


def command_in(path: str, command: str | None, values: Mapping[str, Any]) -> str | None:
    """Return the command of ``config_version``; a relative one is relative to the environment."""
    expanded = expand(command, values)
    return join(path, expanded) if expanded else None


def expand(text: str | None, values: Mapping[str, Any]) -> str | None:
    """Return a setting's text with ``$name`` and ``${name}`` replaced by other settings."""
    if text is None:
        return None

    def value(found: re.Match[str]) -> str:
        replacement = values.get(found[1] or found[2])
        return found[0] if replacement is None else str(replacement)

    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", value, text)


def expand_modulepath(text: str, base: str, files: FileTable) -> list[str]:
    """Return the folders of a modulepath: relative to the environment, with globs expanded."""
    found: list[str] = []
    for entry in path_list(text):
        if entry:
            path = join(base, entry)
            if re.search(r"[*?\[{]", path):
                found += [p for p in files.glob(path) if files.world.is_directory(p)]
            else:
                found.append(path)
    return list(dict.fromkeys(found))
