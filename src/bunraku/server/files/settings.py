"""What the file server works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.records import record
from bunraku.server.files.environment import Served
from bunraku.world.host import Host

MEGABYTE = 1 << 20


def no_mounts() -> Mapping[str, str]:
    """Return no further mounts."""
    return {}


def silent(_level: str, _text: str) -> None:
    """Drop a message."""


@record(frozen=True)
class Files:
    """The places that files are served from, and the limits.

    ``environment`` finds an environment by name, ``mounts`` returns the directories of the mounts
    of ``fileserver.conf`` by name. ``bucket`` is the directory of the filebucket, ``digest`` the
    kind of checksums that it uses and that are the default. ``largest_backup`` limits a content for the
    filebucket in bytes. ``code_content`` is the command that prints a version of a file.
    ``code_directory`` is served as an empty root where an environment has no modulepath.
    """

    host: Host
    environment: Callable[[str], Served | None]
    mounts: Callable[[], Mapping[str, str]] = no_mounts
    bucket: str = "/var/lib/puppet/bucket"
    digest: str = "sha256"
    largest_backup: int = 1024 * MEGABYTE
    code_content: str | None = None
    code_directory: str = "/etc/puppetlabs/code"
    log: Callable[[str, str], None] = silent
