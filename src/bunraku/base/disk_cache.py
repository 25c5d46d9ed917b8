"""Code objects, and data that took long to compute, kept in files of this user.

Entries are read with ``marshal``, and code is run: who can write an entry runs code as this user.
So the cache is used only where no other user can have written, as
:mod:`bunraku.base.private_folder` checks once per process for the folder and all above it. Each
entry is checked when it is opened: a regular file of this user or root, with one name, that others
cannot write to. An entry that fails a check is ignored. Nothing else in bunraku reads ``marshal``
or ``pickle`` from a file; the answers of workers are pickled, over a socket pair that only a
process and its own child have, or by the executor that the user chose (``--executor``).

An entry is named by the hash of all that decides its content, so a stale or foreign one is
never found. Its checksum covers the name, so a renamed one is not read either. Entries are
written to a temporary file and moved into place, so many writers do no harm.
"""

from __future__ import annotations

import marshal
import os
import stat
from binascii import crc32
from collections.abc import Mapping
from contextlib import suppress
from types import CodeType

from bunraku.base import system
from bunraku.base.command_names import BEFORE_COMMANDS
from bunraku.base.descriptors import write_all
from bunraku.base.lazy_typing import Any
from bunraku.base.open_cache import PRIVATE_FILE, TEMPORARY, OpenFolder, file_size
from bunraku.base.private_folder import FOR_OTHERS, NotPrivate, is_trusted, open_private
from bunraku.base.sealing import opened_bytes, sealed_bytes

MAGIC = b"bunraku\2"
HEAD = len(MAGIC) + 4
OFF = "BUNRAKU_NO_CACHE"
LIMIT = "BUNRAKU_CACHE_LIMIT"
DEFAULT_LIMIT = 512
"""The limit of the cache in MiB."""
MIB = 1 << 20
INNER = "code"
"""The folder with the entries, in that of the cache."""
READ = os.O_RDONLY | system.NO_LINK | system.PLAIN | system.AT_ONCE
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.PLAIN
NO_HOME = "cannot find the home directory: HOME is not set"


# -- where, whether and how much -------------------------------------------------------------------

CONFIGURED: dict[str, Any] = {}
BEFORE_COMMANDS.append(CONFIGURED.clear)
"""The values of the configuration file: ``cache`` and ``cache_limit``."""


class BadLimit(Exception):
    """A value of ``BUNRAKU_CACHE_LIMIT`` that is not a number of MiB."""


def configure(values: Mapping[str, Any]) -> None:
    """Set ``cache`` and ``cache_limit`` from the configuration file, if it has them."""
    CONFIGURED.clear()
    CONFIGURED.update(values)


