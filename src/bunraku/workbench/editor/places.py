"""Places in files, as the functions of the editor take and return them: character offsets."""

from __future__ import annotations

from bunraku.base.records import record


@record(frozen=True)
class TextRange:
    """A piece of a text: character offsets, the end not included."""

    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """Return whether a cursor at an offset is in the piece or at one of its ends."""
        return self.start <= offset <= self.end


@record(frozen=True)
class FilePlace:
    """A piece of a file's text; ``path`` is absolute."""

    path: str
    range: TextRange
