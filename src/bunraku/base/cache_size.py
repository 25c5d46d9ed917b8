"""The size of the cache on disk, and removal of entries: by age, by size, on request."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from bunraku.base import locks, system
from bunraku.base.open_cache import PAUSES, PRIVATE_FILE, TEMPORARY, OpenFolder, file_size

AFTER_TRIMMING = 0.75
"""The part of the limit that is left when old entries were removed."""
SCAN_AFTER = 86_400
"""Seconds until the entries are counted again."""
COUNTING_TAKES = 60
"""Seconds after which a process that counts is taken for dead."""
LEFT_OVER_AFTER = 3_600
"""Seconds after which a temporary file is that of a writer that was killed."""
USAGE = "usage"
"""The file with the bytes of all entries and the time at which they were counted."""
STORE = "modules"
"""The store of modules, which ``bunraku cache prune`` is for."""
KINDS = frozenset({"code", "data"})
DIGITS = 40
"""The length of an entry's name, which is a number in hexadecimal digits."""
OLD_DIGITS = 2
"""Earlier versions kept entries in folders named by the first digits."""
UPDATE = os.O_RDWR | os.O_CREAT | system.NO_LINK | system.PLAIN | system.AT_ONCE
FOLDER = os.O_RDONLY | system.DIRECTORY | system.NO_LINK | system.PLAIN


class Contents(NamedTuple):
    """The content of a cache; ``others`` are files that are not entries."""

    entries: int = 0
    bytes: int = 0
    others: int = 0


def contents(folder: int) -> Contents:
    """Count the entries in an open folder."""
    sizes = [size for _, _, size in entries_in(folder)]
    return Contents(len(sizes), sum(sizes), sum(1 for _ in strangers_in(folder)))


def clear(folder: int) -> Contents:
    """Remove the entries; return the removed and the remaining ones. Raise OSError."""
    remove_old_folders(folder)
    found = contents(folder)
    for name, _, _ in list(entries_in(folder)):
        unlink(name, folder)
    for name in (*left_over(folder, 0.0), USAGE):
        unlink(name, folder)
    return found


def unlink(name: str, folder: int) -> None:
    """Remove a file; another process may have been faster."""
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def account(folder: OpenFolder, limit: int) -> None:
    """Add the written bytes to the sum of all processes, and remove old entries if it is too large.

    The sum is in a file, so no entry has to be looked at. Once a day the entries are counted.
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

    Raises OSError if other processes keep the file locked. On a file system without locks,
    the sum may miss some bytes until the next count.
    """
    file = os.open(USAGE, UPDATE, PRIVATE_FILE, dir_fd=folder.handle)
    try:
        pauses, folder.pauses = folder.pauses, ()
        while not is_locked(file):
            if not pauses:
                raise BlockingIOError(errno.EWOULDBLOCK, "another process has the file", USAGE)
            time.sleep(pauses[0])
            pauses = pauses[1:]
        folder.pauses = PAUSES
        known = os.pread(file, 64, 0).split()
        is_whole = len(known) == 2 and all(part.isdigit() and len(part) <= 20 for part in known)
        total, counted = map(int, known) if is_whole else (0, 0)
        yield file, total, counted
    finally:
        os.close(file)


def is_locked(file: int) -> bool:
    """Lock a file and return whether this process has it, as on file systems without locks."""
    try:
        return locks.try_lock(file)
    except OSError as error:
        if error.errno not in locks.NO_LOCKS:
            raise
    return True


def write_usage(file: int, total: int, counted: int) -> None:
    """Replace the content of the file with the sum."""
    text = b"%020d %020d\n" % (total, counted)
    if os.pwrite(file, text, 0) != os.fstat(file).st_size:
        os.ftruncate(file, len(text))


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


def is_hexadecimal(text: str, digits: int) -> bool:
    """Return whether a text is a hexadecimal number as names of entries are.

    >>> is_hexadecimal("0a", 2), is_hexadecimal("0A", 2), is_hexadecimal("0a", 3)
    (True, False, False)
    """
    return len(text) == digits and not text.strip("0123456789abcdef")


def is_entry(name: str, digits: int) -> bool:
    """Return whether a file name is that of an entry."""
    number, _, kind = name.partition(".")
    return kind in KINDS and is_hexadecimal(number, digits)


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
    """Yield the files in the folder that do not belong to the cache."""
    for name in os.listdir(folder):
        if (
            name not in {USAGE, STORE}
            and not name.startswith(TEMPORARY)
            and not is_entry(name, DIGITS)
        ):
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
        if not is_hexadecimal(name, OLD_DIGITS):
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
