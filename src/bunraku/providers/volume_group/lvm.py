"""Volume groups of LVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lvm import LvmProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State


class VolumeGroups(LvmProvider):
    """Runs ``vgs``, ``vgcreate``, ``vgremove``, ``vgextend`` and ``vgreduce``."""

    programs = ("vgcreate", "vgremove", "vgs", "vgextend", "vgreduce", "pvs")

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all volume groups."""
        return self.listed(self.path_of("vgs"))

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the group exists."""
        return self.knows("vgs", resource.name)

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the devices of a group; those that are wanted if they are only used to create it."""
        if resource.is_true("createonly"):
            return resource[name]
        words = (self.path_of("pvs"), "-o", "pv_name,vg_name", "--separator", ",")
        rows = self.rows(*words, separator=",")
        return [row[0].strip() for row in rows if row[1:] and row[-1] == resource.name]

    def create(self, resource: ManagedResource) -> None:
        """Create a group of devices."""
        size = resource["extent_size"]
        options = () if size is None else ("-s", size)
        self.command("vgcreate", resource.name, *(resource["physical_volumes"] or ()), *options)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the group."""
        self.command("vgremove", resource.name)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Remove devices from the group, and add others."""
        current = self.get(resource, name)
        wanted = [str(one) for one in value]
        for device in current:
            if device not in wanted:
                self.reduce(resource.name, device)
        for device in wanted:
            if device not in current:
                self.extend(resource.name, device)

    def reduce(self, group: str, device: str) -> None:
        """Remove a device from a group."""
        try:
            self.command("vgreduce", group, device)
        except ResourceFailure as error:
            text = (
                f"Could not remove physical volume {device} from volume group '{group}'; "
                "this physical volume may be in use and may require a manual data migration "
                f"(using pvmove) before it can be removed ({error})"
            )
            raise ResourceFailure(text) from None

    def extend(self, group: str, device: str) -> None:
        """Add a device to a group."""
        try:
            self.command("vgextend", group, device)
        except ResourceFailure as error:
            text = (
                f"Could not extend volume group '{group}' with physical volume {device} ({error})"
            )
            raise ResourceFailure(text) from None


provider = VolumeGroups
