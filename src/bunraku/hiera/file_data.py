"""Values that backends compute from files (``cached_file_data``).

They are kept for all compiles of an environment until the file changes. As in Puppet there is one
value for each path, for all backends: the built-in ``yaml_data`` gets the value that a function of a
module computed from the same file, and vice versa.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from bunraku.base.records import record
from bunraku.modules.files import FileTable, RecordedTable
from bunraku.values.missing import MISSING

Value = Any
MOST_FILES = 5_000
"""Most values that are kept: a file for each of many nodes must not fill the memory."""
NUMBERS = count(1)


@record()
class Made:
    """The value computed from a file's content; ``fetch`` gets a value that Ruby keeps, or MISSING."""

    content: bytes
    value: Value
    fetch: Callable[[], Value] | None = None

    def found(self) -> Value:
        """Return the value; MISSING if its Ruby process is another thread's, or has ended."""
        return self.value if self.fetch is None else self.fetch()


class FileData:
    """The values of an environment's files; ``number`` is that of the environment."""

    __slots__ = ("_made", "number", "read")

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self.number = next(NUMBERS)
        self.read = read
        self._made: dict[str, Made] = {}

    def known(self, path: str, content: bytes) -> Made | None:
        """Return the value computed from a file, if its content is still the same."""
        found = self._made.pop(path, None)
        if found is None or (found.content is not content and found.content != content):
            return None
        self._made[path] = found  # the most recently used is last
        return found

    def keep(self, path: str, made: Made) -> None:
        """Keep the value computed from a file."""
        self._made[path] = made
        while len(self._made) > MOST_FILES:
            self._made.pop(next(iter(self._made)), None)

    def get(self, path: str, make: Callable[[str], Value] | None) -> Value:
        """Return ``make(text)`` of a file, or its text; raise OSError without a file."""
        content = self.read(path)
        made = self.known(path, content)
        value = MISSING if made is None else made.found()
        if value is MISSING:
            text = content.decode("utf-8", "surrogateescape")
            value = text if make is None else make(text)
            self.keep(path, Made(content, value))
        return value


def file_data_of(files: FileTable) -> FileData:
    """Return the values of an environment's files; a recorded compile makes all of its own."""
    if isinstance(files, RecordedTable):
        return FileData(files.world.read)
    found: FileData | None = files.lasting.get("file data")
    if found is None:
        found = files.lasting["file data"] = FileData(files.world.read)
    return found
