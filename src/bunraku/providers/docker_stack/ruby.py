"""Stacks of a Docker swarm."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.providers.docker_services import (
    Services,
    ServicesProvider,
    compose_files,
    image_of,
    services_in,
)
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s

CONTAINER = '{{.Label "com.docker.swarm.service.name"}}-{{.Image}}'
VERSION = lazy_pattern(r"^3(\.[0-7])?$", re.MULTILINE)
"""The versions of compose files that the type reads."""


class Stacks(ServicesProvider):
    """Runs ``docker stack``."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether each service of the compose files has running containers."""
        self.run.log("info", f"Checking for stack {resource.name}")
        services: Services = {}
        for path in compose_files(resource):
            services |= self.services(to_s(path))
        running = self.images(resource) if compose_files(resource) else set()
        if len(services) != len(running):
            return False
        wanted = set()
        for name in services:
            image = image_of(resource.name, name, services)
            if image is None:
                raise ResourceFailure(f"the service {to_s(name)} has no image")
            image = image if ":" in image else f"{image}:latest"
            self.note_service(name, image)
            wanted.add(f"{to_s(name)}-{image}")
        return bool(wanted) and wanted <= running

    def services(self, path: str) -> Services:
        """Return the services of a compose file; ResourceFailure for a version that is not supported."""
        document = services_in(self.host.read(path), path)
        version = document.get("version")
        if not isinstance(version, str) or VERSION.search(version) is None:
            text = f'Unsupported docker compose file syntax version "{to_s(version)}"!'
            raise ResourceFailure(text)
        services: Services = document["services"]
        return services

    def images(self, resource: ManagedResource) -> set[str]:
        """Return the services of the stack that have containers, each with its image."""
        label = f"com.docker.stack.namespace={resource.name}"
        lines = self.containers(CONTAINER, label)
        return {line.replace(f"{resource.name}_", "", 1) for line in lines}

    def create(self, resource: ManagedResource) -> None:
        """Deploy the stack."""
        self.run.log("info", f"Running stack {resource.name}")
        if resource["bundle_file"] is not None:
            raise ResourceFailure(
                "bundle_file cannot be used: the provider of the module fails for each value that its "
                "type accepts; list the file in compose_files"
            )
        resource.refuse_private_arguments("docker", "compose_files", "up_args")
        files = [word for path in compose_files(resource) for word in ("-c", path)]
        more = () if resource["up_args"] is None else (resource["up_args"],)
        self.docker("stack", "deploy", *files, *more, resource.name)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the stack."""
        self.run.log("info", f"Removing docker stack {resource.name}")
        self.docker("stack", "rm", resource.name)


provider = Stacks
