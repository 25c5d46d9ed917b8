"""The ``lib`` folders of modules, and their lookups while a resource type is read.

Every lookup is recorded with its result: a type remains valid while all results are the
same, also in another process.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from typing import Any, TypeVar

from bunraku.modules.files import FileTable
from bunraku.ruby.syntax.encoding import source_text

Question = tuple[str, ...]
PROVIDERS = "puppet/provider"
Answer = TypeVar("Answer")
Lookup = Callable[["Libraries", str], Answer]
LOOKUPS: dict[str, Lookup[Any]] = {}
"""The kinds of questions, by the name of the method that asks and records them."""


def recorded(lookup: Lookup[Answer]) -> Lookup[Answer]:
    """Let a lookup record its answers under its own name, under which they are asked again."""
    kind = lookup.__name__

    @wraps(lookup)
    def ask(self: Libraries, name: str) -> Answer:
        answer = lookup(self, name)
        self.asked[kind, name] = answer
        return answer

    LOOKUPS[kind] = ask
    return ask


class Libraries:
    """Files in the ``lib`` folders; ``own``, that of the requiring file, comes before all others."""

    def __init__(self, files: FileTable, folders: Sequence[str], own: str | None = None) -> None:
        self.files = files
        self.folders = tuple(folders)
        self.own = own
        self.asked: dict[Question, Any] = {}
        """The answers by question."""
        self.contents: dict[str, bytes] = {}
        """The files that were read."""

    def still(self, asked: Iterable[tuple[Question, Any]]) -> bool:
        """Return whether the recorded lookups of another process have the same answers now."""
        for (kind, name), answer in asked:
            try:
                LOOKUPS[kind](self, name)
            except OSError:
                return False
            if self.asked[kind, name] != answer:
                return False
        return True

    @recorded
    def is_file(self, path: str) -> bool:
        """Return whether a file exists."""
        return self._is_file(path)

    @recorded
    def digest(self, path: str) -> str:
        """Return a digest of a file's content."""
        import hashlib  # slow to import, and most modules have no types in Ruby

        content = self.contents[path] = self.files.world.read(path)
        return hashlib.sha256(content).hexdigest()

    def read(self, path: str) -> str:
        """Return the text of a file."""
        self.digest(path)
        return source_text(self.contents[path])

    @recorded
    def find(self, name: str) -> str | None:
        """Return the file that ``require`` of a name means, if it is one of the modules' own."""
        if self.own is not None:
            inside = name.startswith(f"{self.own}/")  # from __FILE__, below a relative modulepath
            path = posixpath.normpath(name if inside else posixpath.join(self.own, name))
            if self._is_file(path):
                return path
        known = self.files.known.setdefault(("library files", self.folders), {})
        if name not in known:
            known[name] = self.files.computed(
                ("library files", self.folders, name), partial(self._find_in_folders, name)
            )
        found: str | None = known[name]
        return found

    @recorded
    def providers(self, type_name: str) -> tuple[str, ...]:
        """Return the Ruby files of a type's providers."""
        key = ("providers", self.folders)
        known: dict[str, list[str]] | None = self.files.known.get(key)
        if known is None:
            known = {}
            for folder in self.folders:
                for name in self.files.names(f"{folder}/{PROVIDERS}"):
                    known.setdefault(name, []).append(folder)
            self.files.known[key] = known  # stored at once, for other threads may read it
        folders = known.get(type_name, [])
        if self.own is not None:
            folders = [self.own, *(folder for folder in folders if folder != self.own)]
        return tuple(
            f"{folder}/{PROVIDERS}/{type_name}/{name}"
            for folder in folders
            for name in sorted(self.files.names(f"{folder}/{PROVIDERS}/{type_name}"))
            if name.endswith(".rb") and self._is_file(f"{folder}/{PROVIDERS}/{type_name}/{name}")
        )

    def _is_file(self, path: str) -> bool:
        return self.files.exists(path) and self.files.world.is_file(path)

    def _find_in_folders(self, name: str) -> str | None:
        paths = (posixpath.normpath(posixpath.join(folder, name)) for folder in self.folders)
        return next(filter(self._is_file, paths), None)
