"""What changed between two states where a value comes from: lines of code, keys of data, files, modules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from bunraku.base.records import record
from bunraku.formats.places import YamlPlaces
from bunraku.workbench.origins.origin import CodePlace, Origin
from bunraku.world.protocol import World

CauseKind = Literal["code", "file", "input", "key", "module"]
TEXTS = (".pp", ".epp", ".erb", ".rb")
DATA = (".yaml", ".yml", ".eyaml", ".json")
HIERA = "hiera.yaml"
LEVELS = "hierarchy"
MOST_CAUSES = 3
"""Causes of a change that a sentence names."""


@record(frozen=True)
class Cause:
    """Why a value is another one: a phrase such as ``key x in data/common.yaml:3 changed``.

    ``path`` and ``line`` are the place, empty and 0 where there is none. ``name`` is the key of data, or the name
    of the module, the input or the level of hiera.yaml.
    """

    kind: CauseKind
    text: str
    path: str = ""
    line: int = 0
    name: str = ""

    @property
    def data(self) -> dict[str, str | int]:
        """The cause for programs; what is not known is left out."""
        found: list[tuple[str, str | int]] = [
            ("kind", self.kind),
            ("text", self.text),
            ("file", self.path),
            ("line", self.line),
            ("name", self.name),
        ]
        return {key: value for key, value in found if value}


def because(causes: Sequence[Cause]) -> str:
    """Return causes as one phrase.

    >>> because([Cause("code", "a.pp:1 changed"), Cause("file", "b.epp changed")])
    'because a.pp:1 changed and b.epp changed'
    """
    texts = [one.text for one in causes[:MOST_CAUSES]]
    more = len(causes) - len(texts)
    if more > 0:
        texts.append(f"{more} more {'thing' if more == 1 else 'things'} changed")
    return f"because {', '.join(texts[:-1])}{' and ' if texts[1:] else ''}{texts[-1]}"


def one_of_inputs(inputs: Sequence[Cause]) -> str:
    """Return changed inputs, one of which is the cause of something, as a phrase.

    >>> one_of_inputs([Cause("file", "file b.epp changed"), Cause("file", "file c.epp changed")])
    'because one of 2 inputs changed: file b.epp, file c.epp'
    """
    if len(inputs) == 1:
        return because(inputs)
    names = [one.text.removesuffix(" changed") for one in inputs[:MOST_CAUSES]]
    rest = ["…"] if len(inputs) > MOST_CAUSES else []
    return f"because one of {len(inputs)} inputs changed: {', '.join([*names, *rest])}"


class SourcePlace(NamedTuple):
    """A place that a value comes from: lines of code, a key of data, or a whole file."""

    path: str
    line: int = 0
    last: int = 0
    key: str = ""


def source_places(origin: Origin) -> Iterator[SourcePlace]:
    """Yield the places of an origin, those of what it reads first."""
    for one in origin.reads:
        yield from source_places(one)
    yield from map(of_code, origin.conditions)
    place = origin.place
    if place is None or not place.path:
        return
    if origin.kind == "data":
        yield SourcePlace(place.path, place.line, 0, origin.name)
    elif origin.kind == "template":
        yield SourcePlace(place.path)
    else:
        yield of_code(place)


def of_code(place: CodePlace) -> SourcePlace:
    """Return the lines of a piece of code."""
    return SourcePlace(place.path, place.line, place.last or place.line)


@record(frozen=True)
class StateFiles:
    """The files of a state: their world, and how a path of another state becomes one of this."""

    world: World
    moved_here: Callable[[str], str]
    shown: Callable[[str], str]

    def content(self, path: str) -> bytes | None:
        """Return the content of a file; None if there is none that can be read."""
        try:
            return self.world.read(path)
        except OSError:
            return None


class Comparer:
    """Compares places of two states; each file is read once."""

    def __init__(self, old: StateFiles, new: StateFiles) -> None:
        self.sides = (old, new)
        self.texts: dict[tuple[int, str], bytes | None] = {}
        self.data: dict[tuple[int, str], YamlPlaces] = {}
        self.lines: dict[tuple[int, str], frozenset[int]] = {}
        self.modules: dict[str, Cause | None] = {}

    def causes(self, old: Iterable[SourcePlace], new: Iterable[SourcePlace]) -> list[Cause]:
        """Return what changed at the places of a value in both states, each once.

        Code that was removed counts only if nothing else changed: usually it became other code.
        """
        found = [self.changed(one, 1) for one in new]
        removed = [self.changed(one, 0) for one in old]
        found += [one for one in removed if one is not None and one.kind != "code"]
        causes = list(dict.fromkeys(filter(None, found)))
        return merged(causes or [one for one in removed if one is not None])

    def changed(self, place: SourcePlace, state: int) -> Cause | None:
        """Return the cause if a place of a state (0 is the old one) is another one in the other state."""
        here, there = self.content(place.path, state), self.content(place.path, 1 - state)
        if here is None or here == there:
            return None
        module = self.module(place, state)
        if place.key:
            cause = self.changed_key(place, state)
        elif there is None:
            cause = self.cause("file", place, state, "was added" if state else "was removed")
        elif not place.line:
            cause = self.changed_file(place, state)
        else:
            lines = self.changed_lines(place.path, state)
            is_changed = any(line in lines for line in range(place.line, place.last + 1))
            verb = "changed" if state else "was removed"
            cause = self.cause("code", place, state, verb) if is_changed else None
        return cause if module is None or cause is None else module

    def changed_key(self, place: SourcePlace, state: int) -> Cause | None:
        """Return the cause if a key of data has another value, or is in one state only."""
        if not place.path.endswith(DATA):
            return self.cause("file", place, state, "changed")
        key = place.key
        here, there = (self.places(place.path, one) for one in (state, 1 - state))
        root = key if here.of([key], whole=True) else key.partition(".")[0]
        path, position = self.sides[state].shown(place.path), there.of([root], whole=True)
        if position is None:
            verb = "was added to" if state else "was removed from"
            return Cause("key", f"key {root} {verb} {path}:{place.line}", path, place.line, root)
        if list(here.texts(root)) == list(there.texts(root)):
            return None
        line = place.line if state else position[0]
        return Cause("key", f"key {root} in {path}:{line} changed", path, line, root)

    def changed_file(self, place: SourcePlace, state: int) -> Cause:
        """Return the cause for a file with other content: its first changed line, of hiera.yaml the level."""
        path = self.sides[state].shown(place.path)
        if path.rpartition("/")[2] == HIERA:
            old, new = (list(self.places(place.path, at).named_entries(LEVELS)) for at in (0, 1))
            change = changed_level(old, new)
            if change is not None:
                name, line, words = change
                return Cause("file", f"level {name!r} {words} {path}:{line}", path, line, name)
        before, after = (self.content(place.path, at) or b"" for at in (0, 1))
        line = first_changed_line(before, after)
        return Cause(
            "file", f"{path}:{line} changed" if line else f"file {path} changed", path, line
        )

    def cause(self, kind: CauseKind, place: SourcePlace, state: int, verb: str) -> Cause:
        """Return the cause for a place that changed as a whole."""
        path = self.sides[state].shown(place.path)
        line = place.line if kind == "code" else 0
        if kind == "code":
            changed = self.changed_lines(place.path, state)
            line = next((one for one in range(line, place.last + 1) if one in changed), line)
        where = f"{path}:{line}" if line else f"file {path}"
        return Cause(kind, f"{where} {verb}", path, line)

    # -- files -----------------------------------------------------------------------------------

    def content(self, path: str, state: int) -> bytes | None:
        """Return the content that a file has in a state; the path is one of any state."""
        path = self.sides[state].moved_here(path)
        if (state, path) not in self.texts:
            self.texts[state, path] = self.sides[state].content(path)
        return self.texts[state, path]

    def places(self, path: str, state: int) -> YamlPlaces:
        """Return the places in the data of a file in a state."""
        if (state, path) not in self.data:
            self.data[state, path] = YamlPlaces(self.content(path, state) or b"")
        return self.data[state, path]

    def changed_lines(self, path: str, state: int) -> frozenset[int]:
        """Return the lines of a file in a state that the other state does not have."""
        if (state, path) not in self.lines:
            here, there = (
                (self.content(path, one) or b"").splitlines() for one in (state, 1 - state)
            )
            blocks = SequenceMatcher(None, here, there, autojunk=False).get_matching_blocks()
            same = {at for block in blocks for at in range(block.a, block.a + block.size)}
            self.lines[state, path] = frozenset(at + 1 for at in range(len(here)) if at not in same)
        return self.lines[state, path]

    def module(self, place: SourcePlace, state: int) -> Cause | None:
        """Return the cause if the module of a file has another version in the other state."""
        folder = place.path
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            metadata = f"{folder}/metadata.json"
            if self.content(metadata, state) is not None:
                if folder not in self.modules:
                    self.modules[folder] = self.version_change(folder, metadata, state)
                return self.modules[folder]
        return None

    def version_change(self, folder: str, metadata: str, state: int) -> Cause | None:
        """Return the cause if the metadata of a module has two versions."""
        versions = [version_in(self.content(metadata, one)) for one in (0, 1)]
        if not all(versions) or versions[0] == versions[1]:
            return None
        name = folder.rpartition("/")[2]
        text = f"module {name} went from {versions[0]} to {versions[1]}"
        return Cause("module", text, self.sides[state].shown(folder), 0, name)


Level = tuple[str, int, list[str]]
"""The name of a level of hiera.yaml, its line, and the texts in it."""


def changed_level(old: Sequence[Level], new: Sequence[Level]) -> tuple[str, int, str] | None:
    """Return the first level that differs: its name, its line, and what happened; None without one.

    >>> changed_level([("a", 3, ["a"]), ("b", 4, ["b"])], [("b", 3, ["b"])])
    ('a', 3, 'was removed from')
    >>> changed_level([("a", 3, ["a"]), ("b", 4, ["b"])], [("b", 3, ["b"]), ("a", 4, ["a"])])
    ('b', 3, 'moved to')
    """
    before = {name: texts for name, _, texts in old}
    for name, line, texts in new:
        if before.get(name) != texts:
            return name, line, "changed in" if name in before else "was added to"
    after = {name for name, _, _ in new}
    for name, line, _ in old:
        if name not in after:
            return name, line, "was removed from"
    for one, other in zip(old, new, strict=False):
        if one[0] != other[0]:
            return other[0], other[1], "moved to"
    return None


def first_changed_line(old: bytes, new: bytes) -> int:
    r"""Return the first line of a text that is new, or the one where lines are gone; 0 for binary content.

    >>> first_changed_line(b"a\nb\n", b"a\nc\n"), first_changed_line(b"a\nb\n", b"a\n")
    (2, 1)
    >>> first_changed_line(b"\0", b"a")
    0
    """
    if b"\0" in old or b"\0" in new:
        return 0
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    pairs = enumerate(zip(before, after, strict=False))
    shared = min(len(before), len(after))
    same = next((at for at, (one, other) in pairs if one != other), shared)
    return max(min(same + 1, len(after)), 1)


def version_in(metadata: bytes | None) -> str:
    """Return the version in the text of a metadata.json; empty without one."""
    try:
        data = json.loads(metadata or b"")
    except ValueError:
        return ""
    version = data.get("version") if isinstance(data, dict) else None
    return version if isinstance(version, str) else ""


def merged(causes: Sequence[Cause]) -> list[Cause]:
    """Return causes, each phrase once."""
    return list({one.text: one for one in causes}.values())
