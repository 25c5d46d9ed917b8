"""Physical volumes of LVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.providers.lvm import LvmProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s


class PhysicalVolumes(LvmProvider):
    """Runs ``pvs``, ``pvcreate`` and ``pvremove``."""

    programs = ("pvcreate", "pvremove", "pvs", "vgs")

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all physical volumes."""
        return self.listed(self.path_of("pvs"))

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the device, which may be a link, or the group to look for exists."""
        group = resource["unless_vg"]
        return (group is not None and self.knows("vgs", to_s(group))) or self.knows(
            "pvs", resource.name
        )

    def create(self, resource: ManagedResource) -> None:
        """Make the device a physical volume."""
        options = ("--force",) if resource.is_true("force") else ()
        self.command("pvcreate", *options, resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the label of LVM from the device."""
        self.command("pvremove", resource.name)


provider = PhysicalVolumes
