"""Small commands in shared files of the queue: appending one is cheaper than a file for each.

A segment, ``0000000000000042.commands``, has the number of its first command and a record for each:
a state, the lengths, a check sum, the name that a file of the command would have, and the payload. The
state of a processed command is overwritten; a segment is removed when no command in it waits.

A segment that grows has zeros after its records: to overwrite these takes a disk a tenth of the time that a longer file
takes, because only the data change.

Only the end of a segment can be broken, by a crash or a full disk, and what is broken was never
accepted: a command is accepted when all before its end is on disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from struct import Struct
from threading import Lock
from zlib import crc32

from bunraku.base.records import record
from bunraku.puppetdb.commands.folders import SharedSync, open_private

FORM = re.compile(r"\d{16}\.commands", re.ASCII)
HEAD = Struct(">cHII")
"""State, length of the name, length of the payload, check sum of name and payload."""
WAITING, DONE = b"+", b"-"
STATES = frozenset([WAITING, DONE])
MOST_BYTES = 16 * 1024 * 1024
"""The size from which another segment is begun: one delayed command keeps a whole segment."""


MOST_AHEAD = 1024 * 1024
"""Zeros that are written ahead, or less: no more than the records before."""


class Segment:
    """An open segment; ``size`` is the end of its last record, ``waiting`` counts those to process.

    ``ahead`` is the end of the zeros after that.
    """

    def __init__(self, path: str, *, new: bool) -> None:
        self.path = path
        self.descriptor = open_private(path, new=new)
        self.sync = SharedSync(self.descriptor, of_data=True)
        self.size = 0
        self.ahead = 0
        self.waiting = 0

    def add(self, content: bytes) -> int:
        """Write a record and return its beginning. Raise OSError."""
        start, end = self.size, self.size + len(content)
        if end > self.ahead:
            room = min(MOST_AHEAD, start)
            write_at(self.descriptor, content + bytes(room), start)
            self.ahead = end + room
        else:
            write_at(self.descriptor, content, start)
        self.size = end
        self.waiting += 1
        return start

    def remove(self) -> None:
        """Close and delete the file. Raise OSError."""
        os.close(self.descriptor)
        with suppress(FileNotFoundError):
            os.unlink(self.path)


@record(frozen=True)
class RecordPlace:
    """Where the record of a command is; ``begin`` and ``size`` are those of the payload.

    ``ticket`` is that of the segment's ``sync`` for a new record.
    """

    segment: Segment
    record: int
    begin: int
    size: int
    ticket: int = 0

    def read(self) -> bytes:
        """Return the payload. Raise OSError."""
        content = os.pread(self.segment.descriptor, self.size, self.begin)
        if len(content) != self.size:
            raise OSError(f"{self.segment.path} is shorter than it was")
        return content


class Segments:
    """The segments in a folder; the newest one is appended to.

    ``sync`` puts the names in the folder on disk.
    """

    def __init__(self, folder: str, sync: SharedSync) -> None:
        self.folder = folder
        self.sync = sync
        self.lock = Lock()
        self.current: Segment | None = None

    def replay(self, file: str) -> Iterator[tuple[str, RecordPlace]]:
        """Yield the names and places of the commands in a segment that an earlier process left.

        One without such commands is removed. Raise OSError.
        """
        segment = Segment(os.path.join(self.folder, file), new=False)
        with open(segment.path, "rb") as stream:
            found = list(records(stream.read(), segment))
        segment.waiting = len(found)
        if not found:
            segment.remove()
        yield from found

    def append(self, number: int, name: str, payload: bytes) -> RecordPlace:
        """Write a command and return its place; :meth:`settle` puts it on disk. Raise OSError, which leaves nothing
        of it.
        """
        encoded = name.encode()
        head = HEAD.pack(WAITING, len(encoded), len(payload), crc32(payload, crc32(encoded)))
        content = b"".join((head, encoded, payload))
        with self.lock:
            segment = self.current or self.begin(number)
            try:
                start = segment.add(content)
            except OSError:
                self.give_up(segment)
                raise
            if segment.size >= MOST_BYTES:
                self.current = None
        begin = start + len(content) - len(payload)
        return RecordPlace(segment, start, begin, len(payload), segment.sync.ticket())

    def settle(self, place: RecordPlace) -> None:
        """Put a written command on disk. Raise OSError, which leaves nothing of it.

        Threads that wait for the disk at the same time, and commands that one thread has written, share the wait.
        """
        segment = place.segment
        try:
            segment.sync.wait(place.ticket)
        except OSError:
            with suppress(OSError):
                self.finish(place)
            with self.lock:
                self.give_up(segment)
            raise

    def begin(self, number: int) -> Segment:
        """Begin a segment, whose name is put on disk. Raise OSError."""
        segment = Segment(os.path.join(self.folder, f"{number:016d}.commands"), new=True)
        try:
            self.sync.wait()
        except OSError:
            segment.remove()
            raise
        self.current = segment
        return segment

    def give_up(self, segment: Segment) -> None:
        """Append no more to a segment that could not be written, and drop its broken end."""
        if self.current is segment:
            self.current = None
            with suppress(OSError):
                os.ftruncate(segment.descriptor, segment.size)
            if not segment.waiting:
                segment.remove()

    def finish(self, place: RecordPlace) -> None:
        """Mark a command as processed; remove its segment if it was the last one. Raise OSError."""
        segment = place.segment
        os.pwrite(segment.descriptor, DONE, place.record)
        with self.lock:
            segment.waiting -= 1
            if not segment.waiting and segment is not self.current:
                segment.remove()

    @property
    def is_idle(self) -> bool:
        """Whether the newest segment has no command that waits."""
        return self.current is not None and not self.current.waiting

    def rest(self) -> None:
        """Remove the newest segment if no command in it waits. Raise OSError."""
        with self.lock:
            segment = self.current
            if segment is not None and not segment.waiting:
                self.current = None
                segment.remove()


def records(content: bytes, segment: Segment) -> Iterator[tuple[str, RecordPlace]]:
    """Yield the names and the places of the complete records that wait, up to a broken end."""
    start = 0
    while start + HEAD.size <= len(content):
        state, name_size, payload_size, check = HEAD.unpack_from(content, start)
        name_end = start + HEAD.size + name_size
        end = name_end + payload_size
        if state not in STATES or not name_size or end > len(content):
            return
        body = content[start + HEAD.size : end]
        if state == WAITING and crc32(body) == check:
            name = body[:name_size].decode("ascii", "replace")
            yield name, RecordPlace(segment, start, name_end, payload_size)
        start = end


def write_at(descriptor: int, content: bytes, place: int) -> None:
    """Write all bytes at a place of a file. Raise OSError."""
    rest = memoryview(content)
    while rest:
        written = os.pwrite(descriptor, rest, place)
        rest, place = rest[written:], place + written
