"""File systems: found by ``blkid``, made by ``mkfs`` and ``mkswap``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

KIND = re.compile(r'\bTYPE="(\S+)"')
OPTIONS = {"reiserfs": "-q", "xfs": "-f"}
"""The options that make a program overwrite what is on the device."""


class FileSystems(Provider):
    """Replaces a file system of another kind."""

    name = "lvm"
    programs = ("blkid",)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: blkid is asked for one device at a time."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the device has a file system of the wanted kind."""
        program = self.host.find_program("blkid") or "blkid"
        done = self.attempt((program, resource.name))
        if done.code != 0:
            return resource["fs_type"] is None
        found = KIND.search(done.output)
        if found is None:
            raise ResourceFailure(f"blkid does not show the type of {resource.name}")
        return bool(found[1] == resource["fs_type"])

    def create(self, resource: ManagedResource) -> None:
        """Make the file system; swap space is also switched on."""
        kind = "" if resource["fs_type"] is None else to_s(resource["fs_type"])
        program = resource["mkfs_cmd"] or ("mkswap" if kind == "swap" else f"mkfs.{kind}")
        words = [to_s(program), resource.name, *([OPTIONS[kind]] if kind in OPTIONS else [])]
        self.execute(*words, *to_s(resource["options"] or "").split())
        if kind == "swap":
            self.execute("swapon", resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Do nothing: the module never destroys a file system."""


provider = FileSystems
