"""The durable queue of commands: a private folder with a file for each.

A command is accepted when its file and the folder are on disk. Files are removed when the changes
of their commands are in the database, so a crash repeats commands and never loses one.
"""

from __future__ import annotations

import fcntl
import heapq
import json
import os
import zlib
from contextlib import suppress
from threading import Condition
from time import monotonic
from typing import BinaryIO

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.folders import (
    FolderSync,
    create_private,
    make_private,
    open_folder,
    write_private,
)
from bunraku.puppetdb.commands.metadata import Metadata, read_file_name
from bunraku.puppetdb.timestamps import to_text

UNFINISHED = ".part"
REASON = ".reason.json"
REPLACING = frozenset(["replace catalog", "replace facts"])
"""Commands of which a node needs only the newest."""
GZIP = 31
"""The parameter of zlib for the format of gzip."""


@record(frozen=True)
class Attempt:
    """A failed attempt to process a command; ``time`` is in milliseconds since 1970."""

    time: int
    error: str


class Entry:
    """A queued command."""

    __slots__ = ("attempts", "metadata", "name", "number", "obsolete", "postponed")

    def __init__(self, number: int, metadata: Metadata) -> None:
        self.number = number
        self.metadata = metadata
        self.name = metadata.file_name(number)
        self.obsolete = False
        self.postponed = 0
        self.attempts: list[Attempt] = []


class Queue:
    """The commands in a folder, in order of arrival; one process at a time can open it.

    ``discarded`` is the folder of commands that failed, on the same file system. Raise PuppetError
    if a folder cannot be used.
    """

    def __init__(self, folder: str, discarded: str) -> None:
        self.folder = folder
        self.discarded = discarded
        self.changed = Condition()
        self.ready: list[tuple[int, Entry]] = []
        self.delayed: list[tuple[float, int, Entry]] = []
        self.newest: dict[tuple[str, str], Entry] = {}
        self.taken = 0
        self.stopping = False
        self.last = 0
        try:
            make_private(folder)
            make_private(discarded)
            self.descriptor = open_folder(folder)
        except OSError as error:
            raise unusable(folder, error) from None
        try:
            lock(self.descriptor, folder)
            self.sync = FolderSync(self.descriptor)
            self.replay()
        except BaseException:
            os.close(self.descriptor)
            raise

    def replay(self) -> None:
        """Queue the commands that an earlier process left; remove its unfinished uploads."""
        for name in sorted(os.listdir(self.folder)):
            found = read_file_name(name)
            if found is not None:
                number, metadata = found
                self.last = max(self.last, number)
                self.add(Entry(number, metadata))
            elif name.endswith(UNFINISHED):
                os.unlink(self.path(name))

    def path(self, name: str) -> str:
        """Return the path of a file in the folder."""
        return os.path.join(self.folder, name)

    @property
    def depth(self) -> int:
        """How many commands are not processed yet."""
        with self.changed:
            return len(self.ready) + len(self.delayed) + self.taken

    @property
    def awaiting_retry(self) -> int:
        """How many commands wait for another attempt."""
        with self.changed:
            return len(self.delayed)

    def receive(self, metadata: Metadata) -> Upload:
        """Begin to accept a command; PuppetError if the folder cannot be written."""
        return Upload(self, metadata)

    def next_number(self) -> int:
        """Return the number of the next command."""
        with self.changed:
            self.last += 1
            return self.last

    def add(self, entry: Entry) -> None:
        """Queue a command whose file is on disk; mark those that it makes obsolete."""
        with self.changed:
            self.mark_obsolete(entry)
            heapq.heappush(self.ready, (entry.number, entry))
            self.changed.notify()

    def mark_obsolete(self, entry: Entry) -> None:
        """Mark a command, or the queued one before it, if a node needs only the newer one."""
        time = entry.metadata.producer_timestamp
        if time is None or entry.metadata.command not in REPLACING:
            return
        key = (entry.metadata.command, entry.metadata.node)
        other = self.newest.get(key)
        if other is not None and time <= (other.metadata.producer_timestamp or 0):
            entry.obsolete = True
            return
        if other is not None:
            other.obsolete = True
        self.newest[key] = entry

    def take(self, most: int, seconds: float | None = None) -> list[Entry]:
        """Return the next commands, after waiting for one; none at a stop or after the time."""
        end = None if seconds is None else monotonic() + seconds
        with self.changed:
            while not self.stopping:
                now = monotonic()
                while self.delayed and self.delayed[0][0] <= now:
                    _, number, entry = heapq.heappop(self.delayed)
                    heapq.heappush(self.ready, (number, entry))
                if self.ready:
                    return self.pop(most)
                if end is not None and now >= end:
                    return []
                times = [
                    time for time in (end, self.delayed[0][0] if self.delayed else None) if time
                ]
                self.changed.wait(min(times) - now if times else None)
            return []

    def pop(self, most: int) -> list[Entry]:
        """Take commands out of the index; their files stay."""
        found: list[Entry] = []
        while self.ready and len(found) < most:
            _, entry = heapq.heappop(self.ready)
            key = (entry.metadata.command, entry.metadata.node)
            if self.newest.get(key) is entry:
                del self.newest[key]
            found.append(entry)
        self.taken += len(found)
        return found

    def read(self, entry: Entry, most: int | None = None) -> bytes | None:
        """Return the payload of a command, at most so many bytes; None if its file disappeared.

        Raise PuppetError if the payload is longer or is not valid gzip, OSError if the file cannot
        be read.
        """
        try:
            with open(self.path(entry.name), "rb") as file:
                if most is not None and os.fstat(file.fileno()).st_size > most:
                    raise issues.COMMAND_TOO_LARGE(most=most)
                content = file.read()
        except FileNotFoundError:
            return None
        return unpacked(content, most) if entry.metadata.encoding == "gzip" else content

    def put_back(self, entry: Entry, seconds: float = 0) -> None:
        """Queue a taken command again, after a delay."""
        with self.changed:
            self.taken -= 1
            if seconds:
                heapq.heappush(self.delayed, (monotonic() + seconds, entry.number, entry))
            else:
                heapq.heappush(self.ready, (entry.number, entry))
            self.changed.notify()

    def finish(self, entry: Entry) -> None:
        """Remove a taken command whose changes are in the database. Raise OSError."""
        with self.changed:
            self.taken -= 1
        with suppress(FileNotFoundError):
            os.unlink(self.path(entry.name))

    def discard(self, entry: Entry) -> None:
        """Move a taken command to the folder of discarded ones, with the reason. Raise OSError."""
        metadata = entry.metadata
        reason = {
            "command": metadata.command,
            "version": metadata.version,
            "certname": metadata.certname,
            "uuid": metadata.uuid,
            "received": to_text(metadata.received),
            "attempts": [
                {"time": to_text(attempt.time), "error": attempt.error}
                for attempt in entry.attempts
            ],
        }
        target = os.path.join(self.discarded, entry.name)
        write_private(target + REASON, json.dumps(reason, indent=2).encode())
        os.rename(self.path(entry.name), target)
        with self.changed:
            self.taken -= 1

    def wake(self) -> None:
        """Make :meth:`take` return, now and from now on."""
        with self.changed:
            self.stopping = True
            self.changed.notify_all()

    def close(self) -> None:
        """Release the folder for another process."""
        self.wake()
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


