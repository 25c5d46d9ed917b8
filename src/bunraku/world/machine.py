"""This machine: its files, programs, clock and environment."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bunraku.base import system
from bunraku.base.file_reading import names_inside, read_beginning, read_whole
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.world.file_signatures import Signature, signature_of
from bunraku.world.network_interfaces import ipv4_addresses
from bunraku.world.owners import reason_against, reason_against_program
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import write_new

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from bunraku.web.requests import Exchange, HttpRequest
    from bunraku.world.processes import Program


class Machine:
    """This machine."""

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        return read_whole(possible(path))

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        return read_beginning(possible(path), size)

    def disk_path(self, path: str) -> str | None:
        """See :class:`World`."""
        return possible(path)

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return os.path.isfile(path)

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        return os.path.isdir(path)

    def is_executable(self, path: str) -> bool:
        """See :class:`World`."""
        return os.path.isfile(path) and os.access(path, os.X_OK)

    def reason_against(self, path: str, start: str | None) -> str | None:
        """See :class:`World`."""
        return reason_against_program(path) if start is None else reason_against(path, start)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        return sorted(names_inside(possible(path)))

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        return signature_of(path)

    def expose(self) -> None:
        """Do nothing: programs can read all files of this machine."""

    def http(self, request: HttpRequest) -> Exchange:
        """See :class:`World`."""
        from bunraku.web.client import exchange

        return exchange(request)

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See :class:`World`."""
        from bunraku.world import processes

        for argument in command:
            possible(argument)
        done = processes.run(command, directory=directory)
        done.check_returncode()
        return done.stdout.decode("utf-8", "surrogateescape")

    def complete(
        self, command: list[str], variables: Mapping[str, str], seconds: float
    ) -> CompletedProcess[bytes]:
        """See :class:`World`."""
        from bunraku.world import processes

        environment = {**os.environ, **variables}
        return processes.run(command, environment=environment, seconds=seconds)

    def spawn(self, command: list[str]) -> Program:
        """See :class:`World`."""
        from bunraku.world import processes

        return processes.start(command)

    @contextmanager
    def temporary_file(self, content: bytes) -> Iterator[str]:
        """See :class:`World`; it is in a private directory."""
        with scratch_directory() as directory:
            path = f"{directory}/content"
            write_new(path, content, 0o600)
            yield path

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """See :class:`World`."""
        if not system.HAS_OWNERS:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), path)
        found = os.statvfs(possible(path))
        unit = found.f_frsize
        return found.f_blocks * unit, found.f_bfree * unit, found.f_bavail * unit

    def ipv4_addresses(self) -> list[tuple[str, str, str]]:
        """See :class:`World`."""
        return ipv4_addresses()

    def now(self) -> float:
        """See :class:`World`."""
        return time.time()

    def environment_variable(self, name: str) -> str | None:
        """See :class:`World`."""
        return os.environ.get(name)

    def environment_variables(self) -> Mapping[str, str]:
        """See :class:`World`."""
        return dict(os.environ)


def possible(path: object) -> str:
    """Return a path or argument; raise OSError if no system call accepts it.

    That are texts with NUL, texts that cannot be encoded, and values of a catalog that are not text.
    """
    if not isinstance(path, str):
        import json

        raise OSError(errno.EINVAL, "the name of a file is text", json.dumps(path, default=str))
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise OSError(errno.EINVAL, "a file cannot have this name", path)
    return path
