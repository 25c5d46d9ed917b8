"""Values as the batch protocol writes them, where JSON has no form for them."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

from bunraku.formats.encoding import to_bytes


def encode_line(data: Any) -> bytes:
    r"""Data as a line of JSON: text that is not UTF-8 and infinities in the protocol's own form.

    >>> encode_line({"a": "\udcff", "b": float("inf")})
    b'{"a":{"__bytes":"/w=="},"b":{"__float":"Infinity"}}\n'
    """
    try:
        return to_json(data)
    except (UnicodeEncodeError, ValueError):  # seldom: look for what JSON cannot hold
        return to_json(plain(data))


def to_json(data: Any) -> bytes:
    """Compact JSON and a line end."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8") + b"\n"


def plain(value: Any) -> Any:
    """Return the value in a form that JSON can represent."""
    match value:
        case str():
            return plain_text(value)
        case float() if not math.isfinite(value):
            return {"__float": "NaN" if math.isnan(value) else f"{'-' * (value < 0)}Infinity"}
        case dict():
            return {plain_key(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def plain_text(text: str) -> Any:
    """Return the text, or an object with its bytes if it is not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"__bytes": base64.b64encode(to_bytes(text)).decode("ascii")}
    return text


def plain_key(key: Any) -> str:
    r"""Return a key as text; bytes that are not UTF-8 become backslash escapes.

    >>> plain_key("a\udcff")
    'a\\xff'
    """
    return to_bytes(str(key)).decode("utf-8", "backslashreplace")