class Upload:
    """A command that arrives in pieces."""

    def __init__(self, queue: Queue, metadata: Metadata) -> None:
        self.queue = queue
        self.metadata = metadata
        self.path = queue.path(f"{metadata.uuid}{UNFINISHED}")
        self.size = 0
        try:
            self.file: BinaryIO = create_private(self.path)
        except OSError as error:
            raise unusable(queue.folder, error) from None

    def write(self, chunk: bytes) -> None:
        """Append bytes to the payload; PuppetError if that fails, which removes the upload."""
        try:
            self.file.write(chunk)
        except OSError as error:
            self.abort()
            raise unusable(self.queue.folder, error) from None
        self.size += len(chunk)

    def commit(self) -> str:
        """Put the command on disk and into the queue; return its UUID.

        Raise PuppetError if that fails, which removes the upload.
        """
        entry = Entry(self.queue.next_number(), self.metadata)
        path = self.queue.path(entry.name)
        try:
            self.file.flush()
            os.fdatasync(self.file.fileno())
            self.file.close()
            os.rename(self.path, path)
            self.queue.sync.wait()
        except OSError as error:
            with suppress(OSError):
                os.unlink(path)
            self.abort()
            raise unusable(self.queue.folder, error) from None
        self.queue.add(entry)
        return self.metadata.uuid

    def abort(self) -> None:
        """Remove what arrived."""
        with suppress(OSError):
            self.file.close()
        with suppress(OSError):
            os.unlink(self.path)


def lock(descriptor: int, folder: str) -> None:
    """Lock a folder for this process; PuppetError if another one has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise issues.QUEUE_IN_USE(folder=folder) from None


def unusable(folder: str, error: OSError) -> PuppetError:
    """Return the error of a folder that cannot be written or read."""
    return issues.QUEUE_UNUSABLE(folder=folder, reason=error.strerror or str(error))


def unpacked(content: bytes, most: int | None) -> bytes:
    """Return decompressed bytes; PuppetError if they are invalid or more than allowed."""
    stream = zlib.decompressobj(GZIP)
    try:
        found = stream.decompress(content, 0 if most is None else most + 1)
    except zlib.error as error:
        raise issues.NOT_GZIP(reason=str(error)) from None
    if most is not None and len(found) > most:
        raise issues.COMMAND_TOO_LARGE(most=most)
    if not stream.eof:
        raise issues.NOT_GZIP(reason="the data end too early")
    return found
