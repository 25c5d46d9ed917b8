"""Write files atomically: readers get the old content or the new one, never a part of either.

The content is written to a temporary file in the same directory, which is then renamed. If the
write fails (a full disk, a quota, an interrupt), the old file stays and the temporary file is
removed. Only a killed process leaves one. A process holds a lock on each of its temporary files, and
the next write to the same directory removes those that no process holds.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from bunraku.base import locks, system
from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.descriptors import write_all
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import record

if TYPE_CHECKING:
    from typing import TypeAlias

CATALOG_MODE = 0o640
"""The mode of catalogs and of all other files that can contain secrets, as in Puppet."""
KEY_MODE = 0o600
"""The mode of private keys."""

ABANDONED = 3600.0
"""The age in seconds after which a temporary file without a lock counts as abandoned."""
ABANDONED_LINK = 60.0
"""The same age of a link, which is renamed at once and cannot be locked."""
MOST_HELD = 100
"""The number of temporary files of one change that a process holds; each is an open file."""
TEMPORARY = lazy_pattern(r"\.bunraku-[0-9a-f]{32}(?P<free>\.free)?\.new")
"""The pattern of names of temporary files; those with ``free`` are not held while they are used."""
DESCRIPTORS = lazy_pattern(r"/(?:dev|proc/self)/fd/([0-9]{1,9})")
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.PLAIN
"""The flags that create a file and refuse an existing one."""
STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
DEVICES = frozenset({"/dev/null", "/dev/full", "/dev/tty"})
"""Devices that are written to instead of being replaced."""


Content: TypeAlias = "bytes | Iterable[bytes]"
"""The bytes of a file, or their pieces, which are written as they come."""


@record(frozen=True)
class Replacement:
    """New content for a file: ``target`` is replaced; errors contain ``path``.

    The new file is created with ``mode``; ``finish`` sets its final mode.
    """

    path: str
    target: str
    content: Content
    mode: int
    finish: Callable[[int], None]

    def complete(self, handle: int) -> None:
        """Set the mode of the new file and wait until its data is on the disk."""
        self.finish(handle)
        synchronize(handle)


def make_folders(path: str, mode: int) -> None:
    """Create a directory and those above it that are missing, each with a mode; raise OSError.

    ``os.makedirs`` gives the mode to the last one only; with an umask of 0, the others are for everybody.
    """
    above = os.path.dirname(path.rstrip("/"))
    if above and not os.path.lexists(above):
        make_folders(above, mode)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def write_whole(path: str, content: Content, *, mode: int | None = None) -> None:
    """Create or replace a file atomically; raise OSError with the path on failure.

    An error while the pieces of the content are made leaves the old file, too.
    ``mode`` overrides the umask; without ``mode``, the umask applies. A symbolic link is replaced,
    not followed. A directory or special file is refused; ``/dev/stdout``, ``/dev/stderr``,
    ``/dev/fd/N`` and ``/dev/null`` are streams and are written to.
    """
    with naming(path):
        if write_stream(path, content):
            return
        check_target(path)

    def finish(handle: int) -> None:
        if mode is not None:
            system.set_mode(handle, mode)

    # Without a mode, the kernel applies the umask and the default access list of the directory.
    start = 0o666 if mode is None else 0o600
    replace_all([Replacement(path, path, content, start, finish)])


def edit_whole(contents: Mapping[str, bytes]) -> None:
    """Replace the contents of existing files; raise OSError with the path of the file that fails.

    No file changes unless all new content could be written. A symbolic link is followed, and its
    target is replaced. Mode and access list are kept, as are owner and group if this
    process may set them.
    """
    replace_all([edit_of(path, content) for path, content in contents.items()])


def edit_of(path: str, content: bytes) -> Replacement:
    """Return the replacement of a file that keeps everything but the content."""
    with naming(path):
        real = os.path.realpath(path)
        check_target(real)
        before = os.stat(real)

    def alike(handle: int) -> None:
        mode = stat.S_IMODE(before.st_mode)
        if not system.HAS_OWNERS:
            return
        try:
            os.fchown(handle, before.st_uid, before.st_gid)
        except PermissionError:  # like any editor of another user's file
            mode &= 0o777
            with suppress(PermissionError):
                os.fchown(handle, -1, before.st_gid)
        copy_attributes(real, handle)
        system.set_mode(handle, mode)

    return Replacement(path, real, content, 0o600, alike)


def copy_attributes(path: str, handle: int) -> None:
    """Copy the extended attributes of another file, such as its access list, if allowed."""
    with suppress(OSError):
        for name in os.listxattr(path):
            with suppress(OSError):
                os.setxattr(handle, name, os.getxattr(path, name))


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Replace the temporary path in an OSError with the path of the file to write."""
    try:
        yield
    except OSError as error:
        error.filename = path
        del error.filename2  # None would be a part of the text
        raise


