"""Catalogs of tests that need no compile, because all that they depend on is unchanged.

What a catalog depends on, and when it is used again, is as for the catalogs of many nodes
(:mod:`bunraku.engine.kept_catalogs`). The request, all facts and the files that only the compile sees name an entry.
"""

from __future__ import annotations

from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import field, record
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_catalog
from bunraku.engine.dependencies import Checker, canonical
from bunraku.engine.hooks import NO_HOOKS, Hooks
from bunraku.engine.kept_catalogs import CatalogStore, Kept, open_store, recorded
from bunraku.engine.request import DISK, Request
from bunraku.engine.sealed import entry_row, sealed_entry, text_of_entry
from bunraku.formats.failure import FormatError
from bunraku.formats.json import lenient_json_text, parse_json
from bunraku.modules.fact_reads import FactTable
from bunraku.modules.files import shared_table
from bunraku.runtime.log import LogEntry
from bunraku.world.overlay import Overlay
from bunraku.world.protocol import World
from bunraku.world.recording import Recording

Data = dict[str, Any]
LABEL = "catalogs of tests"
SENSITIVE = "Sensitive"


@record(frozen=True)
class CatalogContents:
    """What tests ask a compiled catalog for: ``data``, as an agent gets it, and as the server stores it.

    ``with_exported`` is None where the node exports nothing that it does not collect itself.
    """

    data: Data
    with_exported: Data | None = None
    log: list[LogEntry] = field(default_factory=list)

    def stored(self) -> Data:
        """Return the catalog as a server stores it."""
        return self.data if self.with_exported is None else self.with_exported


def asked_contents(catalog: CompiledCatalog, log: list[LogEntry]) -> CatalogContents:
    """Return what tests ask for."""
    more = None if catalog.unfiltered is None else catalog_to_data(catalog, with_exported=True)
    return CatalogContents(catalog_to_data(catalog), more, log)


def compiled_contents(
    request: Request, log: list[LogEntry], hooks: Hooks = NO_HOOKS, *, reuses: bool = True
) -> CatalogContents:
    """Return the contents of a catalog: with ``reuses``, those of an earlier run if they are the same now.

    ``log`` gets the messages of a compile, also of one that fails.
    """
    place = catalog_place(request) if reuses and hooks is NO_HOOKS else None
    if place is None:
        return asked_contents(compile_catalog(request, log.append, hooks), log)
    return place.contents() or place.compiled(log)


@remembered(1)
def catalog_store() -> CatalogStore | None:
    """Return the store of catalogs in the cache of this user, if it is used."""
    return open_store(LABEL, with_text=True)


def catalog_place(request: Request) -> CatalogPlace | None:
    """Return where the catalog of a request is kept; None for one that cannot be kept.

    Functions in Python can be others each time, and the data of other nodes are read outside of the record.
    """
    store, files = catalog_store(), files_above(request.world)
    if store is None or files is None or request.functions or request.storedconfigs is not None:
        return None
    return CatalogPlace(
        store, request, canonical([store.names_of(request), dict(request.facts), files])
    )


def files_above(world: World) -> dict[str, bytes] | None:
    """Return the files that only a compile sees; None for a world that is not this machine otherwise."""
    if isinstance(world, Overlay) and world.below is DISK:
        return dict(world.above.files)
    return {} if world is DISK else None


@record(frozen=True)
class CatalogPlace:
    """Where the catalog of a request is kept; ``key`` decides all of the request."""

    store: CatalogStore
    request: Request
    key: str

    def contents(self) -> CatalogContents | None:
        """Return the contents that are kept; None if there are none, or others now."""
        world = self.request.world
        table = shared_table(world, LABEL)
        kept = self.store.under_key(self.key).find(Checker(world, self.store.digests, table=table))
        text = None if kept is None else text_of_entry(kept, self.key, world, table)
        if text is None:
            return None
        data, with_exported, log = parse_json(text)
        return CatalogContents(data, with_exported, [LogEntry(*one) for one in log])

    def compiled(self, log: list[LogEntry]) -> CatalogContents:
        """Compile the catalog and keep its contents, unless they depend on what differs in each run."""
        request, recording = recorded(self.request)
        catalog = compile_catalog(request, log.append)
        contents = asked_contents(catalog, log)
        text = exact_text([contents.data, contents.with_exported, [entry_row(one) for one in log]])
        if text is not None and not recording.opened_secrets:
            self.keep_text(text, catalog, recording)
        return contents

    def keep_text(self, text: str, catalog: CompiledCatalog, recording: Recording) -> None:
        """Keep a text, sealed if it has secrets."""
        recording.facts.clear()  # the key decides them
        place = self.store.under_key(self.key)
        made: Kept | str | None = place.entry(
            recording, FactTable({}), catalog, text, collects=False, exported=(), log=()
        )
        if isinstance(made, Kept) and (not made.complete or SENSITIVE in (self.request.code or "")):
            made = sealed_entry(made, text, recording, self.key)
        if isinstance(made, Kept):
            place.write(made)


def exact_text(data: list[Any]) -> str | None:
    """Return data as text; None for data that JSON changes."""
    text = lenient_json_text(data)
    try:
        return text if parse_json(text) == data else None
    except FormatError:
        return None
