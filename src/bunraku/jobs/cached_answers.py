"""Answers of ``batch`` that need no compile, because all that they depend on is unchanged.

The client names a request with a key that decides everything in it, also the facts. What a catalog depends on, and when it
is used again, is as for the catalogs of many nodes (:mod:`bunraku.engine.kept_catalogs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.engine.dependencies import Checker
from bunraku.engine.kept_catalogs import CatalogStore, Kept, open_store
from bunraku.engine.request import DISK
from bunraku.engine.sealed import sealed_entry, text_of_entry
from bunraku.formats.json import encode_line
from bunraku.modules.fact_reads import FactTable
from bunraku.modules.files import shared_table
from bunraku.world.recording import Recording

Answer = dict[str, Any]
LABEL = "answers of batch"
SENSITIVE = "Sensitive"


@remembered(1)
def answer_store() -> CatalogStore | None:
    """Return the store of answers in the cache of this user, if it is used."""
    return open_store(LABEL, with_text=True)


def is_cached(case: Mapping[str, Any]) -> bool:
    """Return whether the answer to a request can be cached."""
    return case.get("key") is not None and "modules" not in case and answer_store() is not None


def cached_answer(key: str) -> str | None:
    """Return the answer that is cached under a key, as a line; None if there is none that is still true."""
    store = answer_store()
    if store is None:
        return None
    table = shared_table(DISK, LABEL)
    found = store.under_key(key).find(Checker(DISK, store.digests, table=table))
    return None if found is None else text_of_entry(found, key, DISK, table)


def cache_answer(
    case: Mapping[str, Any], recording: Recording, catalog: CompiledCatalog | None, answer: Answer
) -> None:
    """Cache the answer to a request, unless it depends on what differs in each run.

    With secrets, it is sealed; an answer with decrypted data is not cached.
    """
    store = answer_store()
    if store is None or recording.unrepeatable is not None or recording.opened_secrets:
        return
    text = encode_line(answer).decode()
    if any(path in text or is_asked(path, recording) for path in case.get("temporary", ())):
        return
    recording.facts.clear()  # the key decides them
    place, facts = store.under_key(case["key"]), FactTable({})
    made: Kept | str | None = place.entry(
        recording, facts, catalog, text, collects=False, exported=(), log=()
    )
    if isinstance(made, Kept) and (not made.complete or may_name_secrets(case.get("code"))):
        made = sealed_entry(made, text, recording, case["key"])
    if isinstance(made, Kept):
        place.write(made)


def may_name_secrets(code: Any) -> bool:
    """Return whether code may have secrets: it names the type ``Sensitive``, or it is not in the request."""
    return not isinstance(code, str) or SENSITIVE in code


def is_asked(path: str, recording: Recording) -> bool:
    """Return whether a compile asked a question with a path in it."""
    return any(path in repr(question) for question in recording.asked)
