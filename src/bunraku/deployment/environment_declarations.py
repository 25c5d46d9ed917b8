"""The environments of all sources; those of ``yaml``, ``yamldir`` and ``exec`` sources are declared one by one."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import text_on_disk
from bunraku.base.lazy_typing import Any, Literal
from bunraku.base.records import record
from bunraku.deployment.credentials import without_password
from bunraku.deployment.environment_names import NameRules
from bunraku.deployment.environment_sources import (
    Branches,
    EnvironmentSource,
    SourceEnvironments,
    SourceProblem,
    git_environments,
    refused_source,
    subversion_branches,
    subversion_environments,
)
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.programs import run_program
from bunraku.formats import yaml
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.places import YamlPlaces
from bunraku.formats.shape import kind_of
from bunraku.project.declared_modules import DeclaredModule

YAML_FILE = "/etc/puppetlabs/r10k/environments.yaml"
YAML_DIRECTORY = "/etc/puppetlabs/r10k/environments.d"
KINDS: Mapping[str, Mapping[str, str]] = {
    "git": {"version": "ref", "source": "remote", "ref": "ref", "remote": "remote"},
    "svn": {
        "version": "ref",
        "source": "remote",
        "remote": "remote",
        "username": "username",
        "password": "password",
    },
    "tarball": {"source": "remote", "version": "ref", "checksum": "ref"},
    "plain": {},
    "bare": {},
}
"""Kind of an environment → its options and their meanings. ``bare`` is the name of r10k 3."""
OF_ALL = frozenset({"type", "modules", "moduledir", "puppetfile_name"})
CONFLICTS = ("", "override", "override_and_warn", "error")


@record(frozen=True)
class ModuleArguments:
    """A module as an environment declares it: a version, or a hash of options."""

    title: str
    options: Any
    moduledir: str
    root: str
    path: str
    line: int


DeclareModule = Callable[[ModuleArguments], DeclaredModule]
"""Reads the arguments of a module as a Puppetfile does."""


def environments_of_sources(
    sources: Sequence[EnvironmentSource],
    branches: Branches,
    declare_module: DeclareModule,
    git_directory: Callable[[str], str] | None = None,
) -> list[SourceEnvironments]:
    """Return the environments of all sources; raise PuppetError for a source that cannot be read."""
    return [
        environments_of_source(source, branches, declare_module, git_directory)
        for source in sources
    ]


def environments_of_source(
    source: EnvironmentSource,
    branches: Branches,
    declare_module: DeclareModule,
    git_directory: Callable[[str], str] | None = None,
) -> SourceEnvironments:
    """Return the environments of one source."""
    if source.kind == "git":
        listed = branches(source.remote)
        directory = git_directory(source.remote) if git_directory else ""
        return git_environments(source, listed, directory)
    if source.kind == "svn":
        return subversion_environments(source, subversion_branches(source))
    reader = HashReader(source, declare_module)
    environments = tuple(reader.environments())
    return SourceEnvironments(source, environments, tuple(reader.problems))


# -- environments in hashes --------------------------------------------------------------------------


@record(frozen=True)
class EnvironmentHash:
    """The text of one file or program, and the environments that it declares."""

    path: str
    text: str
    data: Any


def environment_hashes(source: EnvironmentSource) -> Iterator[tuple[str, Any, EnvironmentHash]]:
    """Yield the name and the options of each environment of a source, with its origin."""
    if source.kind == "yamldir":
        directory = source.text("config") or YAML_DIRECTORY
        if not os.path.isdir(directory):
            raise refused_source(
                source.name, f"Error opening {directory}: config must be a directory"
            )
        for path in sorted(glob.glob(os.path.join(glob.escape(directory), "*.yaml"))):
            origin = read_environments(source, path)
            yield os.path.basename(path).removesuffix(".yaml"), origin.data, origin
        return
    if source.kind == "yaml":
        origin = read_environments(source, source.text("config") or YAML_FILE)
    else:
        origin = run_environments(source)
    if not isinstance(origin.data, Mapping):
        got = kind_of(origin.data)
        raise refused_source(source.name, f"{origin.path} must declare a Hash, not {got}")
    for name, data in origin.data.items():
        yield str(name), data, origin


def read_environments(source: EnvironmentSource, path: str) -> EnvironmentHash:
    """Return the environments that a file declares."""
    try:
        text = text_on_disk(path)
        return EnvironmentHash(path, text, yaml.load_plain(text))
    except OSError as error:
        reason = f"Couldn't open environments file {path}: {error.strerror}"
        raise refused_source(source.name, reason) from None
    except FormatError as error:
        where = f"{path}, line {error.line}" if error.line else path
        raise refused_source(source.name, f"{where}: not valid YAML: {error.problem}") from None


def run_environments(source: EnvironmentSource) -> EnvironmentHash:
    """Return the environments that the program of a source prints, as JSON or YAML."""
    command = source.text("command")
    try:
        done = run_program([command])
    except OSError as error:
        raise refused_source(source.name, f"cannot run {command}: {error.strerror}") from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        failure = f"{command} failed with exit code {done.returncode}: {reason}"
        raise refused_source(source.name, without_password(failure))
    text = done.stdout.decode("utf-8", "surrogateescape")
    try:
        return EnvironmentHash(command, text, parse_json(text))
    except FormatError:
        try:
            return EnvironmentHash(command, text, yaml.load_plain(text))
        except FormatError as error:
            reason = f"the output of {command} is neither JSON nor YAML: {error.problem}"
            raise refused_source(source.name, reason) from None


class HashReader:
    """Reads the environments of one source that declares them in a hash."""

    def __init__(self, source: EnvironmentSource, declare_module: DeclareModule) -> None:
        self.source = source
        self.declare_module = declare_module
        self.rules: NameRules = source.rules()
        self.problems: list[SourceProblem] = []

    def environments(self) -> Iterator[DeclaredEnvironment]:
        """Yield the environments in the order of their declarations."""
        for name, data, origin in environment_hashes(self.source):
            if not isinstance(data, Mapping):
                raise self.refused(name, f"expected a Hash of options, got {kind_of(data)}")
            yield self.environment(name, data, origin)

    def refused(self, name: str, reason: str) -> PuppetError:
        """Return the error for an environment."""
        return refused_source(self.source.name, f"environment '{name}': {reason}")

    def environment(
        self, name: str, data: Mapping[str, Any], origin: EnvironmentHash
    ) -> DeclaredEnvironment:
        """Return one environment."""
        kind = str(data.get("type") or "git").removeprefix(":")
        meanings = KINDS.get(kind)
        if meanings is None:
            known = ", ".join(KINDS)
            raise self.refused(name, f"the type '{kind}' is unknown; use one of {known}")
        values = self.values(name, kind, data, meanings)
        if meanings and not values.get("remote"):
            raise self.refused(name, "requires the option source")
        conflicts = str(data.get("module_conflicts") or "")
        if conflicts not in CONFLICTS:
            listed = ", ".join(CONFLICTS[1:])
            raise self.refused(name, f"module_conflicts must be one of {listed}, not '{conflicts}'")
        directory = self.rules.directory(self.rules.stripped(name))
        root = os.path.join(self.source.basedir, directory)
        puppetfile = data.get("puppetfile_name") or self.source.puppetfile_name
        options = {key: value for key, value in values.items() if key in {"username", "password"}}
        if puppetfile:
            options["puppetfile_name"] = str(puppetfile)
        return DeclaredEnvironment(
            name,
            directory,
            self.source.basedir,
            self.source.name,
            "plain" if kind == "bare" else kind,
            values.get("remote", ""),
            values.get("ref", ""),
            tuple(self.modules(name, data, root, origin)),
            conflicts_meaning(conflicts),
            options or None,
        )

    def values(
        self, name: str, kind: str, data: Mapping[str, Any], meanings: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the options of the kind by their meanings; others get a warning or are refused."""
        found: dict[str, str] = {}
        origins: dict[str, str] = {}
        for option, value in data.items():
            meaning = meanings.get(option)
            if meaning is not None and value is not None:
                if meaning in found:
                    self.warn(
                        f"R10K::Environment::{kind.capitalize()} parameters '{origins[meaning]}' and"
                        f" '{option}' conflict. Specify one or the other, but not both"
                    )
                found[meaning], origins[meaning] = str(value), option
            elif meaning is None and option not in OF_ALL and meanings:
                message = f"R10K::Environment::{kind.capitalize()} cannot handle option '{option}'"
                if kind != "git" and option != "module_conflicts":
                    raise self.refused(name, message)
                self.warn(message)
        return found

    def warn(self, message: str) -> None:
        """Note a warning."""
        self.problems.append(SourceProblem("warn", message))

    def modules(
        self, name: str, data: Mapping[str, Any], root: str, origin: EnvironmentHash
    ) -> Iterator[DeclaredModule]:
        """Yield the modules that an environment itself declares."""
        modules = data.get("modules")
        if modules is None:
            return
        if not isinstance(modules, Mapping):
            raise self.refused(name, f"modules must be a Hash, not {kind_of(modules)}")
        moduledir = os.path.normpath(os.path.join(root, str(data.get("moduledir") or "modules")))
        places = YamlPlaces(origin.text)
        keys = ["modules"] if self.source.kind == "yamldir" else [name, "modules"]
        for title, options in modules.items():
            line, _ = places.of([*keys, str(title)]) or (1, 1)
            yield self.declare_module(
                ModuleArguments(str(title), options, moduledir, root, origin.path, line)
            )


def conflicts_meaning(text: str) -> Literal["override", "override_and_warn", "error"]:
    """Return what happens if the Puppetfile has a module of the environment: a warning, by default."""
    match text:
        case "override" | "error":
            return text
        case _:
            return "override_and_warn"
