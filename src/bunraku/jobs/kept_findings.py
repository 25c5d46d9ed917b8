"""Findings in the files of a state that need no check, because all that they depend on is unchanged.

They are in the store of catalogs (:mod:`bunraku.engine.kept_catalogs`), with what the check asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.engine.dependencies import LONE, Checker, Digests, Neutral, canonical
from bunraku.engine.finding_data import FindingReader, FindingWriter
from bunraku.engine.kept_catalogs import (
    CatalogStore,
    Keeping,
    Kept,
    content_in,
    open_store,
    recorded,
)
from bunraku.engine.request import Request, world_of
from bunraku.engine.revisions import Side
from bunraku.modules.fact_reads import FactTable
from bunraku.world.recording import Recording

LABEL = "findings"
Decisions = Callable[[Digests, Neutral], object]
"""Returns what decides the findings besides the request, with digests and with neutral paths."""
Work = Callable[[Request], list[Diagnostic]]


def findings_of(
    side: Side, request: Request, decisions: Decisions, shown: Neutral, work: Work
) -> list[Diagnostic]:
    """Return the findings that a check of files has, from the store or from ``work``.

    ``shown`` changes paths of the state in texts. Findings from the store have such paths already.
    """
    store = open_store(*side.labels, with_text=True, paths=side.paths)
    if store is None or request.functions or request.facts_from is not None:
        return work(request)
    keeping = place_of_findings(store, request, decisions)
    world = world_of(request)
    checker = Checker(world, store.digests, side.concrete)
    kept = keeping.find(checker)
    if kept is not None and kept.failure is not None:
        reader = FindingReader(store.digests, checker.content, side.concrete)
        found = reader.read(kept.failure)
        if found is not None:
            return found
    request, recording = recorded(request)
    findings = work(request)
    content = content_in(world)
    writer = FindingWriter(
        store.digests,
        lambda path: content(os.path.abspath(path)),
        shown,
        lambda path: store.paths.of_record(os.path.abspath(path)),
    )
    keep_findings(keeping, recording, findings, writer)
    return findings


def place_of_findings(store: CatalogStore, request: Request, decisions: Decisions) -> Keeping:
    """Return where the findings of a state are kept."""

    def neutral(path: str) -> str:
        return store.paths.of_request(os.path.abspath(path))

    parts = [store.names_of(request), request.facts, decisions(store.digests, neutral)]
    whole = canonical(parts).encode(errors=LONE)
    names = tuple([store.name_of(f"{LABEL} {label}", whole) for label in store.labels])
    return Keeping(store, names, b"", Request(), None)


def keep_findings(
    keeping: Keeping,
    recording: Recording,
    findings: Sequence[Diagnostic],
    writer: FindingWriter,
) -> None:
    """Keep findings, unless they depend on what cannot be asked again."""
    for (_, path), (content, _) in recording.data.items():
        recording.note(("read", path), content)  # a check reads all keys
    recording.data.clear()
    recording.facts.clear()  # the name of the entry decides them
    made: Kept | None = keeping.failure(recording, FactTable({}), findings, (), writer)
    if made is not None:
        keeping.write(made)
