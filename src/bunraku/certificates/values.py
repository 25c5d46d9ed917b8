"""Values of Puppet's certificate extensions in DER.

Extensions of old agents hold the text itself (PUP-3560); a value that is not DER is that text.
"""

from __future__ import annotations

from typing import TypeAlias

Value: TypeAlias = "str | int | bool | None"

BOOLEAN, INTEGER, OCTETS, NULL, ENUMERATED, UTF8_STRING = 1, 2, 4, 5, 10, 12
TEXTS = frozenset({OCTETS, UTF8_STRING, 18, 19, 20, 21, 22, 25, 26, 27})
"""Tags of strings with one byte a character, or UTF-8."""
WIDE = {28: "utf-32-be", 30: "utf-16-be"}
"""Tags of strings with wide characters, and their encodings."""
LONG_FORM = 0x80


def decoded(content: bytes) -> Value:
    """Return the value of an extension: that of its DER, else the content as a text.

    Other types than strings, numbers, booleans and null are not decoded.

    >>> (
    ...     decoded(b"\\x0c\\x03web"),
    ...     decoded(b"web"),
    ...     decoded(b"\\x02\\x01\\xff"),
    ...     decoded(b"\\x0c\\x09web"),
    ... )
    ('web', 'web', -1, '\\x0c\\tweb')
    """
    parts = element(content)
    if parts is None:
        return text(content)
    tag, inner = parts
    if tag in TEXTS:
        return text(inner)
    if tag in WIDE:
        return inner.decode(WIDE[tag], "replace")
    if tag in {INTEGER, ENUMERATED} and inner:
        return int.from_bytes(inner, "big", signed=True)
    if tag == BOOLEAN and len(inner) == 1:
        return inner != b"\x00"
    if tag == NULL and not inner:
        return None
    return text(content)


def element(content: bytes) -> tuple[int, bytes] | None:
    """Return the tag and the content of DER that is one element and nothing else."""
    if len(content) < 2:
        return None
    tag, length, start = content[0], content[1], 2
    if length > LONG_FORM:
        start += length - LONG_FORM
        length = int.from_bytes(content[2:start], "big")
    elif length == LONG_FORM:
        return None
    return (tag, content[start:]) if len(content) == start + length else None


def text(content: bytes) -> str:
    """Return bytes as a text; U+FFFD stands for those that are not UTF-8."""
    return content.decode("utf-8", "replace")


def encoded(value: str) -> bytes:
    """Return a text as DER, a UTF8String.

    >>> encoded("web"), len(encoded("x" * 300))
    (b'\\x0c\\x03web', 304)
    """
    content = value.encode("utf-8")
    size = len(content)
    if size < LONG_FORM:
        return bytes([UTF8_STRING, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([UTF8_STRING, LONG_FORM + len(length)]) + length + content
