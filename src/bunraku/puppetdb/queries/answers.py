"""Answers as JSON, row by row: an answer of any size needs the memory of a few rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring

from bunraku.puppetdb.databases.statement import Row, Value
from bunraku.puppetdb.entities import Kind
from bunraku.puppetdb.queries.sql import Column
from bunraku.puppetdb.timestamps import to_text

PIECE = 64 * 1024
"""Characters of an answer that are sent at once."""


def plain(value: Value) -> str:
    """Return a text, a number or null as JSON."""
    if isinstance(value, str):
        return encode_basestring(value)
    return "null" if value is None else repr(value)


def flag(value: Value) -> str:
    """Return a Boolean as JSON."""
    return "null" if value is None else "true" if value else "false"


def time(value: Value) -> str:
    """Return a timestamp as JSON."""
    return "null" if value is None else f'"{to_text(int(value))}"'


def raw(value: Value) -> str:
    """Return a value that is JSON text already."""
    return "null" if value is None else str(value)


WRITERS: Mapping[Kind, Callable[[Value], str]] = {
    "text": plain,
    "number": plain,
    "boolean": flag,
    "timestamp": time,
    "texts": raw,
    "json": raw,
    "serialized": raw,
    "fact": raw,
    "path": raw,
    "document": raw,
}


def objects(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[str]:
    """Yield each row as a JSON object."""
    writers = [(f"{plain(column.name)}: ", WRITERS[column.kind]) for column in columns]
    for row in rows:
        members = [name + write(value) for (name, write), value in zip(writers, row, strict=True)]
        yield "{" + ", ".join(members) + "}"


def only_values(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[str]:
    """Yield the one value of each row as JSON."""
    (column,) = columns
    write = WRITERS[column.kind]
    for row in rows:
        yield write(row[0])


def array(items: Iterable[str]) -> Iterator[str]:
    """Yield the pieces of a JSON array."""
    piece, size, separator = ["["], 1, ""
    for item in items:
        piece.append(separator + item)
        separator = ", "
        size += len(item)
        if size > PIECE:
            yield "".join(piece)
            piece, size = [], 0
    yield "".join([*piece, "]"])
