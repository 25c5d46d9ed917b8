"""Files on a server: what an agent's run asks for ``puppet:`` sources and remote filebuckets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from bunraku.base.records import record
from bunraku.world.host import FileStatus


@record(frozen=True)
class Wanted:
    """What a file resource wants to know about its source.

    ``title`` is that of the resource, ``permissions`` its ``source_permissions``. The rest limits the
    entries of a directory as the parameters of a recursive file do.
    """

    title: str
    follow: bool = False
    checksum_kind: str = "sha256"
    permissions: str = "ignore"
    ignore: Sequence[str] = ()
    levels: int | None = None
    max_files: int = 0


@record(frozen=True)
class ServedFile:
    """A file on a server: its status, checksum and content.

    ``relative`` is its path below the requested directory, ``.`` for that itself; ``target`` is that
    of a link. The status of a file that is not ``owned`` has no owner and no mode.
    """

    status: FileStatus
    checksum: str
    pieces: Callable[[], Iterator[bytes]]
    relative: str = "."
    target: str | None = None
    owned: bool = True


class FileServer(Protocol):
    """The server of a run. All methods raise ResourceFailure if it does not answer."""

    def find(self, uri: str, wanted: Wanted) -> ServedFile | None:
        """Return the file with a URI; None if it does not exist."""

    def search(self, uri: str, wanted: Wanted) -> list[ServedFile]:
        """Return a directory and its entries; none if it does not exist."""

    def has_copy(self, server: str | None, digest: str, path: str) -> bool:
        """Return whether a filebucket has a content; ``server`` is ``HOST:PORT``, None for its own."""

    def keep_copy(self, server: str | None, digest: str, path: str, content: bytes) -> None:
        """Store a content in a filebucket."""

    def copy(self, server: str | None, digest: str) -> Iterator[bytes]:
        """Yield a content of a filebucket piece by piece."""
