"""A workspace for tests of the editor: texts with a mark at the cursor, and what is expected there."""

from __future__ import annotations

from pathlib import Path

from bunraku.jobs.editor import Projects
from bunraku.workbench.editor.host import EditorHost
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.snapshot import Snapshot

MARK = "^"
"""Stands at the cursor. A text that has this character itself gives another mark."""


class Workspace:
    """Files in a directory, one of which may be open with a cursor in it.

    ``path`` is the path of the marked file, ``offset`` the place of its mark.
    """

    def __init__(self, root: Path, files: dict[str, str], mark: str = MARK) -> None:
        self.root = root
        self.notes: list[str] = []
        self.host = EditorHost(Projects(self.notes.append))
        self.path, self.offset = "", 0
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if mark in text:
                self.path, self.offset = str(path), text.index(mark)
                text = text.replace(mark, "", 1)
            path.write_text(text, "utf-8")
        self.host.set_folders([str(root)])
        if self.path:
            self.host.change(self.path, Path(self.path).read_text("utf-8"))

    @property
    def snapshot(self) -> Snapshot:
        """The present state."""
        return self.host.snapshot()

    @property
    def cursor(self) -> tuple[Snapshot, str, int]:
        """The first arguments of most functions of the editor."""
        return self.snapshot, self.path, self.offset

    def shown(self, place: FilePlace) -> str:
        """Return a place as text: the file, the line, and the marked piece of the line.

        >>> from tempfile import TemporaryDirectory
        >>> from bunraku.workbench.editor.places import TextRange
        >>> with TemporaryDirectory() as folder:
        ...     made = Workspace(Path(folder), {"a.pp": "$a = 1"})
        ...     made.shown(FilePlace(f"{folder}/a.pp", TextRange(0, 2)))
        'a.pp:1 $a'
        """
        source = self.snapshot.source(place.path)
        assert source is not None
        name = str(Path(place.path).relative_to(self.root))
        piece = source.text[place.range.start : place.range.end]
        return f"{name}:{source.line(place.range.start)} {piece}"
