"""The resource type ``filesystem`` of the module lvm."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.lvm import qualified_name
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class Filesystem(ResourceType):
    """File systems and swap spaces on devices."""

    name = "filesystem"
    module = "puppetlabs-lvm 4.0"
    providers = ("lvm",)
    other_providers = ("aix",)
    attributes = (
        Ensure(about="Whether the device has the file system; `absent` leaves it as it is."),
        Parameter("fs_type", about="The kind of the file system, such as `ext4`, `xfs`, `swap`."),
        Parameter("name", read=qualified_name("Filesystem"), about="The device."),
        Parameter("mkfs_cmd", about="The program; by default `mkfs.FS_TYPE` or `mkswap`."),
        Parameter("options", about="Options of the program, separated by spaces."),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the logical volume."""
        yield "logical_volume", resource.name


resource_type = Filesystem
