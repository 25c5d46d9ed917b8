"""Data recorded from real Ruby and Puppet: ``tests/data/NAME.json``, a row on each line.

A row on each line keeps the files reviewable: a new recording shows up as the lines that changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"


def cases(name: str) -> list[Any]:
    """Return the rows of ``tests/data/NAME_cases.json``."""
    rows: list[Any] = recorded(f"{name}_cases")
    return rows


def recorded(name: str) -> Any:
    """Return the content of ``tests/data/NAME.json``."""
    return json.loads((DATA / f"{name}.json").read_bytes())


def write_recorded(name: str, data: Any) -> Path:
    """Write ``tests/data/NAME.json`` and return its path."""
    path = DATA / f"{name}.json"
    path.write_text(in_rows(data) + "\n", encoding="utf-8")
    return path


def in_rows(data: Any, depth: int = 0) -> str:
    """Return data as JSON with a row on each line.

    >>> print(in_rows({"a": [[1, 2], [3]], "b": 1}))
    {
    "a": [
    [1, 2],
    [3]
    ],
    "b": 1
    }
    """
    if isinstance(data, dict) and depth < 2 and data:
        rows: Iterable[str] = (
            f"{encoded(key)}: {in_rows(value, depth + 1)}" for key, value in data.items()
        )
        return "{\n" + ",\n".join(rows) + "\n}"
    if isinstance(data, list) and depth < 3 and any(isinstance(one, (list, dict)) for one in data):
        return "[\n" + ",\n".join(encoded(one) for one in data) + "\n]"
    return encoded(data)


def encoded(data: Any) -> str:
    """Return data as JSON on one line; lone surrogates are escaped, as UTF-8 has no form for them."""
    text = json.dumps(data, ensure_ascii=False)
    return text if text.isprintable() and not has_surrogates(text) else json.dumps(data)


def has_surrogates(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
