"""This machine, with the contents of its files kept in memory."""

from __future__ import annotations

from bunraku.world.file_signatures import Signature, is_unchanged
from bunraku.world.machine import Machine


class Disk(Machine):
    """This machine; a file is read again only after its signature has changed.

    :meth:`read` returns the same object as before if the content is the same, so a cache of
    results can compare contents with ``is``. Each call reads the signature, because programs and
    functions that a compile runs may write the files that it reads next. If more than ``most_bytes``
    are kept, the least recently read contents are dropped. Files of more than ``largest`` bytes are
    not kept.
    """

    def __init__(self, most_bytes: int = 64 << 20, largest: int = 4 << 20) -> None:
        self.most_bytes = most_bytes
        self.largest = largest
        self._kept: dict[str, tuple[Signature | None, bytes]] = {}
        self._added = 0

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        kept = self._kept.pop(path, None)
        if kept is not None and kept[0] is not None and is_unchanged(path, kept[0]):
            self._kept[path] = kept  # the most recently used is last
            return kept[1]
        # before the content is read, so the next call sees a change in between
        signature = self.signature(path)
        if kept is None or signature is None or kept[0] != signature:
            content = super().read(path)
            if len(content) > self.largest:
                return content
            if kept is not None and kept[1] == content:
                content = kept[1]
            else:
                self._added += len(content)
            kept = signature, content
        self._kept[path] = kept
        if self._added > self.most_bytes // 4:
            self.shrink()
        return kept[1]

    def forget(self) -> None:
        """Drop all contents."""
        self._kept.clear()
        self._added = 0

    def count(self) -> int:
        """Return the number of cached contents."""
        return len(self._kept)

    def shrink(self) -> None:
        """Drop the least recently read contents if they take too much memory."""
        self._added = 0
        size = 0
        for path, (_, content) in reversed(list(self._kept.items())):
            size += len(content)
            if size > self.most_bytes:
                self._kept.pop(path, None)
