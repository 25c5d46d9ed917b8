"""The resource type ``zfs``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType

ABOUT = {
    "aclinherit": "How entries of access lists are inherited.",
    "aclmode": "How a change of the mode changes an access list.",
    "acltype": "The kind of access lists, such as `posixacl`.",
    "atime": "Whether the time of access is stored: `on` or `off`.",
    "canmount": "Whether the file system can be mounted: `on`, `off` or `noauto`.",
    "checksum": "The checksum of the data.",
    "compression": "The compression, such as `lz4`.",
    "copies": "The number of copies of the data.",
    "dedup": "Whether equal data is stored once: `on` or `off`.",
    "defaultuserquota": "The quota of users without one.",
    "devices": "Whether device files work: `on` or `off`.",
    "exec": "Whether programs can be run: `on` or `off`.",
    "logbias": "What the log is for: `latency` or `throughput`.",
    "mountpoint": "Where the file system is mounted: a path, `legacy` or `none`.",
    "nbmand": "Whether locks are mandatory: `on` or `off`.",
    "overlay": "Whether the directory may have files: `on` or `off`.",
    "primarycache": "What is cached in memory: `all`, `metadata` or `none`.",
    "quota": "The limit of the size, with what is below.",
    "readonly": "Whether nothing can be written: `on` or `off`.",
    "recordsize": "The size of blocks.",
    "refquota": "The limit of the size, without what is below.",
    "refreservation": "The reserved size, without what is below.",
    "relatime": "Whether the time of access is rarely stored: `on` or `off`.",
    "reservation": "The reserved size, with what is below.",
    "secondarycache": "What is cached on devices: `all`, `metadata` or `none`.",
    "setuid": "Whether the bits for other users work: `on` or `off`.",
    "shareiscsi": "How the volume is shared by iSCSI.",
    "sharenfs": "How the file system is shared by NFS: `on`, `off` or options.",
    "sharesmb": "How the file system is shared by SMB: `on`, `off` or options.",
    "snapdir": "Whether the directory `.zfs` is `visible` or `hidden`.",
    "sync": "When data is written: `standard`, `always` or `disabled`.",
    "version": "The version of the file system.",
    "volsize": "The size of a volume.",
    "vscan": "Whether files are scanned for viruses: `on` or `off`.",
    "xattr": "Whether files have extended attributes.",
    "zoned": "Whether a zone manages the file system: `on` or `off`.",
}
"""The properties in the order in which they are changed."""


class Zfs(ResourceType):
    """File systems and volumes of ZFS."""

    name = "zfs"
    module = "puppetlabs-zfs_core 2.0"
    providers = ("zfs",)
    attributes = (
        Ensure(about="Whether the file system exists."),
        *(Property(name, about=about) for name, about in ABOUT.items()),
        Parameter("name", about="The pool and the path in it, as in `tank/home`."),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the pool and the file systems above."""
        parts = resource.name.split("/")
        yield "zpool", parts[0]
        for end in range(2, len(parts)):
            yield "zfs", "/".join(parts[:end])


resource_type = Zfs
