"""The secret that the machines of one user share, to take over each other's cache."""

from __future__ import annotations

import os
from hashlib import blake2b

from bunraku.base.command_names import BEFORE_COMMANDS, CACHE_KEY

SHORTEST = 32
"""Characters of a secret; ``openssl rand -hex 32`` makes 64."""

TAKEN: list[str] = []


def forget_secret() -> None:
    """Forget the secret of the last command."""
    TAKEN.clear()


BEFORE_COMMANDS.append(forget_secret)


def take_secret() -> None:
    """Take the secret out of the environment: programs that the process starts do not get it."""
    found = os.environ.pop(CACHE_KEY, None)
    if found:
        TAKEN[:] = [found]


def key_for(purpose: str) -> bytes | None:
    """Return the key that the secret gives for a purpose; None without a secret.

    >>> TAKEN[:] = ["s" * 32]
    >>> key_for("a") == key_for("a"), key_for("a") == key_for("b"), len(key_for("a"))
    (True, False, 64)
    >>> forget_secret()
    """
    take_secret()
    if not TAKEN:
        return None
    secret = blake2b(TAKEN[0].encode(errors="surrogateescape")).digest()
    return blake2b(purpose.encode(), key=secret, digest_size=blake2b.MAX_KEY_SIZE).digest()


def why_unfit() -> str | None:
    """Return why there is no secret that can protect a file; None if there is one."""
    take_secret()
    if not TAKEN:
        return f"{CACHE_KEY} is not set"
    if len(TAKEN[0]) < SHORTEST:
        return f"{CACHE_KEY} must have at least {SHORTEST} characters"
    return None
