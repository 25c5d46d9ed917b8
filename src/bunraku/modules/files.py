"""Whether files exist, cheaply: directory listings kept for as long as an environment lives."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from bunraku.base.bounded_cache import BoundedCache, remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.world.disk import Disk
from bunraku.world.file_signatures import Signature
from bunraku.world.machine import Machine
from bunraku.world.protocol import World
from bunraku.world.recording import Question, Recording
from bunraku.world.special_files import is_special

Made = TypeVar("Made")
NOTHING: frozenset[str] = frozenset()
GLOB_LETTERS = lazy_pattern(r"[*?\[{]")


def manifests_below(
    world: World, folder: str, list_names: Callable[[str], Iterable[str]]
) -> list[str]:
    """Return the manifests in a folder and those below it, sorted by path."""
    found: list[str] = []
    for name in list_names(folder):
        path = f"{folder.rstrip('/')}/{name}"
        if world.is_directory(path):
            found += manifests_below(world, path, list_names)
        elif name.endswith(".pp"):
            found.append(path)
    return sorted(found)


class FileTable:
    """The names in each requested folder, so a missing file costs one dict lookup.

    A listing stays until :meth:`refresh` finds that the folder's signature has changed; a folder
    without signature (in a :class:`~bunraku.world.dictionary.DictionaryWorld`) is always read
    again.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> table = FileTable(DictionaryWorld({"/m/a/init.pp": b""}))
    >>> table.exists("/m/a/init.pp"), table.exists("/m/b/init.pp")
    (True, False)
    """

    __slots__ = (
        "_made",
        "_names",
        "_signatures",
        "known",
        "lasting",
        "recorded",
        "version",
        "world",
    )

    def __init__(self, world: World) -> None:
        self.world = world
        self._names: dict[str, frozenset[str]] = {}
        self._signatures: dict[str, Signature | None] = {}
        self._made: dict[tuple[str, str], tuple[bytes, Any]] = {}
        self.version = 0
        """Counted up when a listing is found to have changed."""
        self.known: dict[Any, Any] = {}
        """Values computed from listings alone, until one changes."""
        self.recorded: dict[Any, tuple[Any, dict[Question, Any]]] = {}
        """The same for recorded compiles, each with the questions asked for it and the answers."""
        self.lasting: dict[Any, Any] = {}
        """Values that carry a proof of validity, such as the content they were made of."""

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder; empty when it is absent or cannot be read."""
        found = self._names.get(folder)
        if found is None:
            found = self._names[folder] = self._list(folder)
        return found

    def _list(self, folder: str) -> frozenset[str]:
        # Skip the file system if a parent folder is known not to contain this folder.
        parent, name = os.path.split(folder.rstrip("/"))
        known = self._names.get(parent)
        if known is not None and parent and name and name not in known:
            return NOTHING
        # The signature is taken first: a file made between the two calls is then seen next time.
        signature = self.world.signature(folder)
        try:
            found = frozenset(self.world.list_directory(folder))
        except OSError:
            if parent and name and name not in self.names(parent):
                return NOTHING  # the listing of the folder above changes when this one is created
            found = NOTHING
        self._signatures[folder] = signature
        return found

    def exists(self, path: str) -> bool:
        """Return whether something has this name."""
        folder, slash, name = path.rpartition("/")
        folder = folder or slash
        try:
            return name in self._names[folder]
        except KeyError:
            return name in self.names(folder)

    def is_there(self, path: str) -> bool:
        """Return whether a path leads to something: unlike :meth:`exists`, not a dangling link."""
        world = self.world
        if not self.exists(path):
            return False
        return world.is_file(path) or world.is_directory(path) or is_special(path, world)

    def is_folder(self, path: str) -> bool:
        """Return whether a name in a listing is a folder; folders have names in them."""
        return bool(self.names(path)) or self.world.is_directory(path)

    def first_holder(self, folders: tuple[str, ...], file: str) -> int:
        """Return the place of the first of some folders that has a file; their number for none."""
        below, _, name = file.rpartition("/")
        key = ("first holders", below, folders)
        holders: dict[str, int] | None = self.known.get(key)
        if holders is None:
            holders = {}
            for number in range(len(folders) - 1, -1, -1):
                holders.update(dict.fromkeys(self.names(f"{folders[number]}/{below}"), number))
            self.known[key] = holders
        return holders.get(name, len(folders))

    def shared(self) -> dict[Any, Any]:
        """Return the values computed from listings that all compiles share: ``known``."""
        return self.known

    def computed(self, _key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what ``make`` computes from listings alone; recorded compiles share it by the key."""
        return make()

    def refresh(self) -> bool:
        """Forget the listings of folders that have changed since they were read; return whether any had."""
        signature, changed = self.world.signature, False
        for folder, before in list(self._signatures.items()):
            if before is None or signature(folder) != before:
                names = self._names.pop(folder, None)
                del self._signatures[folder]
                changed = self.names(folder) != names or changed
        if changed:
            for folder in self._names.keys() - self._signatures.keys():
                del self._names[folder]  # known by its parent alone
            self.version += 1
            self.known.clear()
            self.recorded.clear()
        return changed

    def made(self, path: str, kind: str, make: Callable[[bytes], Made]) -> Made:
        """Return the result of ``make`` for a file's content, cached until the content changes."""
        return self.made_of(self.world.read(path), path, kind, make)

    def made_of(self, content: bytes, path: str, kind: str, make: Callable[[bytes], Made]) -> Made:
        """Return the result of ``make`` for this content of a file."""
        known = self._made.get((path, kind))
        if known is None or known[0] is not content:
            known = self._made[path, kind] = content, make(content)
        found: Made = known[1]
        return found

    def glob(self, pattern: str) -> list[str]:
        """Return the paths that match a pattern, in the order of Ruby's ``Dir.glob``."""
        return [path for one in expand_braces(pattern) for path in self._glob(one)]

    def matches(self, pattern: str) -> tuple[str, ...]:
        """Return the paths that match a pattern, without its part before the first wildcard."""
        start = GLOB_LETTERS.search(pattern)
        length = len(pattern) if start is None else start.start()
        return tuple([path[length:] for path in self.glob(pattern)])

    def _glob(self, pattern: str) -> Iterator[str]:
        parts = [part for part in pattern.split("/") if part]
        base = "/" if pattern.startswith("/") else ""
        # Names without wildcards need no listing, and may be ``..``.
        while len(parts) > 1 and not GLOB_LETTERS.search(parts[0]):
            base = os.path.join(base, parts.pop(0).replace("\\", ""))
        if not parts:
            return iter(())
        return self._walk(base, {tuple(parts)})

    def _walk(self, folder: str, wanted: set[tuple[str, ...]]) -> Iterator[str]:
        """Yield the paths below a folder that match one of the patterns, given as lists of names.

        Names are visited in order, and below each name everything before the next name.
        """
        open_ended = {parts for parts in wanted if parts[0] == "**" and len(parts) > 1}
        for parts in open_ended:
            rest = parts
            while rest[0] == "**" and len(rest) > 1:
                rest = rest[1:]
                wanted = wanted | {rest}
        for name in sorted(self.names(folder or ".")):
            hidden = name.startswith(".")
            below: set[tuple[str, ...]] = set() if hidden else set(open_ended)
            here = False
            for first, *others in wanted - open_ended:
                if (hidden and not first.startswith(".")) or not name_pattern(first).fullmatch(
                    name
                ):
                    continue
                here = here or not others
                if others:
                    below.add(tuple(others))
            path = os.path.join(folder, name)
            if here:
                yield path
            if below and self.world.is_directory(path):
                yield from self._walk(path, below)


class RecordedTable(FileTable):
    """The table of one recorded compile: its answers are those of the shared table, and recorded.

    Values in ``known`` are of this compile alone, so what they were computed from is asked, and
    recorded, in each; those of :meth:`computed` are shared with their questions.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = Recording(DictionaryWorld({"/m/a.pp": b""}))
    >>> RecordedTable(world, FileTable(world.below)).exists("/m/a.pp"), world.asked
    (True, {('exists', '/m/a.pp'): True})
    """

    __slots__ = ("below", "recording", "started")

    def __init__(self, world: Recording, below: FileTable) -> None:
        super().__init__(world)
        self.below = below
        self.started = below.version
        self.recording = world
        self.lasting = below.lasting

    def names(self, folder: str) -> frozenset[str]:
        """See :class:`FileTable`."""
        found = self.below.names(folder)
        self.recording.note(("names", folder), found)
        return found

    def exists(self, path: str) -> bool:
        """See :class:`FileTable`."""
        found = self.below.exists(path)
        question = ("exists", path)
        if self.recording.asked.setdefault(question, found) is not found:  # most questions: no call
            self.recording.note(question, found)
        return found

    def is_folder(self, path: str) -> bool:
        """See :class:`FileTable`."""
        found = self.below.is_folder(path)
        self.recording.note(("is_folder", path), found)
        return found

    def first_holder(self, folders: tuple[str, ...], file: str) -> int:
        """See :class:`FileTable`."""
        found = self.below.first_holder(folders, file)
        self.recording.note(("first_holder", folders, file), found)
        return found

    def computed(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """See :class:`FileTable`; the questions asked for a value are recorded in each compile."""
        if self.below.version != self.started:
            self.recording.cannot_repeat("directories changed during the compile")
            return make()
        kept = self.below.recorded.get(key)
        if kept is None:
            kept = self.below.recorded[key] = self.recording.asked_by(make)
        value, questions = kept
        self.recording.asked.update(questions)
        found: Made = value
        return found

    def made_of(self, content: bytes, path: str, kind: str, make: Callable[[bytes], Made]) -> Made:
        """See :class:`FileTable`."""
        return self.below.made_of(content, path, kind, make)

    def glob(self, pattern: str) -> list[str]:
        """See :class:`FileTable`."""
        self.recording.note(("matches", pattern), self.below.matches(pattern))
        return self.below.glob(pattern)

    def shared(self) -> dict[Any, Any]:
        """See :class:`FileTable`."""
        return self.below.known

    def refresh(self) -> bool:
        """Return False: the table of one compile does not change."""
        return False


MOST_TABLES = 16
TABLES: BoundedCache[tuple[Any, ...], FileTable] = BoundedCache("tables of files", MOST_TABLES)


def shared_table(world: World, *key: Any) -> FileTable:
    """Return the listings of an environment, refreshed: compiles of one process share them.

    Worlds without ``tables`` of their own are as short-lived as a compile, and have one each.
    """
    if isinstance(world, Recording):
        return RecordedTable(world, shared_table(world.below, *key))
    tables: dict[tuple[Any, ...], FileTable] | None = getattr(world, "tables", None)
    if world.__class__ in {Machine, Disk}:
        tables = TABLES
    if tables is None:
        return FileTable(world)
    whole = (world.__class__, os.getcwd(), *key)
    found = tables.pop(whole, None)
    if found is None:
        found = FileTable(world)
    else:
        found.refresh()
    tables[whole] = found  # the most recently used is last
    while len(tables) > MOST_TABLES:
        tables.pop(next(iter(tables)), None)
    return found


@remembered(512)
def name_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regular expression for one part of a glob: ``*``, ``?``, ``[a-z]`` and ``[^a]``.

    >>> bool(name_pattern("a*.y[am]?l").fullmatch("abc.yaml"))
    True
    """
    out, at = [], 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "*":
            out.append(".*")
        elif letter == "?":
            out.append(".")
        elif letter == "\\" and at < len(pattern):
            out.append(re.escape(pattern[at]))
            at += 1
        elif letter == "[" and (close := pattern.find("]", at + 1)) > 0:
            inner = pattern[at:close].replace("\\", "\\\\").replace("[", "\\[")
            negated = inner[0] in "^!"
            out.append(f"[{'^' if negated else ''}{inner[negated:]}]")
            at = close + 1
        else:
            out.append(re.escape(letter))
    return re.compile("".join(out), re.DOTALL)


def expand_braces(pattern: str) -> list[str]:
    """Return the patterns to which ``{a,b}`` expands.

    >>> expand_braces("x/{a,b{1,2}}.yaml")
    ['x/a.yaml', 'x/b1.yaml', 'x/b2.yaml']
    """
    start = pattern.find("{")
    if start < 0:
        return [pattern]
    depth, pieces, last = 0, [], start + 1
    for at in range(start, len(pattern)):
        letter = pattern[at]
        if letter == "{":
            depth += 1
        elif letter == "," and depth == 1:
            pieces.append(pattern[last:at])
            last = at + 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                pieces.append(pattern[last:at])
                head, tail = pattern[:start], pattern[at + 1 :]
                return [found for piece in pieces for found in expand_braces(head + piece + tail)]
    return [pattern]


def join(base: str, path: str) -> str:
    """Return a path made absolute on a base; resolve ``.`` and ``..`` as Ruby's ``expand_path``.

    >>> join("/env", "./modules/../site")
    '/env/site'
    """
    full = os.path.normpath(os.path.join(base, path))
    return full[1:] if full.startswith("//") else full
