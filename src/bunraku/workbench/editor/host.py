"""The files of an editor's workspace: the only object of the editor that changes.

One thread changes it. Queries get a :class:`Snapshot`, which does not change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.file_reading import read_whole
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.workbench.editor.guard import ALWAYS_WANTED, Guard
from bunraku.workbench.editor.index.files import indexed_files, is_indexed
from bunraku.workbench.editor.index.index import Index
from bunraku.workbench.editor.index.records import FileRecord
from bunraku.workbench.editor.index.scan import scan
from bunraku.workbench.editor.mentions import Mention
from bunraku.workbench.editor.parsed import ParsedFiles
from bunraku.workbench.editor.project import EditedProject
from bunraku.workbench.editor.snapshot import Snapshot

MOST_FILES = 300
FILES_IN_A_STEP = 20
"""The files that the index reads between two looks at other work."""


class EditorHost:
    """Folders, open documents and what is known of them.

    ``find_project`` returns the project of a file; ``revision`` counts the changes.
    """

    def __init__(self, find_project: Callable[[str], EditedProject]) -> None:
        self.find_project = find_project
        self.folders: list[str] = []
        self.documents: dict[str, Source] = {}
        self.revision = 0
        self.index = Index()
        self.is_indexed = False
        self.stale: set[str] = set()
        self.parsed_files = ParsedFiles()
        self.mentions: BoundedCache[str, tuple[str, list[Mention]]] = BoundedCache(
            "names in data and templates of an editor", MOST_FILES
        )
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
        self.touch(path)

    def close(self, path: str) -> None:
        """Close a document: its file counts again."""
        self.documents = {name: one for name, one in self.documents.items() if name != path}
        self.touch(path)

    def touch(self, path: str) -> None:
        """Note that a file may have changed, or may be gone."""
        self.revision += 1
        if is_indexed(path):
            self.stale.add(path)

    def forget_projects(self) -> None:
        """Read the projects again: their configuration or their modules may be different."""
        self.projects = {}
        self.is_indexed = False

    # -- queries ---------------------------------------------------------------------------------

    def snapshot(self, guard: Guard = ALWAYS_WANTED) -> Snapshot:
        """Return the present state for a query."""
        return Snapshot(self, self.documents, self.revision, guard)

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
        if not self.is_indexed:
            for _ in self.index_steps():
                guard.check()
        if self.stale:
            records = {path: self.record_of(path) for path in sorted(self.stale)}
            gone = [path for path, one in records.items() if one is None]
            self.index = self.index.replaced(filter(None, records.values()), gone)
            self.stale.clear()
        return self.index

    def index_steps(self) -> Iterator[None]:
        """Index all files, a few in each step."""
        found: list[FileRecord] = []
        for number, path in enumerate(indexed_files(self.roots())):
            record = self.record_of(path)
            if record is not None:
                found.append(record)
            if number % FILES_IN_A_STEP == 0:
                yield
        self.index = Index().replaced(found)
        self.stale.update(self.documents)
        self.is_indexed = True

    def roots(self) -> list[str]:
        """Return the folders, and the directories of modules elsewhere that their projects use."""
        found = list(self.folders)
        for folder in self.folders:
            found += self.project_of(f"{folder}/.").module_directories
        return found

    def record_of(self, path: str) -> FileRecord | None:
        """Return the record of a file as it is now; None if it cannot be read."""
        source = self.documents.get(path) or self.source(path)
        if source is None:
            return None
        return scan(source, self.dialect_of(path))

    def dialect_of(self, path: str) -> Dialect:
        """Return the dialect in which the index reads a file: that of its folder."""
        around = [one for one in self.folders if path.startswith(f"{one}/")]
        if around:
            return self.project_of(f"{max(around, key=len)}/.").dialect
        return self.project_of(path if not self.folders else f"{self.folders[0]}/.").dialect
