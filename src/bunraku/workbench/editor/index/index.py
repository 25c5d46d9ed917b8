"""The index of a workspace: definitions by name, and files by their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from bunraku.base.records import field, record
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.mentions import Kind


@record(eq=False, slots=False)
class Index:
    """Records of files. It never changes: :meth:`replaced` returns another one."""

    files: dict[str, FileRecord] = field(default_factory=dict)
    by_name: dict[tuple[Kind, str], tuple[IndexedDefinition, ...]] = field(default_factory=dict)

    @cached_property
    def renderers(self) -> dict[str, tuple[str, ...]]:
        """The owners of the code that renders each template."""
        found: dict[str, tuple[str, ...]] = {}
        for one in self.files.values():
            for template, owner in one.renders:
                found[template] = (*found.get(template, ()), owner)
        return found

    def templates_of(self, owner: str) -> list[str]:
        """Return the names of the templates that the code of an owner renders."""
        return [name for name, owners in self.renderers.items() if owner in owners]

    def replaced(self, changed: Iterable[FileRecord], removed: Iterable[str] = ()) -> Index:
        """Return the index with other records of some files, and without others.

        >>> index = Index().replaced([FileRecord("/a.pp"), FileRecord("/b.pp")])
        >>> sorted(index.replaced([], ["/a.pp"]).files)
        ['/b.pp']
        """
        files, names = dict(self.files), dict(self.by_name)
        for path in removed:
            forget(files.pop(path, None), names)
        for one in changed:
            forget(files.get(one.path), names)
            files[one.path] = one
            for found in one.definitions:
                key = (found.kind, found.name)
                names[key] = (*names.get(key, ()), found)
        return Index(files, names)

    def definitions(self, kind: Kind, name: str) -> tuple[IndexedDefinition, ...]:
        """Return the definitions of a canonical name."""
        return self.by_name.get((kind, name), ())

    def all_definitions(self) -> Iterator[IndexedDefinition]:
        """Yield the definitions of all files."""
        for one in self.files.values():
            yield from one.definitions

    def files_with(self, *words: str) -> list[str]:
        """Return the paths of the files that have one of some words, sorted."""
        lower = [word.lower() for word in words]
        return sorted(
            path for path, one in self.files.items() if any(one.has_word(word) for word in lower)
        )


def forget(
    gone: FileRecord | None, names: dict[tuple[Kind, str], tuple[IndexedDefinition, ...]]
) -> None:
    """Remove the definitions of a file from the names."""
    for one in gone.definitions if gone else ():
        key = (one.kind, one.name)
        rest = tuple(known for known in names.get(key, ()) if known.path != one.path)
        if rest:
            names[key] = rest
        else:
            names.pop(key, None)
