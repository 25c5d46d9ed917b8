"""All that applying a catalog may do with the machine that it manages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import BinaryIO, Literal, Protocol

from bunraku.base.records import field, record
from bunraku.world.augeas import AugeasTree
from bunraku.world.protocol import World

Kind = Literal[
    "file", "directory", "link", "fifo", "socket", "characterSpecial", "blockSpecial", "unknown"
]
"""The kinds of files, as Puppet names them."""


@record(frozen=True)
class FileStatus:
    """What the file system keeps about a path. Times are seconds since the epoch."""

    kind: Kind
    mode: int
    """The permission bits, with setuid, setgid and the sticky bit."""
    uid: int
    gid: int
    size: int = 0
    accessed: float = 0.0
    modified: float = 0.0
    changed: float = 0.0
    device: int = 0
    inode: int = 0


@record(frozen=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int
    home: str = ""
    shell: str = ""
    comment: str = ""


@record(frozen=True)
class AccountGroup:
    """A group of this machine; ``members`` are those whose primary group is another one."""

    name: str
    gid: int
    members: tuple[str, ...] = ()


@record(frozen=True)
class Command:
    """A program to run and how: directly for a list of words, by ``/bin/sh`` for a text.

    ``environment`` is added to that of bunraku; None removes a variable. ``timeout`` is in seconds.
    Standard input is ``content``. With ``merged``, standard error goes where standard output goes.
    """

    words: tuple[str, ...] | str
    environment: Mapping[str, str | None] = field(default_factory=dict)
    directory: str | None = None
    user: str | int | None = None
    group: str | int | None = None
    umask: int | None = None
    timeout: float | None = None
    content: bytes = b""
    merged: bool = False


@record(frozen=True)
class Finished:
    """How a command ended: its exit code (negative for a signal) and what it printed."""

    code: int
    output: str
    errors: str = ""


class CommandTimeout(Exception):
    """A command ran longer than its limit and was ended with all that it started."""


class Host(World, Protocol):
    """A machine that can be changed. All methods that change it raise OSError where that fails."""

    # -- files -----------------------------------------------------------------------------------

    def status(self, path: str, *, follow: bool = False) -> FileStatus | None:
        """Return the status of a path, of the link itself unless ``follow``; None if it is absent."""

    def link_target(self, path: str) -> str:
        """Return what a symbolic link points to, as it is written there."""

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading; OSError for any other kind."""

    def scan(self, path: str) -> Iterator[tuple[str, FileStatus]]:
        """Yield the names in a directory, in order, each with the status of the entry itself."""

    def replace_file(
        self,
        path: str,
        content: Iterable[bytes],
        *,
        mode: int,
        owner: tuple[int, int] | None = None,
        check: Callable[[str], None] | None = None,
    ) -> None:
        """Write a file whole: beside the path, then renamed. A link or file there is replaced.

        ``owner`` is a user and group number. ``check`` is called with the path of the new content
        before it takes the place of the old one; what it raises leaves the old one as it was.
        """

    def make_directory(self, path: str, mode: int) -> None:
        """Make a directory; its parent must exist."""

    def make_link(self, path: str, target: str) -> None:
        """Make a symbolic link; the path must be absent."""

    def replace_link(self, path: str, target: str) -> None:
        """Make a symbolic link beside a link that exists and give it its place."""

    def remove_file(self, path: str) -> None:
        """Remove a file, a link or another entry that is not a directory."""

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory."""

    def remove_tree(self, path: str) -> None:
        """Remove a directory with all that it holds; links in it are removed, not followed."""

    def rename(self, path: str, target: str) -> None:
        """Give a file another name in the same file system, replacing what is there."""

    def set_mode(self, path: str, mode: int) -> None:
        """Set the permission bits of a file; a link is followed."""

    def set_owner(self, path: str, uid: int, gid: int, *, follow: bool = False) -> None:
        """Set user and group of a path, -1 for no change; of a link itself unless ``follow``."""

    # -- users and groups ------------------------------------------------------------------------

    def user(self, name: str | int) -> Account | None:
        """Return the user of a name or number, None if there is none."""

    def group(self, name: str | int) -> AccountGroup | None:
        """Return the group of a name or number, None if there is none."""

    def users(self) -> list[Account]:
        """Return all users, in the order of the database."""

    def groups(self) -> list[AccountGroup]:
        """Return all groups, in the order of the database."""

    def effective_user(self) -> int:
        """Return the number of the user that this process acts as."""

    # -- configuration files ---------------------------------------------------------------------

    def has_augeas(self) -> bool:
        """Return whether the library Augeas is installed."""

    def open_augeas(
        self, root: str, load_path: str, *, type_check: bool, autoload: bool
    ) -> AugeasTree:
        """Return a tree of the files below ``root``, none of them loaded yet; AugeasError.

        ``load_path`` has the directories of further lenses, with colons. With ``autoload``, all
        modules of lenses are read, so that files are found by their names.
        """

    # -- programs --------------------------------------------------------------------------------

    def find_program(self, name: str, path: str | None = None) -> str | None:
        """Return the path of a program that can be run, from PATH or the given search path."""

    def execute(self, command: Command) -> Finished:
        """Run a command to its end. Raise OSError if it cannot be started, CommandTimeout."""

    def sleep(self, seconds: float) -> None:
        """Wait."""

    def monotonic(self) -> float:
        """Return the seconds of a clock that nobody sets: its differences are durations."""

    def lock(self, path: str) -> AbstractContextManager[bool]:
        """Provide whether this process got the lock of a path; another holder keeps it otherwise."""
