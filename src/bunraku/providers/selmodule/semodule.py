"""Modules of the policy of SELinux with the program ``semodule``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import unpack, unpack_from
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.selinux import run_quietly
from bunraku.providers.selmodule.type import module_path

PROGRAM = "/usr/sbin/semodule"
MAGIC = 0xF97CFF8F
"""The first number of a package of a module."""
HEADER = 12
"""The length of the header: magic number, version and number of sections."""
SECTION_HEADER = 14
"""The length of what follows the identification of the first section, up to the module's name."""


class Semodule(Provider):
    """Lists the loaded modules once for a run, as Puppet does."""

    name = "semodule"

    def suitable(self) -> bool:
        """Return whether semodule is installed."""
        return self.host.is_executable(PROGRAM)

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the loaded modules with their versions; new releases of semodule show none."""
        done = self.attempt((PROGRAM, "--list"))
        lines = done.output.splitlines()
        if done.code != 0:
            shown = f'"{PROGRAM} --list" failed with "{" ".join(lines)}"'
            raise ResourceFailure(f"Could not list policy modules: {shown}")
        rows = (line.split() for line in lines)
        return {row[0]: {"ensure": "present", "version": row[1:2]} for row in rows if row}

    def get(self, resource: ManagedResource, name: str) -> str:
        """Return whether the version of the loaded module is that of the file."""
        loaded = self.state(resource).get("version")
        return str(bool(loaded) and loaded == [self.file_version(resource)]).lower()

    def file_version(self, resource: ManagedResource) -> str:
        """Return the version in the file of a module; ResourceFailure if it is not such a file."""
        path = module_path(resource)
        data = self.host.read(path)
        if len(data) < HEADER:
            raise ResourceFailure(f"{path} is too short for a policy module")
        magic, version, sections = unpack("<III", data[:HEADER])
        if magic != MAGIC:
            raise ResourceFailure(f"Found {magic} instead of magic {MAGIC} in {path}")
        if version != 1:
            raise ResourceFailure(f"Unknown policy file version {version} in {path}")
        at = HEADER + (sections + 1) * 4
        _, at = text_at(data, at, path)
        _, at = text_at(data, at, path)
        _, at = text_at(data, at + SECTION_HEADER, path)
        return text_at(data, at, path)[0]

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Load the module."""
        self.load(resource, "--install", "load")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the module."""
        prefix = "Could not remove policy module: "
        run_quietly(self, PROGRAM, "--remove", resource.name, prefix=prefix)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Load the version of the file."""
        self.load(resource, "--upgrade", "upgrade")

    def load(self, resource: ManagedResource, option: str, verb: str) -> None:
        """Load the file of the module with an option of semodule."""
        prefix = f"Could not {verb} policy module: "
        run_quietly(self, PROGRAM, option, module_path(resource), prefix=prefix)


def text_at(data: bytes, at: int, path: str) -> tuple[str, int]:
    """Return a text that its length precedes, and the position after it."""
    if len(data) < at + 4:
        raise ResourceFailure(f"{path} is too short for a policy module")
    (length,) = unpack_from("<I", data, at)
    end = at + 4 + length
    return data[at + 4 : end].decode("utf-8", "replace"), end


provider = Semodule
