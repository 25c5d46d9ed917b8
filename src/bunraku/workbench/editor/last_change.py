"""The last change of some lines, as ``git blame --porcelain`` has it (``git help blame``, "The Porcelain Format")."""

from __future__ import annotations

from datetime import UTC, datetime

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record

COMMIT = lazy_pattern(r"([0-9a-f]{40,64}) \d+ \d+(?: \d+)?")


@record(frozen=True)
class Change:
    """A commit: its author, its time in seconds, and its first line. One without commit is of text that is not in git."""

    author: str = ""
    time: int = 0
    summary: str = ""
    is_committed: bool = True


def last_change(blame: str) -> Change | None:
    """Return the newest commit of a report; None for no report.

    >>> commit = (
    ...     f"{'a' * 40} 1 1 1\\nauthor Ann\\nauthor-time 86400\\nsummary Add it\\n\\tclass a\\n"
    ... )
    >>> last_change(commit).author
    'Ann'
    """
    fields: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in blame.split("\n"):
        if line.startswith("\t"):
            continue  # a line of the file
        if found := COMMIT.fullmatch(line):
            current = fields.setdefault(found[1], {"commit": found[1]})
        else:
            name, _, value = line.partition(" ")
            current[name] = value
    changes = [change_of(one) for one in fields.values()]
    return max(changes, key=lambda one: (not one.is_committed, one.time), default=None)


def change_of(fields: dict[str, str]) -> Change:
    """Return a commit of a report; that of changes which are not committed has zeros for its digest."""
    time = fields.get("author-time", "0")
    return Change(
        fields.get("author", ""),
        int(time) if time.isdecimal() else 0,
        fields.get("summary", ""),
        is_committed=bool(fields["commit"].strip("0")),
    )


def shown_change(change: Change) -> str:
    """Return a change in one line.

    >>> shown_change(Change("Ann", 86400, "Add it"))
    'last changed by Ann on 1970-01-02: Add it'
    """
    if not change.is_committed:
        return "changed, not committed"
    day = datetime.fromtimestamp(change.time, UTC).date().isoformat()
    return f"last changed by {change.author} on {day}: {change.summary}"
