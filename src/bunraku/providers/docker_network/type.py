"""The resource type ``docker_network``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.docker_program import read_only
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType


class DockerNetwork(ResourceType):
    """Networks of Docker. As in the module, an existing network cannot be changed.

    The module reports a failure after it has removed a network, and so does bunraku.
    """

    name = "docker_network"
    module = "puppetlabs-docker 10.4"
    providers = ("ruby",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the network exists."),
        Parameter("name", about="The name of the network."),
        Property("driver", about="The driver, such as `bridge` or `overlay`."),
        Parameter("subnet", about="The subnets, such as `192.168.1.0/24`."),
        Parameter("gateway", about="The gateways of the subnets."),
        Parameter("ip_range", about="The range of addresses for containers."),
        Property("ipam_driver", about="The driver that assigns addresses."),
        Parameter("aux_address", about="Further addresses for the driver."),
        Parameter("options", about="Options of the driver, `name=value`."),
        Parameter("additional_flags", about="Further flags of `docker network create`."),
        Property("id", read=read_only, about="The ID; it cannot be set."),
    )


resource_type = DockerNetwork
