"""Rendered catalogs in pieces: what is new in each answer is put between bytes that stay the same.

A catalog is rendered with marks in the places of these values. A mark is random, so it is nowhere else in
the catalog; a rendering with a mark twice, or without it, is not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from secrets import randbelow
from uuid import uuid4

from bunraku.base.records import record, replace
from bunraku.server.compiling.bodies import json_bytes
from bunraku.server.compiling.jobs import Job

Pieces = tuple[bytes, ...]
"""Every second one is the name of a value."""
VERSION = 10**17 + randbelow(9 * 10**17)
MARKS: Mapping[str, str] = {
    name: uuid4().hex
    for name in ("catalog_uuid", "code_id", "transaction_uuid", "job_id", "timestamp")
}
NAMES: Mapping[bytes, bytes] = {
    str(VERSION).encode(): b"version",
    **{f'"{mark}"'.encode(): name.encode() for name, mark in MARKS.items()},
}
"""What stands for a value in a rendering → the name of the value. A text is written with its quotes."""


@record(frozen=True)
class Values:
    """The values that are new in each answer; ``code_id`` is new after each deployment."""

    catalog_uuid: str
    version: int
    code_id: str | None
    transaction_uuid: str | None
    job_id: str | None
    timestamp: str

    def as_json(self) -> dict[bytes, bytes]:
        """Return the values by name as they stand in JSON."""
        return {name.encode(): json_bytes(getattr(self, name)) or b"null" for name in NAMES_OF}


NAMES_OF = Values.__match_args__


def marked(job: Job) -> Job:
    """Return a job with marks in the places of its own values."""
    return replace(job, transaction_uuid=MARKS["transaction_uuid"], job_id=MARKS["job_id"])


def pieces_of(content: bytes, names: Sequence[str]) -> Pieces | None:
    """Return a rendering in pieces; None if it does not have each of the named values once."""
    found = sorted(place for mark in NAMES for place in marks_found(mark, content))
    if sorted(NAMES[mark] for _, mark in found) != sorted(name.encode() for name in names):
        return None
    pieces: list[bytes] = []
    end = 0
    for start, mark in found:
        pieces += [content[end:start], NAMES[mark]]
        end = start + len(mark)
    return (*pieces, content[end:])


def marks_found(mark: bytes, content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the places of a mark; a search for one text is much faster than a regular expression for all."""
    start = content.find(mark)
    while start >= 0:
        yield start, mark
        start = content.find(mark, start + len(mark))


def joined(pieces: Pieces, values: Mapping[bytes, bytes]) -> bytes:
    """Return a rendering with values.

    >>> joined((b"a", b"version", b"c"), {b"version": b"7"})
    b'a7c'
    """
    parts = list(pieces)
    parts[1::2] = [values[name] for name in parts[1::2]]
    return b"".join(parts)
