"""All that a compile may do with the machine that it runs on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from bunraku.world.file_signatures import Signature
from bunraku.world.processes import Program


class World(Protocol):
    """The only way from a compile to files, programs, the clock and the environment."""

    def read(self, path: str) -> bytes:
        """The content of a file; OSError when it is not regular, too large or cannot be read."""

    def is_file(self, path: str) -> bool:
        """Whether a regular file (or a link to one) is there."""

    def is_directory(self, path: str) -> bool:
        """Whether a folder (or a link to one) is there."""

    def is_executable(self, path: str) -> bool:
        """Whether a file is there that this process may run."""

    def is_shared(self, path: str, start: str) -> bool:
        """Return whether other users can have put files in a directory above ``start``."""

    def list_directory(self, path: str) -> list[str]:
        """The names in a folder, sorted; OSError when it cannot be read."""

    def signature(self, path: str) -> Signature | None:
        """What changes when a file changes; None when it is absent, or cannot be told apart from
        what it will be after a change: then its content has to be looked at.
        """

    def expose(self) -> None:
        """Make sure that programs see the files that :meth:`read` gives."""

    def run(self, command: list[str], directory: str | None = None) -> str:
        """The standard output of a program; OSError or CalledProcessError when it fails."""

    def spawn(self, command: list[str]) -> Program:
        """Start a program with pipes; it ends with this process. Raise OSError if it cannot start."""

    def temporary_file(self, content: bytes) -> AbstractContextManager[str]:
        """Provide the path of a file with a content for programs that :meth:`run` runs.

        No other user can read it. It is removed at the end of the ``with`` block. Raise OSError.
        """

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """Bytes of the file system at a path: all, free, free for everybody; OSError."""

    def ipv4_addresses(self) -> list[tuple[str, str, str]]:
        """Interface, address and netmask of each IPv4 address; OSError when none can be had."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def environment_variable(self, name: str) -> str | None:
        """An environment variable's value, or None."""

    def environment_variables(self) -> Mapping[str, str]:
        """All environment variables."""
