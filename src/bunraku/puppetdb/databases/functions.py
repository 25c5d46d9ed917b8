"""SQL functions that SQLite lacks and PostgreSQL has, in Python."""

from __future__ import annotations

import json
from collections.abc import Callable

from bunraku.puppetdb.databases.regular_expressions import matches
from bunraku.puppetdb.databases.statement import Value
from bunraku.puppetdb.databases.to_char import formatted_time, number_text
from bunraku.puppetdb.json_values import Json, canonical_json, kind_of
from bunraku.puppetdb.timestamps import to_text


def jsonb_typeof(text: str | None) -> str | None:
    """Return the name of the type of a JSON text."""
    return None if text is None else kind_of(json.loads(text))


def json_at(text: str | None, steps: str) -> str | None:
    """Return the part of a JSON text at some keys and indexes; None if there is none.

    >>> json_at('{"a": [1, {"b": true}]}', '["a", 1]'), json_at("[]", "[0]")
    ('{"b": true}', None)
    """
    if text is None:
        return None
    value: Json = json.loads(text)
    for step in json.loads(steps):
        part = member(value, step)
        if part is None:
            return None
        (value,) = part
    return canonical_json(value)


def member(value: Json, step: str | int) -> tuple[Json] | None:
    """Return the value at a key or an index, in a tuple; None if there is none."""
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        return (value[step],)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return (value[step],)
    return None


def json_contains(text: str | None, part: str) -> bool:
    """Return whether a JSON text contains another: keys of objects and items of arrays count."""
    return text is not None and contains(json.loads(text), json.loads(part))


def contains(value: Json, part: Json) -> bool:
    """Return whether a value contains another, as ``@>`` defines it.

    >>> contains({"a": [1, 2], "b": None}, {"a": [2]}), contains(1, True)
    (True, False)
    """
    if isinstance(part, dict):
        return isinstance(value, dict) and all(
            key in value and contains(value[key], item) for key, item in part.items()
        )
    if isinstance(part, list):
        return isinstance(value, list) and all(
            any(contains(candidate, item) for candidate in value) for item in part
        )
    return kind_of(value) == kind_of(part) and value == part


def json_text(text: str | None) -> str | None:
    """Return the text of a scalar without quotes; None for null."""
    if text is None or text == "null":
        return None
    return json.loads(text) if text.startswith('"') else text


def jsonb_order(left: str | None, right: str) -> int | None:
    """Return -1, 0 or 1 as one JSON text comes before, with or after another.

    >>> jsonb_order("2", "10"), jsonb_order('"2"', "10"), jsonb_order("true", "10")
    (-1, -1, 1)
    """
    if left is None:
        return None
    first, second = rank(json.loads(left)), rank(json.loads(right))
    return (first > second) - (first < second)


RANKS = ("null", "string", "number", "boolean", "array", "object")


def rank(value: Json) -> tuple[int, float, str]:
    """Return the sort key of a JSON value: type, number, text."""
    number = value if isinstance(value, int | float) else 0
    text = value if isinstance(value, str) else canonical_json(value)
    return RANKS.index(kind_of(value)), number, "" if number else text


def path_matches(patterns: str, path: str) -> bool:
    """Return whether each step of a path matches its pattern: an expression, or an index."""
    expected, found = json.loads(patterns), json.loads(path)
    return len(expected) == len(found) and all(map(step_matches, expected, found))


def step_matches(pattern: str | int, step: str | int) -> bool:
    """Return whether a step of a path matches; digits match keys alone.

    >>> step_matches(".*", 0), step_matches("0", 0), step_matches(0, 0)
    (True, False, True)
    """
    if isinstance(pattern, int):
        return isinstance(step, int) and matches(str(pattern), str(step)) is True
    if pattern.isascii() and pattern.isdigit() and isinstance(step, int):
        return False
    return matches(pattern, str(step)) is True


def to_char(value: Value, pattern: str, *, is_time: bool) -> str | None:
    """Return a number, or a time in milliseconds, in PostgreSQL's format ``pattern``."""
    if value is None or isinstance(value, str | bytes):
        return None
    return formatted_time(int(value), pattern) if is_time else number_text(value, pattern)


def second_text(milliseconds: int | None) -> str | None:
    """Return a time without its fraction, as the data of sub-objects have it.

    >>> second_text(1500)
    '1970-01-01T00:00:01+00:00'
    """
    return None if milliseconds is None else f"{to_text(milliseconds)[:19]}+00:00"


FUNCTIONS: tuple[tuple[str, int, Callable[..., Value]], ...] = (
    ("matches", 2, matches),
    ("second_text", 1, second_text),
    ("jsonb_typeof", 1, jsonb_typeof),
    ("jsonb_order", 2, jsonb_order),
    ("path_matches", 2, path_matches),
    ("json_text", 1, json_text),
    ("json_at", 2, json_at),
    ("json_contains", 2, json_contains),
    ("time_text", 2, lambda value, pattern: to_char(value, pattern, is_time=True)),
    ("number_text", 2, lambda value, pattern: to_char(value, pattern, is_time=False)),
)
