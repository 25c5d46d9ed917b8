"""The description of files: what they are, whose they are, and their checksums."""

from __future__ import annotations

import math
import os
from functools import cached_property
from typing import TypeAlias

from bunraku.base.bounded_cache import BoundedCache
from bunraku.providers.checksums import TIMES, WITHOUT_CONTENT, checksum_time, sum_of_file
from bunraku.providers.file.walk import FoundEntry
from bunraku.server.failures import Refused
from bunraku.server.files.mounts import Key
from bunraku.server.files.options import FileOptions
from bunraku.world.file_signatures import Signature
from bunraku.world.host import FileStatus, Host

Metadata: TypeAlias = "dict[str, str | int | dict[str, str | None] | None]"
"""The description of a file, as JSON."""

PLAIN_MODE = 0o644
"""The mode that stands for the real one unless the client asks for that."""
CHECKSUMS: BoundedCache[tuple[str, str], tuple[Signature, str]] = BoundedCache(
    "checksums of served files", 50_000
)
"""Kind and path → checksum, and the signature of the file that had it."""
SPECIAL = frozenset({"fifo", "socket"})
NO_CHECKSUM = "{none}"


def described(key: Key, path: str, options: FileOptions) -> Metadata | None:
    """Return the description of a file by its path; None if it does not exist any more."""
    status = key.files.host.status(path, follow=options.follow)
    return None if status is None else Description(key, options, path).of(path, None, path, status)


class Description:
    """Describes the files below a root."""

    def __init__(self, key: Key, options: FileOptions, root: str) -> None:
        self.host: Host = key.files.host
        self.options = options
        self.root = root.rstrip("/")
        self.owner = self.host.effective_user()
        self.group = os.getegid()

    @cached_property
    def time_of_root(self) -> str:
        """The checksum of all directories: the time at which the root has changed."""
        status = self.host.status(self.root, follow=True)
        return f"{{ctime}}{second_text(0.0 if status is None else status.changed)}"

    def of_entry(self, found: FoundEntry) -> Metadata:
        """Return the description of an entry of a listing."""
        if self.options.follow and found.status.kind == "link":
            raise Refused(500, f"No such file or directory - {found.path}")
        return self.of(self.root, found.relative, found.path, found.status)

    def of(self, base: str, relative: str | None, path: str, status: FileStatus) -> Metadata:
        """Return the description of a file by the names that the client gets; Refused for devices."""
        kind, value = self.checksum(path, status)
        own = self.options.own_permissions
        return {
            "path": base,
            "relative_path": relative,
            "links": self.options.links,
            "owner": status.uid if own else self.owner,
            "group": status.gid if own else self.group,
            "mode": status.mode if own else PLAIN_MODE,
            "checksum": {"type": kind, "value": value},
            "type": status.kind,
            "destination": self.host.link_target(path) if status.kind == "link" else None,
        }

    def checksum(self, path: str, status: FileStatus) -> tuple[str, str | None]:
        """Return the kind of checksum that a file has, and the checksum.

        That of a directory is the time at which the root of the listing has changed. A link has
        the checksum of its target, None if that is not a file.
        """
        kind = self.options.checksum
        if status.kind == "directory":
            return "ctime", self.time_of_root
        if status.kind in SPECIAL:
            return "none", NO_CHECKSUM
        if status.kind == "file":
            return kind, checksum_of(self.host, kind, path, status)
        if status.kind == "link":
            return kind, self.checksum_of_target(kind, path)
        raise Refused(500, f"Cannot manage files of type {status.kind}")

    def checksum_of_target(self, kind: str, path: str) -> str | None:
        """Return the checksum of the target of a link; None if it has none."""
        try:
            status = self.host.status(path, follow=True)
            if status is None or (status.kind != "file" and kind not in WITHOUT_CONTENT):
                return None
            return checksum_of(self.host, kind, path, status)
        except OSError:  # a link to itself, or a file that the server may not read
            return None


def checksum_of(host: Host, kind: str, path: str, status: FileStatus) -> str:
    """Return the checksum of a file, from the cache if the file has not changed since."""
    if kind in TIMES:
        return f"{{{kind}}}{second_text(status.modified if kind == 'mtime' else status.changed)}"
    if kind in WITHOUT_CONTENT:
        return sum_of_file(host, kind, path, status)
    signature = host.signature(path)
    known = CHECKSUMS.get((kind, path))
    if known is not None and signature is not None and known[0] == signature:
        return known[1]
    found = sum_of_file(host, kind, path, status)
    if signature is not None and host.signature(path) == signature:
        CHECKSUMS.keep((kind, path), (signature, found))
    return found


def second_text(seconds: float) -> str:
    """Return a time without fractions of a second, as Ruby writes it.

    >>> second_text(1.9)
    '1970-01-01 00:00:01 +0000'
    """
    return checksum_time(float(math.floor(seconds)))
