"""The files of levels."""

from __future__ import annotations


class Location:
    """A file (or URI) of a level: as written, as resolved, and whether it exists.

    ``shown`` is the path as explanations print it, in which an empty variable leaves ``//``.
    """

    __slots__ = ("exists", "kind", "path", "shown", "written")

    def __init__(
        self,
        written: str,
        path: str,
        *,
        exists: bool,
        kind: str = "path",
        shown: str | None = None,
    ) -> None:
        self.written = written
        self.path = path
        self.shown = path if shown is None else shown
        self.exists = exists
        self.kind = kind
