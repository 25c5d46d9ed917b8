"""Names and values that are secrets: pages never show them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ENCRYPTED = re.compile(r"ENC\[|-----BEGIN ")
SECRET_NAME = re.compile(
    r"(?:^|[_:.-])(?:password|passwd|passphrase|secret|secrets|token|tokens|api_key|private_key|credentials)"
    r"(?:_hash)?$",
    re.IGNORECASE,
)


def is_secret_name(name: str) -> bool:
    """Return whether a name is that of a secret.

    >>> [is_secret_name(one) for one in ("db::root_password", "db::password_length", "api::token")]
    [True, False, True]
    """
    return SECRET_NAME.search(name) is not None


def has_secret(value: Any) -> bool:
    """Return whether a value has an encrypted part, or an entry with the name of a secret."""
    if isinstance(value, str):
        return ENCRYPTED.search(value) is not None
    if isinstance(value, Mapping):
        return any(
            has_secret(key) or has_secret(one) or (isinstance(key, str) and is_secret_name(key))
            for key, one in value.items()
        )
    return isinstance(value, list) and any(map(has_secret, value))
