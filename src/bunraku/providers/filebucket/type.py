"""The resource type ``filebucket``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Parameter
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.filebucket.bucket import Bucket, ServerBucket
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run

LOCAL = "/var/lib/bunraku/clientbucket"
"""The bucket of a run whose settings do not set one."""


def read_path(value: Any) -> Any:
    """Return the directory of a bucket on this machine, False for a bucket on a server."""
    if isinstance(value, list):
        raise InvalidValue("You can only have one filebucket path")
    if isinstance(value, str) and not value.startswith("/"):
        raise InvalidValue("Filebucket paths must be absolute")
    return value


def default_path(resource: ManagedResource) -> str:
    """Return the bucket of the run."""
    return str(resource.run.settings.get("clientbucketdir") or LOCAL)


def default_bucket(run: Run) -> Bucket:
    """Return the bucket of a run, whatever filebuckets the catalog has."""
    path = str(run.settings.get("clientbucketdir") or LOCAL)
    return Bucket(run.host, "puppet", path, run.log)


class Filebucket(ResourceType):
    """Directories that store the contents of replaced files."""

    name = "filebucket"
    attributes = (
        Parameter("name", about="The name that `backup` refers to."),
        Parameter(
            "server",
            about="The server of a remote bucket (`path => false`), for `bunraku agent`; default: the agent's.",
        ),
        Parameter("port", about="The port of a remote bucket; default: the agent's."),
        Parameter(
            "path",
            read=read_path,
            default=default_path,
            about="The directory of the bucket on this machine; false for a bucket on a server.",
        ),
    )

    def bucket(self, resource: ManagedResource) -> Bucket | ServerBucket:
        """Return the bucket of a resource; raise ResourceFailure for one on a server without an agent."""
        path, run = resource["path"], resource.run
        if isinstance(path, str):
            return Bucket(self.host, resource.name, path, run.log)
        if run.file_server is None:
            text = (
                f"Could not back up to {resource.reference}: only an agent has remote filebuckets"
            )
            raise ResourceFailure(text)
        server, port = resource["server"], resource["port"]
        address = server if server is None or port is None else f"{server}:{port}"
        return ServerBucket(self.host, resource.name, address, run.file_server)


resource_type = Filebucket
