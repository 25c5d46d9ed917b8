"""The entries of a directory tree, for recursion and ``tidy``."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure
from bunraku.world.host import FileStatus, Host

SOFT_LIMIT = 1000
"""The number of entries above which a warning is logged if ``max_files`` is not set."""
UNLIMITED = -1
Above: TypeAlias = "frozenset[tuple[int, int]]"
"""The directories on the way to an entry, by device and inode."""
UNKNOWN = (0, 0)
"""The device and inode of a file on a host without such numbers."""
NOTHING = re.compile(r"(?!)")
LIMIT_ADVICE = (
    "Consider using an alternate method to manage large directory trees",
    "consider using an alternate method to manage large directory trees",
)


@record(frozen=True)
class FoundEntry:
    """An entry of a tree; ``relative`` is its path below the top, ``.`` for the top itself."""

    relative: str
    path: str
    status: FileStatus


def walk_directory(
    host: Host,
    top: str,
    *,
    ignore: Sequence[str] = (),
    levels: int | None = None,
    follow: bool = False,
    max_files: int = 0,
    warn: Callable[[str], None] = lambda _: None,
) -> list[FoundEntry]:
    """Return a directory and its entries, level by level, sorted by name within each directory.

    ``levels`` limits the depth. Names that match a pattern of ``ignore`` are skipped with everything
    below them. More entries than ``max_files`` raise ResourceFailure; 0 warns above SOFT_LIMIT.
    Links to directories are entered only with ``follow``; one that leads back to a directory above
    it raises ResourceFailure.
    """
    status = host.status(top, follow=follow)
    if status is None:
        return []
    ignored = [glob_pattern(pattern) for pattern in ignore]
    found = [FoundEntry(".", top, status)]
    pending: deque[tuple[FoundEntry, int, Above]] = deque([(found[0], 1, frozenset())])
    prefix = top.rstrip("/")
    while pending:
        above, level, parents = pending.popleft()
        if above.status.kind != "directory" or (levels is not None and level > levels):
            continue
        if follow:
            parents = with_directory(parents, above)
        start = "" if above.relative == "." else above.relative + "/"
        for name, entry in host.scan(above.path):
            if any(pattern.fullmatch(name) for pattern in ignored):
                continue
            relative = start + name
            path = f"{prefix}/{relative}"
            if follow and entry.kind == "link":
                entry = host.status(path, follow=True) or entry
            one = FoundEntry(relative, path, entry)
            found.append(one)
            pending.append((one, level + 1, parents))
    check_number(top, len(found) - 1, max_files, warn)
    return found


def with_directory(parents: Above, found: FoundEntry) -> Above:
    """Return the directories above the entries of a directory; ResourceFailure for a circle."""
    identity = (found.status.device, found.status.inode)
    if identity in parents:
        raise ResourceFailure(f"Too many levels of symbolic links - {found.path}")
    return parents if identity == UNKNOWN else parents | {identity}


def check_number(top: str, number: int, max_files: int, warn: Callable[[str], None]) -> None:
    """Warn about too many entries of a tree, or raise ResourceFailure."""
    if max_files > 0 and number > max_files:
        raise ResourceFailure(
            f"The directory '{top}' contains {number} entries, which exceeds the limit of "
            f"{max_files} specified by the max_files parameter for this resource. The limit may be "
            "increased, but be aware that large number of file resources can result in excessive "
            f"resource consumption and degraded performance. {LIMIT_ADVICE[0]}"
        )
    if max_files == 0 and number > SOFT_LIMIT:
        warn(
            f"The directory '{top}' contains {number} entries, which exceeds the default soft limit "
            f"{SOFT_LIMIT} and may cause excessive resource consumption and degraded performance. "
            f"To remove this warning set a value for `max_files` parameter or {LIMIT_ADVICE[1]}"
        )


@remembered(1000)
def glob_pattern(glob: str, *, hidden: bool = False) -> re.Pattern[str]:
    """Return the pattern of a shell glob for names, with the rules of Ruby's ``File.fnmatch``.

    A wildcard at the start does not match a dot unless ``hidden``. A ``*`` takes as little as its
    next characters allow and is not tried again, so no glob takes long.

    >>> [bool(glob_pattern("*.t[a-c]p").fullmatch(name)) for name in ("x.tbp", ".x.tbp", "x.tzp")]
    [True, False, False]
    """
    start = "" if hidden or glob[:1] not in ("*", "?", "[") else r"(?!\.)"
    runs: list[list[str]] = [[]]
    at = 0
    while at < len(glob):
        letter = glob[at]
        at += 1
        parts = runs[-1]
        if letter == "*":
            runs.append([])
        elif letter == "?":
            parts.append(".")
        elif letter == "[" and (bracket := bracket_at(glob, at)) is not None:
            text, at = bracket
            parts.append(text)
        elif letter == "\\" and at < len(glob):
            parts.append(re.escape(glob[at]))
            at += 1
        else:
            parts.append(re.escape(letter))
    first, *others = ("".join(run) for run in runs)
    if others:
        last = others.pop()
        first += "".join(f"(?>.*?{run})" for run in others if run) + f".*{last}"
    try:
        return re.compile(start + first, re.DOTALL)
    except re.error:  # a set such as [z-a], which has no characters
        return NOTHING


def bracket_at(glob: str, at: int) -> tuple[str, int] | None:
    """Return the pattern of a set of characters and its end position; None if it is not closed."""
    end = glob.find("]", at + 1)
    if end < 0:
        return None
    inner = glob[at:end]
    negated = inner[:1] in ("^", "!")
    inner = re.sub(r"([\\\[^&~|])", r"\\\1", inner[1:] if negated else inner)
    return f"[{'^' if negated else ''}{inner}]", end + 1
