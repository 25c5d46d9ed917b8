"""Forms as bodies of requests, with texts whose bytes are percent-encoded (``x-www-form-urlencoded``).

``urllib.parse`` takes 2 ms for the facts of a node, which are encoded twice: each byte is an object of its own.
"""

from __future__ import annotations

from binascii import a2b_qp
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote

ERRORS = "surrogateescape"


def form_fields(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the names and values in a form; bytes that are not UTF-8 are surrogates.

    >>> list(form_fields(b"a=1+%41&b&&c=%25"))
    [('a', '1 A'), ('b', ''), ('c', '%')]
    """
    if not content.isascii():
        text = content.decode("latin-1")
        yield from parse_qsl(text, keep_blank_values=True, errors=ERRORS)
        return
    for field in content.decode("ascii").split("&"):
        if field:
            name, _, value = field.replace("+", " ").partition("=")
            yield percent_decoded(name), percent_decoded(value)


def percent_decoded(text: str) -> str:
    """Return what ``urllib.parse.unquote`` returns; bytes that are not UTF-8 are surrogates.

    Python decodes quoted-printable text in C, which has ``=`` for ``%``. It treats the end of a line and an
    incomplete escape in its own way: then a line break is in the text, or less than two bytes are
    saved for each escape.

    >>> percent_decoded("%7B%22a=%C3%BC%22%7D"), percent_decoded("100%")
    ('{"a=ü"}', '100%')
    """
    escapes = text.count("%")
    if not escapes:
        return text
    if text.isascii() and "\n" not in text and "\r" not in text:
        plain = a2b_qp(text.replace("=", "=3D").replace("%", "="))
        if len(plain) == len(text) - 2 * escapes:
            return plain.decode("utf-8", ERRORS)
    return unquote(text, errors=ERRORS)
