"""The state of a workspace that one query sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.lazy_typing import Protocol
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.syntax.nodes import Program
from bunraku.workbench.editor.guard import Guard
from bunraku.workbench.editor.index.index import Index
from bunraku.workbench.editor.index.packed_mentions import groups_named, in_text_order, unpacked
from bunraku.workbench.editor.languages.readers import reader_of
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol, mentions_holding, mentions_in
from bunraku.workbench.editor.node import ChosenNode, DataValue
from bunraku.workbench.editor.parsed import PUPPET_CODE, ParsedFile, ParsedFiles
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.project import EditedProject
from bunraku.workbench.editor.resolution import meanings


class Workspace(Protocol):
    """What a snapshot asks of the host: caches, and files that are read when a query needs them."""

    parsed_files: ParsedFiles
    values: BoundedCache[tuple[int, str, str], DataValue | None]
    mentions: BoundedCache[str, tuple[str, list[Mention]]]

    def source(self, path: str) -> Source | None:
        """Return the text of a file on the disk; None if it cannot be read."""

    def project_of(self, path: str) -> EditedProject:
        """Return the project of a file."""

    def complete_index(self, guard: Guard) -> Index:
        """Return the index of all files as they are now."""

    def packed_mentions(self, path: str) -> bytes | None:
        """Return the names in a file on the disk; None if it cannot be read."""

    def line_starts(self, path: str) -> Sequence[int] | None:
        """Return where the lines of a file on the disk begin, if that is known."""

    def is_in_folders(self, path: str) -> bool:
        """Return whether a file is in a folder of the workspace, not in a module elsewhere."""

    def with_changes(self, texts: Mapping[str, str], removed: Iterable[str]) -> Snapshot:
        """Return the state with other texts of some files, and without others."""


@record(eq=False, slots=False)
class Snapshot:
    """The files, the index and the projects at one revision; paths are absolute.

    ``documents`` are the open ones, ``node`` is the one whose values are shown. A query with long loops calls ``guard.check()`` in them.
    """

    host: Workspace
    documents: Mapping[str, Source]
    revision: int
    guard: Guard
    node: ChosenNode | None = None
    sources: dict[str, Source | None] = field(default_factory=dict)
    lines: dict[str, Sequence[int] | None] = field(default_factory=dict)

    # -- files -----------------------------------------------------------------------------------

    def source(self, path: str) -> Source | None:
        """Return the text of a file: that of the editor if it is open, else that on the disk."""
        if path in self.documents:
            return self.documents[path]
        if path not in self.sources:
            self.sources[path] = self.host.source(path)
        return self.sources[path]

    def parsed(self, path: str) -> ParsedFile | None:
        """Return the tree of a manifest or an EPP template; None for other and unreadable files."""
        if not path.endswith(PUPPET_CODE):
            return None
        source = self.source(path)
        if source is None:
            return None
        return self.host.parsed_files.parsed(source, self.project_of(path).dialect)

    def line_starts(self, path: str) -> Sequence[int] | None:
        """Return where the lines of a file begin, if that is known and columns are the same in all encodings."""
        if path in self.documents:
            return None
        if path not in self.lines:
            self.lines[path] = self.host.line_starts(path)
        return self.lines[path]

    def project_of(self, path: str) -> EditedProject:
        """Return the project of a file."""
        return self.host.project_of(path)

    @cached_property
    def index(self) -> Index:
        """The index of all files of the workspace."""
        return self.host.complete_index(self.guard)

    def value(self, key: str, path: str) -> DataValue | None:
        """Return the value that data has for a key on the chosen node; None without a node or a value."""
        if self.node is None:
            return None
        project = self.project_of(path)
        known = (self.revision, project.root, key)
        if known not in self.host.values:
            self.host.values.keep(known, project.data.value(self.node, key))
        return self.host.values[known]

    def changed_programs(self, path: str) -> list[Program]:
        """Return the programs of other open documents whose texts differ from their files."""
        found: list[Program] = []
        for name, source in self.documents.items():
            disk = self.host.source(name) if name != path else source
            if disk is None or disk.text != source.text:
                parsed = self.parsed(name)
                if parsed is not None and not parsed.has_errors:
                    found.append(parsed.lent_program())
        return found

    # -- symbols ---------------------------------------------------------------------------------

    def mentions(self, path: str) -> list[Mention]:
        """Return the names in a file."""
        source = self.documents.get(path)
        if source is None:
            content = self.host.packed_mentions(path)
            return [] if content is None else unpacked(content)
        parsed = self.parsed(path)
        if parsed is not None:
            return parsed.remembered(mentions_in)
        reader = reader_of(path)
        if reader is None:
            return []
        known = self.host.mentions.get(path)
        if known is None or known[0] != source.text:
            known = source.text, reader(source)
            self.host.mentions.keep(path, known)
        return known[1]

    def mention_at(self, path: str, offset: int) -> Mention | None:
        """Return the name at a cursor; the shortest one, if several are."""
        return next(iter(self.mentions_at(path, offset)), None)

    def mentions_at(self, path: str, offset: int) -> list[Mention]:
        """Return the name at a cursor as all that it stands for: a name in ``hiera.yaml`` can be several files."""
        parsed = self.parsed(path)
        if parsed is not None:
            found = mentions_holding(parsed, offset)
        else:
            found = [one for one in self.mentions(path) if one.range.holds(offset)]
        if not found:
            return []
        first = min(found, key=lambda one: one.range.end - one.range.start)
        return [
            one
            for one in found
            if one.range == first.range and one.symbol.kind == first.symbol.kind
        ]

    def symbol(self, mention: Mention) -> PuppetSymbol:
        """Return what a name means, in the whole workspace."""
        return self.symbols(mention)[0]

    def symbols(self, mention: Mention) -> list[PuppetSymbol]:
        """Return all that a name can mean: a template has the variables of each class that renders it."""
        return meanings(self.index, mention)

    def places(self, symbol: PuppetSymbol, path: str, roles: frozenset[str]) -> Iterator[FilePlace]:
        """Yield the places in a file where a symbol has one of some roles."""
        for one in self.mentions_of(symbol, path, roles):
            yield FilePlace(path, one.range)

    def mentions_of(
        self, symbol: PuppetSymbol, path: str, roles: frozenset[str]
    ) -> Iterable[Mention]:
        """Return the names in a file that mean a symbol and have one of some roles."""

        def is_wanted(one: Mention) -> bool:
            return one.role in roles and symbol in self.symbols(one)

        name = symbol.last_part
        if path in self.documents:
            same_name = (one for one in self.mentions(path) if one.symbol.last_part == name)
            return filter(is_wanted, same_name)
        content = self.host.packed_mentions(path)
        groups = [] if content is None else groups_named(content, name)
        return in_text_order(group for group in groups if is_wanted(group.first))
