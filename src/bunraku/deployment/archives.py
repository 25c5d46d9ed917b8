"""Unpack archives of modules, which anybody can have written.

Directories and regular files are unpacked, nothing else. Modes become 0755, and 0644 for files that
their owner cannot execute, as in Puppet (``puppet module install``): no set-user-id or set-group-id bit
is ever set. A symbolic link is left out and reported, as r10k does (``puppet_forge``, ``tar/mini.rb``); a
hard link becomes a copy of the member that it names. All that could reach outside of the directory, or
that would not be what the archive says, refuses the whole archive.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bunraku.base import system
from bunraku.base.descriptors import write_all
from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import open_regular
from bunraku.base.records import field, record
from bunraku.deployment import issues

EXECUTABLE, PLAIN = 0o755, 0o644
GZIP = b"\x1f\x8b"
BLOCK = 1 << 16
LARGEST_HEADER = 1 << 18
"""Bytes that are read at once. Data is read in smaller blocks; only headers with long names need more."""
FREE_RATIO = 10 << 20
"""Bytes up to which the ratio of an archive does not count."""
TAR_BLOCK = 512
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.PLAIN


@record(frozen=True)
class ArchiveLimits:
    """What an archive can hold: members, bytes when unpacked, and bytes for each packed one."""

    members: int = 100_000
    size: int = 1 << 30
    ratio: int = 200


USUAL_LIMITS = ArchiveLimits()


@record(frozen=True)
class Unpacked:
    """What came out of an archive: the number of files and bytes, and the links that were left out."""

    files: int
    size: int
    links: tuple[str, ...]


class TooLarge(Exception):
    """An archive exceeds a limit."""


class Unsafe(Exception):
    """A member of an archive must not be unpacked."""

    def __init__(self, member: str, reason: str) -> None:
        super().__init__(reason)
        self.member = member
        self.reason = reason


def unpack(
    path: str, directory: str, *, limits: ArchiveLimits = USUAL_LIMITS, stripped: bool = True
) -> Unpacked:
    """Unpack an archive (``.tar``, ``.tar.gz``) to a new directory, whose parent exists.

    All members must be below one directory, which is ``stripped``; without that, they are unpacked as
    they are (r10k, modules of the type ``tarball``). After an error, the directory does not exist.
    """
    with as_issue(path, directory):
        os.mkdir(directory)
    try:
        with as_issue(path, directory):
            os.chmod(directory, EXECUTABLE)
            with members_of(path, limits) as archive:
                return Unpacking(directory, limits, stripped).unpack(archive)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise


@contextmanager
def as_issue(path: str, directory: str) -> Iterator[None]:
    """Raise the issue for an archive that cannot be unpacked."""
    try:
        yield
    except Unsafe as error:
        raise issues.ARCHIVE_UNSAFE(
            archive=path, member=ascii(error.member), reason=error.reason
        ) from None
    except TooLarge as error:
        raise issues.ARCHIVE_TOO_LARGE(archive=path, reason=error) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise issues.ARCHIVE_DAMAGED(archive=path, reason=error) from None
    except (tarfile.TarError, ValueError, OverflowError, RecursionError) as error:
        raise issues.ARCHIVE_DAMAGED(archive=path, reason=error) from None
    except OSError as error:
        raise not_unpacked(path, directory, error) from None


def not_unpacked(path: str, directory: str, error: OSError) -> PuppetError:
    """Return the error for a file that cannot be read or written."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        reason = f"{error.filename}: {reason}"
    return issues.ARCHIVE_NOT_UNPACKED(archive=path, directory=directory, reason=reason)


# -- reading ---------------------------------------------------------------------------------------


