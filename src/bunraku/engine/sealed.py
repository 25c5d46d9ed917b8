"""Text with secrets that only those can read who have all that it was made from.

The key of a text is made from the request and from the answers to all questions of its compile: contents of files,
values of data. The key is not on disk. A reader who has all of these can compile the same text. Other readers learn
no more from the text than from the digests beside it.
"""

from __future__ import annotations

import base64
import zlib
from hashlib import blake2b

from bunraku.base.records import replace
from bunraku.base.sealing import KEY, can_seal, opened_bytes, sealed_bytes
from bunraku.engine.dependencies import (
    LONE,
    Checker,
    Dependencies,
    Digests,
    dependencies_of,
)
from bunraku.engine.kept_catalogs import Kept
from bunraku.modules.fact_reads import FactTable
from bunraku.modules.files import FileTable
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
    if kept.text is None or not kept.text.startswith(BEGIN):
        return kept.text
    if not can_seal():
        return None
    checker = Checker(world, digests_for(request), table=table)
    return opened_text(kept.text, sealing_key(request, checker.answered(kept.dependencies)))


def digests_for(request: str) -> Digests:
    """Return the digests from which keys are made, for a request as text.

    They are others than those of records, which are on disk.
    """
    return Digests(blake2b(request.encode(errors=LONE), person=b"sealed texts").digest())


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
