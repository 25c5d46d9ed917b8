"""Names that files other than manifests use: templates, Ruby code, Hiera, and the facts of modules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.facts.custom import ADDED, fact_files
from bunraku.facts.legacy import PATHS
from bunraku.modules.environment import Environment, Module
from bunraku.modules.files import manifests_below
from bunraku.project.reading import names_in
from bunraku.world.protocol import World

QUALIFIED = lazy_pattern(r"\w+(?:::\w+)+")
IN_TEMPLATE = lazy_pattern(r"[@$'\":](\w+)")
INTERPOLATED = lazy_pattern(r"%\{([^}]*)\}")
LOOKED_UP = lazy_pattern(r"(?:lookupvar|setvar|\bscope\[|\[)\s*\(?\s*:?['\"](?:::)?([\w:]+)")
WORD = lazy_pattern(r"\w+")
DATA = ("data", "hieradata", "hiera.yaml")
FUNCTIONS = ("lib/puppet/functions", "lib/puppet/parser/functions")
OTHER_FACTS = frozenset(
    [
        "aio_agent_version",
        "az_metadata",
        "clientcert",
        "clientnoop",
        "clientversion",
        "cloud",
        "disks",
        "ec2_metadata",
        "ec2_userdata",
        "agent_specified_environment",
        "environment",
        "env_temp_variable",
        "facterversion",
        "facts",
        "filesystems",
        "fips_enabled",
        "gce",
        "hypervisors",
        "implementation",
        "is_virtual",
        "kernel",
        "kernelmajversion",
        "kernelrelease",
        "kernelversion",
        "ldom",
        "load_averages",
        "mountpoints",
        "nim_type",
        "partitions",
        "path",
        "pe_build",
        "pe_serverversion",
        "pe_version",
        "puppetversion",
        "puppet_vardir",
        "root_home",
        "package_provider",
        "service_provider",
        "scope",
        "server_facts",
        "serverip",
        "serverip6",
        "servername",
        "serverversion",
        "settings",
        "solaris_zones",
        "ssh",
        "system_profiler",
        "timezone",
        "trusted",
        "virtual",
        "zones",
        "zfs_featurenumbers",
        "zfs_version",
        "zonename",
        "zpool_featureflags",
        "zpool_version",
        "lsbrelease",
        "mtu",
    ]
)
"""Facts and variables of top scope that have no legacy name beside them (Facter 4, Core Facts)."""
CORE_FACTS = OTHER_FACTS | {*PATHS, *(path.partition(".")[0] for path in PATHS.values())}


def files_below(world: World, folder: str) -> Iterator[str]:
    """Yield the files in a folder and those below it, sorted."""
    if not world.is_directory(folder):
        return
    for name in names_in(world, folder):
        path = f"{folder}/{name}"
        if world.is_directory(path):
            yield from files_below(world, path)
        else:
            yield path


@remembered(4096)
def qualified_in(text: str) -> frozenset[str]:
    """Return the qualified names in a text; two states of a repository share most texts."""
    return frozenset(QUALIFIED.findall(text))


class Outside:
    """The names in the files of an environment, each kind read when it is needed first."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.world = environment.world
        self.texts: dict[str, str] = {}
        self.names: dict[str, set[str]] = {}

    def text(self, path: str) -> str:
        """Return the text of a file; empty for one that cannot be read."""
        if path not in self.texts:
            try:
                self.texts[path] = self.world.read(path).decode("utf-8", "replace")
            except OSError:
                self.texts[path] = ""
        return self.texts[path]

    def of_module(self, module: Module) -> set[str]:
        """Return the variables that the templates and Ruby functions of a module may read."""
        known = self.names.get(module.name)
        if known is None:
            known = self.names[module.name] = set(self.names_in(module))
        return known

    def names_in(self, module: Module) -> Iterator[str]:
        """Yield the names in a module's templates and Ruby functions."""
        for path in files_below(self.world, module.path_of("templates")):
            text = self.text(path)
            yield from IN_TEMPLATE.findall(text)
        for folder in FUNCTIONS:
            for path in files_below(self.world, module.path_of(folder)):
                text = self.text(path)
                for name in LOOKED_UP.findall(text):
                    yield name.rpartition("::")[2]
        for path in data_files(self.world, module.path):
            for inner in INTERPOLATED.findall(self.text(path)):
                yield from WORD.findall(inner)

    @cached_property
    def qualified(self) -> set[str]:
        """The qualified names in all manifests, templates, Ruby functions and data."""
        found: set[str] = set()
        for path in self.everything():
            found |= qualified_in(self.text(path))
        return found

    def everything(self) -> Iterator[str]:
        """Yield the files in which variables of classes can be named."""
        world, environment = self.world, self.environment
        for module in environment.modules.values():
            manifests = module.path_of("manifests")
            if world.is_directory(manifests):
                yield from manifests_below(world, manifests, environment.files.names)
            for folder in ("templates", "functions", *FUNCTIONS):
                yield from files_below(world, module.path_of(folder))
            yield from data_files(world, module.path)
        yield from environment.manifests()
        if environment.path is not None:
            yield from data_files(world, environment.path)

    @cached_property
    def interpolated(self) -> set[str]:
        """The names that the environment's Hiera data interpolates."""
        if self.environment.path is None:
            return set()
        return {
            name
            for path in data_files(self.world, self.environment.path)
            for inner in INTERPOLATED.findall(self.text(path))
            for name in WORD.findall(inner)
        }

    @cached_property
    def facts(self) -> frozenset[str]:
        """The names of all facts: those of Facter, and those that modules define."""
        found = set(CORE_FACTS)
        files = fact_files(self.world, (one.path for one in self.environment.modules.values()))
        for path in files.ruby:
            found.update(ADDED.findall(self.text(path)))
            found.add(path.rpartition("/")[2].removesuffix(".rb"))
        for path in files.python:
            found.update(defined_in(self.text(path)))
        for folder in files.folders:
            for path in files_below(self.world, folder):
                found.update(
                    re.findall(r"^['\"]?(\w+)['\"]?\s*[:=]", self.text(path), re.MULTILINE)
                )
        return frozenset(found)


def defined_in(text: str) -> Iterable[str]:
    """Return the names that Python code defines or quotes: one may be that of a fact."""
    return re.findall(r"(?:def |['\"])(\w+)", text)


def data_files(world: World, root: str) -> Iterator[str]:
    """Yield the files of Hiera data, and ``hiera.yaml``, in a module or an environment."""
    for name in DATA:
        path = f"{root}/{name}"
        if world.is_file(path):
            yield path
        else:
            yield from files_below(world, path)
