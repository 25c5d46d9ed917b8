"""The descriptions of files in static catalogs: made with a catalog, and again before it is reused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.deployment.live_trees import DeployedCode, live_code
from bunraku.engine.request import ResolvedRequest
from bunraku.server.compiling.jobs import Job
from bunraku.server.files.environment import served
from bunraku.server.files.mount_table import MountTable
from bunraku.server.files.settings import Files
from bunraku.server.files.static_catalogs import sources_in, static_metadata
from bunraku.world.linux import LinuxHost

Data = Mapping[str, Any]


def deployed_code(resolved: ResolvedRequest) -> DeployedCode | None:
    """Return what bunraku has deployed to an environment; None if the store is not known."""
    path = resolved.environment.path
    code = None if path is None else live_code(path)
    return code if code is not None and code.store else None


def described_resources(data: Data) -> list[Data]:
    """Return the resources of a catalog whose files are described."""
    return [resource for resource, _sources in sources_in(data)]


def descriptions(resources: Sequence[Data], resolved: ResolvedRequest, job: Job) -> dict[str, Any]:
    """Return what a static catalog has about the files of its environment.

    The mounts of ``fileserver.conf`` matter, too: a source in one may be the first that exists. Where
    the store serves versions, files are left out that were edited after the deployment.
    """
    mounts = MountTable(str(resolved.settings["fileserverconfig"]), lambda _level, _text: None)
    files = Files(LinuxHost(), lambda _name: None, mounts=mounts)
    code = deployed_code(resolved) if job.code_id_command is None else None
    path = str(resolved.environment.path)

    def has_version(name: str) -> bool:
        return code is None or code.has_same(path, name)

    sums, catalog = str(job.checksum_types), {"resources": resources}
    found = static_metadata(files, served(resolved.environment), catalog, sums, has_version)
    del found["resources"]
    return found
