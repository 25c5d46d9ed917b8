"""Rows of queries as aligned text and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence

from bunraku.base.excerpt import columns as width
from bunraku.base.excerpt import visible
from bunraku.base.lazy_typing import Any

Write = Callable[[str], None]
Row = Mapping[str, Any]


def write_text(rows: Sequence[Any], write: Write) -> None:
    """Write rows as columns, with a line of their names; rows that are values as one column."""
    if not all(isinstance(row, dict) for row in rows):
        write("".join(f"{visible(shown(row))}\n" for row in rows))
        return
    names = columns(rows)
    lines = [[visible(name) for name in names]]
    lines += [[visible(shown(row.get(name))) for name in names] for row in rows]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    for line in lines if names else ():
        padded = [
            cell + " " * (most - width(cell)) for cell, most in zip(line, widths, strict=True)
        ]
        write(f"{'  '.join(padded).rstrip()}\n")


def write_csv(rows: Sequence[Any], write: Write) -> None:
    """Write rows as CSV, with a line of their names; rows that are values as the column ``value``."""
    found: list[Row] = [row if isinstance(row, dict) else {"value": row} for row in rows]
    names = columns(found)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if names:
        writer.writerow(names)
    writer.writerows([shown(row.get(name)) for name in names] for row in found)
    write(text.getvalue())


def columns(rows: Sequence[Row]) -> list[str]:
    """Return the names of all columns, in the order of their first appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def shown(value: Any) -> str:
    """Return a value as text: strings as they are, null as nothing, others as JSON.

    >>> shown("a"), shown(None), shown([1, "ü"])
    ('a', '', '[1, "ü"]')
    """
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


FORMATS: Mapping[str, Callable[[Sequence[Any], Write], None]] = {
    "text": write_text,
    "csv": write_csv,
}