def write_stream(path: str, content: Content) -> bool:
    """Write to a path that is a stream of this process or a device; return whether it is one.

    ``/dev/stdout`` is the descriptor itself: opening the name would overwrite a redirected file
    from its start.
    """
    plain = os.path.normpath(path)
    number = STREAMS.get(plain)
    if plain.startswith(("/dev/", "/proc/")) and (found := DESCRIPTORS.fullmatch(plain)):
        number = int(found[1])
    if number is not None:
        write_content(number, content)
        return True
    if plain not in DEVICES:
        return False
    handle = os.open(plain, os.O_WRONLY | system.NO_TERMINAL | system.PLAIN)
    try:
        write_content(handle, content)
    finally:
        os.close(handle)
    return True


def write_content(handle: int, content: Content) -> None:
    """Write bytes, or all pieces of them."""
    for piece in (content,) if isinstance(content, bytes) else content:
        write_all(handle, piece)


def check_target(path: str) -> None:
    """Raise OSError for a path at which a file cannot be created or replaced."""
    directory = os.path.dirname(path) or "."
    try:
        kind = os.lstat(path).st_mode
    except FileNotFoundError:
        if not os.path.isdir(directory):
            reason = f"the directory {directory} does not exist"
            raise FileNotFoundError(errno.ENOENT, reason, path) from None
        return
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, "it is a directory", path)
    if not (stat.S_ISREG(kind) or stat.S_ISLNK(kind)):
        raise OSError(errno.EINVAL, "it is not a regular file", path)


def replace_all(files: Sequence[Replacement]) -> None:
    """Write a temporary file beside each file, then rename them all.

    The data is on the disk before the rename: after a power failure, the file is the old or the new
    one. Some file systems report only at this point that the disk is full or damaged.
    """
    made: list[tuple[Replacement, NewFile]] = []
    try:
        for one in files:
            directory = os.path.dirname(one.target) or "."
            remove_abandoned(directory)
            # The file is recorded before it is created, because an interrupt can come at any time.
            new = NewFile(directory, held=system.HAS_OWNERS and len(made) < MOST_HELD)
            made.append((one, new))
            with naming(one.path):
                new.write(one.content, one.mode, one.complete)
        for one, new in made:
            with naming(one.path):
                os.replace(new.path, one.target)
    except BaseException:
        for _, new in made:
            with suppress(OSError):
                os.unlink(new.path)
        raise
    finally:
        for _, new in made:
            new.release()


