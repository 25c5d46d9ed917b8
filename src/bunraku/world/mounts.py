"""A world in which directories have the content of others, such as modules of another version."""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Callable, Mapping
from typing import Any

from bunraku.world.file_signatures import Signature
from bunraku.world.overlay import MachineOf
from bunraku.world.protocol import World


class MountedWorld(MachineOf):
    """A world with mounts: directories of it that take the place of paths; None hides a path.

    Mounts have absolute paths and are not inside of each other. Programs cannot see them. Listings are
    kept: the files must not change.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> below = DictionaryWorld({"/a/m/x": b"1", "/store/x": b"2", "/a/n/x": b"3"})
    >>> world = MountedWorld(below, {"/a/m": "/store", "/a/n": None})
    >>> world.read("/a/m/x"), world.is_file("/a/n/x"), world.list_directory("/a")
    (b'2', False, ['m'])
    >>> MountedWorld(below, {"/a/modules/ntp": "/store"}).list_directory("/a")
    ['m', 'modules', 'n']
    """

    def __init__(self, below: World, mounts: Mapping[str, str | None]) -> None:
        self.below = below
        self.mounts = mounts
        self.names: dict[str, dict[str, bool]] = {}
        """The names of mounts and of directories above them, by directory, and whether they are there."""
        for path, place in mounts.items():
            self.add_names(path, is_there=place is not None)
        self.tables: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Callable[..., MountedWorld], tuple[Any, ...]]:
        """Pickle without listings."""
        return MountedWorld, (self.below, dict(self.mounts))

    def add_names(self, path: str, *, is_there: bool) -> None:
        """Add the name of a mount, and those of the directories above, which may exist nowhere else."""
        directory, name = posixpath.split(path)
        if name:
            self.names.setdefault(directory, {})[name] = is_there
        if name and is_there:
            self.add_names(directory, is_there=True)

    def place_of(self, path: str) -> str | None:
        """Return where a path is below; None for a hidden one."""
        end = len(path)
        while end > 0:
            if path[:end] in self.mounts:
                place = self.mounts[path[:end]]
                return None if place is None else place + path[end:]
            end = path.rfind("/", 0, end)
        return path

    def known(self, path: str) -> str:
        """Return where a path is below; raise FileNotFoundError for a hidden one."""
        place = self.place_of(path)
        if place is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return place

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        return self.below.read(self.known(path))

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        return self.below.beginning(self.known(path), size)

    def disk_path(self, path: str) -> str | None:
        """See :class:`World`."""
        place = self.place_of(path)
        return None if place is None else self.below.disk_path(place)

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        place = self.place_of(path)
        return place is not None and self.below.is_file(place)

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        place = self.place_of(path)
        return place is not None and (
            self.below.is_directory(place) or self.has_mounts(path.rstrip("/"))
        )

    def has_mounts(self, directory: str) -> bool:
        """Return whether mounts are in a directory."""
        return any(self.names.get(directory, {}).values())

    def is_executable(self, path: str) -> bool:
        """See :class:`World`."""
        place = self.place_of(path)
        return place is not None and self.below.is_executable(place)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        place = self.known(path)
        own = self.names.get(path.rstrip("/"))
        if own is None:
            return self.below.list_directory(place)
        below = self.below.list_directory(place) if self.below.is_directory(place) else []
        names = {name for name in below if name not in own}
        return sorted(names | {name for name, is_there in own.items() if is_there})

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        place = self.place_of(path)
        if place is None:
            return None
        own = self.below.signature(place)
        if path.rstrip("/") in self.names:
            return 0, 0, hash((own, *self.mounts))
        return own

    def expose(self) -> None:
        """See :class:`World`; programs would read other files than compiles do."""
        names = ", ".join(sorted({posixpath.basename(path) for path in self.mounts}))
        reason = f"modules are not installed as the Puppetfile declares them ({names})"
        raise OSError(errno.ENOENT, f"{reason}; run 'bunraku modules install'")
