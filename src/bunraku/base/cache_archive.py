"""The entries of the cache on disk in one file, for other machines of the same user.

Code in an entry is run, so a file is only used if its seal, which covers all bytes, was made with the
secret of this user (:mod:`bunraku.base.cache_key`). The file has no paths: the names in it must be those of
entries, and all is checked before the first entry is written. The same entries give the same bytes.

The file: a first line with its format, a line with the fingerprint of the program, the seal, and compressed
entries: for each a line with name and size, and the content.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from contextlib import suppress
from hashlib import blake2b
from hmac import compare_digest

from bunraku.base.cache_size import DIGITS, entries_in, is_entry
from bunraku.base.disk_cache import DiskCache, read_own

KIND = b"bunraku cache "
MAGIC = KIND + b"1\n"
SEAL = 32
LEVEL = 6
"""The level of compression."""
LONGEST_LINE = 160
NEWLINE = b"\n"


class BadArchive(Exception):
    """A file that is not taken over, with the reason."""


def archive_of(
    folder: int, program: str, key: bytes, *, limit: int, left_out: Collection[str]
) -> tuple[int, bytes]:
    """Return the number of entries in an open folder, and the file with them.

    If they have more bytes than the limit, those that were used last are in the file. ``left_out`` are
    names of entries that stay here.
    """
    compressor = zlib.compressobj(LEVEL)
    pieces, number = [], 0
    for name in chosen(folder, limit, left_out):
        with suppress(OSError):  # another process has removed it
            content = read_own(name, folder)
            pieces.append(compressor.compress(b"%s %d\n" % (name.encode(), len(content))))
            pieces.append(compressor.compress(content))
            number += 1
    body = b"".join([*pieces, compressor.flush()])
    start = MAGIC + program.encode() + NEWLINE
    return number, start + seal_of(start, body, key) + body


def chosen(folder: int, limit: int, left_out: Collection[str]) -> list[str]:
    """Return the names of the entries that were used last and have no more bytes than the limit."""
    found = []
    for name, _, size in sorted(entries_in(folder), key=lambda one: (-one[1], one[0])):
        if name not in left_out:
            limit -= size
            if limit < 0:
                break
            found.append(name)
    return sorted(found)


def seal_of(start: bytes, body: bytes | memoryview, key: bytes) -> bytes:
    """Return the seal of a file."""
    seal = blake2b(start, key=key, digest_size=SEAL)
    seal.update(body)
    return seal.digest()


def take_over(cache: DiskCache, archive: bytes, program: str, key: bytes, limit: int) -> list[int]:
    """Write the entries of a file that are not here; return how many it has, and how many are new.

    Raises BadArchive before anything is written. Entries that are here stay as they are.
    """
    content = verified_content(archive, program, key, limit)
    found = list(entries_of(content))
    new = [name for name, at, size in found if cache.add(name, content[at : at + size])]
    return [len(found), len(new)]


def verified_content(archive: bytes, program: str, key: bytes, limit: int) -> memoryview:
    """Return the decompressed entries of a file that belongs to this user and this program."""
    if not archive.startswith(KIND):
        raise BadArchive("it is not a file that 'bunraku cache export' wrote")
    if not archive.startswith(MAGIC):
        raise BadArchive("another version of bunraku wrote it")
    end = archive.find(NEWLINE, len(MAGIC), len(MAGIC) + LONGEST_LINE) + 1
    start, seal = archive[:end], archive[end : end + SEAL]
    body = memoryview(archive)[end + SEAL :]
    if not end or not compare_digest(seal, seal_of(start, body, key)):
        raise BadArchive("it is damaged, or was written with another key")
    if start != MAGIC + program.encode() + NEWLINE:
        raise BadArchive("another version of bunraku or Python wrote it")
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(body, limit + 1)
    except zlib.error:
        raise BadArchive("it cannot be decompressed") from None
    if len(content) > limit:
        raise BadArchive("it has more bytes than the limit of the cache")
    if not stream.eof or stream.unused_data:
        raise BadArchive("it is incomplete")
    return memoryview(content)


def entries_of(content: memoryview) -> Iterator[tuple[str, int, int]]:
    """Yield the entries: name, where the content begins, its size."""
    at, last = 0, ""
    while at < len(content):
        line, found, _ = bytes(content[at : at + LONGEST_LINE]).partition(NEWLINE)
        name, _, size = line.decode("latin-1").partition(" ")
        if not found or not is_entry(name, DIGITS) or name <= last or not is_size(size):
            raise BadArchive("it has something that is not an entry of the cache")
        at += len(line) + 1
        if at + int(size) > len(content):
            raise BadArchive("an entry in it is incomplete")
        yield name, at, int(size)
        at += int(size)
        last = name


def is_size(text: str) -> bool:
    """Return whether a text is a number of bytes.

    >>> is_size("12"), is_size("-1"), is_size("9" * 20)
    (True, False, False)
    """
    return text.isascii() and text.isdecimal() and len(text) < 12
