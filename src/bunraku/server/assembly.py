"""The parts of a server that its settings describe."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.server.files.environment import ServedEnvironments
from bunraku.server.files.mount_table import MountTable
from bunraku.server.files.settings import Files
from bunraku.server.settings import Settings
from bunraku.world.linux import LinuxHost


def files_of(settings: Settings, log: Callable[[str, str], None]) -> Files:
    """Return the file server; PuppetError for mistakes in ``fileserver.conf``."""
    values = settings.values

    return Files(
        LinuxHost(),
        ServedEnvironments(settings.environment),
        mounts=MountTable(str(values["fileserverconfig"]), log),
        bucket=str(values["bucketdir"]),
        digest=str(values["digest_algorithm"]),
        code_content=settings.code_content_command,
        code_directory=str(values["codedir"]),
        log=log,
    )
