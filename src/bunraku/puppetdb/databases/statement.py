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


def listed(values: Iterable[Value]) -> Statement:
    """Return ``(?, ?, …)`` with values."""
    return compose("({})", joined(", ", map(bound, values)))
