"""The origin of a Hiera value: the file, the line of the key, and the level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.formats.places import YamlPlaces
from bunraku.hiera.explain import Explanation
from bunraku.hiera.invocation import Invocation

Value = Any
MOST_SOURCES = 3  # of a merged value, that a hint names
FILES = frozenset({"path", "uri"})
INTERPOLATION = lazy_pattern(r"%\{\s*([^{}]+?)\s*\}")


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


@record(frozen=True)
class ValueSource:
    """One source of a value: the level, and if that is a file, its path and the line of the key.

    ``is_encrypted`` is whether the value there is one of eyaml; ``interpolated`` are the expressions that are
    interpolated into it, such as ``facts.os.family`` and ``lookup('key')``.
    """

    level: str
    path: str | None = None
    line: int | None = None
    is_encrypted: bool = False
    interpolated: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.path is None:
            return f"level '{self.level}'"
        line = "" if self.line is None else f":{self.line}"
        return f"{self.path}{line} (level '{self.level}')"


def value_sources(engine: LookupEngine, invocation: Invocation, name: str) -> Sequence[ValueSource]:
    """Return where the value of a key comes from: several sources for a merged value.

    The key is looked up once more. A key that cannot be looked up has no sources.
    """
    sources = Sources()
    before, invocation.explain = invocation.explain, sources
    try:
        engine.lookup(invocation, name)
    except PuppetError:
        return ()
    finally:
        invocation.explain = before
    roots = (name, name.partition(".")[0])  # the options of lookups are searched, too
    found = [source for source in sources.found_at if source[2] in roots]
    return list(dict.fromkeys(value_source(engine, *source) for source in found))


def origin(engine: LookupEngine, invocation: Invocation, name: str) -> str | None:
    """Return where the value of a key comes from, for hints: ``data/a.yaml:1 (level 'a')``."""
    places = list(map(str, value_sources(engine, invocation, name)))
    shown = places[:MOST_SOURCES]
    if len(places) > len(shown):
        shown.append(f"{len(places) - len(shown)} more")
    return ", ".join(shown) or None


def value_source(engine: LookupEngine, level: str, path: str | None, key: str) -> ValueSource:
    """Return one source with its line, if the file is YAML or JSON."""
    if path is None or not path.endswith((".yaml", ".yml", ".eyaml", ".json")):
        return ValueSource(level, path)
    try:
        places = YamlPlaces(engine.files.read(path))
    except PuppetError:
        return ValueSource(level, path)
    position = places.of([key], whole=True)
    line = None if position is None else position[0]
    texts = list(places.texts(key))
    inner = dict.fromkeys(one for text in texts for one in INTERPOLATION.findall(text))
    return ValueSource(level, path, line, any("ENC[" in text for text in texts), tuple(inner))
