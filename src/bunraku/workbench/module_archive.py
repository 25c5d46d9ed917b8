"""The archive of a module as the Forge takes it: a tar file with the files that belong to a release.

The files are those that ``pdk build`` packs (puppet-modulebuilder 2). The same files give the same bytes: entries are
sorted, and have no owner and one time.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
from collections.abc import Iterator, Sequence

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


def archive(module: str, release: str, entries: Sequence[Entry], seconds: int) -> bytes:
    """Return the compressed archive of a module: all is in the directory that the release names.

    ``seconds`` is the time of the entries, since 1970. Raises OSError and NotPackable.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for entry in (Entry("", stat.S_IFDIR | 0o755), *entries):
            add(tar, module, release, entry, seconds)
    compressed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, compressed, mtime=0) as stream:
        stream.write(packed.getvalue())
    return compressed.getvalue()


def add(tar: tarfile.TarFile, module: str, release: str, entry: Entry, seconds: int) -> None:
    """Add an entry to an archive; everybody may read it."""
    packed = tarfile.TarInfo(f"{release}/{entry.path}".rstrip("/"))
    packed.mtime = seconds
    packed.mode = stat.S_IMODE(entry.mode) & 0o777 | (0o755 if entry.is_directory else 0o644)
    content = b""
    if entry.is_directory:
        packed.type = tarfile.DIRTYPE
    else:
        with open(os.path.join(module, entry.path), "rb") as file:
            content = file.read()
        packed.size = len(content)
    try:
        tar.addfile(packed, io.BytesIO(content))
    except ValueError as error:
        raise NotPackable(f"{entry.path}: the path is too long for an archive") from error
