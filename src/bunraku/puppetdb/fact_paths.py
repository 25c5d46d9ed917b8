"""Paths into structured facts: ``["os", "release", 0]``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

from bunraku.puppetdb.json_values import Json

Path: TypeAlias = "tuple[str | int, ...]"

DELIMITER = "#~"
UNESCAPED = re.compile(r"(\\?#)(\\*~)")


def leaves_of(path: Path, value: Json) -> Iterator[tuple[Path, Json]]:
    """Yield the scalars in a value with their paths; empty arrays and objects have none.

    >>> list(leaves_of(("os",), {"family": "Debian", "tags": ["x"], "none": {}}))
    [(('os', 'family'), 'Debian'), (('os', 'tags', 0), 'x')]
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves_of((*path, key), item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves_of((*path, index), item)
    else:
        yield path, value


def path_text(path: Path) -> str:
    """Return a path as the database has it: a JSON array."""
    return json.dumps(path, ensure_ascii=False)


def encoded_path(path: Path) -> str:
    """Return a path in PuppetDB's form with delimiters, which regular expressions match.

    >>> encoded_path(("networking", "interfaces", "eth0", 1, "2"))
    'networking#~interfaces#~eth0#~1#~"2"'
    """
    return DELIMITER.join(map(encoded_step, path))


def encoded_step(step: str | int) -> str:
    """Return a step of a path: digits in quotes if they are a key, delimiters escaped."""
    if isinstance(step, int):
        return str(step)
    quoted = f'"{step}"' if step.isascii() and step.isdigit() else step
    return UNESCAPED.sub(r"\\\1\\\2", quoted)
