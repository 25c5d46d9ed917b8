"""Certificates in files, one after the other or in binary form."""

from __future__ import annotations

import base64
import re

BLOCK = re.compile(rb"-----BEGIN [^\n]*CERTIFICATE.*?-----END [^\n]*CERTIFICATE-----", re.DOTALL)
WIDTH = 64


def certificates_in(content: bytes) -> list[bytes]:
    """Return the certificates of a file in PEM format, at least one.

    >>> certificates_in(b"\\x30\\x00")
    [b'-----BEGIN CERTIFICATE-----\\nMAA=\\n-----END CERTIFICATE-----']
    """
    return BLOCK.findall(content) or [pem_of(content)]


def pem_of(content: bytes) -> bytes:
    """Return a certificate of binary form in PEM format."""
    text = base64.b64encode(content)
    lines = [text[start : start + WIDTH] for start in range(0, len(text), WIDTH)]
    return b"\n".join([b"-----BEGIN CERTIFICATE-----", *lines, b"-----END CERTIFICATE-----"])
