"""The resource type ``selmodule``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class Selmodule(ResourceType):
    """Modules of the policy of SELinux."""

    name = "selmodule"
    module = "puppetlabs-selinux_core 2.0"
    providers = ("semodule",)
    named_only = True
    attributes = (
        Ensure(about="Whether the module is loaded."),
        Property(
            "syncversion",
            words=("true", "false"),
            about="Whether a loaded module of another version than that of the file is upgraded.",
        ),
        Parameter("name", about="The name of the module."),
        Parameter(
            "selmoduledir",
            default="/usr/share/selinux/targeted",
            about="The directory with the file `NAME.pp`.",
        ),
        Parameter("selmodulepath", about="The file, if it has another path."),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file of the module."""
        yield "file", module_path(resource)


def module_path(resource: ManagedResource) -> str:
    """Return the path of the file of a module."""
    path = resource["selmodulepath"]
    return str(path) if path else f"{resource['selmoduledir']}/{resource['name']}.pp"


resource_type = Selmodule
