"""Webhooks as git servers sign them."""

from __future__ import annotations

import hmac
from hashlib import sha256

SECRET = "a-secret-of-the-tests"


def signed(body: bytes, header: str, secret: str = SECRET) -> dict[str, str]:
    """Return the header with the signature of a body."""
    if header == "x-gitlab-token":
        return {header: secret}
    digest = hmac.new(secret.encode(), body, sha256).hexdigest()
    return {header: f"sha256={digest}" if "hub" in header else digest}
