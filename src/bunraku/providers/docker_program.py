"""How the types of Docker run ``docker`` and read its objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s


class DockerProvider(Provider):
    """Runs ``docker``."""

    name = "ruby"
    programs = ("docker",)
    kind = ""
    """The objects of the type, as a subcommand."""

    @property
    def path(self) -> str:
        """The path of ``docker``."""
        return self.host.find_program("docker") or "docker"

    def docker(self, *words: Any) -> str:
        """Run ``docker`` and return its output; ResourceFailure if it fails."""
        return self.execute(self.path, *words).output

    def objects(self) -> list[dict[str, Any]]:
        """Return all objects of the type, with two calls."""
        names = self.docker(self.kind, "ls", "--quiet").split()
        if not names:
            return []
        output = self.docker(self.kind, "inspect", *names)
        try:
            found: list[dict[str, Any]] = json.loads(output)
        except ValueError:
            text = f"docker {self.kind} inspect did not print JSON: {output.strip()}"
            raise ResourceFailure(text) from None
        return found

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the object exists."""
        self.run.log("info", f"Checking if docker {self.kind} {resource.name} exists")
        return super().exists(resource)

    def create_with(self, resource: ManagedResource, flags: Sequence[str]) -> None:
        """Create the object."""
        self.run.log("info", f"Creating docker {self.kind} {resource.name}")
        self.docker(self.kind, "create", *flags, resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the object."""
        self.run.log("info", f"Removing docker {self.kind} {resource.name}")
        self.docker(self.kind, "rm", resource.name)


def flags_of(resource: ManagedResource, names: Sequence[str]) -> list[str]:
    """Return the flags for attributes, one for each value."""
    flags = []
    for name in names:
        flag = "opt" if name == "options" else name.replace("_", "-")
        value = resource[name]
        given = value if isinstance(value, list) else [value]
        flags += [f"--{flag}={to_s(one)}" for one in given if one is not None]
    return flags


def read_only(value: Any) -> Any:
    """Refuse every value."""
    raise InvalidValue(f"{to_s(value)} is read-only and is only available via puppet resource.")
