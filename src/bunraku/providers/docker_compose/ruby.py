"""Projects of Docker Compose."""

from __future__ import annotations

from typing import Any

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

CONTAINER = """'{{.Label "com.docker.compose.service"}}-{{.Image}}'"""
"""The form in which containers are listed; the quotes are in the output, too."""


class Projects(ServicesProvider):
    """Runs ``docker compose``."""

    def compose(self, resource: ManagedResource, *words: Any) -> tuple[Any, ...]:
        """Return the words of a command. As in the module, ``options`` come after ``-p``."""
        resource.refuse_private_arguments("docker", "compose_files", "options", "up_args")
        files = [word for path in compose_files(resource) for word in ("-f", path)]
        options = resource["options"] or []
        return ("compose", *files, "-p", *options, resource.name, *words)

    # -- reading -----------------------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether each service has its containers, as many as ``scale`` says."""
        self.run.log("info", f"Checking for compose project {resource.name}")
        self.use_directory(resource)
        services = self.services(resource)
        label = f"com.docker.compose.project={resource.name}"
        running = self.containers(CONTAINER, label)
        if len(services) != len(set(running)):
            return False
        counts = {}
        for name in services:
            image = to_s(image_of(resource.name, name, services))
            self.note_service(name, image)
            counts[name] = running.count(f"'{to_s(name)}-{image}'")
        if not counts or 0 in counts.values():
            return False
        return counts == {**counts, **(resource["scale"] or {})}

    def use_directory(self, resource: ManagedResource) -> None:
        """Let ``docker`` make its temporary files in ``tmpdir``, if that is a directory."""
        self.variables = {}
        path = resource["tmpdir"]
        if path is None:
            return
        status = self.host.status(path, follow=True)
        if status is not None and status.kind == "directory":
            self.variables = {"TMPDIR": path}
        else:
            text = f"{path} (defined as docker_compose tmpdir) does not exist"
            self.run.log("warning", text)

    def services(self, resource: ManagedResource) -> Services:
        """Return the services of all compose files together, but those that never start again."""
        command = (self.path, *self.compose(resource, "config"))
        done = self.attempt(command, merged=False)
        if done.code != 0 and not done.output.strip():
            raise ResourceFailure(f"docker compose config failed: {done.errors.strip()}")
        found = services_in(done.output, "the output of docker compose config")["services"]
        return {name: one for name, one in found.items() if one.get("restart") != "no"}

    # -- changing ----------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Start the project, then as many containers of each service as ``scale`` says."""
        self.run.log("info", f"Running compose project {resource.name}")
        more = () if resource["up_args"] is None else (resource["up_args"],)
        self.docker(*self.compose(resource, "up", *more, "-d", "--remove-orphans"))
        if resource["scale"] is None:
            return
        counts = [f"{name}={count}" for name, count in resource["scale"].items()]
        self.run.log("info", f"Scaling compose project {resource.name}: {' '.join(counts)}")
        self.docker(*self.compose(resource, "scale", *counts))

    def destroy(self, resource: ManagedResource) -> None:
        """Kill and remove the containers of the project, with their volumes."""
        self.run.log("info", f"Removing all containers for compose project {resource.name}")
        self.docker(*self.compose(resource, "kill"))
        self.docker(*self.compose(resource, "rm", "--force", "-v"))

    def restart(self, resource: ManagedResource) -> None:
        """Build the images of a running project again and start it again."""
        if not self.exists(resource):
            return
        text = f"Rebuilding and Restarting all containers for compose project {resource.name}"
        self.run.log("info", text)
        self.docker(*self.compose(resource, "kill"))
        self.docker(*self.compose(resource, "build"))
        self.create(resource)


provider = Projects