class LimitedStream(io.RawIOBase):
    """The unpacked bytes of an archive, read forwards only, and not more than the limits allow."""

    def __init__(self, source: Callable[[int], bytes], packed: int, limits: ArchiveLimits) -> None:
        super().__init__()
        self.source = source
        self.most = min(limits.size, max(packed * limits.ratio, FREE_RATIO))
        self.limits = limits
        self.position = 0
        self.last = b""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes; raise TooLarge for too many."""
        if not 0 <= size <= LARGEST_HEADER:
            raise TooLarge(f"a header has more than {LARGEST_HEADER} bytes")
        self.last = self.source(size)
        self.position += len(self.last)
        if self.position > self.most:
            raise TooLarge(self.excess())
        return self.last

    def excess(self) -> str:
        """Return which limit is exceeded."""
        if self.most == self.limits.size:
            return f"it has more than {self.limits.size} bytes when unpacked"
        return f"it grows to more than {self.limits.ratio} times its size when unpacked"

    def tell(self) -> int:
        """Return the number of bytes that were read."""
        return self.position

    def seek(self, position: int, _whence: int = os.SEEK_SET, /) -> int:
        """Skip bytes up to a position from the start; raise ReadError for a position that was passed, which is a damaged size."""
        if position < self.position:
            raise tarfile.ReadError("the size of a member is wrong")
        while self.position < position:
            if not self.read(min(BLOCK, position - self.position)):
                raise tarfile.ReadError("it ends early")
        return position

    def drain(self) -> None:
        """Read the rest; raise EOFError if the compressed data ends early or has a wrong checksum.

        Only padding can follow the members. A header that cannot be read is an error.
        """
        if self.last.count(0) != TAR_BLOCK:
            raise EOFError("a header is damaged, or the archive ends early")
        while block := self.read(BLOCK):
            if block.count(0) != len(block):
                raise EOFError("there is data after its end")


@contextmanager
def members_of(path: str, limits: ArchiveLimits) -> Iterator[tarfile.TarFile]:
    """Yield an open archive. After its members were read, nothing must be left."""
    with open_regular(path) as file:
        packed = os.fstat(file.fileno()).st_size
        compressed = file.peek(len(GZIP)).startswith(GZIP)
        source = gzip.GzipFile(fileobj=file).read if compressed else file.read
        stream = LimitedStream(source, packed, limits)
        with tarfile.TarFile(fileobj=stream, encoding="utf-8") as archive:
            yield archive
            stream.drain()


# -- names -----------------------------------------------------------------------------------------


def checked_name(name: str) -> tuple[str, ...]:
    """Return the parts of the name of a member; raise Unsafe.

    >>> checked_name("./acme-alpha-1.0.0//manifests/init.pp")
    ('acme-alpha-1.0.0', 'manifests', 'init.pp')
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Unsafe(name, "its name is not UTF-8") from None
    if any(one < " " or one == "\x7f" for one in name):
        raise Unsafe(name, "its name has a control character")
    if name.startswith("/"):
        raise Unsafe(name, "its name is absolute")
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        raise Unsafe(name, "its name leads out of the archive")
    return parts


def check_target(member: tarfile.TarInfo, parts: tuple[str, ...]) -> None:
    """Raise Unsafe for a symbolic link that leads out of the archive; ``parts`` are its own name."""
    if member.linkname.startswith("/"):
        raise Unsafe(member.name, "it is a link to an absolute path")
    depth = len(parts) - 1
    for part in member.linkname.split("/"):
        if part not in {"", "."}:
            depth += -1 if part == ".." else 1
        if depth < 0:
            raise Unsafe(member.name, "it is a link that leads out of the archive")


def kind_of_member(member: tarfile.TarInfo) -> str:
    """Return the kind of a member: directory, file, link or copy; raise Unsafe for all others."""
    if member.size < 0:
        raise Unsafe(member.name, "its size is negative")
    if member.issparse():
        raise Unsafe(member.name, "it is a file with holes")
    if member.isdir():
        return "directory"
    if member.isreg():
        return "file"
    if member.issym():
        return "link"
    if member.islnk():
        return "copy"
    what = "a device or a named pipe" if member.isdev() else "of an unknown type"
    raise Unsafe(member.name, f"it is {what}")


def data_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[bytes]:
    """Yield the content of a file of an archive."""
    file = archive.extractfile(member)
    while file is not None and (block := file.read(BLOCK)):
        yield block


