"""TOML as the library's own writer makes it, with Ruby's ``inspect`` for the values."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.stdlib import issues
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.texts import inspect_text, kind_name

Value = Any
Entry = tuple[Value, Value]

BARE = lazy_pattern(r"^[a-zA-Z0-9_-]*$", re.MULTILINE)
NEEDLESS = lazy_pattern(r"\\(#[$@{])")


def value_text(value: Value) -> str:
    """Return the text of a value that is not a table."""
    if value.__class__ is str:
        return NEEDLESS.sub(r"\1", inspect_text(value))
    if value.__class__ is Regexp:
        return inspect_text(to_text(value))
    return inspect(value)


class TomlWriter:
    """Writes a hash: first its plain values, then tables, then arrays of tables."""

    def __init__(self, function_name: str) -> None:
        self.function_name = function_name
        self.parts: list[str] = []

    def refusal(self, value: Value) -> Exception:
        """Return the error for a value that the writer does not support."""
        return issues.NOT_WRITTEN(name=self.function_name, actual=kind_name(value), format="TOML")

    def key_text(self, key: Value) -> str:
        """Return a key, quoted if necessary."""
        text = to_s(key)
        if BARE.search(text):
            return text
        if key.__class__ is not str:
            raise self.refusal(key)
        return '"' + text.replace('"', '\\"') + '"'

    def sorted_entries(self, table: Value) -> list[Entry]:
        """Return the entries in the order of their keys, which must be of one kind."""
        if table.__class__ is not dict:
            raise self.refusal(table)
        entries = list(pairs(table))
        kinds = {key.__class__ for key, _ in entries}
        if len(entries) > 1 and kinds != {str} and not kinds <= {int, float}:
            raise self.refusal(entries[0][0])
        return sorted(
            entries,
            key=lambda entry: (
                entry[0].encode("utf-8", "surrogateescape")
                if entry[0].__class__ is str
                else entry[0]
            ),
        )

    def write_table(self, table: dict[Any, Value], path: list[str], *, header: bool) -> None:
        """Write a table and its contents."""
        plain: list[Entry] = []
        tables: list[Entry] = []
        arrays: list[Entry] = []
        for key, value in self.sorted_entries(table):
            if value.__class__ is dict:
                tables.append((key, value))
            elif value.__class__ is list and value and value[0].__class__ is dict:
                arrays.append((key, value))
            else:
                plain.append((key, value))
        if header and path and (plain or not table):
            self.parts.append(f"[{'.'.join(path)}]\n")
        self.parts.extend(f"{self.key_text(key)} = {value_text(value)}\n" for key, value in plain)
        for key, value in tables:
            self.write_table(value, [*path, self.key_text(key)], header=True)
        for key, value in arrays:
            inner = [*path, self.key_text(key)]
            for item in value:
                self.parts.append(f"[[{'.'.join(inner)}]]\n")
                self.write_table(item, inner, header=False)


def write_toml(function_name: str, table: dict[Any, Value]) -> str:
    """Return a hash as TOML."""
    writer = TomlWriter(function_name)
    writer.write_table(table, [], header=True)
    return "".join(writer.parts)
