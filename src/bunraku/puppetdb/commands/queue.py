"""The durable queue of commands: a private folder with a file for each large one.

Small ones share files: see :mod:`.segments`. A command is accepted when its file and the folder are
on disk. It is removed when its changes are in the database, so a crash repeats commands and never
loses one.
"""

from __future__ import annotations

import fcntl
import heapq
import json
import os
import zlib
from contextlib import suppress
from operator import itemgetter
from threading import Condition
from time import monotonic
from typing import BinaryIO

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.folders import (
    SharedSync,
    create_private,
    make_private,
    open_folder,
    sync_folder,
    write_private,
)
from bunraku.puppetdb.commands.metadata import Metadata, read_file_name
from bunraku.puppetdb.commands.segments import FORM, RecordPlace, Segments
from bunraku.puppetdb.timestamps import to_text

UNFINISHED = ".part"
REASON = ".reason.json"
REPLACING = frozenset(["replace catalog", "replace facts"])
"""Commands of which a node needs only the newest."""
GZIP = 31
"""The parameter of zlib for the format of gzip."""
SMALL = 256 * 1024
"""Bytes up to which a payload shares a file with others, and is in memory while it arrives."""
REST_SECONDS = 0.5
"""How long the queue must be empty before the file of small commands is removed."""


@record(frozen=True)
class Attempt:
    """A failed attempt to process a command; ``time`` is in milliseconds since 1970."""

    time: int
    error: str


class CommandEntry:
    """A queued command; ``place`` is None if it has a file of its own.

    ``content`` is the hash of the catalog's content in a renewal of this process. ``size`` is the number of bytes of its payload, once that was read.
    """

    __slots__ = (
        "attempts",
        "content",
        "key",
        "metadata",
        "name",
        "number",
        "obsolete",
        "place",
        "postponed",
        "size",
    )

    def __init__(self, number: int, metadata: Metadata) -> None:
        self.number = number
        self.metadata = metadata
        self.key = (metadata.command, metadata.node)
        self.name = metadata.file_name(number)
        self.place: RecordPlace | None = None
        self.content = ""
        self.obsolete = False
        self.postponed = 0
        self.size = 0
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
        self.ready: list[tuple[int, CommandEntry]] = []
        self.delayed: list[tuple[float, int, CommandEntry]] = []
        self.newest: dict[tuple[str, str], CommandEntry] = {}
        self.unfinished: dict[tuple[str, str], list[CommandEntry]] = {}
        self.taken = 0
        self.stopping = False
        self.last = 0
        self.idle_since = 0.0
        try:
            make_private(folder)
            make_private(discarded)
            self.descriptor = open_folder(folder)
        except OSError as error:
            raise unusable(folder, error) from None
        try:
            lock(self.descriptor, folder)
            self.sync = SharedSync(self.descriptor)
            self.segments = Segments(folder, self.sync)
            self.replay()
        except OSError as error:
            os.close(self.descriptor)
            raise unusable(folder, error) from None
        except BaseException:
            os.close(self.descriptor)
            raise

    def replay(self) -> None:
        """Queue the commands that an earlier process left; remove its unfinished uploads."""
        left: list[tuple[str, RecordPlace | None]] = []
        for name in os.listdir(self.folder):
            if FORM.fullmatch(name):
                left += self.segments.replay(name)
            elif name.endswith(UNFINISHED):
                os.unlink(self.path(name))
            else:
                left.append((name, None))
        for name, place in sorted(left, key=itemgetter(0)):
            found = read_file_name(name)
            if found is not None:
                number, metadata = found
                self.last = max(self.last, number)
                entry = CommandEntry(number, metadata)
                entry.place = place
                self.add(entry)

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

    def receive(self, metadata: Metadata, content: str = "") -> Upload:
        """Begin to accept a command; PuppetError if the folder cannot be written.

        ``content`` is the hash in a renewal.
        """
        return Upload(self, metadata, content)

    def keeps_content(self, command: str, node: str, content: str) -> bool:
        """Return whether no unfinished command replaces what the database has of a node by other content."""
        with self.changed:
            entries = self.unfinished.get((command, node), ())
            return all(entry.content and entry.content == content for entry in entries)

    def next_number(self) -> int:
        """Return the number of the next command."""
        with self.changed:
            self.last += 1
            return self.last

    def add(self, entry: CommandEntry) -> None:
        """Queue a command whose file is on disk; mark those that it makes obsolete."""
        with self.changed:
            self.unfinished.setdefault(entry.key, []).append(entry)
            self.mark_obsolete(entry)
            heapq.heappush(self.ready, (entry.number, entry))
            self.changed.notify()

    def mark_obsolete(self, entry: CommandEntry) -> None:
        """Mark a command, or the queued one before it, if a node needs only the newer one."""
        time = entry.metadata.producer_timestamp
        if time is None or entry.metadata.command not in REPLACING:
            return
        other = self.newest.get(entry.key)
        if other is not None and time <= (other.metadata.producer_timestamp or 0):
            entry.obsolete = True
            return
        if other is not None:
            other.obsolete = True
        self.newest[entry.key] = entry

    def take(self, most: int, seconds: float | None = None) -> list[CommandEntry]:
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
                self.changed.wait(self.pause(end, now))
            return []

    def pause(self, end: float | None, now: float) -> float | None:
        """Return how long to wait for a command; remove the file of small ones after a while."""
        times = [time for time in (end, self.delayed[0][0] if self.delayed else None) if time]
        if self.segments.is_idle:
            if now < self.idle_since + REST_SECONDS:
                times.append(self.idle_since + REST_SECONDS)
            else:
                with suppress(OSError):  # it is removed by the next start
                    self.segments.rest()
        return min(times) - now if times else None

    def pop(self, most: int) -> list[CommandEntry]:
        """Take commands out of the index; their files stay."""
        found: list[CommandEntry] = []
        while self.ready and len(found) < most:
            _, entry = heapq.heappop(self.ready)
            if self.newest.get(entry.key) is entry:
                del self.newest[entry.key]
            found.append(entry)
        self.taken += len(found)
        return found

    def read(self, entry: CommandEntry, most: int | None = None) -> bytes | None:
        """Return the payload of a command, at most so many bytes; None if its file disappeared.

        Raise PuppetError if the payload is longer or is not valid gzip, OSError if the file cannot
        be read.
        """
        try:
            content = self.content(entry, most)
        except FileNotFoundError:
            return None
        return unpacked(content, most) if entry.metadata.encoding == "gzip" else content

    def content(self, entry: CommandEntry, most: int | None = None) -> bytes:
        """Return the payload as it arrived. Raise PuppetError if it is too long, OSError."""
        if entry.place is not None:
            if most is not None and entry.place.size > most:
                raise issues.COMMAND_TOO_LARGE(most=most)
            return entry.place.read()
        with open(self.path(entry.name), "rb") as file:
            if most is not None and os.fstat(file.fileno()).st_size > most:
                raise issues.COMMAND_TOO_LARGE(most=most)
            return file.read()

    def put_back(self, entry: CommandEntry, seconds: float = 0) -> None:
        """Queue a taken command again, after a delay."""
        with self.changed:
            self.taken -= 1
            if seconds:
                heapq.heappush(self.delayed, (monotonic() + seconds, entry.number, entry))
            else:
                heapq.heappush(self.ready, (entry.number, entry))
            self.changed.notify()

    def finish(self, entry: CommandEntry) -> None:
        """Remove a taken command whose changes are in the database. Raise OSError."""
        self.end(entry)
        if entry.place is not None:
            self.segments.finish(entry.place)
            return
        with suppress(FileNotFoundError):
            os.unlink(self.path(entry.name))

    def discard(self, entry: CommandEntry) -> None:
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
        if entry.place is None:
            os.rename(self.path(entry.name), target)
        else:
            write_private(target, entry.place.read())
            sync_folder(self.discarded)
            self.segments.finish(entry.place)
        self.end(entry)

    def end(self, entry: CommandEntry) -> None:
        """Count a taken command no more."""
        with self.changed:
            self.taken -= 1
            self.idle_since = monotonic()
            entries = self.unfinished[entry.key]
            entries.remove(entry)
            if not entries:
                del self.unfinished[entry.key]

    def wake(self) -> None:
        """Make :meth:`take` return, now and from now on."""
        with self.changed:
            self.stopping = True
            self.changed.notify_all()

    def close(self) -> None:
        """Release the folder for another process."""
        self.wake()
        with suppress(OSError):  # the next start removes it
            self.segments.rest()
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


