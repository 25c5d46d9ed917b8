"""The resource type ``docker_compose``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.docker_compose.ruby import Projects
from bunraku.providers.docker_services import COMPOSE_FILES, of_kind
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import refused_by_check
from bunraku.providers.resource_type import ResourceType


def read_scale(value: Any) -> Any:
    """Return the number of containers of each service."""
    if not isinstance(value, dict):
        raise refused_by_check("scale", "scale should be a Hash")
    if not all(isinstance(name, str) for name in value):
        reason = "The name of the compose service in scale should be a String"
        raise refused_by_check("scale", reason)
    if any(isinstance(count, bool) or not isinstance(count, int) for count in value.values()):
        reason = "The number of containers in scale should be an Integer"
        raise refused_by_check("scale", reason)
    return value


class DockerCompose(ResourceType):
    """Projects of Docker Compose. A refresh builds the images of a running project again and restarts it.

    A project counts as present if each service has running containers; services with `restart: 'no'`
    do not count.
    """

    name = "docker_compose"
    module = "puppetlabs-docker 10.4"
    providers = ("ruby",)
    refreshable = True
    attributes = (
        Ensure(default=present_if_managed, about="Whether the services of the project run."),
        Parameter("scale", read=read_scale, about="The number of containers by service."),
        of_kind(
            "options",
            list,
            "options should be an Array",
            about="Further words of each command. As in the module, they come after `-p`.",
        ),
        of_kind(
            "up_args",
            str,
            "up_args should be a String",
            about="A further word of `docker compose up`.",
        ),
        COMPOSE_FILES,
        Parameter("name", about="The name of the project."),
        of_kind(
            "tmpdir",
            str,
            "tmpdir should be a String",
            about="The directory for temporary files of `docker compose`, if it exists.",
        ),
    )

    def refresh(self, resource: ManagedResource) -> None:
        """Restart a running project."""
        assert isinstance(resource.provider, Projects)
        resource.provider.restart(resource)


resource_type = DockerCompose
