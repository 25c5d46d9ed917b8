"""All that a compile may ask of the machine; the real one, and a dictionary for tests."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from subprocess import CalledProcessError
from typing import Protocol

from bunraku.base.file_reading import read_whole
from bunraku.base.records import field, record
from bunraku.world import processes
from bunraku.world.file_signatures import Signature, signature_of
from bunraku.world.network_interfaces import ipv4_addresses
from bunraku.world.owners import is_shared
from bunraku.world.processes import Program
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import write_new


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


def failure_reason(error: OSError | CalledProcessError) -> str:
    """Return why a command failed: its exit status and what it printed, standard error first."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    printed = (error.stderr or error.stdout or b"").decode("utf-8", "surrogateescape").strip()
    if error.returncode < 0:
        status = f"it was ended by signal {-error.returncode}"
    else:
        status = f"exit code {error.returncode}"
    return f"{status}: {printed}" if printed else status


def possible(path: str) -> str:
    """A path or argument as it is; OSError for what no system call takes: NUL, text of no bytes."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise OSError(errno.EINVAL, "no file can have such a name", path)
    return path


class Machine:
    """This machine."""

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        return read_whole(possible(path))

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return os.path.isfile(path)

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        return os.path.isdir(path)

    def is_executable(self, path: str) -> bool:
        """See :class:`World`."""
        return os.path.isfile(path) and os.access(path, os.X_OK)

    def is_shared(self, path: str, start: str) -> bool:
        """See :class:`World`."""
        return is_shared(path, start)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        return sorted(os.listdir(possible(path)))

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        return signature_of(path)

    def expose(self) -> None:
        """See :class:`World`; they do."""

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See :class:`World`."""
        for argument in command:
            possible(argument)
        done = processes.run(command, directory=directory)
        done.check_returncode()
        return done.stdout.decode("utf-8", "surrogateescape")

    def spawn(self, command: list[str]) -> Program:
        """See :class:`World`."""
        return processes.start(command)

    @contextmanager
    def temporary_file(self, content: bytes) -> Iterator[str]:
        """See :class:`World`; it lies in a private directory."""
        with scratch_directory() as directory:
            path = f"{directory}/content"
            write_new(path, content, 0o600)
            yield path

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """See :class:`World`."""
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


class Disk(Machine):
    """This machine, whose files are read once for as long as their signatures stay.

    What :meth:`read` returns is the same object as before when the content is the same, so whoever
    worked something out from it needs to ask only ``content is known``. Each call looks at the
    signature: programs and functions that a compile runs may write the files that it reads next.
    What was not asked for the longest gives way when there is too much.
    """

    MOST_BYTES = 64 << 20
    LARGEST = 4 << 20

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Signature | None, bytes]] = {}
        self._added = 0

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        # Before the content is read, so that what changes between the two is seen next time.
        signature = self.signature(path)
        kept = self._kept.pop(path, None)
        if kept is None or signature is None or kept[0] != signature:
            content = super().read(path)
            if len(content) > self.LARGEST:
                return content
            if kept is not None and kept[1] == content:
                content = kept[1]
            else:
                self._added += len(content)
            kept = signature, content
        self._kept[path] = kept  # the one used last stands last
        if self._added > self.MOST_BYTES // 4:
            self.shrink()
        return kept[1]

    def shrink(self) -> None:
        """Forget the files that were not asked for the longest, if too much is kept."""
        self._added = 0
        size = 0
        for path, (_, content) in reversed(list(self._kept.items())):
            size += len(content)
            if size > self.MOST_BYTES:
                self._kept.pop(path, None)


class MachineOf:
    """The part of a world that another world has: temporary files, time, environment, addresses, disks.

    Worlds that only have other files inherit it; see :class:`World` for the methods.
    """

    below: World

    def temporary_file(self, content: bytes) -> AbstractContextManager[str]:
        """See :class:`World`."""
        return self.below.temporary_file(content)

    def is_shared(self, path: str, start: str) -> bool:
        """See :class:`World`."""
        return self.below.is_shared(path, start)

    def disk_space(self, path: str) -> tuple[int, int, int]:
        """See :class:`World`."""
        return self.below.disk_space(path)

    def ipv4_addresses(self) -> list[tuple[str, str, str]]:
        """See :class:`World`."""
        return self.below.ipv4_addresses()

    def now(self) -> float:
        """See :class:`World`."""
        return self.below.now()

    def environment_variable(self, name: str) -> str | None:
        """See :class:`World`."""
        return self.below.environment_variable(name)

    def environment_variables(self) -> Mapping[str, str]:
        """See :class:`World`."""
        return self.below.environment_variables()


TEMPORARY_FILE = "/tmp/bunraku/content"  # noqa: S108 (in a dictionary)
"""The path of the temporary file of a dictionary."""


@record(slots=False)
class DictionaryWorld:
    """A machine that is a dictionary of files: path to content.

    ``programs`` holds what commands print, ``disks`` the space at mount points.

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

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return path in self.files

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        prefix = path.rstrip("/") + "/"
        return path != "" and any(name.startswith(prefix) for name in self.files)

    def is_executable(self, path: str) -> bool:
        """See :class:`World`; what can be run is in ``programs``."""
        return path in self.files and (path,) in self.programs

    def is_shared(self, path: str, start: str) -> bool:
        """See :class:`World`; a dictionary has one user."""
        return False

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

    def run(self, command: list[str], directory: str | None = None) -> str:
        """What ``programs`` says that the command prints; OSError for others."""
        if tuple(command) not in self.programs:
            raise FileNotFoundError(command[0])
        return self.programs[tuple(command)]

    def spawn(self, command: list[str]) -> Program:
        """Refused: a dictionary runs no programs."""
        raise FileNotFoundError(command[0])

    @contextmanager
    def temporary_file(self, content: bytes) -> Iterator[str]:
        """See :class:`World`; until the end of the block it is one of the files."""
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
