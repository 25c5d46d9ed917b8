"""A machine with additional files, such as those in a request of ``bunraku batch``."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from subprocess import CompletedProcess

from bunraku.base.records import field, record
from bunraku.web.requests import Exchange, HttpRequest
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.file_signatures import Signature
from bunraku.world.processes import Program
from bunraku.world.protocol import World


class MachineOf:
    """Delegates the methods for programs, temporary files, time, environment, network and disks.

    Base class of worlds that only have other files than another one; see :class:`World` for the methods.
    """

    below: World

    def temporary_file(self, content: bytes) -> AbstractContextManager[str]:
        """See :class:`World`."""
        return self.below.temporary_file(content)

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See :class:`World`."""
        return self.below.run(command, directory)

    def complete(
        self, command: list[str], variables: Mapping[str, str], seconds: float
    ) -> CompletedProcess[bytes]:
        """See :class:`World`."""
        return self.below.complete(command, variables, seconds)

    def spawn(self, command: list[str]) -> Program:
        """See :class:`World`."""
        return self.below.spawn(command)

    def reason_against(self, path: str, start: str | None) -> str | None:
        """See :class:`World`."""
        return self.below.reason_against(path, start)

    def http(self, request: HttpRequest) -> Exchange:
        """See :class:`World`."""
        return self.below.http(request)

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


@record(slots=False)
class Overlay(MachineOf):
    """Files of a dictionary on top of another world; see :class:`World` for the methods.

    >>> world = Overlay(DictionaryWorld({"/modules/m/lib/x": b"x"}), DictionaryWorld({"/a": b"a"}))
    >>> world.read("/a"), world.read("/modules/m/lib/x"), world.list_directory("/modules")
    (b'a', b'x', ['m'])
    """

    above: DictionaryWorld
    below: World
    folders: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        parents = set()
        for path in self.above.files:
            while path := path.rpartition("/")[0]:
                parents.add(path)
        self.folders = frozenset(parents)

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        content = self.above.files.get(path)
        return self.below.read(path) if content is None else content

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        content = self.above.files.get(path)
        return self.below.beginning(path, size) if content is None else content[:size]

    def disk_path(self, path: str) -> str | None:
        """See :class:`World`; files of the overlay are not on a disk."""
        return None if path in self.above.files else self.below.disk_path(path)

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return path in self.above.files or self.below.is_file(path)

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        return path.rstrip("/") in self.folders or self.below.is_directory(path)

    def is_executable(self, path: str) -> bool:
        """See :class:`World`; files of the overlay are not executable."""
        return path not in self.above.files and self.below.is_executable(path)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`; it merges the names of both."""
        prefix = path.rstrip("/") + "/"
        names = {
            name[len(prefix) :].partition("/")[0]
            for name in self.above.files
            if name.startswith(prefix)
        }
        if not names or self.below.is_directory(path):
            names.update(self.below.list_directory(path))
        return sorted(names)

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        if path.rstrip("/") in self.folders:
            return 0, 0, hash(frozenset(self.above.files))
        return self.above.signature(path) or self.below.signature(path)

    def expose(self) -> None:
        """See :class:`World`; programs cannot read the files of the overlay."""
        self.below.expose()