def cache_folder() -> str | None:
    """Return the folder of the cache: ``$XDG_CACHE_HOME/bunraku``, else ``~/.cache/bunraku``.

    Return None if the user has no home directory.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        base = f"{home}/.cache"
    return f"{base.rstrip('/')}/bunraku" if os.path.isabs(base) else None


def why_off() -> str | None:
    """Return the setting that switches the cache off; None if it is on."""
    if os.environ.get(OFF):
        return f"{OFF} is set"
    if not system.OPENS_FOLDERS:
        return "this system cannot open folders, to check that they are private"
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


# -- the folder, opened once -----------------------------------------------------------------------


Key = tuple[str, int]
"""The path of a cache and the effective user."""
OPEN: dict[Key, OpenFolder] = {}
"""The folder that was opened last."""
UNUSABLE: dict[Key, str | None] = {}
"""Caches that cannot be used, with the reason if the user must be warned."""
WARNED: set[Key] = set()
"""Caches whose :meth:`DiskCache.warning` was already reported."""


def forget_folders() -> None:
    """Forget the checks of folders, as in a new process."""
    OPEN.clear()
    UNUSABLE.clear()
    WARNED.clear()


# -- entries ---------------------------------------------------------------------------------------


class DiskCache:
    """The cache of this user, or one in another folder; an unusable cache is always empty."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = cache_folder() if folder is None else os.fspath(folder)
        self.is_on = self.folder is not None and why_off() is None
        self.key: Key = (self.folder or "", system.user())

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

    def read_sealed(self, key: str, secret: bytes) -> Any:
        """Return the data of an entry, opened with a secret of 32 bytes if they are sealed."""
        data = self.read_data(key)
        if not isinstance(data, bytes):
            return data
        content = opened_bytes(data, secret) if secret else None
        return None if content is None else unmarshalled(content)

    def write_data(self, key: str, data: Any) -> None:
        """Keep data of tuples, lists, dicts, text and numbers."""
        self.store(f"{key}.data", data)

    def write_sealed(self, key: str, data: Any, secret: bytes) -> None:
        """Keep data that can only be read with a secret of 32 bytes."""
        self.write_data(key, sealed_bytes(marshalled(data), secret))

    def warning(self) -> str | None:
        """Return why the cache cannot be used, once per process; None if it can.

        Missing homes, read-only file systems and missing permissions are not reported.
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
        """Return the content of an entry; None if it is incomplete or belongs to another user."""
        folder = self.opened(create=False)
        if folder is None:
            return None
        try:
            data = read_own(name, folder.handle)
        except OSError:
            return None
        body = memoryview(data)[HEAD:]
        return unmarshalled(body) if data[:HEAD] == head_of(name, body) else None

    def store(self, name: str, value: Any) -> None:
        """Write an entry."""
        folder = self.opened(create=True)
        if folder is not None:
            body = marshalled(value)
            self.put(name, head_of(name, body) + body, folder)

    def add(self, name: str, content: bytes | memoryview) -> bool:
        """Write the bytes of an entry unless there is one with the name; return whether it was written."""
        folder = self.opened(create=True)
        if folder is None or has_file(name, folder.handle):
            return False
        return self.put(name, content, folder)

    def put(self, name: str, content: bytes | memoryview, folder: OpenFolder) -> bool:
        """Write a file in one step, or not at all; return whether it was written."""
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        try:
            write_new(temporary, content, folder.handle)
            os.rename(temporary, name, src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
        except BaseException as error:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder.handle)
            if not isinstance(error, OSError):
                raise
            return False
        folder.written += file_size(len(content))
        from bunraku.base.cache_size import account

        with suppress(OSError, BadLimit):
            account(folder, size_limit())
        return True

    # -- for people --------------------------------------------------------------------------------

    def reason(self) -> str | None:
        """Return why the cache is not used; None if it is, or will be when something is kept."""
        if self.folder is None:
            return NO_HOME
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

    def folder_of_entries(self) -> int:
        """Return a descriptor of the folder with the entries, which the caller has to close.

        Raises NotPrivate or OSError if the folder cannot be used.
        """
        return open_private(self.key[0], INNER, create=False)


def marshalled(value: Any) -> bytes:
    """Return a value of plain types as an entry has it."""
    return marshal.dumps(value)


def unmarshalled(content: bytes | memoryview) -> Any:
    """Return the value that an entry of this user has, checked or opened before; None if it is damaged."""
    try:
        return marshal.loads(content)  # noqa: S302, no other user can have written it: see above
    except (ValueError, EOFError, TypeError):
        return None


def head_of(name: str, body: bytes | memoryview) -> bytes:
    """Return the header of an entry; the checksum covers its name and all that follows."""
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


def has_file(name: str, folder: int) -> bool:
    """Return whether a folder has a file of that name."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def write_new(name: str, content: bytes | memoryview, folder: int) -> None:
    """Write a new file that only this user can read."""
    file = os.open(name, CREATE, PRIVATE_FILE, dir_fd=folder)
    try:
        system.set_mode(file, PRIVATE_FILE)  # regardless of the umask
        write_all(file, content)
    finally:
        os.close(file)
