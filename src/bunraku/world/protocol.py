"""The interface to the machine that a compile runs on."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.lazy_typing import TYPE_CHECKING, Protocol
from bunraku.world.file_signatures import Signature

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from subprocess import CompletedProcess

    from bunraku.web.requests import Exchange, HttpRequest
    from bunraku.world.processes import Program


class World(Protocol):
    """The only access of a compile to files, programs, the clock and the environment."""

    def read(self, path: str) -> bytes:
        """Return the content of a file; raise OSError if it is not regular, too large or unreadable."""

    def beginning(self, path: str, size: int) -> bytes:
        """Return the first bytes of a file; raise OSError as :meth:`read`, but not for a large one."""

    def disk_path(self, path: str) -> str | None:
        """Return the path under which other libraries can open a file; None if it is not on a disk."""

    def is_file(self, path: str) -> bool:
        """Return whether a path is a regular file or a link to one."""

    def is_directory(self, path: str) -> bool:
        """Return whether a path is a directory or a link to one."""

    def is_executable(self, path: str) -> bool:
        """Return whether a path is a file that this process may execute."""

    def reason_against(self, path: str, start: str | None) -> str | None:
        """Return why other users can have written a file or directory that was found from ``start``.

        Without ``start``, the file names a program to start; see :mod:`bunraku.world.owners`.
        """

    def list_directory(self, path: str) -> list[str]:
        """Return the sorted names in a directory; raise OSError if it cannot be read."""

    def signature(self, path: str) -> Signature | None:
        """Return a value that changes when the file changes.

        None if the file is absent, or if a change would not be visible: compare contents then.
        """

    def expose(self) -> None:
        """Make sure that programs can read the files that :meth:`read` returns."""

    def http(self, request: HttpRequest) -> Exchange:
        """Return a block in which the response of a server can be read; OSError if there is none."""

    def run(self, command: list[str], directory: str | None = None) -> str:
        """Return the standard output of a program; raise OSError or CalledProcessError if it fails."""

    def complete(
        self, command: list[str], variables: Mapping[str, str], seconds: float
    ) -> CompletedProcess[bytes]:
        """Run a program to its end with more environment variables; its exit code does not matter.

        Raise OSError if it cannot start, and ``TimeoutExpired`` after ``seconds``; 0 means no limit.
        """

    def spawn(self, command: list[str]) -> Program:
        """Start a program with pipes; it ends with this process. Raise OSError if it cannot start."""

    def temporary_file(self, content: bytes) -> AbstractContextManager[str]:
        """Yield the path of a file with a content, for programs that :meth:`run` runs.

        No other user can read it. It is removed at the end of the ``with`` block. Raise OSError.
        """

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """Return the bytes of the file system at a path: total, free, available to users; OSError."""

    def ipv4_addresses(self) -> list[tuple[str, str, str]]:
        """Return the interface, address and netmask of each IPv4 address; OSError if unavailable."""

    def now(self) -> float:
        """Return the seconds since the epoch."""

    def environment_variable(self, name: str) -> str | None:
        """Return the value of an environment variable, or None."""

    def environment_variables(self) -> Mapping[str, str]:
        """Return all environment variables."""
