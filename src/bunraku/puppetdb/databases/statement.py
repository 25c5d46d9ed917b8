"""Pieces of SQL with their values: a value never becomes text of a statement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from bunraku.base.records import record

Value: TypeAlias = "str | int | float | bytes | None"
Row: TypeAlias = "tuple[Value, ...]"


@record(frozen=True)
class Statement:
    """A statement, or a piece of one, with the values of its placeholders."""

    text: str
    values: tuple[Value, ...] = ()


def compose(template: str, *pieces: Statement) -> Statement:
    """Return the template with each ``{}`` replaced by a piece.

    >>> compose("{} = {}", Statement("n.certname"), bound("web01"))
    Statement(text='n.certname = ?', values=('web01',))
    """
    values = tuple([value for piece in pieces for value in piece.values])
    return Statement(template.format(*[piece.text for piece in pieces]), values)


def bound(value: Value) -> Statement:
    """Return a placeholder with its value."""
    return Statement("?", (value,))


def joined(separator: str, pieces: Iterable[Statement]) -> Statement:
    """Return the pieces with a separator between them."""
    found = list(pieces)
    return compose(separator.join(["{}"] * len(found)), *found)


MOST_TERMS = 100
"""The terms of one chain of ``AND`` or ``OR``: SQLite refuses expressions of more than 1,000 levels."""


def chained(operator: str, terms: Iterable[Statement]) -> Statement:
    """Return terms with ``AND`` or ``OR`` between them, in parentheses; long chains are chains of chains.

    >>> chained("OR", [Statement("a"), Statement("b")]).text
    '(a OR b)'
    >>> chained("OR", [Statement("a")] * 101).text.endswith(" OR a) OR (a))")
    True
    """
    found = list(terms)
    while len(found) > MOST_TERMS:
        starts = range(0, len(found), MOST_TERMS)
        found = [chained(operator, found[at : at + MOST_TERMS]) for at in starts]
    return compose("({})", joined(f" {operator} ", found))


def listed(values: Iterable[Value]) -> Statement:
    """Return ``(?, ?, …)`` with values."""
    return compose("({})", joined(", ", map(bound, values)))
