"""The files of an editor's workspace: the only object of the editor that changes.

One thread changes it. Queries get a :class:`Snapshot`, which does not change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from time import monotonic

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Protocol
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.workbench.editor.guard import ALWAYS_WANTED, Guard
from bunraku.workbench.editor.index.files import indexed_files, is_indexed, state_at
from bunraku.workbench.editor.index.index import Index
from bunraku.workbench.editor.index.known_mentions import KnownMentions, mentions_in_file
from bunraku.workbench.editor.index.packed_mentions import packed
from bunraku.workbench.editor.index.records import FileRecord
from bunraku.workbench.editor.index.scan import indexed_words, scan
from bunraku.workbench.editor.index.store import (
    PARTS,
    StoredContents,
    store_of,
    store_part_of,
    stored_record,
)
from bunraku.workbench.editor.index.tables import IndexTables
from bunraku.workbench.editor.mentions import Mention
from bunraku.workbench.editor.node import ChosenNode, DataValue
from bunraku.workbench.editor.parsed import ParsedFiles, parse_file
from bunraku.workbench.editor.project import EditedProject
from bunraku.workbench.editor.snapshot import Snapshot

MOST_FILES = 300
SLICE = 0.005
"""The seconds that the index works between two looks at other work."""
FILES_IN_A_STEP = 20
"""The files that may have changed which are read in one step."""

END = object()


class ProjectFinder(Protocol):
    """Finds the projects of directories, and remembers them."""

    def __call__(self, directory: str) -> EditedProject:
        """Return the project of a directory."""

    def forget(self) -> None:
        """Read the projects again when they are needed."""


class EditorHost:
    """Folders, open documents and what is known of them.

    ``find_project`` returns the project of a file; ``revision`` counts the changes. ``on_indexed`` is called when the
    index has all files.
    """

    def __init__(
        self, find_project: ProjectFinder, on_indexed: Callable[[], None] = lambda: None
    ) -> None:
        self.find_project = find_project
        self.on_indexed = on_indexed
        self.folders: list[str] = []
        self.documents: dict[str, Source] = {}
        self.revision = 0
        self.index = Index()
        self.is_indexed = False
        self.indexing: Iterator[None] | None = None
        self.node: ChosenNode | None = None
        self.values: BoundedCache[tuple[int, str, str], DataValue | None] = BoundedCache(
            "values of a node for an editor", MOST_FILES
        )
        self.stale: set[str] = set()
        self.parsed_files = ParsedFiles()
        self.mentions: BoundedCache[str, tuple[str, list[Mention]]] = BoundedCache(
            "names in data and templates of an editor", MOST_FILES
        )
        self.known_mentions = KnownMentions()
        self.projects: dict[str, EditedProject] = {}

    # -- changes ---------------------------------------------------------------------------------

    def set_folders(self, folders: Iterable[str]) -> None:
        """Set the folders of the workspace; the index begins again."""
        self.folders = [os.path.abspath(one) for one in folders]
        self.revision += 1
        self.forget_projects()

    def change(self, path: str, text: str) -> None:
        """Set the text of an open document."""
        source = Source(text, path, is_template=path.endswith(".epp"))
        self.documents = {**self.documents, path: source}
        self.note_change(path)

    def close(self, path: str) -> None:
        """Close a document: its file counts again."""
        self.documents = {name: one for name, one in self.documents.items() if name != path}
        self.note_change(path)

    def note_change(self, path: str) -> None:
        """Note that a file may have changed, or may be gone."""
        self.revision += 1
        if is_indexed(path):
            self.stale.add(path)

    def forget_projects(self) -> None:
        """Read the projects again: their configuration or their modules may be different."""
        self.projects = {}
        self.find_project.forget()
        self.begin_index()

    def begin_index(self) -> None:
        """Read the index again: there may be other files."""
        self.is_indexed = False
        self.indexing = None

    def note_change_below(self, directory: str) -> None:
        """Note that a directory may be gone, with all files in it."""
        for one in self.index.records():
            if one.path.startswith(f"{directory}/"):
                self.note_change(one.path)

    # -- queries ---------------------------------------------------------------------------------

    def snapshot(self, guard: Guard = ALWAYS_WANTED) -> Snapshot:
        """Return the present state for a query."""
        return Snapshot(self, self.documents, self.revision, guard, self.node)

    def with_changes(self, texts: Mapping[str, str], removed: Iterable[str]) -> Snapshot:
        """Return the state with other texts of some files, and without others; this host does not change."""
        other = EditorHost(self.find_project)
        other.folders, other.projects = self.folders, self.projects
        other.known_mentions = self.known_mentions
        gone = list(removed)
        other.documents = {name: one for name, one in self.documents.items() if name not in gone}
        for path, text in texts.items():
            other.documents[path] = Source(text, path, is_template=path.endswith(".epp"))
        records = [one for one in map(other.record_of, texts) if one is not None]
        other.index = self.complete_index(ALWAYS_WANTED).replaced(records, gone)
        other.is_indexed = True
        return other.snapshot()

    def is_in_folders(self, path: str) -> bool:
        """Return whether a file is in a folder of the workspace, not in a module elsewhere."""
        return any(path.startswith(f"{folder}/") for folder in self.folders)

    def project_of(self, path: str) -> EditedProject:
        """Return the project of a file."""
        directory = os.path.dirname(path)
        if directory not in self.projects:
            self.projects[directory] = self.find_project(directory)
        return self.projects[directory]

    def source(self, path: str) -> Source | None:
        """Return the text of a file on the disk; None if it cannot be read."""
        try:
            text = read_whole(path).decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            return None
        return Source(text, path, on_disk=True, is_template=path.endswith(".epp"))

    # -- the index -------------------------------------------------------------------------------

    def complete_index(self, guard: Guard) -> Index:
        """Return the index of all files as they are now."""
        while not self.is_indexed:
            guard.check()
            self.index_step()
        while self.stale:
            guard.check()
            self.read_changed_files()
        return self.index

    def read_changed_files(self) -> None:
        """Read some of the files that may have changed."""
        some = sorted(self.stale)[:FILES_IN_A_STEP]
        records = {path: self.record_of(path) for path in some}
        gone = [path for path, one in records.items() if one is None]
        self.index = self.index.replaced(filter(None, records.values()), gone)
        self.stale.difference_update(some)

    @property
    def is_up_to_date(self) -> bool:
        """Whether the index has all files as they are now."""
        return self.is_indexed and not self.stale

    def index_step(self) -> bool:
        """Do a part of the index; return whether more is left."""
        if self.indexing is None:
            if self.is_indexed:
                if self.stale:
                    self.read_changed_files()
                return bool(self.stale)
            self.indexing = self.index_steps()
        if next(self.indexing, END) is END:
            self.indexing = None
        return self.indexing is not None or bool(self.stale)

    def index_steps(self) -> Iterator[None]:
        """Index all files, a few in each step: those that have changed since the last time are read."""
        roots, dialect = self.roots(), self.dialect_of("").name
        store = store_of("index of an editor", roots, dialect)
        self.known_mentions.use(store_of("names in an editor", roots, dialect))
        stored = {}
        for part in range(PARTS):
            stored.update(store.read(part))
            yield
        tables, contents = IndexTables(words_of=self.words_of), StoredContents()
        end = monotonic() + SLICE
        for path, state in indexed_files(roots):
            known = stored.pop(path, None)
            is_new = known is None or known[0] != state
            if known is None or is_new:
                one = self.record_on_disk(path, with_words=False)
            else:
                one = stored_record(path, known[1])
            if one is not None:
                tables.add(one, has_words=not is_new)
                contents.add(state, path, is_new=is_new)
            if monotonic() > end:
                yield
                end = monotonic() + SLICE
        self.index = Index(tables)
        self.stale.update(filter(is_indexed, self.documents))
        self.is_indexed = True
        yield from word_steps(tables)
        self.on_indexed()
        contents.forget(stored)
        for part in sorted(contents.changed):
            yield
            store.write(part, contents.plain_part(part, tables.files))

    # -- names -----------------------------------------------------------------------------------

    def packed_mentions(self, path: str) -> bytes | None:
        """Return the names in a file on the disk; None if it cannot be read."""
        state, project = state_at(path), self.project_of(path)
        if state is not None:
            known = self.known_mentions.of(path, state, project.dialect_key)
            if known is not None:
                return known
        source = self.source(path)
        if source is None:
            return None
        mentions = mentions_in_file(source, project.dialect)
        if state is None:
            return packed(mentions)
        return self.known_mentions.keep(source, state, project.dialect_key, mentions)

    def line_starts(self, path: str) -> Sequence[int] | None:
        """Return where the lines of a file on the disk begin, if that is known: see :class:`KnownMentions`."""
        state = state_at(path)
        return None if state is None else self.known_mentions.line_starts(path, state)

    def mention_steps(self) -> Iterator[Callable[[], object]]:
        """Yield steps that read the names in all files of the index, and store them part by part."""
        parts: dict[int, list[str]] = {number: [] for number in range(PARTS)}
        for one in self.index.records():
            parts[store_part_of(one.path)].append(one.path)
        for number, paths in parts.items():
            for start in range(0, len(paths), FILES_IN_A_STEP):
                yield partial(self.read_mentions, paths[start : start + FILES_IN_A_STEP])
            yield partial(self.known_mentions.write, number, paths)

    def read_mentions(self, paths: Iterable[str]) -> None:
        """Read the names in some files, unless they are known."""
        for path in paths:
            self.packed_mentions(path)

    # -- the folders of the index ----------------------------------------------------------------

    def roots(self) -> list[str]:
        """Return the folders, and the directories of modules elsewhere that their projects use."""
        found = list(self.folders)
        for folder in self.folders:
            found += self.project_of(f"{folder}/.").module_directories
        return found

    def words_of(self, path: str) -> str:
        """Return the words of a file on the disk, for the index; none if it cannot be read."""
        source = self.source(path)
        return indexed_words("" if source is None else source.text)

    def record_of(self, path: str) -> FileRecord | None:
        """Return the record of a file as it is now; None if it cannot be read."""
        if path not in self.documents:
            return self.record_on_disk(path)
        dialect = self.project_of(path).dialect
        return scan(self.documents[path], lambda source: self.parsed_files.parsed(source, dialect))

    def record_on_disk(self, path: str, *, with_words: bool = True) -> FileRecord | None:
        """Return the record of a file on the disk; None if it cannot be read."""
        source = self.source(path)
        if source is None:
            return None
        dialect = self.dialect_of(path)
        return scan(
            source,
            lambda source: parse_file(source, dialect),
            dialect,
            with_words=with_words,
        )

    def dialect_of(self, path: str) -> Dialect:
        """Return the dialect in which the index reads a file: that of its folder, or of the first one."""
        around = [one for one in self.folders if path.startswith(f"{one}/")] or self.folders[:1]
        return self.project_of(f"{max(around, key=len)}/." if around else path).dialect


def word_steps(tables: IndexTables) -> Iterator[None]:
    """Add the words of all files to tables, some in each step; a query that needs them does so at once."""
    end = monotonic() + SLICE
    while tables.waiting:
        tables.add_waiting_words()
        if monotonic() > end:
            yield
            end = monotonic() + SLICE
