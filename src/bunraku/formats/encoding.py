"""Text as bytes. Bytes that are not UTF-8 are surrogates in text, as ``surrogateescape`` makes them."""

from __future__ import annotations

from bunraku.base.encoding import encode


def to_bytes(text: str) -> bytes:
    r"""Return the bytes of a text; surrogates that represent no byte are encoded as Ruby does.

    >>> to_bytes("é\udcff"), to_bytes("\ud800\udcff")
    (b'\xc3\xa9\xff', b'\xed\xa0\x80\xff')
    """
    return encode(text, "surrogatepass")


def plain_text(text: str) -> str:
    r"""Return text whose surrogates all represent bytes: those that did not become three of them.

    >>> plain_text("a\ud800") == "a\udced\udca0\udc80"
    True
    """
    return to_bytes(text).decode("utf-8", "surrogateescape")
