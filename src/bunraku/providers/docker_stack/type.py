"""The resource type ``docker_stack``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.docker_services import COMPOSE_FILES, of_kind
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType


class DockerStack(ResourceType):
    """Stacks of a Docker swarm, from compose files of the versions 3 to 3.7.

    A stack counts as present if each service has running containers with its image. The module's own
    provider cannot read compose files with Ruby 3.
    """

    name = "docker_stack"
    module = "puppetlabs-docker 10.4"
    providers = ("ruby",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the services of the stack run."),
        of_kind(
            "bundle_file",
            str,
            "bundle files should be a string",
            about="A bundle of applications. As in the module, a stack with it cannot be deployed.",
        ),
        COMPOSE_FILES,
        of_kind(
            "up_args",
            str,
            "up_args should be a String",
            about="A further word of `docker stack deploy`.",
        ),
        Parameter("name", about="The name of the stack."),
    )


resource_type = DockerStack
