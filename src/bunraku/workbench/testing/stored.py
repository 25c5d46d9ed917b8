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
from bunraku.engine.kept_catalogs import CatalogStore, Keeping, Kept, open_store, recorded
from bunraku.engine.request import DISK, Request
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
    found = contents_in_place(place, request)
    if found is not None:
        return found
    request, recording = recorded(request)
    catalog = compile_catalog(request, log.append)
    made = asked_contents(catalog, log)
    keep_contents(place, recording, catalog, made)
    return made


@remembered(1)
def catalog_store() -> CatalogStore | None:
    """Return the store of catalogs in the cache of this user, if it is used."""
    return open_store(LABEL, with_text=True)


def catalog_place(request: Request) -> Keeping | None:
    """Return where the catalog of a request is kept; None for one that cannot be kept.

    Functions in Python can be others each time, and the data of other nodes are read outside of the record.
    Code with secrets is not kept.
    """
    store, files = catalog_store(), files_above(request.world)
    if (
        store is None
        or files is None
        or request.functions
        or request.storedconfigs is not None
        or SENSITIVE in (request.code or "")
    ):
        return None
    return store.under_key(canonical([store.names_of(request), dict(request.facts), files]))


def files_above(world: World) -> dict[str, bytes] | None:
    """Return the files that only a compile sees; None for a world that is not this machine otherwise."""
    if isinstance(world, Overlay) and world.below is DISK:
        return dict(world.above.files)
    return {} if world is DISK else None


def contents_in_place(place: Keeping, request: Request) -> CatalogContents | None:
    """Return the contents that are kept in a place; None if there are none, or others now."""
    table = shared_table(request.world, LABEL)
    kept = place.find(Checker(request.world, place.store.digests, table=table))
    if kept is None or kept.text is None:
        return None
    data, with_exported = parse_json(kept.text)
    return CatalogContents(data, with_exported, list(kept.log))


def keep_contents(
    place: Keeping, recording: Recording, catalog: CompiledCatalog, contents: CatalogContents
) -> None:
    """Keep the contents of a catalog, unless they depend on what differs in each run, or JSON changes them."""
    parts = [contents.data, contents.with_exported]
    text = lenient_json_text(parts)
    try:
        is_exact = parse_json(text) == parts
    except FormatError:
        is_exact = False
    if not is_exact:
        return
    recording.facts.clear()  # the name of the entry decides them
    made = place.entry(
        recording, FactTable({}), catalog, text, collects=False, exported=(), log=contents.log
    )
    if isinstance(made, Kept) and made.complete:
        place.write(made)
