"""The index on disk: the next start reads only the files that have changed.

Entries of the cache on disk belong to folders, a dialect and this bunraku. Each has a part of the files, by their
paths, so that none takes long to read, and a change of one file writes one entry. What is known of a file counts if
its time and size are the same; a file that changed a moment before it was read is not stored.
"""

from __future__ import annotations

from binascii import crc32
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from time import time_ns

from bunraku.base.disk_cache import DiskCache
from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.compiler.code_names import program_fingerprint
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.places import TextRange

FileState = tuple[int, int]
"""The time of the last change in nanoseconds, and the size."""
MADE_BY = ("syntax", "dialects", "workbench/editor")
PARTS = 32
"""The number of entries."""
JUST_NOW = 2_000_000_000
"""Nanoseconds in which a file may change again without another time."""


@record(eq=False)
class IndexStore:
    """The stored entries of the files in some folders."""

    name: str
    disk: DiskCache

    def read(self, part: int) -> dict[str, Any]:
        """Return the entries of a part by path: states of files, with plain data."""
        data = self.disk.read_data(f"{self.name}-{part}")
        return data if isinstance(data, dict) else {}

    def write(self, part: int, entries: Mapping[str, tuple[Any, ...]]) -> None:
        """Store the entries of a part by the paths of their files; each begins with the state of its file."""
        data = {path: one for path, one in entries.items() if is_settled(one[0])}
        self.disk.write_data(f"{self.name}-{part}", data)


@record(eq=False)
class StoredContents:
    """The states and paths of all files by part; ``changed`` are the parts that differ from what is stored."""

    parts: list[list[tuple[FileState, str]]] = field(
        default_factory=lambda: [[] for _ in range(PARTS)]
    )
    changed: set[int] = field(default_factory=set)

    def add(self, state: FileState, path: str, *, is_new: bool) -> None:
        """Add a file; the record of a new one is not stored yet."""
        part = store_part_of(path)
        self.parts[part].append((state, path))
        if is_new:
            self.changed.add(part)

    def forget(self, gone: Iterable[str]) -> None:
        """Note that files are stored which are gone."""
        self.changed.update(map(store_part_of, gone))

    def plain_part(
        self, part: int, files: Mapping[str, FileRecord]
    ) -> dict[str, tuple[FileState, Any]]:
        """Return the states of the files of a part, and their records as plain data, by path."""
        return {path: (state, plain_record(files[path])) for state, path in self.parts[part]}


def is_settled(state: FileState) -> bool:
    """Return whether a file that changes now gets another state."""
    return state[0] < time_ns() - JUST_NOW


def store_part_of(path: str) -> int:
    """Return the number of the entry that has the record of a file."""
    return crc32(path.encode("utf-8", "surrogateescape")) % PARTS


def store_of(content: str, roots: Sequence[str], dialect: str) -> IndexStore:
    """Return the store of some content of folders in a dialect."""
    digest = blake2b(digest_size=20)
    for part in (content, program_fingerprint(MADE_BY), dialect, *roots):
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return IndexStore(digest.hexdigest(), DiskCache())


def plain_record(one: FileRecord) -> tuple[Any, ...]:
    """Return a record as plain data.

    >>> stored_record("/a.pp", plain_record(FileRecord("/a.pp", (), "\\nntp\\n"))).words
    '\\nntp\\n'
    """
    definitions = tuple(
        (
            *(found.kind, found.name, found.written, found.parent),
            *(found.place.start, found.place.end, found.whole.start, found.whole.end),
        )
        for found in one.definitions
    )
    return definitions, one.words, one.renders


def stored_record(path: str, data: tuple[Any, ...]) -> FileRecord:
    """Return a record that was stored."""
    definitions, words, renders = data
    made = tuple(
        IndexedDefinition(
            kind, name, written, path, TextRange(start, end), TextRange(first, last), parent
        )
        for kind, name, written, parent, start, end, first, last in definitions
    )
    return FileRecord(path, made, words, renders)
