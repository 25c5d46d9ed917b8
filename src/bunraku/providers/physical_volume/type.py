"""The resource type ``physical_volume`` of the module lvm."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.lvm import qualified_name
from bunraku.providers.reading import boolean
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.ruby_classes import implicit_class
from bunraku.types.ruby_semantics.values import to_s


def read_volume_group(value: Any) -> Any:
    """Return the name of a volume group."""
    if isinstance(value, int | float):
        raise InvalidValue(f"no implicit conversion of {implicit_class(value)} into String")
    if not re.match("[0-9A-Za-z]", to_s(value)):
        raise InvalidValue(f"{to_s(value)} is not a valid volume group name")
    return value


class PhysicalVolume(ResourceType):
    """Block devices that LVM uses."""

    name = "physical_volume"
    module = "puppetlabs-lvm 4.0"
    providers = ("lvm",)
    other_providers = ("aix",)
    attributes = (
        Ensure(about="Whether the device is a physical volume."),
        Parameter("name", read=qualified_name("Physical Volume"), about="The device."),
        Parameter(
            "unless_vg",
            read=read_volume_group,
            about="A volume group; if it exists, the device counts as a physical volume.",
        ),
        boolean("force", default=False, about="Whether `pvcreate` gets the option `--force`."),
        Parameter("provider"),
    )


resource_type = PhysicalVolume
