"""Bytes as a value."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values import issues

NOT_BASE64 = lazy_pattern(r"[^A-Za-z0-9+/]")
STRICT_BASE64 = lazy_pattern(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z")


class Binary:
    """A sequence of bytes; its text is strict Base64.

    >>> Binary(b"abc")
    Binary("YWJj")
    """

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    @classmethod
    def from_strict_base64(cls, text: str) -> Binary:
        """Return the Binary of format ``%B``: padded, no line breaks."""
        if not STRICT_BASE64.match(text):
            raise issues.INVALID_BASE64(kind="strict Base64", text=repr(text))
        return cls(base64.b64decode(text))

    @classmethod
    def from_base64(cls, text: str) -> Binary:
        """Return the Binary of format ``%b``: other characters are ignored, padding is optional.

        >>> Binary.from_base64("YW\\nJj").data
        b'abc'
        """
        return cls(decode_base64(NOT_BASE64.sub("", text.partition("=")[0])))

    @classmethod
    def from_url_safe_base64(cls, text: str) -> Binary:
        """Return the Binary of format ``%u``: Base64 with ``-`` and ``_``, padding optional."""
        standard = text.replace("-", "+").replace("_", "/")
        if not standard.endswith("=") and len(standard) % 4:
            standard += "=" * (-len(standard) % 4)
        return cls.from_strict_base64(standard)

    @classmethod
    def from_text(cls, text: str) -> Binary:
        """Return the Binary of formats ``%s`` and ``%r``: the bytes of a string."""
        return cls(text.encode("utf-8", "surrogateescape"))

    def base64(self) -> str:
        """Return strict Base64: one line, padded."""
        return base64.b64encode(self.data).decode("ascii")

    def base64_lines(self) -> str:
        """Return Base64 in lines of 60 characters, each with a line end."""
        encoded = self.base64()
        return "".join(encoded[at : at + 60] + "\n" for at in range(0, len(encoded), 60))

    def url_safe_base64(self) -> str:
        """Return Base64 with ``-`` and ``_``."""
        return base64.urlsafe_b64encode(self.data).decode("ascii")

    def text(self) -> str:
        """Return the bytes as a string; raise UnicodeDecodeError if they are not UTF-8."""
        return self.data.decode("utf-8")

    def __str__(self) -> str:
        return self.base64()

    def __repr__(self) -> str:
        return f'Binary("{self.base64()}")'

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[int]:
        return iter(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Binary) and self.data == other.data

    def __hash__(self) -> int:
        return hash((Binary, self.data))

    def __reduce__(self) -> tuple[type[Binary], tuple[bytes]]:
        return Binary, (self.data,)


def decode_base64(digits: str) -> bytes:
    """Return the bytes of unpadded Base64; drop a last digit that is not a whole byte."""
    if len(digits) % 4 == 1:
        digits = digits[:-1]
    return base64.b64decode(digits + "=" * (-len(digits) % 4))