def blocks_of_file(path: str) -> Iterator[bytes]:
    """Yield the content of a file."""
    with open_regular(path) as file:
        while block := file.read(BLOCK):
            yield block


# -- writing ---------------------------------------------------------------------------------------


@record(slots=False)
class Unpacking:
    """Writes the members of one archive to a directory of this process.

    ``seen`` has the kind of each name in the archive. Names are checked against it, not against the
    file system, and nothing but directories and regular files is ever made.
    """

    directory: str
    limits: ArchiveLimits
    stripped: bool
    seen: dict[tuple[str, ...], str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    top: str | None = None
    files: int = 0
    size: int = 0

    def unpack(self, archive: tarfile.TarFile) -> Unpacked:
        """Write all members."""
        number = 0
        while (member := archive.next()) is not None:
            number += 1
            if number > self.limits.members:
                raise TooLarge(f"it has more than {self.limits.members} members")
            self.add(archive, member)
        if self.stripped and self.top is None:
            raise tarfile.ReadError("it is empty")
        return Unpacked(self.files, self.size, tuple(self.links))

    def add(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        """Write a member, or refuse it."""
        parts = self.inner_parts(member)
        kind = kind_of_member(member)
        original = self.original_of(member) if kind == "copy" else ""
        self.note(member, parts, kind)
        if kind == "link":
            check_target(member, parts)
            self.links.append("/".join(parts))
        elif kind == "directory":
            self.make_directories(parts)
        elif kind == "copy":
            self.write(member, parts, blocks_of_file(original))
        else:
            self.write(member, parts, data_of(archive, member))

    def inner_parts(self, member: tarfile.TarInfo, name: str | None = None) -> tuple[str, ...]:
        """Return the parts of a name below the directory at the top, which is the same for all."""
        parts = checked_name(member.name if name is None else name)
        if not self.stripped or not parts:
            return parts
        if self.top is None:
            self.top = parts[0]
        if parts[0] != self.top:
            raise Unsafe(member.name, f"it is not below the directory '{self.top}' of the others")
        return parts[1:]

    def note(self, member: tarfile.TarInfo, parts: tuple[str, ...], kind: str) -> None:
        """Remember a name; raise Unsafe if it is taken, or if something above it is not a directory."""
        if not parts and kind != "directory":
            raise Unsafe(member.name, "it stands where the directory of the module must be")
        for length in range(1, len(parts)):
            above = self.seen.setdefault(parts[:length], "directory")
            if above != "directory":
                raise Unsafe(member.name, f"it is below a {above}")
        taken = self.seen.get(parts)
        if taken is not None and (taken, kind) != ("directory", "directory"):
            raise Unsafe(member.name, "its name occurs twice")
        self.seen[parts] = kind

    def make_directories(self, parts: tuple[str, ...]) -> None:
        """Make a directory and those above it."""
        for length in range(1, len(parts) + 1):
            path = os.path.join(self.directory, *parts[:length])
            with suppress(FileExistsError):
                os.mkdir(path)
                os.chmod(path, EXECUTABLE)

    def write(
        self, member: tarfile.TarInfo, parts: tuple[str, ...], content: Iterator[bytes]
    ) -> None:
        """Write a file."""
        self.make_directories(parts[:-1])
        descriptor = os.open(os.path.join(self.directory, *parts), NEW_FILE, 0o600)
        try:
            for block in content:
                self.size += len(block)
                if self.size > self.limits.size:
                    raise TooLarge(f"it has more than {self.limits.size} bytes when unpacked")
                write_all(descriptor, block)
            system.set_mode(descriptor, EXECUTABLE if member.mode & stat.S_IXUSR else PLAIN)
        finally:
            os.close(descriptor)
        self.files += 1

    def original_of(self, member: tarfile.TarInfo) -> str:
        """Return the path of the file that a hard link names; raise Unsafe unless it came before."""
        parts = self.inner_parts(member, member.linkname)
        if self.seen.get(parts) not in {"file", "copy"}:
            raise Unsafe(member.name, "it is a hard link to something that is not a file before it")
        return os.path.join(self.directory, *parts)
