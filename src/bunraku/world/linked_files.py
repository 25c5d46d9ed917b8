"""Trees of files that share their content: hard links, reflinks, copies, and switches of directories.

A switch is one call of the kernel (``renameat2`` with ``RENAME_EXCHANGE`` on Linux, ``renamex_np`` with
``RENAME_SWAP`` on macOS): who opens a file by its path finds the old tree or the new one, never
neither. Where the kernel or the file system cannot do that, two renames follow each other.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bunraku.base import system
from bunraku.base.descriptors import write_all

AT_FDCWD = -100
RENAME_EXCHANGE = 2
RENAME_SWAP = 2
FICLONE = 0x40049409
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EXDEV, errno.EPERM})
"""Errors of a kernel or a file system that cannot do what was asked."""
NO_LINK = UNSUPPORTED | {errno.EMLINK, errno.EACCES}
"""The same for hard links: ``EMLINK`` is a file with too many of them."""
BLOCK = 1 << 20
NEW = ".new"
"""The end of the names of temporary files."""
OLD = ".old"
"""The end of the name of a tree between the two renames of a switch."""
LONGEST = 100
MOUNTS = "/proc/self/mountinfo"
OCTAL = re.compile(r"\\([0-7]{3})")


def place_file(source: str, target: str, mode: int, *, link: bool) -> None:
    """Make ``target`` a file with the content of ``source``: a hard link, a reflink or a copy.

    A copy and a reflink get ``mode`` and the modification time of the source.
    ``link`` is False where files may be edited in place. Raise OSError.
    """
    if link:
        try:
            os.link(source, target)
            return
        except OSError as error:
            if error.errno not in NO_LINK:
                raise
    copy_file(source, target, mode)


def copy_file(source: str, target: str, mode: int) -> None:
    """Copy a file; the file system shares its blocks if it can (btrfs, XFS). Raise OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.PLAIN
    with open(source, "rb", buffering=0) as old:
        new = os.open(target, flags, 0o600)
        try:
            if not share_blocks(old.fileno(), new):
                while block := old.read(BLOCK):
                    write_all(new, block)
            system.set_mode(new, mode)
            status = os.fstat(old.fileno())
            os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
        finally:
            os.close(new)


def share_blocks(old: int, new: int) -> bool:
    """Let a new file share the blocks of another one; return False if that cannot be done."""
    try:
        import fcntl  # Windows has none

        fcntl.ioctl(new, FICLONE, old)
    except (ImportError, OSError):
        return False
    return True


@contextmanager
def replaced_directory(path: str) -> Iterator[None]:
    """Remove an empty directory, for a function that makes it itself, and make it again if that fails."""
    os.rmdir(path)
    try:
        yield
    finally:
        if not os.path.isdir(path):
            os.mkdir(path, 0o700)


@contextmanager
def new_file(path: str) -> Iterator[Callable[[bytes], None]]:
    """Yield a function that writes to a new file of this user alone. Raise OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.PLAIN
    handle = os.open(path, flags, 0o600)
    try:
        yield lambda block: write_all(handle, block)
    finally:
        os.close(handle)


def replace_file(path: str, content: bytes, mode: int, workspace: str = "") -> None:
    """Create or replace a file by a rename, without waiting for the disk. Raise OSError.

    For files that are checked when they are read: after a power failure, one may be empty. A killed
    process may leave its temporary file, in ``workspace`` or beside the file.
    """
    above, name = os.path.split(path)
    temporary = f"{workspace or above}/{name[:LONGEST]}.{os.getpid()}-{os.urandom(4).hex()}{NEW}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.PLAIN, 0o600)
    try:
        try:
            write_all(handle, content)
            system.set_mode(handle, mode)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def exchange(first: str, second: str) -> None:
    """Exchange two directories in one step where the system can, otherwise in two. Raise OSError.

    Between the two steps, ``second`` is at the name of ``first`` with the end ``OLD``.
    """
    call = exchange_call()
    if call is not None:
        number = call(os.fsencode(first), os.fsencode(second))
        if not number:
            return
        if number not in UNSUPPORTED:
            raise OSError(number, os.strerror(number), first)
    aside = f"{first}{OLD}"
    os.rename(second, aside)
    try:
        os.rename(first, second)
    except BaseException:
        os.rename(aside, second)
        raise
    os.rename(aside, first)


def exchange_call() -> Callable[[bytes, bytes], int] | None:
    """Return the system's function for exchanging two paths, which returns 0 or the error."""
    from ctypes import CDLL, get_errno  # slow to import; only a switch needs it

    library = CDLL(None, use_errno=True)
    if sys.platform == "linux" and hasattr(library, "renameat2"):
        return lambda first, second: (
            get_errno()
            if library.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE)
            else 0
        )
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        return lambda first, second: (
            get_errno() if library.renamex_np(first, second, RENAME_SWAP) else 0
        )
    return None


def remove_tree(path: str) -> None:
    """Remove a file or a directory with its content, if it exists; links are not followed. Raise OSError.

    Directories without the right to write, which somebody has taken, get it back.
    """
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(path)
        return
    directories = [path]
    for directory in directories:
        directories += remove_files(directory)
    for directory in reversed(directories):
        os.rmdir(directory)


def remove_files(directory: str) -> list[str]:
    """Remove the files and links in a directory; return its subdirectories. Raise OSError."""
    with suppress(OSError):
        if os.lstat(directory).st_mode & 0o700 != 0o700:
            os.chmod(directory, 0o700)
    with os.scandir(directory) as entries:
        present = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for path, is_directory in present:
        if not is_directory:
            os.unlink(path)
    return [path for path, is_directory in present if is_directory]


def mounts_below(path: str) -> list[str]:
    """Return the mount points that are a directory or in it; none where the system does not list them.

    A directory in which another file system is mounted cannot be replaced, and what is mounted there
    must not be removed with it.
    """
    real = os.path.realpath(path)
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            listed = [line.split(" ", 5)[4] for line in file]
    except OSError:
        return []
    places = [OCTAL.sub(lambda found: chr(int(found[1], 8)), one) for one in listed]
    return [one for one in places if f"{one}/".startswith(f"{real}/")]
