"""Text with secrets that only those can read who have all that it was made from.

The key of a text is made from the request and from the answers to all questions of its compile: contents of files,
values of data. The key is not on disk. A reader who has all of these can compile the same text. Other readers learn
no more from the text than from the digests beside it.
"""

from __future__ import annotations

import base64
import zlib
from hashlib import blake2b
from typing import Any

from bunraku.base.records import replace
from bunraku.base.sealing import KEY, can_seal, opened_bytes, sealed_bytes
from bunraku.engine.dependencies import (
    LONE,
    Checker,
    Dependencies,
    Digests,
    dependencies_of,
)
from bunraku.engine.kept_catalogs import Keeping, Kept
from bunraku.engine.request import fact_table, with_facts_file
from bunraku.formats.json import lenient_json_text, parse_json
from bunraku.modules.fact_reads import FactTable
from bunraku.modules.files import FileTable
from bunraku.runtime.log import LogEntry
from bunraku.world.protocol import World
from bunraku.world.recording import Recording

BEGIN = "sealed "
FAST = 1
"""The level of compression."""


def sealed_entry(kept: Kept, text: str, recording: Recording, request: str) -> Kept | None:
    """Return an entry with a sealed text; None if what it depends on cannot be asked again.

    None, too, without the package cryptography, which is optional. The name of the entry decides the
    facts of the compile. ``request`` is the request as text.
    """
    if not can_seal():
        return None
    answers = dependencies_of(recording, digests_for(request), FactTable({}))
    if answers is None:
        return None
    sealed = sealed_text(text, sealing_key(request, answers))
    return replace(kept, text=sealed, digest=b"", complete=True)


def text_of_entry(kept: Kept, request: str, world: World, table: FileTable) -> str | None:
    """Return the text of an entry, opened with the answers of now if it is sealed."""
    if not is_sealed(kept) or kept.text is None:
        return kept.text
    if not can_seal():
        return None
    checker = Checker(world, digests_for(request), table=table)
    return opened_text(kept.text, sealing_key(request, checker.answered(kept.dependencies)))


def sealed_contents(
    keeping: Keeping, recording: Recording, facts: FactTable, kept: Kept
) -> Kept | None:
    """Return the entry of a node whose text, exports and log are sealed; None if they cannot be.

    The key depends on the facts that the compile read, not on others.
    """
    if not can_seal():
        return None
    answers = dependencies_of(recording, OF_NODES, facts, keeping.store.paths.of_record)
    contents = [kept.text, list(kept.exported), [entry_row(one) for one in kept.log]]
    text = lenient_json_text(contents)
    if answers is None or parse_json(text) != contents:
        return None
    sealed = sealed_text(text, sealing_key(keeping.store.text_of(keeping.request), answers))
    digest = b"" if keeping.store.with_text else kept.digest
    return replace(kept, digest=digest, text=sealed, exported=(), log=())


def with_contents(kept: Kept, keeping: Keeping, checker: Checker) -> Kept | None:
    """Return an entry of a node with its contents, opened with the answers of now; None if they stay sealed.

    All that it depends on is unchanged, as far as ``checker`` can tell.
    """
    if not is_sealed(kept) or kept.text is None:
        return kept
    if not can_seal():
        return None
    found = kept.dependencies
    facts = fact_table(with_facts_file(keeping.request, keeping.facts_file))
    answers = replace(
        checker.with_digests(OF_NODES).answered(found),
        facts=tuple([(one, OF_NODES.of_once(facts.answer(one))) for one, _ in found.facts]),
    )
    opened = opened_text(kept.text, sealing_key(keeping.store.text_of(keeping.request), answers))
    if opened is None:
        return None
    text, exported, log = parse_json(opened)
    return replace(kept, text=text, exported=exported, log=[LogEntry(*one) for one in log])


def is_sealed(kept: Kept) -> bool:
    """Return whether the contents of an entry are sealed."""
    return kept.text is not None and kept.text.startswith(BEGIN)


def entry_row(entry: LogEntry) -> list[Any]:
    """Return a message as data."""
    return [getattr(entry, name) for name in LogEntry.__match_args__]


def digests_for(request: str) -> Digests:
    """Return the digests from which keys are made, for a request as text.

    They are others than those of records, which are on disk.
    """
    return Digests(blake2b(request.encode(errors=LONE), person=b"sealed texts").digest())


OF_NODES = digests_for("")
"""Digests from which the keys of all nodes are made, so that each question is asked once."""


def sealing_key(request: str, dependencies: Dependencies) -> bytes:
    """Return the key that a request and the answers to its questions give.

    The digests of the answers are those of :func:`digests_for`. Keys of data that were not looked up do not matter.

    >>> nothing_asked = Dependencies()
    >>> sealing_key("a", nothing_asked) == sealing_key("b", nothing_asked)
    False
    """
    digests = [one for _, one in (*dependencies.answers, *dependencies.facts)]
    digests += [one for file in dependencies.data for _, one in file.keys]
    return blake2b(repr(digests).encode(), key=digests_for(request).key, digest_size=KEY).digest()


def sealed_text(text: str, key: bytes) -> str:
    """Return a text that shows nothing without its key of 32 bytes.

    >>> key, other = bytes(32), bytes([1]) * 32
    >>> sealed = sealed_text("hunter2", key)
    >>> "hunter2" in sealed, opened_text(sealed, key), opened_text(sealed, other)
    (False, 'hunter2', None)
    """
    content = zlib.compress(text.encode(errors=LONE), FAST)
    return BEGIN + base64.b64encode(sealed_bytes(content, key)).decode()


def opened_text(sealed: str, key: bytes) -> str | None:
    """Return the text that was sealed; None with another key."""
    content = opened_bytes(base64.b64decode(sealed.removeprefix(BEGIN)), key)
    return None if content is None else zlib.decompress(content).decode(errors=LONE)
