"""A machine in memory that can be changed, for tests of providers and of transactions."""

from __future__ import annotations

import errno
import io
import json
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from bunraku.base.records import record
from bunraku.world.augeas import AugeasTree
from bunraku.world.dictionary import TEMPORARY_FILE, DictionaryWorld
from bunraku.world.host import (
    Account,
    AccountGroup,
    Command,
    FileStatus,
    Finished,
    Kind,
    ServiceRecord,
)

START = 1_000_000_000.0
"""The first time of the clock; each look at it adds a second."""
ACCOUNTS = (Account("root", 0, 0, "/root"), Account("daemon", 1, 1), Account("games", 5, 60))
GROUPS = (AccountGroup("root", 0), AccountGroup("daemon", 1), AccountGroup("games", 60))


@record(slots=False)
class Entry:
    """An entry at a path. ``content`` is that of a file, or the target of a link as bytes."""

    kind: Kind
    mode: int = 0o644
    uid: int = 0
    gid: int = 0
    content: bytes = b""
    modified: float = START
    accessed: float = START
    inode: int = 0


def directory(mode: int = 0o755, uid: int = 0, gid: int = 0) -> Entry:
    """Return a directory."""
    return Entry("directory", mode, uid, gid)


def file(content: bytes | str = b"", mode: int = 0o644, uid: int = 0, gid: int = 0) -> Entry:
    """Return a regular file."""
    return Entry(
        "file", mode, uid, gid, content if isinstance(content, bytes) else content.encode()
    )


def link(target: str) -> Entry:
    """Return a symbolic link."""
    return Entry("link", 0o777, content=target.encode())


@record(slots=False)
class Expected:
    """A command that is expected to be run next, and how it ends.

    ``effect`` is called when it runs, to make the changes of the command on the machine.
    """

    words: tuple[str, ...] | str
    output: str = ""
    code: int = 0
    errors: str = ""
    effect: Callable[[], None] | None = None


class Scripted:
    """A program that gives prepared lines, each a JSON value; None is its end."""

    def __init__(self, *lines: Any) -> None:
        self.lines = list(lines)
        self.sent: list[Any] = []
        self.has_ended = False

    def send(self, line: bytes) -> None:
        """See :class:`Dialogue`."""
        self.sent.append(json.loads(line))

    def receive(self, timeout: float) -> bytes | None:
        """See :class:`Dialogue`; an exception among the lines is raised."""
        line = self.lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return None if line is None else json.dumps(line).encode()

    def end(self) -> int:
        """See :class:`Dialogue`."""
        self.has_ended = True
        return 1

    def kill(self) -> int:
        """See :class:`Dialogue`."""
        self.has_ended = True
        return -9


