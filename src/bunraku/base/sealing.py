"""Bytes that show nothing to those who do not have their key: AES-256-GCM of the package cryptography, which is optional."""

from __future__ import annotations

import os
from importlib.util import find_spec

NONCE, KEY = 12, 32
"""Lengths in bytes: of the random value that AES-GCM uses once, and of a key."""


def can_seal() -> bool:
    """Return whether bytes can be sealed here."""
    return find_spec("cryptography") is not None


def sealed_bytes(content: bytes, key: bytes) -> bytes:
    """Return bytes that show nothing without their key of 32 bytes.

    >>> key, other = bytes(32), bytes([1]) * 32
    >>> sealed = sealed_bytes(b"hunter2", key)
    >>> b"hunter2" in sealed, opened_bytes(sealed, key), opened_bytes(sealed, other)
    (False, b'hunter2', None)
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(NONCE)
    return nonce + AESGCM(key).encrypt(nonce, content, None)


def opened_bytes(sealed: bytes, key: bytes) -> bytes | None:
    """Return what was sealed; None with another key, or if a byte was changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(sealed) < NONCE:
        return None
    try:
        return AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], None)
    except InvalidTag:
        return None
