"""Text as bytes."""

from __future__ import annotations


def encode(text: str, others: str = "backslashreplace") -> bytes:
    r"""Return the text as UTF-8; lone surrogates become the bytes that they represent.

    ``others`` is the handler of errors for surrogates that represent no byte.

    >>> encode("é\udcff")
    b'\xc3\xa9\xff'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that represents no byte
        return b"".join(
            one.encode("utf-8", "surrogateescape" if "\udc80" <= one <= "\udcff" else others)
            for one in text
        )
