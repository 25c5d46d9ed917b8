"""The origin of a Hiera value: the file, the line of the key, and the level; for hints."""

from __future__ import annotations

from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.formats.places import place_in_yaml
from bunraku.hiera.explain import Explanation
from bunraku.hiera.invocation import Invocation

Value = Any
MOST_SOURCES = 3  # of a merged value, that a hint names
FILES = frozenset({"path", "uri"})


class Files(Protocol):
    """The data files with the lines that origins refer to."""

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""


class LookupEngine(Protocol):
    """The part of :class:`bunraku.hiera.lookup.LookupEngine` that origins use."""

    @property
    def files(self) -> Files:
        """The data files."""

    def lookup(self, invocation: Invocation, name: str) -> Value:
        """Look up a key."""


class Sources(Explanation):
    """Keeps the places where a lookup found values of its key: level, path, root of the key."""

    active = True

    def __init__(self) -> None:
        self.found_at: list[tuple[str, str | None, str]] = []
        self._open: list[tuple[str, str]] = []

    def step(self, kind: str, name: str, **_details: Value) -> Sources:
        """See :class:`Explanation`."""
        self._open.append((kind, name))
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """See :class:`Explanation`."""
        self._open.pop()

    def found(self, key: object, _value: Value, _source: str = "") -> None:
        """See :class:`Explanation`."""
        kinds = [kind for kind, _ in self._open]
        if "level" not in kinds or "interpolate" in kinds or kinds.count("level") > 1:
            return
        last_kind, last_name = self._open[-1]
        level = next(name for kind, name in self._open if kind == "level")
        self.found_at.append((level, last_name if last_kind in FILES else None, str(key)))


def origin(engine: LookupEngine, invocation: Invocation, name: str) -> str | None:
    """Return where the value of a key comes from: ``data/a.yaml:1 (level 'a')``.

    The key is looked up once more, so this is for errors only.
    """
    sources = Sources()
    before, invocation.explain = invocation.explain, sources
    try:
        engine.lookup(invocation, name)
    except PuppetError:
        return None
    finally:
        invocation.explain = before
    places = dict.fromkeys(source_hint(engine, *source) for source in sources.found_at)
    shown = list(places)[:MOST_SOURCES]
    if len(places) > len(shown):
        shown.append(f"{len(places) - len(shown)} more")
    return ", ".join(shown) or None


def source_hint(engine: LookupEngine, level: str, path: str | None, key: str) -> str:
    """Return one source as a hint names it."""
    if path is None:
        return f"level '{level}'"
    found = None
    if path.endswith((".yaml", ".yml", ".eyaml", ".json")):
        try:
            found = place_in_yaml(engine.files.read(path), [key], whole=True)
        except PuppetError:
            found = None
    return f"{path}:{found[0]} (level '{level}')" if found else f"{path} (level '{level}')"
