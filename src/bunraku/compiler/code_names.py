"""The names of code objects: in error messages, and of entries in the cache on disk.

An entry is named by the hash of text, path, dialect, Python and bunraku, so a stale or foreign
one is never found (:mod:`bunraku.base.disk_cache`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.disk_cache import DiskCache
from bunraku.base.source import Source

FORMAT = 10  # increase when the code that the emitter makes, or a helper that it uses, changes
KEY_SIZE = 20


def unit_name(source: Source) -> str:
    """Return the file name in a source's code objects; text without a file gets a unique one."""
    if source.on_disk:
        return source.path
    digest = blake2b(source.text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"<puppet {source.path or 'code'} {digest}>"


def remember_text(name: str, text: str) -> None:
    """Let debuggers and tracebacks show text that has no file."""
    import linecache  # slow to import, and files need it not

    lines = text.splitlines(keepends=True)
    linecache.cache[name] = (len(text), None, lines, name)


# -- names of entries in the cache on disk ------------------------------------------------------------

COMPILED_BY = (
    "syntax",
    "compiler",
    "dialects",
)  # the parts of the package that influence the code
FINGERPRINTS: BoundedCache[tuple[str, ...], str] = BoundedCache("fingerprints of the program", 16)


def program_fingerprint(parts: tuple[str, ...] = COMPILED_BY) -> str:
    """Return a fingerprint of this bunraku: of the content of the files that compile."""
    known = FINGERPRINTS.get(parts)
    if known is None:
        root = os.path.dirname(os.path.dirname(__file__))
        try:
            found = fingerprint_of(
                [file for part in parts for file in files_below(f"{root}/{part}")]
            )
        except OSError:  # a package inside an archive: its path has the version in it
            found = root
        known = FINGERPRINTS.keep(parts, found)
    return known


def fingerprint_of(files: Sequence[os.DirEntry[str]]) -> str:
    """Return a fingerprint of files: of names and contents, the same on all machines.

    The cache on disk has it by path, size and time of the files. Where it is not used, nothing needs a
    fingerprint of contents.
    """
    states = [(file.path, file.stat()) for file in files]
    lines = [f"{path} {one.st_size} {one.st_mtime_ns}" for path, one in states]
    listing = "\n".join(lines).encode("utf-8", "surrogateescape")
    disk = DiskCache()
    if disk.opened(create=True) is None:
        return blake2b(listing).hexdigest()
    name = blake2b(listing, digest_size=KEY_SIZE).hexdigest()
    known = disk.read_data(name)
    if not isinstance(known, str):
        known = digest_of_contents(files)
        disk.write_data(name, known)
    return known


def digest_of_contents(files: Iterable[os.DirEntry[str]]) -> str:
    """Return a digest of the names and contents of files."""
    digest = blake2b()
    for file in files:
        content = Path(file.path).read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode("utf-8", "surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def files_below(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the Python files in and below a folder of the package.

    Python's own ``__pycache__`` has none of them, and grows while other processes import modules.
    """
    for entry in sorted(os.scandir(folder), key=lambda item: item.name):
        if entry.name.endswith(".py"):
            yield entry
        elif entry.name != "__pycache__" and entry.is_dir():
            yield from files_below(entry.path)


@lru_cache(maxsize=64)
def key_start(dialect: str, version: str) -> blake2b:
    """Return the hash of the prefix that the keys of many files share, to be copied."""
    digest = blake2b(digest_size=KEY_SIZE)
    tag = sys.implementation.cache_tag or sys.version
    for part in (tag, sys.version, version, str(FORMAT), dialect):
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return digest


def cache_key(content: bytes, path: str, dialect: str, version: str) -> str:
    """Return the name of an entry: it depends on everything that changes the compiled code."""
    digest = key_start(dialect, version).copy()
    digest.update(path.encode("utf-8", "surrogateescape") + b"\0")
    digest.update(content)
    return digest.hexdigest()
