"""The archive of a module as the Forge takes it: a tar file with the files that belong to a release.

The files are those that ``pdk build`` packs (puppet-modulebuilder 2). The same files give the same bytes: entries are
sorted, and have no owner and one time.
"""

from __future__ import annotations

import os
import stat
import tarfile
import zlib
from collections.abc import Iterator, Sequence

from bunraku.base.file_reading import open_readable
from bunraku.base.records import record

DIRECTORIES = frozenset(
    [
        "data",
        "docs",
        "examples",
        "facts.d",
        "files",
        "functions",
        "lib",
        "locales",
        "manifests",
        "plans",
        "scripts",
        "tasks",
        "templates",
        "types",
    ]
)
FILES = frozenset({"LICENSE", "REFERENCE.md", "bolt_plugin.json", "hiera.yaml", "metadata.json"})
STARTS = ("CHANGELOG", "README")
"""Beginnings of the names of files that belong to a release."""
GZIP = 16 + zlib.MAX_WBITS
"""The format of the compressed data, for zlib: that of gzip, without a name and a time."""
PIECE = 1 << 20
"""Bytes of a file that are in memory at once."""
EARLIEST = 315532800
"""1980-01-01, the time of all entries without SOURCE_DATE_EPOCH, in seconds since 1970."""


@record(frozen=True)
class Entry:
    """A file or a directory of an archive: its path below the module, and its mode."""

    path: str
    mode: int

    @property
    def is_directory(self) -> bool:
        """Whether this is a directory."""
        return stat.S_ISDIR(self.mode)


@record(frozen=True)
class ReleaseContents:
    """What belongs to a release, what is left out on purpose, and the links, which no archive may have."""

    entries: Sequence[Entry]
    left_out: Sequence[str]
    links: Sequence[str]


class NotPackable(Exception):
    """A file cannot be in an archive; the text says why."""


def is_released(name: str, mode: int) -> bool:
    """Return whether a file or directory at the top of a module belongs to a release.

    >>> [is_released(name, stat.S_IFREG) for name in ("README.md", "Gemfile", "data", ".git")]
    [True, False, False, False]
    >>> is_released("README.d", stat.S_IFDIR), is_released("data", stat.S_IFDIR)
    (False, True)
    """
    if stat.S_ISDIR(mode):
        return name in DIRECTORIES
    return name in FILES or name.startswith(STARTS)


def contents_of(module: str, out: str) -> ReleaseContents:
    """Return what belongs to a release of the module in a directory. Raises OSError and NotPackable.

    ``out`` is the directory of the archive: in the module, it does not belong to the release.
    """
    own = os.path.relpath(os.path.realpath(out), os.path.realpath(module))
    entries: list[Entry] = []
    left_out: list[str] = []
    links: list[str] = []
    for name in sorted(os.listdir(module)):
        mode = os.lstat(os.path.join(module, name)).st_mode
        if not is_released(name, mode) or name == own:
            left_out.append(name)
            continue
        for entry in entries_below(module, name, mode):
            if entry.path == own:
                left_out.append(own)
            elif entry.path.startswith(f"{own}/"):
                continue
            elif stat.S_ISLNK(entry.mode):
                links.append(entry.path)
            else:
                entries.append(entry)
    return ReleaseContents(entries, left_out, links)


def entries_below(module: str, path: str, mode: int) -> Iterator[Entry]:
    """Yield an entry and those below it, in the order of their names."""
    if not path.isascii():
        raise NotPackable(f"{path}: names in a module may only have ASCII characters")
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise NotPackable(f"{path}: not a file, a directory or a link")
    yield Entry(path, mode)
    if stat.S_ISDIR(mode):
        for name in sorted(os.listdir(os.path.join(module, path))):
            below = f"{path}/{name}"
            yield from entries_below(module, below, os.lstat(os.path.join(module, below)).st_mode)


def archive(module: str, release: str, entries: Sequence[Entry], seconds: int) -> Iterator[bytes]:
    """Yield the pieces of the compressed archive of a module: all is in the directory that the release names.

    ``seconds`` is the time of the entries, since 1970. Raises OSError and NotPackable.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, GZIP)
    for entry in (Entry("", stat.S_IFDIR | 0o755), *entries):
        for piece in packed_entry(module, release, entry, seconds):
            yield packer.compress(piece)
    yield packer.compress(bytes(2 * tarfile.BLOCKSIZE)) + packer.flush()


def check_paths(release: str, entries: Sequence[Entry]) -> None:
    """Raise NotPackable for a path that is too long for an archive."""
    for entry in entries:
        header_of(tarfile.TarInfo(f"{release}/{entry.path}"), entry)


def packed_entry(module: str, release: str, entry: Entry, seconds: int) -> Iterator[bytes]:
    """Yield the pieces of an entry: its header, and the content of a file in whole blocks."""
    packed = tarfile.TarInfo(f"{release}/{entry.path}".rstrip("/"))
    packed.mtime = seconds
    packed.mode = stat.S_IMODE(entry.mode) & 0o777 | (0o755 if entry.is_directory else 0o644)
    if entry.is_directory:
        packed.type = tarfile.DIRTYPE
        yield header_of(packed, entry)
        return
    path = os.path.join(module, entry.path)
    handle, packed.size = open_readable(path)
    try:
        yield header_of(packed, entry)
        left = packed.size
        while left:
            piece = os.read(handle, min(left, PIECE))
            if not piece:
                raise NotPackable(f"{entry.path}: the file became shorter while it was read")
            left -= len(piece)
            yield piece
    finally:
        os.close(handle)
    yield bytes(-packed.size % tarfile.BLOCKSIZE)


def header_of(packed: tarfile.TarInfo, entry: Entry) -> bytes:
    """Return the header of an entry. Raises NotPackable."""
    try:
        return packed.tobuf(tarfile.USTAR_FORMAT)
    except ValueError as error:
        raise NotPackable(f"{entry.path}: the path is too long for an archive") from error
