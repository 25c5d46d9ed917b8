"""Errors of queries, which the real PuppetDB answers with status 400."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues


def bad_query(message: str) -> PuppetError:
    """Return the error of an invalid query."""
    return issues.BAD_QUERY(message=message)


def listing(names: list[str]) -> str:
    """Return names in quotes as PuppetDB's messages have them.

    >>> listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"])
    ("'a'", "'a' and 'b'", "'a', 'b', and 'c'")
    """
    quoted = [f"'{name}'" for name in names]
    if len(quoted) <= 1:
        return "".join(quoted)
    comma = "," if len(quoted) > 2 else ""
    return f"{', '.join(quoted[:-1])}{comma} and {quoted[-1]}"
