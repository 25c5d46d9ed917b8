"""The resource type ``kernel_parameter``."""

from __future__ import annotations

import re

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.lens_type import LensType
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import unmatched_title

TITLE = re.compile(r"([^:]+):([^:]+)")


def mode_of_title(resource: ManagedResource) -> str:
    """Return the boot mode in a title such as ``quiet:normal``."""
    match = TITLE.fullmatch(resource.title)
    return "all" if match is None else match[2]


class KernelParameter(LensType):
    """Parameters of the kernel in the configuration of the boot loader.

    The title can have the boot mode: `quiet:normal`.
    """

    name = "kernel_parameter"
    module = "puppet-augeasproviders_grub 5.1"
    named_by = ("bootmode", "name")
    providers = ("grub2",)
    attributes = (
        Ensure(default="present", about="Whether the parameter exists."),
        Property(
            "value",
            many=True,
            about="The value, or several for a parameter that is repeated. Words such as `quiet` have none.",
        ),
        Parameter("name", about="The parameter, such as `quiet` or `vga`."),
        Parameter("target", about="The file. Default: `/etc/default/grub`."),
        Parameter(
            "bootmode",
            words=("all", "default", "normal", "recovery"),
            default=mode_of_title,
            about="The boots that get the parameter: `all`, or `default` and `normal` for those that "
            "are not for recovery. GRUB 2 has no parameters for `recovery` alone.",
        ),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a title with another number of parts."""
        if ":" in resource.title and not TITLE.fullmatch(resource.title):
            raise unmatched_title(resource.title)

    def canonical_name(self, name: str) -> str:
        """Return the parameter without the boot mode."""
        match = TITLE.fullmatch(name)
        return name if match is None else match[1]


resource_type = KernelParameter
