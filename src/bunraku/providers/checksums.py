"""Checksums of contents, as ``{KIND}VALUE``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Protocol

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.providers.errors import ResourceFailure
from bunraku.world.host import FileStatus, Host

KINDS = (
    "sha256", "sha256lite", "md5", "md5lite", "sha1", "sha1lite", "sha512", "sha384", "sha224",
    "mtime", "ctime", "none",
)  # fmt: skip
"""The kinds of checksums, in the order of Puppet's messages."""
TIMES = frozenset({"mtime", "ctime"})
WITHOUT_CONTENT = ("none", "ctime", "mtime")
"""The kinds that do not depend on the content; only sources can have them."""
LITE = 512
"""The number of bytes at the start of a file that the kinds with ``lite`` read."""
BLOCK = 1 << 17
LENGTHS = {"md5": 32, "sha1": 40, "sha224": 56, "sha256": 64, "sha384": 96, "sha512": 128}
"""The number of hexadecimal digits of a digest."""
MARKED = lazy_pattern(r"\{(\w{3,10})\}\S+")
HEXADECIMAL = lazy_pattern(r"[0-9a-fA-F]+")


class Digest(Protocol):
    """A digest of hashlib."""

    def update(self, data: bytes, /) -> None:
        """Add bytes."""

    def hexdigest(self) -> str:
        """Return the digest as text."""


class Sum:
    """The checksum of bytes that arrive in pieces."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        name = kind.removesuffix("lite")
        self.digest: Digest | None = None
        if name in LENGTHS:
            self.digest = hashlib.new(name, usedforsecurity=False)
        self.left: int | None = LITE if name != kind else None

    def add(self, piece: bytes) -> None:
        """Add bytes."""
        if self.digest is None or self.left == 0:
            return
        if self.left is not None:
            piece = piece[: self.left]
            self.left -= len(piece)
        self.digest.update(piece)

    def text(self) -> str:
        """Return the checksum."""
        return f"{{{self.kind}}}{self.digest.hexdigest() if self.digest is not None else ''}"


def sum_of(kind: str, content: bytes) -> str:
    """Return the checksum of a content.

    >>> sum_of("md5", b"new")
    '{md5}22af645d1859cb5ca6da0c484f1f37ea'
    """
    made = Sum(kind)
    made.add(content)
    return made.text()


def sum_of_file(host: Host, kind: str, path: str, status: FileStatus) -> str:
    """Return the checksum of a regular file; for the kinds of time, the time of its change."""
    if kind == "none":
        return "{none}"
    if kind in TIMES:
        return f"{{{kind}}}{checksum_time(status.modified if kind == 'mtime' else status.changed)}"
    made = Sum(kind)
    with host.open(path) as file:
        if made.left is not None:
            made.add(file.read(LITE))
        else:
            while piece := file.read(BLOCK):
                made.add(piece)
    return made.text()


def checksum_time(seconds: float) -> str:
    """Format a time for checksums and audits.

    >>> checksum_time(0.0)
    '1970-01-01 00:00:00 +0000'
    """
    moment = datetime.fromtimestamp(seconds, UTC)
    text = moment.strftime("%Y-%m-%d %H:%M:%S")
    if moment.microsecond:
        text += f".{moment.microsecond:06d}"
    return text + " +0000"


def is_marked(value: object) -> bool:
    """Return whether a value is a checksum with its kind.

    >>> is_marked("{md5}22af645d"), is_marked("{ no }")
    (True, False)
    """
    return isinstance(value, str) and MARKED.match(value) is not None


def kind_of(marked: str) -> str:
    """Return the kind of a checksum."""
    return marked[1 : marked.index("}")]


def data_of(marked: str) -> str:
    """Return a checksum without its kind."""
    return marked[marked.index("}") + 1 :]


def is_digest(kind: str, value: str) -> bool:
    """Return whether a value can be a checksum of a kind.

    >>> is_digest("md5", "22af645d1859cb5ca6da0c484f1f37ea"), is_digest("md5", "22")
    (True, False)
    """
    if kind in TIMES:
        return parsed_time(value) is not None
    if kind == "none":
        return value == ""
    length = LENGTHS[kind.removesuffix("lite")]
    return len(value) == length and HEXADECIMAL.fullmatch(value) is not None


def parsed_time(text: str) -> datetime | None:
    """Parse a time in the format of :func:`checksum_time` or ISO 8601; return None for other text."""
    try:
        found = datetime.fromisoformat(re.sub(" (?=[+-])", "", text.removesuffix(" UTC")))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def is_as_new(kind: str, current: str, wanted: str) -> bool:
    """Return whether a file is at least as new as its source, from checksums of a kind of time."""
    times = [parsed_time(data_of(one) if is_marked(one) else one) for one in (current, wanted)]
    if times[0] is None or times[1] is None:
        text = f"Resource with checksum_type {kind} didn't contain a date in {current} or {wanted}"
        raise ResourceFailure(text)
    return times[0] >= times[1]


def summing(pieces: Iterable[bytes], total: Sum) -> Iterator[bytes]:
    """Yield pieces of a content, and add each to a checksum."""
    for piece in pieces:
        total.add(piece)
        yield piece
