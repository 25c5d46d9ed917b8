"""Catalogs that need no compile: what they depend on is kept, in the cache on disk.

An entry is named by the node and by the request: everything that the caller of a compile decides,
except facts. It holds what the catalog depends on (:mod:`bunraku.engine.dependencies`), with the
facts that were read, and a digest of the catalog's text, or the text itself. A catalog with ``Sensitive`` values is never
kept as text.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.cache_key import key_for
from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import read_whole
from bunraku.base.records import record, replace
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.compiler.code_names import program_fingerprint
from bunraku.engine.dependencies import (
    LONE,
    Checker,
    DataFile,
    Dependencies,
    Digest,
    Digests,
    Neutral,
    canonical,
    changed,
    changed_facts,
    dependencies_of,
    unchanged,
)
from bunraku.engine.finding_data import Data, FindingWriter, Read
from bunraku.engine.manifests import COVERAGE
from bunraku.engine.request import Request, fact_table, with_facts_file, world_of
from bunraku.formats.json import lenient_json_text, parse_json
from bunraku.modules.fact_reads import ALL_FACTS, FactTable
from bunraku.ruby.schema.cache import reader_fingerprint
from bunraku.runtime.log import LogEntry
from bunraku.values.sensitive import Sensitive
from bunraku.world.protocol import World
from bunraku.world.recording import FactQuestion, Recording

WHOLE_PROGRAM = ("",)
ELSEWHERE = frozenset({"exports", "facts", "functions", "generation_limits", "world"})
"""Fields of a request that the name of an entry leaves out: recorded, refused, or added as text."""
FORMAT = 4
FAST = 1
"""The level of compression."""


@record(frozen=True)
class Kept:
    """A catalog that was kept: its dependencies, and its text or the digest of the text.

    ``exported`` are the resources that the node exports; ``collects`` is whether it collects those of
    others. ``facts`` is the digest of all facts of the node. Without ``complete``, secrets were left out, so
    that only the dependencies can be used, or are in the text, which is sealed (:mod:`bunraku.engine.sealed`).
    ``failure`` has the findings of a node without a catalog (:mod:`bunraku.engine.finding_data`). ``ruby`` has
    what the compile needed Ruby for.
    """

    dependencies: Dependencies
    facts: Digest
    digest: Digest
    text: str | None
    resources: int
    collects: bool
    complete: bool
    exported: Sequence[dict[str, Any]] = ()
    log: Sequence[LogEntry] = ()
    failure: Data | None = None
    ruby: tuple[str, ...] = ()


@record(frozen=True)
class Paths:
    """How paths change from the files of a state to entries: in requests, records and catalogs.

    ``of_request`` and ``of_record`` make them independent of where the files of a revision are;
    ``shown`` changes the text of a catalog.
    """

    of_request: Neutral = unchanged
    of_record: Neutral = unchanged
    shown: Neutral = unchanged


AS_THEY_ARE = Paths()
Seal = Callable[[Kept], Kept | None]
"""Returns an entry of which the contents are sealed; None if they cannot be."""


def unsealed(_kept: Kept) -> None:
    """Seal nothing."""


def without_contents(kept: Kept) -> Kept:
    """Return an entry of which only the dependencies can be used."""
    return replace(kept, text=None, exported=(), log=(), complete=False)


class CatalogStore:
    """The catalogs that are kept for one kind of run.

    ``labels`` name all that decides the text besides the request: the first for the entries of this
    run, the others for entries that serve as well.
    """

    def __init__(
        self,
        disk: DiskCache,
        digests: Digests,
        *labels: str,
        with_text: bool = False,
        paths: Paths = AS_THEY_ARE,
    ) -> None:
        self.disk = disk
        self.digests = digests
        self.labels = labels
        self.with_text = with_text
        self.paths = paths

    def keeping(self, request: Request, facts_file: str | None) -> Keeping | None:
        """Return where the catalog of a request is kept; None for one that cannot be kept.

        Python functions and the data of a site can be others each time. A compile that does not ask the server
        of ``storedconfigs`` is kept.
        """
        site = request.storedconfigs
        is_read = site is not None and "://" not in site
        if request.functions or is_read or request.facts_from is not None:
            return None
        try:
            facts = b"" if facts_file is None else read_whole(facts_file)
        except OSError:
            return None
        given = canonical(request.facts).encode(errors=LONE)
        digest = self.digests.of_once(given + b"\0" + facts)
        return Keeping(self, self.names_of(request), digest, request, facts_file)

    def under_key(self, key: str) -> Keeping:
        """Return where the result of a request is kept that has a key, which decides its facts, too."""
        whole = canonical([os.getcwd(), time.tzname, key]).encode(errors=LONE)
        names = tuple([self.name_of(label, whole) for label in self.labels])
        return Keeping(self, names, b"", Request(), None)

    def names_of(self, request: Request) -> tuple[str, ...]:
        """Return the names of the entries for a request, by the labels."""
        whole = self.text_of(request).encode(errors=LONE)
        return tuple([self.name_of(label, whole) for label in self.labels])

    def text_of(self, request: Request) -> str:
        """Return what decides the names of the entries for a request, as text."""
        values = {
            name: changed_paths(getattr(request, name), self.paths.of_request)
            for name in Request.__match_args__
            if name not in ELSEWHERE
        }
        limits = repr(request.generation_limits)
        return canonical([limits, os.getcwd(), time.tzname, values])

    def name_of(self, label: str, request: bytes) -> str:
        """Return the name of the entry of a request, given as text."""
        start = f"{program()}\0{label}\0".encode(errors=LONE)
        return blake2b(start + request, key=self.digests.key, digest_size=20).hexdigest()


@record(frozen=True, eq=False)
class Keeping:
    """Where the catalog of one node is kept: a store, names of entries, a digest of the facts.

    The facts are those of the request and of the file.
    """

    store: CatalogStore
    names: tuple[str, ...]
    facts: Digest
    request: Request
    facts_file: str | None

    def find(self, checker: Checker) -> Kept | None:
        """Return an entry, if all that it depends on is unchanged; else None.

        An entry of another label, or for facts that differ where the compile did not read them, is
        kept under the first label for the present facts, too.
        """
        for name in self.names:
            found = self.read(name)
            if found is None or not self.facts_hold(found) or not checker.holds(found.dependencies):
                continue
            if name != self.names[0] or found.facts != self.facts:
                found = replace(found, facts=self.facts)
                self.write(found)
            return found
        return None

    def dependencies(self) -> Dependencies | None:
        """Return what the catalog of this run depends on; None if that was not kept."""
        found = self.read(self.names[0])
        return None if found is None or found.facts != self.facts else found.dependencies

    def read(self, name: str) -> Kept | None:
        """Return an entry, for any facts of the node."""
        data = self.store.disk.read_data(name)
        if not isinstance(data, tuple) or data[:1] != (FORMAT,):
            return None
        return from_data(data)

    def write(self, kept: Kept) -> None:
        """Write the entry of the first label."""
        with suppress(ValueError):  # an object of a class that no entry can have
            self.store.disk.write_data(self.names[0], to_data(kept))

    def facts_hold(self, kept: Kept) -> bool:
        """Return whether the facts are the same, as far as the compile of an entry read them."""
        if kept.facts == self.facts:
            return True
        return next(self.changed_facts(kept.dependencies), None) is None

    def changed_facts(self, dependencies: Dependencies) -> Iterator[FactQuestion]:
        """Yield the questions about facts that have other answers; all facts if they are not readable."""
        try:
            facts = fact_table(with_facts_file(self.request, self.facts_file))
        except (
            Exception
        ):  # facts that a compile refuses, whatever the reason: compile, to report it
            yield ALL_FACTS
            return
        yield from changed_facts(dependencies, facts, self.store.digests)

    def entry(
        self,
        recording: Recording,
        facts: FactTable,
        catalog: CompiledCatalog | None,
        text: str,
        *,
        collects: bool,
        exported: Sequence[dict[str, Any]],
        log: Sequence[LogEntry],
        seal: Seal = unsealed,
    ) -> Kept | str:
        """Return what can be kept of a catalog, or of an error; the reason if it cannot be used again.

        The catalog depends on something that cannot be asked again then. ``seal`` gets the entry of a catalog with secrets.
        """
        store = self.store
        recording.check_text(text.encode(errors=LONE))
        dependencies = dependencies_of(recording, store.digests, facts, store.paths.of_record)
        if dependencies is None:
            return store.paths.shown(str(recording.unrepeatable))
        shown = store.paths.shown
        text = shown(text)
        whole = Kept(
            dependencies,
            self.facts,
            store.digests.of_once(text),
            text if store.with_text else None,
            0 if catalog is None else len(catalog.resources),
            collects,
            complete=True,
            exported=exported,
            log=[replace(one, message=shown(one.message)) for one in log],
            ruby=tuple(recording.ruby),
        )
        if not (store.with_text or exported):
            return whole
        if recording.opened_secrets:
            return without_contents(whole)
        if catalog is None or not holds_secret(catalog):
            return whole
        return seal(whole) or without_contents(whole)

    def failure(
        self,
        recording: Recording,
        facts: FactTable,
        findings: Sequence[Diagnostic],
        log: Sequence[LogEntry],
        writer: FindingWriter | None = None,
    ) -> Kept | None:
        """Return what can be kept of work that only has findings; None if it cannot be used again."""
        if recording.opened_secrets:
            return None
        recording.note_fact(ALL_FACTS)  # what refuses facts asks no questions about them
        store = self.store
        if writer is None:
            read = content_in(recording.below)
            writer = FindingWriter(store.digests, read, store.paths.shown, store.paths.of_record)
        data = writer.data(findings)
        if data is None:
            return None
        made = self.entry(recording, facts, None, "", collects=False, exported=(), log=log)
        return replace(made, failure=data) if isinstance(made, Kept) else None


def content_in(world: World) -> Read:
    """Return a function that reads files of a world."""

    def read(path: str) -> bytes | None:
        try:
            return world.read(path)
        except OSError:
            return None

    return read


def open_store(
    *labels: str, with_text: bool = False, paths: Paths = AS_THEY_ARE
) -> CatalogStore | None:
    """Return the store in the cache of this user; None where the cache is not used.

    None, too, where coverage is recorded: code that does not run would count as missed.
    """
    if os.environ.get(COVERAGE):
        return None
    disk = DiskCache()
    if disk.opened(create=True) is None:
        return None
    key = key_for("digests") or own_key(disk)
    return CatalogStore(disk, Digests(key), *labels, with_text=with_text, paths=paths)


OWN_KEY = blake2b(b"the key of digests", digest_size=20).hexdigest()
"""The name of the entry with the key of digests, which never leaves this cache."""


def own_key(disk: DiskCache) -> bytes:
    """Return the key of digests of a cache."""
    key = disk.read_data(OWN_KEY)
    if not isinstance(key, bytes) or len(key) != blake2b.MAX_KEY_SIZE:
        key = os.urandom(blake2b.MAX_KEY_SIZE)
    disk.write_data(OWN_KEY, key)  # also an old one: the oldest entries are removed first
    return key


def recorded(request: Request) -> tuple[Request, Recording]:
    """Return a request whose compile is recorded, and the record."""
    recording = Recording(world_of(request))
    return replace(request, world=recording), recording


@remembered(1)
def program() -> str:
    """Return a text that is another one for each bunraku, Python and parser of Ruby."""
    parts = (sys.version, program_fingerprint(WHOLE_PROGRAM), reader_fingerprint())
    return blake2b("\n".join(parts).encode(errors=LONE)).hexdigest()


def label_of(function: Callable[..., Any] | None) -> str:
    """Return a text for a function of a module, or a partial application of one.

    >>> label_of(partial(label_of, partial(len, 1)))
    "bunraku.engine.kept_catalogs.label_of('builtins.len(1)')"
    """
    if function is None:
        return ""
    if isinstance(function, partial):
        values = [*function.args, *function.keywords.items()]
        inner = [repr(label_of(one)) if callable(one) else repr(one) for one in values]
        return f"{label_of(function.func)}({', '.join(inner)})"
    return f"{function.__module__}.{function.__qualname__}"


def changed_paths(value: Any, change: Neutral) -> Any:
    """Return a field of a request with its paths changed."""
    if isinstance(value, Mapping):
        return {changed(name, change): changed_paths(one, change) for name, one in value.items()}
    if value.__class__ is list or value.__class__ is tuple:
        return [changed_paths(one, change) for one in value]
    return changed(value, change)


def holds_secret(catalog: CompiledCatalog) -> bool:
    """Return whether a catalog holds Sensitive values."""
    resources = [*catalog.resources, *catalog.exported_only]
    if catalog.unfiltered is not None:
        resources += catalog.unfiltered.resources
    return any(one.sensitive or is_secret(one.parameters) for one in resources)


def is_secret(value: Any) -> bool:
    """Return whether a value is Sensitive, or holds one that is."""
    kind = value.__class__
    if kind is dict:
        return any(map(is_secret, value)) or any(map(is_secret, value.values()))
    if kind is list or kind is tuple:
        return any(map(is_secret, value))
    return kind is Sensitive


def to_data(kept: Kept) -> tuple[Any, ...]:
    """Return an entry as the cache on disk keeps it."""
    found = kept.dependencies
    return (
        FORMAT,
        kept.facts,
        found.answers,
        tuple([(one.function, one.path, one.content, one.keys) for one in found.data]),
        found.facts,
        found.exported,
        kept.digest,
        None if kept.text is None else zlib.compress(kept.text.encode(errors=LONE), FAST),
        kept.resources,
        kept.collects,
        kept.complete,
        lenient_json_text(list(kept.exported)) if kept.exported else "",
        tuple([tuple([getattr(one, n) for n in LogEntry.__match_args__]) for one in kept.log]),
        kept.failure,
        kept.ruby,
    )


def from_data(data: tuple[Any, ...]) -> Kept:
    """Return an entry from its data."""
    _, facts, answers, files, read, exported, digest, text, resources, *rest = data
    collects, complete, own, log, failure, ruby = rest
    return Kept(
        Dependencies(answers, tuple([DataFile(*one) for one in files]), read, exported),
        facts,
        digest,
        None if text is None else zlib.decompress(text).decode(errors=LONE),
        resources,
        collects,
        complete,
        parse_json(own) if own else [],
        [LogEntry(*one) for one in log],
        failure,
        ruby,
    )