class NewFile:
    """A temporary file in a directory. Others do not remove it while this process holds it."""

    def __init__(self, directory: str, *, held: bool = True) -> None:
        self.directory = directory
        self.ending = ".new" if held else ".free.new"
        self.held = held
        self.path = ""
        self.lock: int | None = None

    def create(self, mode: int) -> int:
        """Create the file and hold it; return a descriptor to write to."""
        while True:
            self.path = temporary_path(self.directory, self.ending)
            handle = os.open(self.path, NEW, mode)
            try:
                if not self.held or self.hold(handle):
                    return handle
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)

    def hold(self, handle: int) -> bool:
        """Lock the file; return False if another process has removed it before.

        The lock has a descriptor of its own: a program that is open for writing cannot be run, and
        a check may run the file.
        """
        try:
            self.lock = os.open(self.path, os.O_RDONLY | system.NO_LINK | system.PLAIN)
        except FileNotFoundError:
            return False
        except PermissionError:  # the umask takes the right to read from all users
            self.lock = os.dup(handle)
        if is_locked(self.lock) and is_at(handle, self.path):
            return True
        self.release()
        return False

    def write(
        self, content: Content, mode: int, complete: Callable[[int], None] = lambda _: None
    ) -> None:
        """Create the file with a content; ``complete`` is called before it is closed."""
        write_and_close(self.create(mode), content, complete)

    def release(self) -> None:
        """Let go of the file."""
        lock, self.lock = self.lock, None
        if lock is not None:
            os.close(lock)


def temporary_path(directory: str, ending: str = ".new") -> str:
    """Return a path for a temporary file or link that does not exist yet."""
    return os.path.join(directory, f".bunraku-{os.urandom(16).hex()}{ending}")


def is_locked(handle: int) -> bool:
    """Lock an open file; return False if another process holds it.

    Some file systems have no locks; their files count as held for as long as they are young.
    """
    try:
        return locks.try_lock(handle)
    except OSError:
        return True


def is_at(handle: int, path: str) -> bool:
    """Return whether an open file has a path."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(handle))


def write_new(
    path: str, content: Content, mode: int, complete: Callable[[int], None] = lambda _: None
) -> None:
    """Write a file that must not exist yet; ``complete`` is called before it is closed."""
    write_and_close(os.open(path, NEW, mode), content, complete)


def write_and_close(handle: int, content: Content, complete: Callable[[int], None]) -> None:
    """Write the content of an open file, call ``complete`` and close it."""
    try:
        write_content(handle, content)
        complete(handle)
    except BaseException:
        with suppress(OSError):
            os.close(handle)
        raise
    os.close(handle)  # network file systems report a full disk here


def synchronize(handle: int) -> None:
    """Wait until a file's data is on the disk; ignore file systems that do not support this."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
            raise


# -- temporary files -------------------------------------------------------------------------------

CLEANED: BoundedCache[str, float] = BoundedCache("cleaned directories", 1000)
"""Directories without abandoned files, and the time of that check."""


def remove_abandoned(directory: str) -> None:
    """Remove temporary files of this user that were left in a directory by killed processes.

    A directory is searched at most once an hour.
    """
    directory = os.path.abspath(directory)
    now = time.time()
    if 0 <= now - CLEANED.get(directory, -ABANDONED) < ABANDONED:
        return
    CLEANED.keep(directory, now)
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(".new") and (found := TEMPORARY.fullmatch(entry.name)):
                with suppress(OSError):
                    remove_if_abandoned(entry.path, now, free=found["free"] is not None)


def remove_if_abandoned(path: str, now: float, *, free: bool) -> None:
    """Remove a temporary file of this user that no process holds; OSError if that is impossible."""
    status = os.lstat(path)
    age = now - status.st_mtime
    if status.st_uid != system.user():
        return
    if (stat.S_ISLNK(status.st_mode) and age > ABANDONED_LINK) or (
        stat.S_ISREG(status.st_mode) and free and age > ABANDONED
    ):
        os.unlink(path)
    elif stat.S_ISREG(status.st_mode) and not free:
        remove_unless_held(path, age)


def remove_unless_held(path: str, age: float) -> None:
    """Remove a temporary file unless a process has its lock.

    Without locks in the file system, its age decides.
    """
    handle = os.open(path, os.O_RDONLY | system.NO_LINK | system.AT_ONCE | system.PLAIN)
    try:
        if locks.try_lock(handle):
            os.unlink(path)
    except OSError:
        if age > ABANDONED:
            os.unlink(path)
    finally:
        os.close(handle)