class MemoryHost(DictionaryWorld):
    """A machine of entries by path, and a list of the commands that are expected, in order.

    Directories above the given paths exist. ``ran`` holds the commands that were run. The clock
    advances by one second at each look. ``tree`` is what Augeas makes of its files.

    >>> host = MemoryHost({"/etc/motd": "hello"})
    >>> host.text("/etc/motd"), [name for name, _ in host.scan("/")]
    ('hello', ['etc'])
    """

    def __init__(
        self,
        entries: Mapping[str, Entry | bytes | str] | None = None,
        *,
        commands: Sequence[Expected] = (),
        installed: Iterable[str] = (),
        dialogues: Iterable[Scripted] = (),
        users: Iterable[Account] = ACCOUNTS,
        groups: Iterable[AccountGroup] = GROUPS,
        effective: int = 0,
        tree: AugeasTree | None = None,
    ) -> None:
        super().__init__(time=START)
        self.entries: dict[str, Entry] = {"/": directory()}
        self.expected = list(commands)
        self.installed = set(installed)
        self.dialogues = list(dialogues)
        self.started: list[tuple[str, ...]] = []
        self.accounts = list(users)
        self.account_groups = list(groups)
        self.effective = effective
        self.tree = tree
        self.ran: list[Command] = []
        self.contexts: dict[str, str] = {}
        """The SELinux contexts of paths."""
        self.policy: dict[str, str] = {}
        """The SELinux contexts that the policy has for paths."""
        self.slept: list[float] = []
        self.records: dict[str, list[ServiceRecord]] = {}
        """The SRV records of names."""
        self.addresses: dict[str, str] = {}
        """The IP addresses of names."""
        self.answering: dict[tuple[str, int], int] = {}
        """Address and port of a server → how many connections it refuses before it answers."""
        self.inodes = 0
        for path, entry in (entries or {}).items():
            self.add(path, entry if isinstance(entry, Entry) else file(entry))

    # -- for tests -------------------------------------------------------------------------------

    def add(self, path: str, entry: Entry) -> None:
        """Put an entry at a path, with the directories above it."""
        above = posixpath.dirname(path)
        if above not in self.entries:
            self.add(above, directory())
        self.inodes += 1
        entry.inode = self.inodes
        self.entries[path] = entry

    def text(self, path: str) -> str:
        """Return the content of a file as text."""
        return self.read(path).decode()

    # -- files -----------------------------------------------------------------------------------

    def resolved(self, path: str, *, follow: bool = True) -> str:
        """Return a path without symbolic links; the last part is followed only if ``follow``."""
        found = "/"
        parts = [part for part in path.split("/") if part]
        for number, part in enumerate(parts):
            here = posixpath.normpath(posixpath.join(found, part))
            entry = self.entries.get(here)
            last = number == len(parts) - 1
            if entry is not None and entry.kind == "link" and (follow or not last):
                here = self.resolved(posixpath.join(found, entry.content.decode()))
            found = here
        return found

    def entry(self, path: str, *, follow: bool = True) -> Entry:
        """Return the entry of a path; FileNotFoundError if it is absent."""
        found = self.entries.get(self.resolved(path, follow=follow))
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return found

    def place(self, path: str) -> str:
        """Return where an entry of a path is put; OSError if its directory does not exist."""
        found = self.resolved(path, follow=False)
        if self.entry(posixpath.dirname(found)).kind != "directory":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return found

    def below(self, path: str) -> list[str]:
        """Return the paths of all entries below a directory."""
        prefix = path.rstrip("/") + "/"
        return [name for name in self.entries if name.startswith(prefix) and name != "/"]

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        with self.open(path) as opened:
            return opened.read()

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        found = self.status(path, follow=True)
        return found is not None and found.kind == "file"

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        found = self.status(path, follow=True)
        return found is not None and found.kind == "directory"

    def is_executable(self, path: str) -> bool:
        """See :class:`World`."""
        return self.is_file(path) and bool(self.entry(path).mode & 0o111)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        return [name for name, _ in self.scan(path)]

    def status(self, path: str, *, follow: bool = False) -> FileStatus | None:
        """See :class:`Host`."""
        found = self.entries.get(self.resolved(path, follow=follow))
        return None if found is None else status_of(found)

    def link_target(self, path: str) -> str:
        """See :class:`Host`."""
        return self.entry(path, follow=False).content.decode()

    def open(self, path: str) -> BinaryIO:
        """See :class:`Host`."""
        found = self.entry(path)
        if found.kind != "file":
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        return io.BytesIO(found.content)

    def scan(self, path: str) -> Iterator[tuple[str, FileStatus]]:
        """See :class:`Host`."""
        real = self.resolved(path)
        if self.entry(path).kind != "directory":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        for name in sorted(self.below(real)):
            if posixpath.dirname(name) == real:
                yield posixpath.basename(name), status_of(self.entries[name])

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
        """See :class:`Host`."""
        real = self.place(path)
        if real in self.entries and self.entries[real].kind == "directory":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        temporary = posixpath.join(staging or posixpath.dirname(real), ".bunraku-1.new")
        uid, gid = (self.effective if one == -1 else one for one in owner or (-1, -1))
        entry = Entry("file", mode, uid, gid, b"".join(content), modified=self.now())
        self.add(temporary, entry)
        try:
            if check is not None:
                check(temporary)
        finally:
            del self.entries[temporary]
        self.entries[real] = entry

    @contextmanager
    def temporary_file(self, content: bytes) -> Iterator[str]:
        """See :class:`World`; the first one at a time has the path ``TEMPORARY_FILE``."""
        taken = sum(path.startswith(TEMPORARY_FILE) for path in self.entries)
        path = f"{TEMPORARY_FILE}.{taken}" if taken else TEMPORARY_FILE
        before = set(self.entries)
        self.add(path, file(content, 0o600))
        try:
            yield path
        finally:
            for made in set(self.entries) - before:
                if TEMPORARY_FILE.startswith(made) or made == path:
                    del self.entries[made]

    def make_directory(self, path: str, mode: int) -> None:
        """See :class:`Host`."""
        self.add_new(path, directory(mode, self.effective, self.effective))

    def make_link(self, path: str, target: str) -> None:
        """See :class:`Host`."""
        self.add_new(path, link(target))

    def add_new(self, path: str, entry: Entry) -> None:
        """Put an entry where there is none."""
        real = self.place(path)
        if real in self.entries:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        self.add(real, entry)

    def replace_link(self, path: str, target: str) -> None:
        """See :class:`Host`."""
        self.remove_file(path)
        self.make_link(path, target)

    def remove_file(self, path: str) -> None:
        """See :class:`Host`."""
        if self.entry(path, follow=False).kind == "directory":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        del self.entries[self.resolved(path, follow=False)]

    def remove_tree(self, path: str) -> None:
        """See :class:`Host`."""
        real = self.resolved(path, follow=False)
        for name in [*self.below(real), real]:
            del self.entries[name]

    def rename(self, path: str, target: str) -> None:
        """See :class:`Host`."""
        entry = self.entry(path, follow=False)
        self.entries[self.place(target)] = entry
        del self.entries[self.resolved(path, follow=False)]

    def set_mode(self, path: str, mode: int) -> None:
        """See :class:`Host`."""
        self.entry(path).mode = mode

    def set_owner(self, path: str, uid: int, gid: int, *, follow: bool = False) -> None:
        """See :class:`Host`."""
        found = self.entry(path, follow=follow)
        if self.effective != 0 and uid not in (-1, self.effective):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path)
        found.uid = found.uid if uid == -1 else uid
        found.gid = found.gid if gid == -1 else gid

    # -- SELinux ---------------------------------------------------------------------------------

    def security_context(self, path: str) -> str | None:
        """See :class:`Host`; files made in a test have none."""
        return self.contexts.get(path)

    def set_security_context(self, path: str, context: str) -> None:
        """See :class:`Host`."""
        self.contexts[path] = context

    def default_security_context(self, path: str, mode: int) -> str | None:
        """See :class:`Host`; ``policy`` has the contexts by path."""
        return self.policy.get(path)

    # -- users and groups ------------------------------------------------------------------------

    def user(self, name: str | int) -> Account | None:
        """See :class:`Host`."""
        return next((one for one in self.accounts if name in (one.name, one.uid)), None)

    def group(self, name: str | int) -> AccountGroup | None:
        """See :class:`Host`."""
        return next((one for one in self.account_groups if name in (one.name, one.gid)), None)

    def users(self) -> list[Account]:
        """See :class:`Host`."""
        return list(self.accounts)

    def groups(self) -> list[AccountGroup]:
        """See :class:`Host`."""
        return list(self.account_groups)

    def effective_user(self) -> int:
        """See :class:`Host`."""
        return self.effective

    # -- configuration files ---------------------------------------------------------------------

    def has_augeas(self) -> bool:
        """See :class:`Host`."""
        return self.tree is not None

    def open_augeas(
        self, root: str, load_path: str, *, type_check: bool, autoload: bool
    ) -> AugeasTree:
        """See :class:`Host`; the tree is that of the test."""
        assert self.tree is not None
        return self.tree

    # -- programs --------------------------------------------------------------------------------

    def find_program(self, name: str, path: str | None = None) -> str | None:
        """See :class:`Host`; ``installed`` are the programs that exist."""
        return f"/usr/bin/{name}" if name in self.installed else None

    def execute(self, command: Command) -> Finished:
        """See :class:`Host`; AssertionError unless the command is the next expected one."""
        self.ran.append(command)
        assert self.expected, f"unexpected command: {command.words}"
        expected = self.expected.pop(0)
        assert command.words == expected.words
        if expected.effect is not None:
            expected.effect()
        return Finished(expected.code, expected.output, expected.errors)

    def dialogue(self, command: Command) -> Scripted:
        """See :class:`Host`; ``dialogues`` has the programs that are started, in order."""
        self.started.append(tuple(command.words))
        return self.dialogues.pop(0)

    def sleep(self, seconds: float) -> None:
        """See :class:`Host`; ``slept`` holds the durations."""
        self.slept.append(seconds)

    def service_records(self, name: str) -> list[ServiceRecord]:
        """See :class:`Host`; ``records`` are known, other names do not exist."""
        return self.records.get(name, [])

    def address(self, name: str) -> str:
        """See :class:`Host`; ``addresses`` are known, other names do not exist."""
        if name not in self.addresses:
            raise OSError(errno.EADDRNOTAVAIL, "Name or service not known")
        return self.addresses[name]

    def connect(self, address: str, port: int, seconds: float) -> None:
        """See :class:`Host`; the servers in ``answering`` answer after as many attempts."""
        left = self.answering.get((address, port))
        if left is None or left > 0:
            self.answering[address, port] = 1_000_000 if left is None else left - 1
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")

    def ask_socket(self, path: str, method: str, target: str, content: bytes) -> bytes:
        """See :class:`Host`; the answers are those of expected commands."""
        words = (path, method, target, *([content.decode()] if content else []))
        return self.execute(Command(words)).output.encode()

    def monotonic(self) -> float:
        """See :class:`Host`."""
        return self.now()

    def now(self) -> float:
        """See :class:`World`."""
        self.time += 1
        return self.time

    @contextmanager
    def lock(self, path: str) -> Iterator[bool]:
        """See :class:`Host`; no other process exists."""
        yield True


def status_of(entry: Entry) -> FileStatus:
    """Return the status of an entry."""
    return FileStatus(
        entry.kind,
        entry.mode,
        entry.uid,
        entry.gid,
        len(entry.content),
        entry.accessed,
        entry.modified,
        entry.modified,
        inode=entry.inode,
    )