class Upload:
    """A command that arrives in pieces: in memory while it is small, then in a file."""

    def __init__(self, queue: Queue, metadata: Metadata, content: str) -> None:
        self.queue = queue
        self.metadata = metadata
        self.content = content
        self.path = queue.path(f"{metadata.uuid}{UNFINISHED}")
        self.size = 0
        self.pieces: list[bytes] = []
        self.file: BinaryIO | None = None
        self.entry: CommandEntry | None = None

    def write(self, chunk: bytes) -> None:
        """Append bytes to the payload; PuppetError if that fails, which removes the upload."""
        self.size += len(chunk)
        self.pieces.append(chunk)
        if self.size > SMALL:
            try:
                self.spill()
            except OSError as error:
                self.abort()
                raise unusable(self.queue.folder, error) from None

    def spill(self) -> None:
        """Write the pieces in memory to a file. Raise OSError."""
        if self.file is None:
            self.file = create_private(self.path)
        self.file.writelines(self.pieces)
        self.pieces.clear()

    def commit(self) -> str:
        """Put the command on disk and into the queue; return its UUID.

        Raise PuppetError if that fails, which removes the upload.
        """
        self.finish()
        self.settle()
        return self.metadata.uuid

    def finish(self) -> None:
        """End the payload; PuppetError if it cannot be written, which removes the upload."""
        entry = self.entry = CommandEntry(self.queue.next_number(), self.metadata)
        entry.content = self.content
        try:
            if self.file is None:
                content = b"".join(self.pieces)
                entry.place = self.queue.segments.append(entry.number, entry.name, content)
            else:
                self.rename(self.file, self.queue.path(entry.name))
        except OSError as error:
            self.abort()
            raise unusable(self.queue.folder, error) from None

    def settle(self) -> None:
        """Put the command, whose payload has ended, on disk and into the queue.

        Raise PuppetError if that fails, which removes the upload.
        """
        entry = self.entry
        assert entry is not None
        try:
            if entry.place is not None:
                self.queue.segments.settle(entry.place)
        except OSError as error:
            self.abort()
            raise unusable(self.queue.folder, error) from None
        self.queue.add(entry)

    def rename(self, file: BinaryIO, path: str) -> None:
        """Put the file on disk by its final name. Raise OSError, which leaves no file."""
        file.flush()
        os.fdatasync(file.fileno())
        file.close()
        os.rename(self.path, path)
        try:
            self.queue.sync.wait()
        except OSError:
            with suppress(OSError):
                os.unlink(path)
            raise

    def abort(self) -> None:
        """Remove what arrived."""
        self.pieces.clear()
        if self.file is not None:
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
