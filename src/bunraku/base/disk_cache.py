"""Code objects, and data that took long to compute, kept in files of this user.

Entries are read with ``marshal``, and code is run: who can write an entry runs code as this user. So
the cache is used only where no other user can have written, as :mod:`bunraku.base.private_folder`
checks once per process for the folder and all above it. Each entry is checked when it is opened: a
regular file of this user or root, with one name, that others cannot write to. What fails a check is
as good as absent. Nothing else in bunraku reads ``marshal`` or ``pickle`` from a file; the answers of
workers are pickled, over a socket pair that only a process and its own fork have.

An entry is named by the hash of all that decides what is in it, so that a stale or foreign one is
never found. Its checksum covers the name, so that a renamed one is not read either. Entries are
written to a temporary file and moved into place, so that many writers do no harm.
"""

from __future__ import annotations

import marshal
import os
import stat
import time
from binascii import crc32
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import CodeType
from typing import Any, NamedTuple

from bunraku.base.descriptors import write_all
from bunraku.base.private_folder import FOR_OTHERS, NotPrivate, is_trusted, open_private

MAGIC = b"bunraku\2"
HEAD = len(MAGIC) + 4
OFF = "BUNRAKU_NO_CACHE"
LIMIT = "BUNRAKU_CACHE_LIMIT"
DEFAULT_LIMIT = 512
"""The limit of the cache in MiB."""
MIB = 1 << 20
BLOCK = 4096
"""What a file takes on the disk is a multiple of this."""
AFTER_TRIMMING = 0.75
"""The part of the limit that is left when old entries were removed."""
SCAN_AFTER = 86_400
"""Seconds until the entries are counted again."""
COUNTING_TAKES = 60
"""Seconds after which a process that counts is taken for dead."""
PAUSES = tuple(0.0005 * 2**attempt for attempt in range(10))
"""Seconds between attempts to lock the file with the sum, which is locked for microseconds."""
LEFT_OVER_AFTER = 3_600
"""Seconds after which a temporary file is that of a writer that was killed."""

INNER = "code"
"""The folder with the entries, in that of the cache."""
USAGE = "usage"
"""The file with the bytes of all entries and the time at which they were counted."""
TEMPORARY = ".new-"
KINDS = frozenset({"code", "data"})
DIGITS = 40
"""The length of an entry's name, which is a number in hexadecimal digits."""
OLD_DIGITS = 2
"""Earlier versions kept entries in folders named by the first digits."""
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
UPDATE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PRIVATE_FILE = 0o600


# -- where, whether and how much -------------------------------------------------------------------

CONFIGURED: dict[str, Any] = {}
"""The values of the configuration file: ``cache`` and ``cache_limit``."""


class BadLimit(Exception):
    """A value of ``BUNRAKU_CACHE_LIMIT`` that is not a number of MiB."""


def configure(values: Mapping[str, Any]) -> None:
    """Set what the configuration file says: ``cache`` and ``cache_limit``, if it has them."""
    CONFIGURED.clear()
    CONFIGURED.update(values)


def cache_folder() -> str | None:
    """Return the folder of the cache: ``$XDG_CACHE_HOME/bunraku``, else ``~/.cache/bunraku``.

    Return None if there is no home.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        base = f"{home}/.cache"
    return f"{base.rstrip('/')}/bunraku" if os.path.isabs(base) else None


def why_off() -> str | None:
    """Return what switches the cache off; None if nothing does."""
    if os.environ.get(OFF):
        return f"{OFF} is set"
    return "the configuration file has cache = false" if not CONFIGURED.get("cache", True) else None


def size_limit() -> int:
    """Return the limit of the cache in bytes; raise BadLimit if the environment has no number.

    >>> size_limit() == DEFAULT_LIMIT * MIB
    True
    """
    text = os.environ.get(LIMIT)
    if not text:
        return int(CONFIGURED.get("cache_limit", DEFAULT_LIMIT)) * MIB
    if not text.isascii() or not text.isdecimal() or len(text) > 12 or not int(text):
        raise BadLimit(f"{LIMIT} must be a number of MiB of at least 1, not {text!r}")
    return int(text) * MIB


def file_size(size: int) -> int:
    """Return the bytes that a file takes on the disk.

    >>> file_size(1), file_size(4096), file_size(4097)
    (4096, 4096, 8192)
    """
    return -(-size // BLOCK) * BLOCK


# -- the folder, opened once -----------------------------------------------------------------------


class OpenFolder:
    """The folder with the entries, open for as long as something uses it."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.identity = identity_of(handle)
        self.written = 0
        """Bytes that were written and are not in the file ``usage`` yet."""
        self.pauses: tuple[float, ...] = PAUSES
        """How to wait for other processes; none once a process did not give the file back."""

    def is_open(self) -> bool:
        """Return whether the descriptor is still that of the folder; a daemon may close them all."""
        try:
            return identity_of(self.handle) == self.identity
        except OSError:
            return False

    def __del__(self, close: Any = os.close) -> None:
        with suppress(OSError):
            if self.is_open():
                close(self.handle)


