"""What the types ``docker_compose`` and ``docker_stack`` share: the services that compose files describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.formats.yaml import YamlError, load
from bunraku.providers.attributes import Parameter
from bunraku.providers.docker_program import DockerProvider
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import refused_by_check
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.collections import truthy

Services = dict[Any, Any]


# -- attributes ------------------------------------------------------------------------------------


def of_kind(name: str, kind: type, refusal: str, *, about: str) -> Parameter:
    """Return a parameter with values of one class."""

    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise refused_by_check(name, refusal)
        return value

    return Parameter(name, read=read, about=about)


COMPOSE_FILES = of_kind(
    "compose_files",
    list,
    "compose files should be an array",
    about="The paths of the compose files. They are required.",
)


# -- providers -------------------------------------------------------------------------------------


class ServicesProvider(DockerProvider):
    """Compares the services of compose files with the containers that run."""

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: containers are read for each resource."""

    def containers(self, template: str, label: str) -> list[str]:
        """Return a line for each running container with a label."""
        output = self.docker("ps", "--format", template, "--filter", f"label={label}")
        return output.rstrip("\n").split("\n") if output.strip("\n") else []

    def note_service(self, name: Any, image: str) -> None:
        """Log that a service is compared."""
        self.run.log("info", f"Checking for compose service {to_s(name)} {image}")


def compose_files(resource: ManagedResource) -> list[Any]:
    """Return the paths of the compose files; ResourceFailure if the resource sets none."""
    if resource["compose_files"] is None:
        raise ResourceFailure("compose_files is missing; it is the array of compose files")
    paths: list[Any] = resource["compose_files"]
    return paths


def services_in(content: bytes | str, origin: str) -> Mapping[str, Any]:
    """Return the document of a compose file; ResourceFailure for one without services."""
    try:
        document = load(content)
    except YamlError as error:
        raise ResourceFailure(f"{origin}: {error}") from None
    services = document.get("services") if isinstance(document, dict) else None
    if not isinstance(services, dict) or not all(
        isinstance(one, dict) for one in services.values()
    ):
        raise ResourceFailure(f"{origin} has no services")
    found: Mapping[str, Any] = document
    return found


def image_of(project: str, name: Any, services: Services) -> str | None:
    """Return the image of a service: its own, that of the service that it extends, or the one that Docker builds.

    >>> image_of("app", "b", {"a": {"build": "."}, "b": {"extends": "a"}})
    'app_a'
    """
    passed: list[Any] = []
    while name not in passed:
        passed.append(name)
        service = services.get(name) if isinstance(name, str) else None
        if service is None:
            raise ResourceFailure(f"there is no service {to_s(name)} in the compose files")
        if truthy(service.get("image")):
            return to_s(service["image"])
        if not truthy(service.get("extends")):
            return f"{project}_{name}" if truthy(service.get("build")) else None
        name = service["extends"]
    raise ResourceFailure(f"the service {to_s(name)} extends itself")
