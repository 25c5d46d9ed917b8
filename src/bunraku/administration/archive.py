"""The archive of a backup: a tar file whose last member has a digest of each file.

The first member says whose backup it is, so a foreign file is recognized at once; the last one makes a file
that ends too early visible. It covers the content of the files. gzip's checksum, which is read last, covers
the rest, such as times and modes. Nothing of an archive counts before all of it was read.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import stat
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO

from bunraku.administration import issues
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.world.whole_files import write_new

HEADER = "bunraku-site-backup.json"
DIGESTS = "bunraku-site-digests.json"
CONTENT = "site/"
"""What the names of all other members begin with."""
FORMAT = 1
PIECE = 1 << 20
LEVEL = 3
GZIP = 31
"""The window of zlib that writes gzip's header."""
BILLION = 10**9
LARGEST_TEXT = 1 << 26
"""Bytes of the first and of the last member."""
ENDING = bytes(2 * tarfile.BLOCKSIZE)
UNREADABLE = (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error, LookupError, ValueError)
"""The errors of an archive that is damaged or something else."""


@record()
class Part:
    """A file, directory or link of a site: ``pieces`` are the bytes of a file, ``size`` of them."""

    name: str
    status: os.stat_result
    pieces: Iterable[bytes] = ()
    size: int = 0
    link: str = ""
    hard: bool = False


def archived(header: Mapping[str, Any], parts: Iterable[Part]) -> Iterator[bytes]:
    """Yield the compressed archive of parts."""
    packed = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    for piece in members(header, parts):
        yield packed.compress(piece)
    yield packed.flush()


def members(header: Mapping[str, Any], parts: Iterable[Part]) -> Iterator[bytes]:
    """Yield the bytes of a tar file."""
    digests: dict[str, str] = {}
    yield from text_member(HEADER, {"format": FORMAT, **header})
    for part in parts:
        yield entry_of(part).tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
        digests[part.name] = digest_text(part.status, part.link)
        if part.size or part.pieces:
            digest = hashlib.sha256()
            for piece in part.pieces:
                digest.update(piece)
                yield piece
            yield bytes(-part.size % tarfile.BLOCKSIZE)
            digests[part.name] = digest.hexdigest()
    yield from text_member(DIGESTS, digests)
    yield ENDING