def identity_of(handle: int) -> tuple[int, int]:
    """Return what no other open file has."""
    status = os.fstat(handle)
    return status.st_dev, status.st_ino


Key = tuple[str, int]
"""The path of a cache and the effective user."""
OPEN: dict[Key, OpenFolder] = {}
"""The folder that was opened last."""
UNUSABLE: dict[Key, str | None] = {}
"""Caches that cannot be used, with the reason where a user has to know."""
WARNED: set[Key] = set()
"""Caches of which :meth:`DiskCache.warning` was given."""


def forget_folders() -> None:
    """Forget what is known of folders, as in a new process."""
    OPEN.clear()
    UNUSABLE.clear()
    WARNED.clear()


# -- entries ---------------------------------------------------------------------------------------


class Contents(NamedTuple):
    """What a cache holds; ``others`` are files that are not entries."""

    entries: int = 0
    bytes: int = 0
    others: int = 0


class DiskCache:
    """The cache of this user, or one in another folder; one that cannot be used is always empty."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = cache_folder() if folder is None else os.fspath(folder)
        self.is_on = self.folder is not None and why_off() is None
        self.key: Key = (self.folder or "", os.geteuid())

    def read(self, key: str) -> CodeType | None:
        """Return the code of an entry; None if there is none that can be read."""
        code = self.load(f"{key}.code")
        return code if isinstance(code, CodeType) else None

    def write(self, key: str, code: CodeType) -> None:
        """Keep code; on a full disk, or without permission, it is not kept."""
        self.store(f"{key}.code", code)

    def read_data(self, key: str) -> Any:
        """Return the data of an entry; None if there are none that can be read."""
        return self.load(f"{key}.data")

    def write_data(self, key: str, data: Any) -> None:
        """Keep data of tuples, lists, dicts, text and numbers."""
        self.store(f"{key}.data", data)

    def warning(self) -> str | None:
        """Return why the cache cannot be used, once per process; None if it can.

        A missing home, a read-only file system and missing permissions are no reason to warn.
        """
        if not self.is_on or self.key in WARNED:
            return None
        self.opened(create=False)
        found = UNUSABLE.get(self.key)
        if found is not None:
            WARNED.add(self.key)
        return found

    # -- files -------------------------------------------------------------------------------------

    def opened(self, *, create: bool) -> OpenFolder | None:
        """Return the open folder; None if it cannot be used, or is absent and not to be made."""
        if not self.is_on:
            return None
        folder = OPEN.get(self.key)
        if folder is not None and folder.is_open():
            return folder
        if self.key in UNUSABLE:
            return None
        try:
            size_limit()
            folder = OpenFolder(open_private(self.key[0], INNER, create=create))
        except (NotPrivate, BadLimit) as reason:
            UNUSABLE[self.key] = str(reason)
            return None
        except (OSError, ValueError):  # ValueError: a path with a NUL
            if create:
                UNUSABLE[self.key] = None
            return None
        OPEN.clear()
        OPEN[self.key] = folder
        return folder

    def load(self, name: str) -> Any:
        """Return what an entry holds; None for what is not a whole entry of this user."""
        folder = self.opened(create=False)
        if folder is None:
            return None
        try:
            data = read_own(name, folder.handle)
        except OSError:
            return None
        body = memoryview(data)[HEAD:]
        if data[:HEAD] != head_of(name, body):
            return None
        try:
            return marshal.loads(body)  # noqa: S302, no other user can have written it: see above
        except (ValueError, EOFError, TypeError):
            return None

    def store(self, name: str, value: Any) -> None:
        """Write an entry in one step, or not at all."""
        folder = self.opened(create=True)
        if folder is None:
            return
        body = marshal.dumps(value)
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        try:
            write_new(temporary, head_of(name, body) + body, folder.handle)
            os.rename(temporary, name, src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
        except BaseException as error:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder.handle)
            if not isinstance(error, OSError):
                raise
            return
        folder.written += file_size(HEAD + len(body))
        with suppress(OSError, BadLimit):
            account(folder, size_limit())

    # -- for people --------------------------------------------------------------------------------

    def reason(self) -> str | None:
        """Return why the cache is not used; None if it is, or will be when something is kept."""
        if self.folder is None:
            return "there is no home directory: HOME is not set"
        reason = why_off()
        if reason is None:
            try:
                size_limit()
                os.close(open_private(self.folder, INNER, create=False))
            except (NotPrivate, BadLimit) as error:
                reason = str(error)
            except FileNotFoundError:
                pass
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
        return reason

    def contents(self) -> Contents:
        """Count the entries; raise NotPrivate or OSError if the folder cannot be used."""
        with self.folder_of_entries() as handle:
            found = list(entries_in(handle))
            others = sum(1 for _ in strangers_in(handle))
        return Contents(len(found), sum(size for _, _, size in found), others)

    def clear(self) -> Contents:
        """Remove the entries, and return what was removed and what others are left.

        Raises NotPrivate or OSError if the folder cannot be used.
        """
        with self.folder_of_entries() as handle:
            remove_old_folders(handle)
            found = list(entries_in(handle))
            for name, _, _ in found:
                unlink(name, handle)
            for name in (*left_over(handle, 0.0), USAGE):
                unlink(name, handle)
            others = sum(1 for _ in strangers_in(handle))
        return Contents(len(found), sum(size for _, _, size in found), others)

    @contextmanager
    def folder_of_entries(self) -> Iterator[int]:
        """Open the folder for a while."""
        handle = open_private(self.key[0], INNER, create=False)
        try:
            yield handle
        finally:
            os.close(handle)


def head_of(name: str, body: bytes | memoryview) -> bytes:
    """Return what an entry begins with; the checksum covers its name and all that follows."""
    return MAGIC + crc32(body, crc32(name.encode())).to_bytes(4, "little")


def read_own(name: str, folder: int) -> bytes:
    """Return the content of a file that only this user or root can have written.

    Raises OSError for anything else: a link, a device, a file that others may write to or that has
    another name elsewhere.
    """
    file = os.open(name, READ, dir_fd=folder)
    try:
        status = os.fstat(file)
        if (
            not stat.S_ISREG(status.st_mode)
            or status.st_mode & FOR_OTHERS
            or status.st_nlink != 1
            or not is_trusted(status)
        ):
            raise PermissionError(name)
        return os.read(file, status.st_size + 1)
    finally:
        os.close(file)


def write_new(name: str, content: bytes, folder: int) -> None:
    """Write a new file that only this user can read."""
    file = os.open(name, CREATE, PRIVATE_FILE, dir_fd=folder)
    try:
        os.fchmod(file, PRIVATE_FILE)  # whatever the umask is
        write_all(file, content)
    finally:
        os.close(file)


def unlink(name: str, folder: int) -> None:
    """Remove a file; another process may have been faster."""
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


# -- how much there is -----------------------------------------------------------------------------


def account(folder: OpenFolder, limit: int) -> None:
    """Add what was written to the sum of all processes, and remove old entries when it is too much.

    The sum is in a file, so that no entry has to be looked at. Once a day the entries are counted.
    """
    now = int(time.time())
    with locked_usage(folder) as (file, total, counted):
        total += folder.written
        is_due = total > limit or not counted <= now < counted + SCAN_AFTER
        if is_due:
            # Others leave the counting to this process, unless it is killed meanwhile.
            total, counted = 0, now - SCAN_AFTER + COUNTING_TAKES
        write_usage(file, total, counted)
        folder.written = 0
    if is_due:
        left = trim(folder.handle, limit, now)
        with locked_usage(folder) as (file, total, _):
            write_usage(file, total + left, now)


@contextmanager
def locked_usage(folder: OpenFolder) -> Iterator[tuple[int, int, int]]:
    """Open the file with the sum: descriptor, bytes, time of the count; 0 where it has none.

    Raises OSError if other processes keep the file locked.
    """
    import fcntl  # nothing is written once all is kept

    file = os.open(USAGE, UPDATE, PRIVATE_FILE, dir_fd=folder.handle)
    try:
        pauses, folder.pauses = folder.pauses, ()
        for pause in pauses:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(pause)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.pauses = PAUSES
        known = os.pread(file, 64, 0).split()
        is_whole = len(known) == 2 and all(part.isdigit() and len(part) < 20 for part in known)
        total, counted = map(int, known) if is_whole else (0, 0)
        yield file, total, counted
    finally:
        os.close(file)


def write_usage(file: int, total: int, counted: int) -> None:
    """Replace the content of the file with the sum."""
    os.ftruncate(file, 0)
    os.pwrite(file, b"%d %d\n" % (total, counted), 0)


def trim(folder: int, limit: int, now: float) -> int:
    """Remove the entries that were not used for the longest if there are too many bytes.

    Temporary files of killed processes and the entries of earlier versions are removed too. Return
    the bytes that are left.
    """
    for name in left_over(folder, now - LEFT_OVER_AFTER):
        unlink(name, folder)
    remove_old_folders(folder)
    found = sorted(entries_in(folder), key=lambda entry: entry[1])
    total = sum(size for _, _, size in found)
    if total > limit:
        for name, _, size in found:
            unlink(name, folder)
            total -= size
            if total <= limit * AFTER_TRIMMING:
                break
    return total


def is_number(text: str, digits: int) -> bool:
    """Return whether a text is a hexadecimal number as names of entries are.

    >>> is_number("0a", 2), is_number("0A", 2), is_number("0a", 3)
    (True, False, False)
    """
    return len(text) == digits and not text.strip("0123456789abcdef")


def is_entry(name: str, digits: int) -> bool:
    """Return whether a file name is that of an entry."""
    number, _, kind = name.partition(".")
    return kind in KINDS and is_number(number, digits)


def entries_in(folder: int) -> Iterator[tuple[str, float, int]]:
    """Yield the entries: name, time of the last use, bytes."""
    for name, status in files_in(folder):
        if is_entry(name, DIGITS):
            yield name, max(status.st_atime, status.st_mtime), file_size(status.st_size)


def left_over(folder: int, before: float) -> list[str]:
    """Return the temporary files that were written before a time; all of them before 0."""
    return [
        name
        for name, status in files_in(folder)
        if name.startswith(TEMPORARY) and (not before or status.st_mtime < before)
    ]


def strangers_in(folder: int) -> Iterator[str]:
    """Yield what is in the folder and is not of the cache."""
    for name in os.listdir(folder):
        if name != USAGE and not name.startswith(TEMPORARY) and not is_entry(name, DIGITS):
            yield name


def files_in(folder: int) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the regular files of a folder with their status; links are not followed."""
    for name in os.listdir(folder):
        with suppress(OSError):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                yield name, status


def remove_old_folders(folder: int) -> None:
    """Remove the entries of earlier versions; a folder that holds other things stays."""
    for name in os.listdir(folder):
        if not is_number(name, OLD_DIGITS):
            continue
        with suppress(OSError):
            inner = os.open(name, FOLDER, dir_fd=folder)
            try:
                for file in os.listdir(inner):
                    if is_entry(file, DIGITS - OLD_DIGITS) or file.startswith(TEMPORARY):
                        os.unlink(file, dir_fd=inner)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=folder)
