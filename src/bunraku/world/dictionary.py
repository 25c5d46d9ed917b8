"""A machine that is a dictionary of files, for tests and for text that is not in a file."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from subprocess import CompletedProcess

from bunraku.base.records import field, record
from bunraku.web.requests import Exchange, HttpRequest
from bunraku.world.file_signatures import Signature
from bunraku.world.processes import Program

TEMPORARY_FILE = "/tmp/bunraku/content"  # noqa: S108 (in a dictionary)
"""The path of the temporary file of a dictionary."""


@record(slots=False)
class DictionaryWorld:
    """A machine that is a dictionary of files: path to content.

    ``programs`` has the output of commands, ``disks`` the space at mount points.

    >>> world = DictionaryWorld({"/etc/m/init.pp": b"class m { }"})
    >>> world.list_directory("/etc")
    ['m']
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    time: float = 0.0
    variables: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    disks: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    addresses: tuple[tuple[str, str, str], ...] = ()

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        return self.read(path)[:size]

    def disk_path(self, path: str) -> str | None:
        """Return None: the files of a dictionary are not on a disk."""

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return path in self.files

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        prefix = path.rstrip("/") + "/"
        return path != "" and any(name.startswith(prefix) for name in self.files)

    def is_executable(self, path: str) -> bool:
        """See :class:`World`; the executable files are those in ``programs``."""
        return path in self.files and (path,) in self.programs

    def reason_against(self, path: str, start: str | None) -> str | None:
        """See :class:`World`; a dictionary has one user."""
        return None

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        prefix = path.rstrip("/") + "/"
        below = (name[len(prefix) :] for name in self.files if name.startswith(prefix))
        found = {name.partition("/")[0] for name in below}
        if not found:
            raise FileNotFoundError(path)
        return sorted(found)

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        if path not in self.files:
            return None
        return 0, len(self.files[path]), hash(self.files[path])

    def expose(self) -> None:
        """See :class:`World`; without programs, nothing needs the files."""

    def http(self, request: HttpRequest) -> Exchange:
        """Raise OSError: a dictionary has no network."""
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    def run(self, command: list[str], directory: str | None = None) -> str:
        """Return the output of the command in ``programs``; raise OSError for other commands."""
        if tuple(command) not in self.programs:
            raise FileNotFoundError(command[0])
        return self.programs[tuple(command)]

    def complete(
        self, command: list[str], variables: Mapping[str, str], seconds: float
    ) -> CompletedProcess[bytes]:
        """Return the output of the command in ``programs``; raise OSError for other commands."""
        return CompletedProcess(command, 0, self.run(command).encode(), b"")

    def spawn(self, command: list[str]) -> Program:
        """Raise OSError: a dictionary cannot run programs."""
        raise FileNotFoundError(command[0])

    @contextmanager
    def temporary_file(self, content: bytes) -> Iterator[str]:
        """See :class:`World`; it is one of the files until the end of the block."""
        before = self.files
        self.files = {**before, TEMPORARY_FILE: content}
        try:
            yield TEMPORARY_FILE
        finally:
            self.files = before

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """See :class:`World`."""
        if path not in self.disks:
            raise FileNotFoundError(path)
        return self.disks[path]

    def ipv4_addresses(self) -> list[tuple[str, str, str]]:
        """See :class:`World`."""
        return list(self.addresses)

    def now(self) -> float:
        """See :class:`World`."""
        return self.time

    def environment_variable(self, name: str) -> str | None:
        """See :class:`World`."""
        return self.variables.get(name)

    def environment_variables(self) -> Mapping[str, str]:
        """See :class:`World`."""
        return self.variables
