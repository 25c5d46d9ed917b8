"""The resource type ``docker_volume``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.docker_program import read_only
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType


class DockerVolume(ResourceType):
    """Volumes of Docker.

    As in the module, another `driver` of an existing volume is reported as a change but not made.
    """

    name = "docker_volume"
    module = "puppetlabs-docker 10.4"
    providers = ("ruby",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the volume exists."),
        Parameter("name", about="The name of the volume."),
        Property("driver", about="The driver."),
        Parameter("options", about="Options of the driver, `name=value`."),
        Property("mountpoint", read=read_only, about="The directory; it cannot be set."),
    )


resource_type = DockerVolume
