"""JSON Web Tokens, taken apart."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import Any


def claims_of(token: str) -> tuple[bytes, bytes, dict[str, Any]]:
    """Return what is signed in a token, its signature, and its claims."""
    signed, _, signature = token.rpartition(".")
    claims = json.loads(decoded(signed.partition(".")[2]))
    return signed.encode(), decoded(signature), claims


def decoded(text: str) -> bytes:
    """Return the bytes of text in the base 64 of URLs."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
