"""Changes of the repository: edits of its files, with what ``bunraku ci`` must say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """Replaces ``old``, which a file has once, by ``new``; without ``old``, ``new`` is the whole file.

    ``moved_to`` is the new path of the file; without ``new`` the file is removed.
    """

    path: str
    old: str = ""
    new: str | None = None
    moved_to: str = ""

    def apply(self, root: Path) -> None:
        """Change the working tree."""
        path = root / self.path
        if self.moved_to:
            target = root / self.moved_to
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
            if not any(path.parent.iterdir()):
                path.parent.rmdir()  # as git does
        elif self.new is None:
            path.unlink()
        elif self.old:
            text = path.read_bytes().decode()
            assert text.count(self.old) == 1, (
                f"{self.path} has {text.count(self.old)} of {self.old!r}"
            )
            path.write_bytes(text.replace(self.old, self.new).encode())
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.new.encode())


@dataclass(frozen=True)
class Mistake:
    """A change that breaks something.

    ``file`` and ``line`` are where the one finding is: on the first line that has the text ``line``.
    ``nodes`` is the number of nodes that the finding names, 0 for one that concerns files only.
    """

    name: str
    file: str
    line: str
    nodes: int
    edits: Sequence[Edit]


@dataclass(frozen=True)
class Harmless:
    """A change that breaks nothing."""

    name: str
    edits: Sequence[Edit]


def line_of(root: Path, file: str, text: str) -> int:
    """Return the number of the first line of a file that has a text."""
    lines = (root / file).read_text(encoding="utf-8", errors="replace").split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)
