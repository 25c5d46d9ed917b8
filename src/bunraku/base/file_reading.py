"""Read whole files that are regular and not too large."""

from __future__ import annotations

import errno
import os
import stat

from bunraku.base import system
from bunraku.base.fences import FENCES, check_inside
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import BufferedReader

LARGEST_FILE = 64 << 20
"""Bytes of a file of code or data; larger ones are refused."""
LARGEST_CATALOG = 1 << 30
"""Bytes of a file with a catalog."""
CHUNK = 1 << 16
LISTS_HANDLES = os.listdir in os.supports_fd
"""Whether the names in an open directory can be listed."""

STREAM = lazy_pattern(r"/dev/(?:stdin|fd/[0-9]+)|/proc/self/fd/[0-9]+")
"""Paths of the descriptors that the process inherits: a shell makes them for ``<(command)``."""
KINDS = {
    stat.S_IFIFO: "a named pipe (FIFO)",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotRegular(OSError):
    """The error for a device, a socket or a named pipe."""


def read_whole(path: str, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a file: as ``open`` and ``read`` do, in a third of their time.

    Raises OSError for a file that is not regular, without waiting for a writer, and for more than
    ``most`` bytes. ``/dev/null`` is an empty file; pipes and terminals are read if their paths are
    those of inherited descriptors (``/dev/stdin``, ``/dev/fd/N``, ``/proc/self/fd/N``).
    """
    handle, size = open_readable(path)
    try:
        if size > most:
            raise too_large(most)
        content = os.read(handle, size + 1)
        if len(content) == size and size:
            return content
        # It grew, or is one of those that have no size, as in /proc.
        return content + read_rest(handle, most) if content else content
    except OSError as error:
        error.filename = path
        raise
    finally:
        os.close(handle)


def text_on_disk(path: str) -> str:
    """Return a file's text, bytes kept whole. Raises OSError as :func:`read_whole`."""
    return read_whole(path).decode("utf-8", "surrogateescape")


def open_regular(path: str) -> BufferedReader:
    """Open a file of any size, to read it piece by piece; OSError as :func:`read_whole`. The caller closes it."""
    handle, _size = open_readable(path)
    return os.fdopen(handle, "rb")


def read_beginning(path: str, size: int) -> bytes:
    """Return the first bytes of a file; OSError as :func:`read_whole`."""
    handle, _ = open_readable(path)
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def open_readable(path: str) -> tuple[int, int]:
    """Open a file that can be read to its end; return its descriptor and size.

    Raise OSError as :func:`read_whole`.
    """
    try:
        handle = os.open(path, os.O_RDONLY | system.PLAIN | system.AT_ONCE | system.NO_TERMINAL)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise irregular(KINDS[stat.S_IFSOCK], path) from None
        raise
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            check_kind(path, handle, status)
        elif FENCES:
            check_inside(path, real_path(path, handle))
    except BaseException:
        os.close(handle)
        raise
    return handle, status.st_size


def names_inside(path: str) -> list[str]:
    """Return the names in a directory, in any order. Raise OSError, also if it is outside of its fence."""
    if not FENCES or not LISTS_HANDLES:
        check_inside(path)
        return os.listdir(path)
    handle = os.open(path, os.O_RDONLY | system.PLAIN | system.DIRECTORY)
    try:
        check_inside(path, real_path(path, handle))
        return os.listdir(handle)
    finally:
        os.close(handle)


def real_path(path: str, handle: int) -> str:
    """Return the path of an open file without links; on Linux, no other process can change it meanwhile."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        return os.path.realpath(path)


def is_present(path: str) -> bool:
    """Return whether a path leads to something other than a directory.

    Special files count, so reading them is an error; they are not taken for absent ones.

    >>> is_present("/dev/zero"), is_present("/dev"), is_present("/dev/nothing")
    (True, False, False)
    """
    try:
        return not stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_stream(path: str) -> bool:
    """Return whether a path is that of an inherited descriptor.

    >>> is_stream("/dev/fd/63"), is_stream("/dev/zero")
    (True, False)
    """
    return STREAM.fullmatch(path) is not None


def read_rest(handle: int, most: int) -> bytes:
    """Return the rest of an open file or pipe; OSError for more than ``most`` bytes."""
    pieces = []
    size = 0
    while piece := os.read(handle, CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise too_large(most)
    return b"".join(pieces)


def check_kind(path: str, handle: int, status: os.stat_result) -> None:
    """Raise OSError for an open file that is not regular, unless it is a stream or empty."""
    kind = stat.S_IFMT(status.st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if is_stream(path):
        os.set_blocking(handle, True)
    elif kind != stat.S_IFCHR or status.st_rdev != os.stat(os.devnull).st_rdev:
        raise irregular(KINDS.get(kind, "a special file"), path)


def irregular(kind: str, path: str) -> NotRegular:
    """Return the error for a file that is not a regular one."""
    return NotRegular(errno.EINVAL, f"it is {kind}, not a regular file", path)


def too_large(most: int) -> OSError:
    """Return the error for a file with too many bytes."""
    return OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB")
