"""Write the backup of a site that may be running: each part is read as one state.

The queue of the PuppetDB is read before its database: a command that is in both is stored once, for commands
are recognized by their times. The authority and the deployments are locked while they are read.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress

from bunraku.administration import issues, postgresql
from bunraku.administration import site as places
from bunraku.administration.archive import PIECE, Part, archived
from bunraku.administration.files import SQLITE
from bunraku.administration.site import SiteDirectory
from bunraku.base.lazy_typing import Any
from bunraku.base.version import version
from bunraku.ca.directory import Directory
from bunraku.ca.site import read_site
from bunraku.deployment.deployed import DeploymentState
from bunraku.deployment.store import Store
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import KEY_MODE, write_whole

SQLITE_START = b"SQLite format 3\0"
BESIDE_SQLITE = ("-wal", "-shm", "-journal")
LEFT_OUT = frozenset({places.CACHE, places.LOGS, f"{places.STORE}/lock"})
"""What is made again, or is of no use elsewhere. Empty directories of these names are written."""
LOCK_NAMES = frozenset({".bunraku.lock", "lock"})
DUMP = f"{places.DATABASE_DATA}/postgresql.dump"
SMALL = PIECE


def write_backup(site: SiteDirectory, path: str) -> str:
    """Write the archive of a site to a file that only its owner can read; return its SHA-256.

    Raise PuppetError and leave no new file.
    """
    digest = hashlib.sha256()

    def noted(pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            digest.update(piece)
            yield piece

    above = os.path.dirname(os.path.abspath(path))
    try:
        with scratch_directory(above) as scratch:
            reading = Reading(site, scratch)
            pieces = archived(reading.header(), reading.parts())
            write_whole(path, noted(pieces), mode=KEY_MODE)
    except OSError as error:
        place = error.filename or path
        raise issues.FAILED(
            action=f"back up to {path}", reason=f"{error.strerror}: {place}"
        ) from None
    return digest.hexdigest()


class Reading:
    """The parts of a site; ``scratch`` is a private directory for copies of databases."""

    def __init__(self, site: SiteDirectory, scratch: str) -> None:
        self.site = site
        self.scratch = scratch
        self.inodes: dict[tuple[int, int], str] = {}

    def header(self) -> Mapping[str, Any]:
        """Return what the archive says of itself."""
        base = self.site.path(places.ENVIRONMENTS)
        state = DeploymentState(base, self.store())
        names = os.listdir(base)
        live = {name: one.number for name in names if (one := state.live(name)) is not None}
        made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return {
            "version": version(),
            "made": made,
            "site": self.site.data(),
            "user": user_name(os.stat(self.site.root).st_uid),
            "live": live,
        }

    def store(self) -> Store:
        """Return the store of deployments."""
        return Store(self.site.path(places.STORE), link=True)

    def parts(self) -> Iterator[Part]:
        """Yield all parts, each directory before what is in it."""
        later = ("code", places.STORE)
        yield from self.below("data", {places.STORE, places.CACHE, places.DATABASE_DATA})
        yield from self.directory(places.CACHE)
        yield from self.database()
        authority = read_site(None, {"confdir": self.site.path(places.CONFIGURATION)}, str)
        with Directory(authority.settings).lock():
            yield from self.below("etc")
        state = DeploymentState(self.site.path(places.ENVIRONMENTS), self.store())
        with state.held():
            for name in later:
                yield from self.below(name)
        known = {"data", "etc", "code", places.LOGS}
        for name in sorted(set(os.listdir(self.site.root)) - known):
            yield from self.below(name)
        yield from self.directory(places.LOGS)

    def database(self) -> Iterator[Part]:
        """Yield the queue, then a copy of the database as it is in one moment."""
        yield from self.below(places.DATABASE_DATA)
        if self.site.database != SQLITE:
            dump = os.path.join(self.scratch, "dump")
            postgresql.dump(self.site.root, dump)
            yield from self.file(DUMP, dump)

    def directory(self, name: str) -> Iterator[Part]:
        """Yield a directory without its content, if it exists."""
        with suppress(FileNotFoundError):
            yield Part(name, os.lstat(self.site.path(name)))

    def below(self, name: str, without: frozenset[str] | set[str] = frozenset()) -> Iterator[Part]:
        """Yield a file or directory and all below it. What disappears meanwhile is left out."""
        path = self.site.path(name)
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            return
        if stat.S_ISLNK(status.st_mode):
            yield Part(name, status, link=os.readlink(path))
        elif stat.S_ISDIR(status.st_mode):
            yield Part(name, status)
            with suppress(FileNotFoundError):
                for one in sorted(os.listdir(path), key=queue_first):
                    if f"{name}/{one}" not in without:
                        yield from self.below(f"{name}/{one}", without)
        elif stat.S_ISREG(status.st_mode) and not name.endswith(BESIDE_SQLITE):
            yield from self.file(name, path)

    def file(self, name: str, path: str) -> Iterator[Part]:
        """Yield a file: its content, a link to an equal one, or a copy of a database."""
        with suppress(FileNotFoundError), open(path, "rb") as file:
            status = os.fstat(file.fileno())
            key = (status.st_dev, status.st_ino)
            if status.st_nlink > 1 and key in self.inodes:
                yield Part(name, status, link=self.inodes[key], hard=True)
                return
            start = file.read(SMALL)
            if start.startswith(SQLITE_START):
                yield from self.copied(name, path, status)
                return
            if status.st_nlink > 1:
                self.inodes[key] = name
            if len(start) < SMALL:
                yield Part(name, status, [start], len(start))
            else:
                yield Part(
                    name, status, pieces_of(file.read, start, status.st_size, path), status.st_size
                )

    def copied(self, name: str, path: str, status: os.stat_result) -> Iterator[Part]:
        """Yield the copy of an SQLite database, which others may write to meanwhile."""
        copy = os.path.join(self.scratch, "copy.sqlite")
        try:
            with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        except sqlite3.Error as error:
            raise issues.FAILED(action=f"copy the database {path}", reason=error) from None
        try:
            with open(copy, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                yield Part(name, status, pieces_of(file.read, b"", size, copy), size)
        finally:
            os.unlink(copy)


def user_name(number: int) -> str:
    """Return the name of a user; empty for one without a name."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return ""


def queue_first(name: str) -> tuple[bool, str]:
    """Return where a name is among others: queues before databases."""
    return name.endswith(".sqlite"), name


def pieces_of(read: Callable[[int], bytes], start: bytes, size: int, path: str) -> Iterator[bytes]:
    """Yield the bytes of a file; OSError if there are fewer than when it was opened."""
    yield start
    left = size - len(start)
    while left > 0:
        piece = read(min(PIECE, left))
        if not piece:
            raise OSError(None, "it was shortened while it was read", path)
        left -= len(piece)
        yield piece
