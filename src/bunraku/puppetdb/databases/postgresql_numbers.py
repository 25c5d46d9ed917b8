"""How numbers of Python and of PostgreSQL become each other: exactly, as the type ``numeric``."""

from __future__ import annotations

from psycopg import postgres
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import AdaptersMap
from psycopg.pq import Format

NUMERIC = postgres.types["numeric"].oid


class FloatDumper:
    """Sends floats as ``numeric``, which an index on a column of this type can search."""

    format = Format.TEXT
    oid = NUMERIC

    def __init__(self, cls: type, context: AdaptContext | None = None) -> None:
        self.cls = cls

    def dump(self, obj: float) -> bytes:
        """Return a float as text."""
        return repr(obj).encode()

    def quote(self, obj: float) -> bytes:
        """Return a float as part of a statement."""
        return self.dump(obj)

    def get_key(self, obj: float, form: object) -> type:
        """Return the key of this dumper."""
        return self.cls

    def upgrade(self, obj: float, form: object) -> FloatDumper:
        """Return the dumper for a value: always this one."""
        return self


class NumericLoader:
    """Reads ``numeric`` as an integer where it has no fraction digits, else as a float."""

    format = Format.TEXT

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        self.oid = oid

    def load(self, data: Buffer) -> float:
        """Return a number."""
        text = bytes(data).decode()
        return int(text) if text.removeprefix("-").isdigit() else float(text)


class JsonTextLoader:
    """Reads JSON as its text."""

    format = Format.TEXT

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        self.oid = oid

    def load(self, data: Buffer) -> str:
        """Return the text."""
        return bytes(data).decode()


def register_numbers(adapters: AdaptersMap) -> None:
    """Make a connection use the classes of this module."""
    adapters.register_dumper(float, FloatDumper)
    adapters.register_loader("numeric", NumericLoader)
    adapters.register_loader("json", JsonTextLoader)
