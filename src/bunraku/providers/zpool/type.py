"""The resource type ``zpool``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import check_text
from bunraku.providers.resource_type import ResourceType


def sorted_devices(groups: Any) -> list[str]:
    """Return the devices in texts, each with one or more, in order."""
    return sorted(device for group in groups for device in str(group).split())


class Devices(Property):
    """The devices of a pool for one purpose, in any order; they cannot be changed."""

    def __init__(self, name: str, *, about: str, read: Any = None) -> None:
        super().__init__(name, many=True, read=read, text=read is not None, about=about)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the pool has the wanted devices."""
        if current == ABSENT:
            return False
        if current is None:
            text = f"the pool {resource.name} has no devices for {self.name}"
            raise ResourceFailure(f"{text}, which cannot be changed")
        return self.equal(current, resource.accepted(self.name))

    def equal(self, current: list[str], wanted: list[Any]) -> bool:
        """Return whether two lists have the same devices."""
        return sorted_devices(current) == sorted_devices(wanted)


class Groups(Devices):
    """Groups of devices: each one has its devices in any order."""

    def equal(self, current: list[str], wanted: list[Any]) -> bool:
        """Return whether two lists have the same groups, in the same order."""
        return [sorted_devices([one]) for one in current] == [
            sorted_devices([one]) for one in wanted
        ]


def without_commas(name: str, what: str) -> Any:
    """Return a reader of a group of devices."""

    def read(value: Any) -> Any:
        if isinstance(value, dict):
            return value  # the resource fails when it is applied: see text in Parameter
        check_text(name, value, "include?")
        if "," in value:
            text = "names must be provided as string separated, not a comma-separated list"
            raise InvalidValue(f"{what} {text}")
        return value

    return read


class Zpool(ResourceType):
    """Pools of ZFS. The devices of an existing pool are compared, never changed."""

    name = "zpool"
    module = "puppetlabs-zfs_core 2.0"
    namevar = "pool"
    providers = ("zpool",)
    attributes = (
        Ensure(about="Whether the pool exists."),
        Devices("disk", about="The disks, as an array or separated by spaces."),
        Groups(
            "mirror",
            read=without_commas("mirror", "mirror"),
            about="Mirrors, each a text with its disks separated by spaces.",
        ),
        Groups(
            "raidz",
            read=without_commas("raidz", "raid"),
            about="Groups with parity, each a text with its disks separated by spaces.",
        ),
        Devices("spare", about="The spare disks."),
        Devices("log", about="The disks of the log."),
        Devices("cache", about="The disks of the cache."),
        Property("ashift", about="The size of sectors as an exponent of 2."),
        Property("autoexpand", about="Whether the pool grows with its disks: `on` or `off`."),
        Property("failmode", about="What a failure does: `wait`, `continue` or `panic`."),
        Parameter("pool", about="The name of the pool."),
        Parameter("raid_parity", about="The parity of `raidz`: `raidz1` or `raidz2`."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for more than one kind of devices."""
        found = [name for name in ("disk", "mirror", "raidz") if name in resource]
        if len(found) > 1:
            text = f"You cannot specify {' and '.join(found)} on this type (only one)"
            raise InvalidValue(text)


resource_type = Zpool