def text_member(name: str, data: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield a member with data."""
    content = json.dumps(data).encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    yield entry.tobuf(tarfile.PAX_FORMAT)
    yield content
    yield bytes(-len(content) % tarfile.BLOCKSIZE)


def entry_of(part: Part) -> tarfile.TarInfo:
    """Return the header of a member."""
    entry = tarfile.TarInfo(f"{CONTENT}{part.name}")
    entry.mode = stat.S_IMODE(part.status.st_mode)
    entry.pax_headers = {"mtime": exact_time(part.status.st_mtime_ns)}
    entry.uid, entry.gid = part.status.st_uid, part.status.st_gid
    if part.link:
        entry.type = tarfile.LNKTYPE if part.hard else tarfile.SYMTYPE
        entry.linkname = f"{CONTENT}{part.link}" if part.hard else part.link
    elif stat.S_ISDIR(part.status.st_mode):
        entry.type = tarfile.DIRTYPE
    else:
        entry.size = part.size
    return entry


def exact_time(nanoseconds: int) -> str:
    """Return a time as tar writes it, in seconds.

    >>> exact_time(1_500_000_000_123_456_789)
    '1500000000.123456789'
    """
    return f"{nanoseconds // BILLION}.{nanoseconds % BILLION:09d}"


def nanoseconds_of(entry: tarfile.TarInfo) -> int:
    """Return the time of a member; ValueError for one that is not written as by :func:`exact_time`."""
    seconds, _, rest = entry.pax_headers["mtime"].partition(".")
    return int(seconds) * BILLION + int(rest)


def digest_text(status: os.stat_result | None, link: str) -> str:
    """Return what stands for the digest of a directory, or of a link."""
    return f"link {link}" if link or status is None else "directory"


# -- reading ---------------------------------------------------------------------------------------


@record(frozen=True)
class Unpacked:
    """What an archive says of itself, and its symbolic links, which are made last: name → target."""

    header: Mapping[str, Any]
    links: Mapping[str, str]


def unpack(path: str, target: str) -> Unpacked:
    """Unpack an archive into an empty directory; PuppetError unless it is whole and a backup of a site."""
    try:
        with open(path, "rb") as file:
            return Unpacking(path, target).read(file)
    except OSError as error:
        if isinstance(error, tarfile.TarError) or error.strerror is None:
            raise issues.DAMAGED_BACKUP(path=path, reason=error) from None
        place = error.filename or path
        raise issues.FAILED(action=f"use {place}", reason=error.strerror) from None


class Unpacking:
    """The members of an archive, one after the other."""

    def __init__(self, path: str, target: str) -> None:
        self.path = path
        self.target = target
        self.seen: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.times: list[tuple[str, int, int]] = []

    def read(self, file: IO[bytes]) -> Unpacked:
        """Unpack all members."""
        header: Mapping[str, Any] | None = None
        digests: Any = None
        try:
            with gzip.GzipFile(fileobj=file) as content:
                with tarfile.open(fileobj=content, mode="r|") as archive:
                    for entry in archive:
                        if header is None:
                            header = self.header(archive, entry)
                        elif entry.name == DIGESTS:
                            digests = self.text(archive, entry)
                        else:
                            self.add(archive, entry)
                while content.read(PIECE):
                    pass  # GzipFile compares the checksum at the end
        except UNREADABLE as error:
            if header is None:
                raise self.foreign("it is not an archive that bunraku has written") from None
            raise self.damaged(str(error) or "it ends too early") from None
        if header is None:
            raise self.foreign("it is empty")
        if digests is None:
            raise self.damaged("it ends too early")
        self.compare(digests)
        self.set_times()
        return Unpacked(header, self.links)

    def foreign(self, reason: str) -> Exception:
        """Return the error of a file that is something else."""
        return issues.FOREIGN_BACKUP(path=self.path, reason=reason)

    def damaged(self, reason: str) -> Exception:
        """Return the error of an archive that is not whole."""
        return issues.DAMAGED_BACKUP(path=self.path, reason=reason)

    def header(self, archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Mapping[str, Any]:
        """Return what the archive says of itself."""
        if entry.name != HEADER:
            raise self.foreign(f"its first file is not {HEADER}")
        found = self.text(archive, entry)
        if not isinstance(found, dict) or not isinstance(found.get("format"), int):
            raise self.foreign(f"{HEADER} is not what bunraku writes")
        if found["format"] > FORMAT:
            version = found.get("version", "a newer version")
            raise self.foreign(
                f"bunraku {version} has written it in a newer format; use that version"
            )
        return found

    def text(self, archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Any:
        """Return the data of a member."""
        content = archive.extractfile(entry) if entry.size <= LARGEST_TEXT else None
        return json.loads(content.read()) if content is not None else None

    def add(self, archive: tarfile.TarFile, entry: tarfile.TarInfo) -> None:
        """Make what a member describes, below the target."""
        name = self.name_of(entry.name)
        path = os.path.join(self.target, name)
        if entry.issym():
            self.links[name] = entry.linkname
            self.seen[name] = digest_text(None, entry.linkname)
            return
        if entry.isdir():
            os.makedirs(path, 0o700, exist_ok=True)
            self.seen[name] = "directory"
        elif entry.islnk():
            other = self.name_of(entry.linkname)
            os.link(os.path.join(self.target, other), path)
            self.seen[name] = digest_text(None, other)
        elif entry.isreg():
            self.write(archive, entry, name, path)
        else:
            raise self.damaged(f"{name} is neither a file, a directory nor a link")
        if not entry.islnk():
            self.times.append((path, nanoseconds_of(entry), entry.mode & 0o7777))

    def write(self, archive: tarfile.TarFile, entry: tarfile.TarInfo, name: str, path: str) -> None:
        """Write a file and note its digest."""
        digest = hashlib.sha256()
        content = archive.extractfile(entry)

        def pieces() -> Iterator[bytes]:
            while content is not None and (piece := content.read(PIECE)):
                digest.update(piece)
                yield piece

        write_new(path, pieces(), 0o600)
        self.seen[name] = digest.hexdigest()

    def name_of(self, name: str) -> str:
        """Return the name of a member below the target; PuppetError for one that leads elsewhere."""
        below = name.removeprefix(CONTENT).rstrip("/")
        parts = below.split("/")
        if not name.startswith(CONTENT) or not below or {"", ".", ".."} & {*parts} or "\0" in name:
            raise self.damaged(f"the name {name!r} leads out of the site")
        return below

    def compare(self, digests: Any) -> None:
        """Raise PuppetError unless all files are as they were written."""
        if not isinstance(digests, dict):
            raise self.damaged("its list of digests cannot be read")
        for name, digest in self.seen.items():
            if digests.get(name) != digest:
                raise self.damaged(f"{name} is not what was written")
        for name in digests:
            if name not in self.seen:
                raise self.damaged(f"{name} is missing")

    def set_times(self) -> None:
        """Set the modes and times, those of directories after those of what is in them."""
        for path, moment, mode in reversed(self.times):
            os.chmod(path, mode)
            os.utime(path, ns=(moment, moment))
