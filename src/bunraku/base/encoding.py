"""Text as bytes."""

from __future__ import annotations


def encode(text: str) -> bytes:
    r"""Return the text as UTF-8; lone surrogates become the bytes that they represent.

    >>> encode("é\udcff")
    b'\xc3\xa9\xff'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that represents no byte
        return b"".join(
            one.encode(
                "utf-8", "surrogateescape" if "\udc80" <= one <= "\udcff" else "backslashreplace"
            )
            for one in text
        )
