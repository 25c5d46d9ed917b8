"""The interface to the machine that a catalog is applied to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import BinaryIO, Literal

from bunraku.base.lazy_typing import Protocol
from bunraku.base.records import field, record
from bunraku.world.augeas import AugeasTree
from bunraku.world.protocol import World

Kind = Literal[
    "file", "directory", "link", "fifo", "socket", "characterSpecial", "blockSpecial", "unknown"
]
"""The kinds of files, as Puppet names them."""


@record(frozen=True)
class FileStatus:
    """The status of a path. Times are seconds since the epoch."""

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
class ServiceRecord:
    """An SRV record of the DNS (RFC 2782)."""

    priority: int
    weight: int
    target: str
    port: int


@record(frozen=True)
class AccountGroup:
    """A group of this machine; ``members`` are users with another primary group."""

    name: str
    gid: int
    members: tuple[str, ...] = ()


@record(frozen=True)
class Command:
    """A program to run: directly for a list of words, in ``/bin/sh`` for a text.

    ``environment`` is added to that of bunraku; None removes a variable. ``timeout`` is in seconds.
    ``content`` is the standard input. With ``merged``, standard error goes to standard output.
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
    """The result of a command: its exit code (negative for a signal) and its output."""

    code: int
    output: str
    errors: str = ""


class OutputTooLarge(OSError):
    """A program printed more than the limit and was killed."""


class CommandTimeout(Exception):
    """A command exceeded its time limit and was killed with its child processes."""


class Dialogue(Protocol):
    """A running program that answers lines with lines."""

    def send(self, line: bytes) -> None:
        """Send a line, without its end; do nothing if the program has ended."""

    def receive(self, timeout: float) -> bytes | None:
        """Return the next line; None if the program has ended; CommandTimeout after some seconds."""

    def end(self) -> int:
        """Close the input of the program, wait for its end and return its exit code."""

    def kill(self) -> int:
        """Kill the program and return its exit code."""


class Host(World, Protocol):
    """A machine that can be changed. All methods that change it raise OSError on failure."""

    # -- files -----------------------------------------------------------------------------------

    def status(self, path: str, *, follow: bool = False) -> FileStatus | None:
        """Return the status of a path; of a link itself unless ``follow``; None if it is absent."""

    def link_target(self, path: str) -> str:
        """Return the target of a symbolic link, as it is stored."""

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading; raise OSError for any other kind."""

    def scan(self, path: str) -> Iterator[tuple[str, FileStatus]]:
        """Yield the names in a directory, sorted, each with the status of the entry itself."""

    def replace_file(
        self,
        path: str,
        content: Iterable[bytes],
        *,
        mode: int,
        owner: tuple[int, int] | None = None,
        check: Callable[[str], None] | None = None,
        staging: str | None = None,
    ) -> None:
        """Write a file beside the path and rename it. An existing link or file is replaced.

        ``owner`` is the ID of a user and of a group. ``check`` is called with the path of the new
        content before it replaces the old one; if ``check`` raises an error, the old content stays.
        ``staging`` is another directory, of the same file system, in which the file is written.
        """

    def make_directory(self, path: str, mode: int) -> None:
        """Create a directory; its parent must exist."""

    def make_link(self, path: str, target: str) -> None:
        """Create a symbolic link; the path must be absent."""

    def replace_link(self, path: str, target: str) -> None:
        """Replace a symbolic link atomically."""

    def remove_file(self, path: str) -> None:
        """Remove a file, a link or another entry that is not a directory."""

    def remove_tree(self, path: str) -> None:
        """Remove a directory and everything in it; links in it are removed, not followed."""

    def rename(self, path: str, target: str) -> None:
        """Rename a file within its file system, replacing an existing target."""

    def set_mode(self, path: str, mode: int) -> None:
        """Set the permission bits of a file; links are followed."""

    def set_owner(self, path: str, uid: int, gid: int, *, follow: bool = False) -> None:
        """Set the user and group of a path, -1 for no change; of a link itself unless ``follow``."""

    # -- SELinux ---------------------------------------------------------------------------------

    def security_context(self, path: str) -> str | None:
        """Return the SELinux context of a path, of a link itself; None if it has none."""

    def set_security_context(self, path: str, context: str) -> None:
        """Set the SELinux context of a path, of a link itself."""

    def default_security_context(self, path: str, mode: int) -> str | None:
        """Return the context of the policy for a path and mode, None if there is none."""

    # -- users and groups ------------------------------------------------------------------------

    def user(self, name: str | int) -> Account | None:
        """Return the user with a name or ID; None if there is none."""

    def group(self, name: str | int) -> AccountGroup | None:
        """Return the group with a name or ID; None if there is none."""

    def users(self) -> list[Account]:
        """Return all users, in the order of the database."""

    def groups(self) -> list[AccountGroup]:
        """Return all groups, in the order of the database."""

    def effective_user(self) -> int:
        """Return the ID of the user that this process acts as."""

    # -- configuration files ---------------------------------------------------------------------

    def has_augeas(self) -> bool:
        """Return whether the library Augeas is installed."""

    def open_augeas(
        self, root: str, load_path: str, *, type_check: bool, autoload: bool
    ) -> AugeasTree:
        """Return a tree of the files below ``root``, none of them loaded yet; AugeasError.

        ``load_path`` has the directories of further lenses, with colons. With ``autoload``, all
        modules of lenses are read, so files are found by their names.
        """

    # -- the network -----------------------------------------------------------------------------

    def service_records(self, name: str) -> list[ServiceRecord]:
        """Return the SRV records of a name, none if it does not exist; OSError if the lookup fails."""

    def address(self, name: str) -> str:
        """Return the first IP address of a name; OSError if there is none."""

    def connect(self, address: str, port: int, seconds: float) -> None:
        """Open a TCP connection to a server and close it; OSError if that is impossible."""

    def ask_socket(self, path: str, method: str, target: str, content: bytes) -> bytes:
        """Send an HTTP request to the server at a socket; return the body of the answer, in JSON.

        Raise OSError if the server does not answer.
        """

    # -- programs --------------------------------------------------------------------------------

    def find_program(self, name: str, path: str | None = None) -> str | None:
        """Return the path of an executable program, from PATH or a search path."""

    def execute(self, command: Command) -> Finished:
        """Run a command and return its result; raise OSError if it cannot start, or CommandTimeout."""

    def dialogue(self, command: Command) -> Dialogue:
        """Start a program that answers lines with lines; raise OSError if it cannot start."""

    def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""

    def monotonic(self) -> float:
        """Return the monotonic clock in seconds; the difference of two readings is a duration."""

    def lock(self, path: str) -> AbstractContextManager[bool]:
        """Try to lock a path for the block; yield whether this process got the lock."""
