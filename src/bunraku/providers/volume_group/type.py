"""The resource type ``volume_group`` of the module lvm."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import ResourceType
from bunraku.world.host import Host


class PhysicalVolumes(Property):
    """The devices of a group, in any order."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the group has exactly the wanted devices."""
        wanted = [str(one) for one in resource.accepted(self.name)]
        if not isinstance(current, list):
            return False
        if resource.is_true("followsymlinks"):
            host = resource.run.host
            wanted, current = ([followed(host, one) for one in each] for each in (wanted, current))
        return sorted(wanted) == sorted(current)


def switch_with_aliases(name: str, about: str) -> Parameter:
    """Return a parameter that is false by default; Puppet's messages do not name yes and no."""
    words, aliases = ("true", "false"), {"yes": "true", "no": "false"}
    return Parameter(name, words=words, aliases=aliases, default="false", about=about)


def followed(host: Host, path: str) -> str:
    """Return the path that a link leads to; another path as it is."""
    status = host.status(path)
    if status is None or status.kind != "link":
        return path
    return normpath(join(dirname(path), host.link_target(path)))


class VolumeGroup(ResourceType):
    """Volume groups of LVM."""

    name = "volume_group"
    module = "puppetlabs-lvm 4.0"
    providers = ("lvm",)
    other_providers = ("aix",)
    attributes = (
        Ensure(about="Whether the group exists."),
        PhysicalVolumes("physical_volumes", many=True, about="The devices of the group."),
        Parameter("name", about="The name of the group."),
        Parameter("extent_size", about="The size of the extents of a new group, such as `8M`."),
        switch_with_aliases(
            "followsymlinks", "Whether links are followed when devices are compared."
        ),
        switch_with_aliases("createonly", "Whether the devices of an existing group stay."),
        Parameter("provider"),
    )


resource_type = VolumeGroup
