"""The resource type ``sysctl_runtime``."""

from __future__ import annotations

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.resource_type import ResourceType


class SysctlRuntime(ResourceType):
    """Settings of the running kernel. No file is changed."""

    name = "sysctl_runtime"
    module = "duritong-sysctl 0.0.12"
    providers = ("sysctl_runtime",)
    attributes = (
        Property("val", about="The value."),
        Parameter("name", about="The setting, such as `net.ipv4.ip_forward`."),
        Parameter("provider"),
    )


resource_type = SysctlRuntime
