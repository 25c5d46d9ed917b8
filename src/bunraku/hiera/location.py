"""The files of levels."""

from __future__ import annotations


class Location:
    """A file (or URI) of a level: as written, as resolved, and whether it is there."""

    __slots__ = ("exists", "kind", "path", "written")

    def __init__(self, written: str, path: str, *, exists: bool, kind: str = "path") -> None:
        self.written = written
        self.path = path
        self.exists = exists
        self.kind = kind
