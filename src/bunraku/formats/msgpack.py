"""MessagePack as Puppet agents write it, by the package ``msgpack`` of the extra ``server``.

https://github.com/msgpack/msgpack/blob/master/spec.md
"""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

from bunraku.formats.failure import FormatError


def has_msgpack() -> bool:
    """Return whether the package is installed."""
    return find_spec("msgpack") is not None


def parse_msgpack(content: bytes) -> Any:
    r"""Return the data of a MessagePack document; FormatError if it is broken or has other values.

    Bytes become text as in JSON: those that are not UTF-8 are surrogates. Values that JSON cannot
    have are refused: keys that are not text, extension types, infinity and NaN.
    ModuleNotFoundError without the package.
    """
    import msgpack  # the package is optional

    try:
        data = msgpack.unpackb(
            content, ext_hook=refused_extension, timestamp=0, unicode_errors="surrogateescape"
        )
        return plain(data)
    except (TypeError, ValueError, msgpack.UnpackException) as error:
        raise FormatError(str(error) or "it is broken or nested too deeply") from None


def refused_extension(code: int, _content: bytes) -> Any:
    """Raise ValueError: no value of Puppet has an extension type."""
    raise ValueError(f"it has a value of the extension type {code}")


def plain(value: Any) -> Any:
    """Return a value as JSON has it; TypeError or ValueError for one that JSON cannot have.

    The reader has limited the depth.
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {text_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is not a number")
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError("it has a time, which is not a data value")


def text_key(key: object) -> str:
    """Return a key that is a text; TypeError for others."""
    if not isinstance(key, str):
        raise TypeError("a key is not a text")
    return key
