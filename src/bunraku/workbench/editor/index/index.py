"""The index of a workspace: definitions by name, and files by their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from bunraku.base.lazy_typing import TypeVar
from bunraku.base.records import field, record
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.index.tables import (
    TEMPLATES,
    IndexTables,
    NameKey,
    Rendering,
    record_words,
)
from bunraku.workbench.editor.mentions import Kind, template_name

K = TypeVar("K")
E = TypeVar("E")
MOST_CHANGED = 50
"""The most files with other records than the tables have; more become new tables."""


@record(eq=False, slots=False)
class Index:
    """Records of files. It never changes: :meth:`replaced` returns another one.

    ``changed`` are the records of files that differ from those in ``tables``, by path; None of files that are gone.
    So another record of one file costs no more in a large workspace than in a small one. There are ``most_changed``
    of them at most.
    """

    tables: IndexTables = field(default_factory=IndexTables)
    changed: Mapping[str, FileRecord | None] = field(default_factory=dict)
    most_changed: int = MOST_CHANGED

    def replaced(self, changed: Iterable[FileRecord], removed: Iterable[str] = ()) -> Index:
        """Return the index with other records of some files, and without others.

        >>> index = Index().replaced([FileRecord("/a.pp"), FileRecord("/b.pp")])
        >>> [one.path for one in index.replaced([], ["/a.pp"]).records()]
        ['/b.pp']
        """
        known = self.tables.files
        later = dict(self.changed)
        for path in removed:
            later.pop(path, None)
            if path in known:
                later[path] = None
        for one in changed:
            if known.get(one.path) == one:
                later.pop(one.path, None)
            else:
                later[one.path] = one
        found = Index(self.tables, later, self.most_changed)
        if len(later) <= self.most_changed:
            return found
        return Index(found.new_tables(), most_changed=self.most_changed)

    def new_tables(self) -> IndexTables:
        """Return tables with the changed records; they share the files by word with the present ones."""
        old = self.tables
        old.files_by_word()
        files = {one.path: one for one in self.records()}
        by_word = IndexTables(by_word=old.by_word)
        for path, one in self.changed.items():
            if one is not None:
                before = old.files.get(path)
                new = record_words(one)
                if before is not None:
                    new = [word for word in new if not before.has_word(word)]
                by_word.add_words(path, new)
        return IndexTables(
            files,
            with_changes(old.by_name, self.changed_names),
            old.by_word,
            with_changes(old.renderings, self.changed_renderings),
            with_changes(old.templates, self.changed_templates),
        )

    # -- files -----------------------------------------------------------------------------------

    def record_of(self, path: str) -> FileRecord | None:
        """Return the record of a file; None of one that the index does not have."""
        if path in self.changed:
            return self.changed[path]
        return self.tables.complete(path)

    def records(self) -> Iterator[FileRecord]:
        """Yield the records of all files; those of new files come last."""
        changed, known = self.changed, self.tables.files
        for path, one in known.items():
            found = changed.get(path, one)
            if found is not None:
                yield found
        for path, new in changed.items():
            if new is not None and path not in known:
                yield new

    def has_word(self, path: str, *words: str) -> bool:
        """Return whether a file has one of some words, in any case."""
        found = self.record_of(path)
        return found is not None and any(found.has_word(word.lower()) for word in words)

    def files_with(self, *words: str) -> list[str]:
        """Return the paths of the files that have one of some words, sorted."""
        found = {path for path in self.changed if self.has_word(path, *words)}
        for word in words:
            for path in self.tables.files_by_word().get(word.lower(), ()):
                if path not in self.changed and self.has_word(path, word):
                    found.add(path)
        return sorted(found)

    def files_with_prefix(self, prefix: str) -> list[str]:
        """Return the paths of the files that have a word with a beginning."""
        self.tables.files_by_word()
        return [one.path for one in self.records() if f"\n{prefix}" in one.words]

    # -- definitions -----------------------------------------------------------------------------

    def definitions(self, kind: Kind, name: str) -> tuple[IndexedDefinition, ...]:
        """Return the definitions of a canonical name."""
        return entries_under((kind, name), self.tables.by_name, self.changed_names)

    def names(self, kind: Kind) -> Iterator[str]:
        """Yield the canonical names of the definitions of a kind, each once."""
        changed, known = self.changed_names, self.tables.by_name
        for key in known:
            if key[0] == kind and (key not in changed or changed[key]):
                yield key[1]
        for key, found in changed.items():
            if key[0] == kind and found and key not in known:
                yield key[1]

    def all_definitions(self) -> Iterator[IndexedDefinition]:
        """Yield the definitions of all files."""
        for one in self.records():
            yield from one.definitions

    @cached_property
    def changed_names(self) -> dict[NameKey, tuple[IndexedDefinition, ...]]:
        """The definitions of each name that a changed file has or had."""

        def entries(one: FileRecord) -> Iterator[tuple[NameKey, IndexedDefinition]]:
            return (((found.kind, found.name), found) for found in one.definitions)

        return self.merged(self.tables.by_name, entries, lambda found: found.path)

    # -- templates -------------------------------------------------------------------------------

    def renderers_of(self, template: str) -> tuple[str, ...]:
        """Return the owners of the code that renders a template."""
        found = entries_under(template, self.tables.renderings, self.changed_renderings)
        return tuple(owner for _path, owner in found)

    def template_files(self, name: str) -> tuple[str, ...]:
        """Return the paths of the templates of a name, such as ``ntp/conf/ntp.erb``."""
        return entries_under(name, self.tables.templates, self.changed_templates)

    @cached_property
    def changed_renderings(self) -> dict[str, tuple[Rendering, ...]]:
        """What renders each template that a changed file renders or rendered."""

        def entries(one: FileRecord) -> Iterator[tuple[str, Rendering]]:
            return ((name, (one.path, owner)) for name, owner in one.renders)

        return self.merged(self.tables.renderings, entries, lambda found: found[0])

    @cached_property
    def changed_templates(self) -> dict[str, tuple[str, ...]]:
        """The files of each template of which one has changed."""

        def entries(one: FileRecord) -> Iterator[tuple[str, str]]:
            return iter([(template_name(one.path), one.path)] if TEMPLATES in one.path else [])

        return self.merged(self.tables.templates, entries, lambda path: path)

    def merged(
        self,
        known: Mapping[K, tuple[E, ...]],
        entries: Callable[[FileRecord], Iterator[tuple[K, E]]],
        path_of: Callable[[E], str],
    ) -> dict[K, tuple[E, ...]]:
        """Return the entries of a table under each key that a changed file has or had.

        Entries of a changed file stand where those of its earlier record stood.
        """
        new: dict[K, dict[str, list[E]]] = {}
        for path, one in self.changed.items():
            before = self.tables.files.get(path)
            for key, _entry in entries(before) if before is not None else ():
                new.setdefault(key, {})
            for key, entry in entries(one) if one is not None else ():
                new.setdefault(key, {}).setdefault(path, []).append(entry)
        found: dict[K, tuple[E, ...]] = {}
        for key, by_path in new.items():
            some: list[E] = []
            for entry in known.get(key, ()):
                path = path_of(entry)
                some += by_path.pop(path, ()) if path in self.changed else [entry]
            found[key] = (*some, *(entry for path in sorted(by_path) for entry in by_path[path]))
        return found


def entries_under(
    key: K, known: Mapping[K, tuple[E, ...]], changed: Mapping[K, tuple[E, ...]]
) -> tuple[E, ...]:
    """Return the entries under a key: those of the changed files count."""
    return changed[key] if key in changed else known.get(key, ())


def with_changes(
    known: Mapping[K, tuple[E, ...]], changed: Mapping[K, tuple[E, ...]]
) -> dict[K, tuple[E, ...]]:
    """Return a table with other entries under some keys; keys without entries are left out.

    >>> with_changes({"a": (1,), "b": (2,)}, {"a": (), "c": (3,)})
    {'b': (2,), 'c': (3,)}
    """
    return {key: found for key, found in {**known, **changed}.items() if found}
