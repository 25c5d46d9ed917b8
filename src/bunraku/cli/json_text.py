"""JSON as the commands print it."""

from __future__ import annotations

import json
from typing import Any

from bunraku.catalog.issues import NUMBER_NOT_JSON


def json_text(data: Any, *, indent: int | None = None) -> str:
    """JSON with text as it is; an error for numbers that JSON cannot hold.

    >>> json_text({"é": [1, None]})
    '{"é":[1,null]}'
    """
    separators = (",", ":") if indent is None else None
    try:
        return json.dumps(
            data, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
        )
    except ValueError:
        raise NUMBER_NOT_JSON() from None


def clean_json_text(data: Any) -> str:
    """JSON for programs that insist on UTF-8: bytes that are none are replaced, lines indented."""
    text = json_text(data, indent=2)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "\n"
