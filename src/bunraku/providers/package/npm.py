"""Packages of Node.js for the whole system, by ``npm``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    PackageProvider,
    private_options,
    variable_name,
    version_of,
)
from bunraku.providers.provider import State, as_texts, successful
from bunraku.providers.run import Run

NPM = "npm"
MESSAGE = "npm"
"""The begin of lines with messages of npm."""


class Npm(PackageProvider):
    """Installs global packages."""

    name = "npm"
    programs: ClassVar[tuple[str, ...]] = (NPM,)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {"versionable", "install_options"}

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.variables = {"HOME": "/root"}

    # -- states ----------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the global packages; broken ones have no version, and npm fails but lists all."""
        done = self.attempt((NPM, "list", "--json", "--global"), merged=False)
        try:
            listed = json.loads("".join(without_messages(done.output)))
        except ValueError as error:
            self.run.log("debug", f"Error: npm list --json command error {error}")
            return {}
        packages = listed.get("dependencies") if isinstance(listed, dict) else None
        return {name: {"ensure": one.get("version")} for name, one in (packages or {}).items()}

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest version in the registry."""
        output = self.execute(NPM, "view", resource.name, "version").output
        return "\n".join(without_messages(output)).strip()

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install a package, in the wanted version if there is one."""
        version = version_of(resource)
        package = resource.name if version is None else f"{resource.name}@{version}"
        options, private = private_options(resource, {})
        variables = {variable_name("npm_config_", name): one for name, one in private.items()}
        words = (NPM, "install", "--global", *options, resource["source"] or package)
        successful(as_texts(words), self.attempt(words, environment=variables))

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        self.execute(NPM, "uninstall", "--global", resource.name)


def without_messages(output: str) -> list[str]:
    """Return the lines that are not messages of npm."""
    return [line for line in output.splitlines(keepends=True) if not line.startswith(MESSAGE)]


provider = Npm
