"""Python packages, by ``pip``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    MISSING,
    private_options,
    variable_name,
    version_of,
)
from bunraku.providers.package.targeted import Targeted
from bunraku.providers.package.versions import Python, includes, parse_range
from bunraku.providers.provider import State, as_texts, successful
from bunraku.types.ruby_semantics.values import to_s

VERSION = re.compile(r"^pip (\d+\.\d+\.?\d*)", re.MULTILINE)
FROZEN = re.compile(r"([^=]+)===?([^=]+)")
AVAILABLE = re.compile(r"from versions: (.+)\)")
LISTS_ALL = Python.parse("8.1.0")
"""The first version of pip that lists pip itself too."""
SHORT_OPTIONS = {"-i": "--index-url", "-f": "--find-links"}
FIRST_RESOLVER = Python.parse("20.2.4")
"""The last version before the new resolver, which does not list versions."""
LATER_RESOLVER = Python.parse("21.1")
"""The first version whose resolver lists versions again."""


class Pip(Targeted):
    """Installs packages with the first program of pip in PATH."""

    name = "pip"
    commands: ClassVar[tuple[str, ...]] = ("pip", "pip-python", "pip2", "pip-2")
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "versionable",
        "version_ranges",
        "install_options",
        "targetable",
    }

    # -- states ----------------------------------------------------------------------------------

    def key(self, name: str) -> str:
        """Return a name in lower case."""
        return name.lower()

    def pip_version(self, command: str) -> str:
        """Return the version of pip."""
        found = VERSION.search(self.execute(command, "--version").output)
        if found is None:
            raise ResourceFailure("Cannot resolve pip version")
        return found[1].rstrip(".")

    def installed(self, command: str) -> dict[str, State]:
        """Return the packages in the output of ``pip freeze``."""
        version = self.pip_version(command)
        lists_all = not Python.parse(version) < LISTS_ALL
        frozen = self.attempt((command, "freeze", *(["--all"] if lists_all else [])), merged=False)
        matches = filter(None, map(FROZEN.fullmatch, frozen.output.splitlines()))
        found: dict[str, State] = {match[1]: {"ensure": match[2]} for match in matches}
        if not lists_all:
            found[command.rpartition("/")[2]] = {"ensure": version}
        return found

    def available(self, resource: ManagedResource) -> list[str]:
        """Return the available versions, the newest last."""
        command = self.command(resource)
        version = Python.parse(self.pip_version(command))
        options, variables = pip_options(resource)
        extra = FIRST_RESOLVER < version < LATER_RESOLVER
        query = (
            command,
            "install",
            f"{resource.name}==versionplease",
            *(["--use-deprecated=legacy-resolver"] if extra else []),
            *options,
        )
        found = AVAILABLE.search(self.attempt(query, environment=variables).output)
        versions = found[1].split(", ") if found is not None else []
        return sorted(filter(is_version(Python.parse), versions), key=sort_key)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest available version."""
        versions = self.available(resource)
        return versions[-1] if versions else None

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the installed version is in the wanted range."""
        wanted = version_of(resource)
        if wanted is None or current in MISSING:
            return False
        return includes(wanted, str(current), Python.parse)

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install a package, in the wanted version if there is one."""
        options, variables = pip_options(resource)
        wanted = self.requirement(resource)
        private = resource.is_private("source")
        with self.host.temporary_file("\n".join(wanted).encode() if private else b"") as path:
            chosen = ["-r", path] if private else wanted
            words = (self.command(resource), "install", "-q", *options, *chosen)
            successful(as_texts(words), self.attempt(words, environment=variables))

    def requirement(self, resource: ManagedResource) -> list[str]:
        """Return the arguments that select a package in the wanted version."""
        name, version = resource.name, version_of(resource)
        if resource["source"]:
            at = "" if version is None else f"@{version}"
            return [f"{to_s(resource['source'])}{at}#egg={name}"]
        if version is None:
            return ["--upgrade", name] if resource["ensure"] == "latest" else [name]
        try:
            found = parse_range(version, Python.parse)
        except ValueError:
            return [f"{name}=={version}"]
        if found.exact:
            return [f"{name}=={version}"]
        newest = found.newest(self.available(resource), Python.parse)
        return [f"{name} {found.joined(',')}" if newest is None else f"{name}=={newest}"]

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        self.execute(self.command(resource), "uninstall", "-y", "-q", resource.name)


def pip_options(resource: ManagedResource) -> tuple[list[str], dict[str, str]]:
    """Return the arguments of pip, and the variables with the options that others must not see."""
    options, private = private_options(resource, SHORT_OPTIONS)
    return options, {variable_name("PIP_", name).upper(): one for name, one in private.items()}


def is_version(parse: Callable[[str], object]) -> Callable[[str], bool]:
    """Return a predicate: whether a parser accepts a text."""

    def test(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return test


def sort_key(text: str) -> tuple[object, ...]:
    """Return the sort key of a version."""
    return Python.parse(text).key


provider = Pip
