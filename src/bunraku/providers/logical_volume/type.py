"""The resource type ``logical_volume`` of the module lvm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property, Read
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.reading import ruby_integer
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.ruby_semantics.numbers import has_to_i, to_i

SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([KMGTPE])", re.IGNORECASE)
UNITS = "KMGTPE"
HIGHEST_MINOR = 255
MOST_MIRRORS = 4
TRUTHS = ("true", "false")


def kibibytes(size: object) -> float | None:
    """Return a size with a unit in KiB; None for another text.

    >>> kibibytes("1.5m"), kibibytes("2G and more"), kibibytes("2")
    (1536.0, 2097152.0, None)
    """
    found = SIZE.match(to_s(size))
    if found is None:
        return None
    return float(found[1]) * float(1024 ** UNITS.index(found[2].upper()))


def matching_value(pattern: str, message: str) -> Read:
    """Return a reader of values that match a pattern; the message has ``{}`` for another value."""
    known = re.compile(pattern, re.IGNORECASE)

    def read(value: Any) -> Any:
        if not known.search(to_s(value)):
            raise InvalidValue(message.format(to_s(value)))
        return value

    return read


def sized(message: str) -> Read:
    """Return a reader of sizes with units."""
    return matching_value(rf"^{SIZE.pattern}", message)


def truth_of(name: str, message: str) -> Read:
    """Return a reader of Boolean values and their words."""

    def read(value: Any) -> Any:
        if not isinstance(value, bool) and value not in TRUTHS:
            raise InvalidValue(f"{name} {message}")
        return value

    return read


def unqualified_name(value: Any) -> Any:
    """Return the name of a volume; raise InvalidValue for a path."""
    if isinstance(value, str) and "/" in value:
        raise InvalidValue("Volume names must be entirely unqualified")
    if not isinstance(value, str | list | dict):
        raise InvalidValue(f"undefined method `include?' for {inspect(value)}")
    return value


def read_thin_pool(value: Any) -> bool | str:
    """Return whether the volume is a thin pool, or the name of its pool."""
    if not isinstance(value, bool | str):
        raise InvalidValue("thinpool must be either be true, false or string")
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def read_minor(value: Any) -> Any:
    """Return the minor number of a device."""
    if not has_to_i(value):
        raise InvalidValue(f"undefined method `to_i' for {inspect(value)}")
    if not 0 <= to_i(value) <= HIGHEST_MINOR:
        text = f"{to_s(value)} is not a valid value for minor."
        raise InvalidValue(f"{text} It must be an integer between 0 and {HIGHEST_MINOR}")
    return value


def read_mirror(value: Any) -> Any:
    """Return the number of mirrors."""
    if not 0 <= ruby_integer(value) <= MOST_MIRRORS:
        raise InvalidValue(
            f"{to_s(value)} is not a valid number of mirror copies. "
            "Use 0 to un-mirror or 1-4 to set up mirroring."
        )
    return value


def is_set(value: Any) -> bool:
    """Return whether Ruby takes the value of a parameter for true."""
    return value is not None and value is not False


def says_true(value: Any) -> bool:
    """Return whether a value is true or the word."""
    return value is True or value == "true"


class Size(Property):
    """The size of a volume, compared in any unit."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the volume has the wanted size, or at least that if it is the smallest one."""
        wanted, found = kibibytes(resource[self.name]), kibibytes(current)
        if wanted is None or found is None:
            return False
        return wanted <= found if says_true(resource["size_is_minsize"]) else wanted == found


NOT_SIZE = "{} is not a valid logical volume size"


class LogicalVolume(ResourceType):
    """Logical volumes of LVM."""

    name = "logical_volume"
    module = "puppetlabs-lvm 4.0"
    providers = ("lvm",)
    other_providers = ("aix",)
    attributes = (
        Ensure(about="Whether the volume exists."),
        Property("volume_group", about="The group of the volume; it cannot be changed."),
        Size(
            "size",
            read=sized(NOT_SIZE),
            about="The size, such as `10G`; a larger one extends the volume and its file system.",
        ),
        Property(
            "stripes",
            read=matching_value("^[0-9]+$", "{} is not a valid stripe count"),
            about="The number of stripes of a new volume.",
        ),
        Property("mirror", read=read_mirror, about="The number of mirrors, from 0 to 4."),
        Property(
            "mirrorlog",
            words=("core", "disk", "mirrored"),
            about="Where the log of a mirror is.",
        ),
        Parameter("name", read=unqualified_name, about="The name of the volume."),
        Parameter("initial_size", read=sized(NOT_SIZE), about="The size of a new volume."),
        Parameter(
            "extents",
            read=matching_value(
                r"^\d+(%(?:vg|pvs|free|origin)?)?$", "{} is not a valid logical volume extent"
            ),
            about="The size of a new volume in extents, such as `50%VG`; without it and a size, "
            "the volume gets all free extents.",
        ),
        Parameter(
            "persistent",
            read=truth_of("persistent", "must be either be true or false"),
            about="Whether the minor number of a new volume is persistent.",
        ),
        Parameter(
            "thinpool",
            read=read_thin_pool,
            about="`true` creates a thin pool; the name of a pool creates a thin volume in it.",
        ),
        Parameter(
            "poolmetadatasize",
            read=sized("{} is not a valid size for pool metadata"),
            about="The size of the metadata of a new thin pool.",
        ),
        Parameter("minor", read=read_minor, about="The minor number of a new volume."),
        Parameter("type", about="The type of a new volume, such as `raid1`."),
        Parameter(
            "stripesize",
            read=matching_value("^[0-9]+$", "{} is not a valid stripesize"),
            about="The size of the stripes of a new volume.",
        ),
        Parameter(
            "readahead",
            read=matching_value("^([0-9]+|Auto|None)", "{} is not a valid readahead count"),
            about="The number of sectors that are read ahead.",
        ),
        Parameter(
            "size_is_minsize",
            read=truth_of("size_is_minsize", "must either be true or false"),
            about="Whether the volume may be larger than `size`.",
        ),
        Parameter(
            "resize_fs",
            read=truth_of("resize_fs", "must either be true or false"),
            default="true",
            about="Whether the file system or the swap space grows with the volume.",
        ),
        Parameter(
            "alloc",
            words=("anywhere", "contiguous", "cling", "inherit", "normal"),
            about="How extents are allocated.",
        ),
        Parameter("no_sync", about="Whether a new mirror is not synchronized."),
        Parameter(
            "region_size",
            read=matching_value("^[0-9]+$", "{} is not a valid region size in MB."),
            about="The size of the regions of a new mirror in MB.",
        ),
        Parameter("yes_flag", about="Whether `lvcreate` and `lvextend` get the option `--yes`."),
        Parameter("provider"),
    )

    def purged_values(self, state: State) -> dict[str, Any]:
        """Return the group of a volume that is to be removed."""
        return {"volume_group": state["volume_group"]}

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the volume group."""
        if resource["volume_group"] is not None:
            yield "volume_group", to_s(resource["volume_group"])


resource_type = LogicalVolume
