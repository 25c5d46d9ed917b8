"""Findings as plain data, for the cache on disk.

Text of files is not in the data: a place names the file, with a digest, and the text is read again. Findings that
depend on this machine, or whose text is in no file, have no data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.base.errors import Declaration, Diagnostic, InPuppet
from bunraku.base.source import Place, Source, Span
from bunraku.engine.dependencies import Digests, Neutral, unchanged

OF_THE_MACHINE = frozenset(
    {
        "HIERA_NO_CRYPTOGRAPHY",
        "OUT_OF_MEMORY",
        "RUBY_MISSING",
        "TIMEOUT",
        "WORKER_ENDED",
    }
)
"""Codes of errors that another run of the same code may not have."""
RECORDS = (Diagnostic, Place, Span, InPuppet, Declaration)
NUMBERS = {kind: number for number, kind in enumerate(RECORDS)}
PLAIN = frozenset({int, float, bool, type(None)})
TUPLE, MAPPING, SOURCE = "tuple", "mapping", "source"
Data = tuple[Any, ...]
Read = Callable[[str], bytes | None]
"""Returns the content of a file; None if it cannot be read."""


class NoData(ValueError):
    """A value that cannot be read again."""


class FindingWriter:
    """Turns findings into data; ``shown`` and ``neutral`` change texts and paths of files.

    >>> writer = FindingWriter(Digests(b"key"), {"/a.pp": b"$a"}.get)
    >>> finding = Diagnostic("X", "wrong", Source("$a", "/a.pp").span(0, 2).place)
    >>> FindingReader(Digests(b"key"), {"/a.pp": b"$a"}.get).read(writer.data((finding,)))
    [Diagnostic('X', 'wrong', 'error', at /a.pp:1:1)]
    >>> FindingReader(Digests(b"key"), {"/a.pp": b"$b"}.get).read(writer.data((finding,))) is None
    True
    """

    def __init__(
        self,
        digests: Digests,
        read: Read,
        shown: Neutral = unchanged,
        neutral: Neutral = unchanged,
    ) -> None:
        self.digests = digests
        self.read = read
        self.shown = shown
        self.neutral = neutral

    def data(self, findings: Sequence[Diagnostic]) -> Data | None:
        """Return the data of findings; None if they cannot be read again."""
        if any(one.code in OF_THE_MACHINE for one in findings):
            return None
        try:
            return tuple([self.of(one) for one in findings])
        except NoData:
            return None

    def of(self, value: Any) -> Any:
        """Return the data of a value; raise NoData."""
        if value.__class__ in PLAIN:
            return value
        if isinstance(value, str):
            return self.shown(str(value))
        if value.__class__ is tuple:
            return (TUPLE, *map(self.of, value))
        if isinstance(value, Mapping):
            return (MAPPING, *[plain(part) for item in value.items() for part in item])
        if isinstance(value, Source):
            return self.of_source(value)
        number = NUMBERS.get(value.__class__)
        if number is None:
            raise NoData(value)
        return (number, *[self.of(getattr(value, name)) for name in value.__match_args__])

    def of_source(self, source: Source) -> Data:
        """Return what is needed to read a text again."""
        content = self.read(source.path) if source.path else None
        if content is None or content.decode("utf-8", "surrogateescape") != source.text:
            raise NoData(source.path)
        path, digest = self.neutral(source.path), self.digests.of_once(content)
        return SOURCE, path, self.shown(source.path), source.on_disk, source.is_template, digest


def plain(value: Any) -> Any:
    """Return an argument of a message; raise NoData for one that is not plain."""
    if value.__class__ in PLAIN:
        return value
    if isinstance(value, str):
        return str(value)
    raise NoData(value)


class FindingReader:
    """Turns data into findings; ``read`` gets the paths of the files, which ``concrete`` returns."""

    def __init__(self, digests: Digests, read: Read, concrete: Neutral = unchanged) -> None:
        self.digests = digests
        self.content = read
        self.concrete = concrete
        self.sources: dict[Data, Source] = {}

    def read(self, data: Data) -> list[Diagnostic] | None:
        """Return the findings; None if the text of a file is another one."""
        try:
            return [self.of(one) for one in data]
        except NoData:
            return None

    def of(self, data: Any) -> Any:
        """Return the value of data; raise NoData."""
        if data.__class__ is not tuple:
            return data
        kind, *rest = data
        if kind == SOURCE:
            return self.sources.get(data) or self.source(data)
        values = [self.of(one) for one in rest]
        if kind == TUPLE:
            return tuple(values)
        if kind == MAPPING:
            return dict(zip(values[::2], values[1::2], strict=True))
        return RECORDS[kind](*values)

    def source(self, data: Data) -> Source:
        """Return the text of a file; raise NoData if it is another one."""
        _, neutral, shown, on_disk, is_template, digest = data
        content = self.content(self.concrete(neutral))
        if content is None or self.digests.of_once(content) != digest:
            raise NoData(shown)
        text = content.decode("utf-8", "surrogateescape")
        found = self.sources[data] = Source(text, shown, on_disk, is_template)
        return found
