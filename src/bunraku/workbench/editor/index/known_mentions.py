"""The names in files as they were read last: an answer parses only files that have changed since.

They are stored beside the index, and a part of the store is read when a file in it is asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from bunraku.base.lazy_typing import Literal
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.workbench.editor.index.packed_mentions import packed
from bunraku.workbench.editor.index.store import FileState, IndexStore, is_settled, store_part_of
from bunraku.workbench.editor.languages.readers import reader_of
from bunraku.workbench.editor.mentions import Mention, mentions_in
from bunraku.workbench.editor.parsed import PUPPET_CODE, parse_file

Entry = tuple[FileState, str, bytes, bytes]
"""The state of a file, the key of the dialect in which it was read, its packed names and its packed lines."""
LINES: Literal["I"] = "I"
"""The type of the numbers in packed lines."""


class KnownMentions:
    """The packed names in files by path; ``changed`` are the parts that differ from what is stored."""

    def __init__(self) -> None:
        self.store: IndexStore | None = None
        self.parts: dict[int, dict[str, Entry]] = {}
        self.changed: set[int] = set()

    def use(self, store: IndexStore) -> None:
        """Use another store; what is known stays if it is the same one."""
        if self.store is None or self.store.name != store.name:
            self.store = store
            self.parts = {}
            self.changed = set()

    def part(self, number: int) -> dict[str, Entry]:
        """Return the entries of a part by path."""
        if number not in self.parts:
            self.parts[number] = {} if self.store is None else self.store.read(number)
        return self.parts[number]

    def of(self, path: str, state: FileState, dialect: str) -> bytes | None:
        """Return the names in a file that has a state; None if they are not known."""
        entry = self.part(store_part_of(path)).get(path)
        return entry[2] if entry is not None and entry[:2] == (state, dialect) else None

    def line_starts(self, path: str, state: FileState) -> Sequence[int] | None:
        """Return where the lines begin in a file that has a state.

        None if they are not known, or if a column is not a number of characters in all encodings.
        """
        entry = self.part(store_part_of(path)).get(path)
        if entry is None or entry[0] != state or not entry[3]:
            return None
        return memoryview(entry[3]).cast(LINES)

    def keep(
        self, source: Source, state: FileState, dialect: str, mentions: Iterable[Mention]
    ) -> bytes:
        """Keep and return the names in a file whose state was read before it.

        Those of a file that changed a moment before are not kept.
        """
        content, path = packed(mentions), source.path
        if is_settled(state):
            number = store_part_of(path)
            self.part(number)[path] = state, dialect, content, packed_lines(source)
            self.changed.add(number)
        return content

    def write(self, number: int, paths: Iterable[str]) -> None:
        """Store the entries of a part, if they have changed; those of other paths are dropped."""
        present, entries = set(paths), self.part(number)
        kept = {path: one for path, one in entries.items() if path in present}
        if self.store is not None and (number in self.changed or len(kept) < len(entries)):
            self.store.write(number, kept)
        self.parts[number] = kept
        self.changed.discard(number)


def packed_lines(source: Source) -> bytes:
    """Return where the lines of a text begin, as bytes; none for a text that is not ASCII or has other line ends."""
    if not source.is_ascii or "\r" in source.text:
        return b""
    return array(LINES, source.line_starts).tobytes()


def mentions_in_file(source: Source, dialect: Dialect) -> list[Mention]:
    """Return the names in a file of any kind; none in one whose names no reader finds."""
    if source.path.endswith(PUPPET_CODE):
        return mentions_in(parse_file(source, dialect))
    reader = reader_of(source.path)
    return [] if reader is None else reader(source)
