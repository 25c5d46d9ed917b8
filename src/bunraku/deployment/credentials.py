"""Credentials in URLs, which no message, log or file may show."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern

PASSWORD = lazy_pattern(r"(?<=://)([^/:@\s]*):[^/@\s]*(?:@[^/@\s]*)*(?=@)")


def without_password(text: str) -> str:
    """Return a text with the passwords of its URLs replaced by asterisks; user names stay.

    >>> without_password(
    ...     "fatal: cannot read https://me:a@b@example.com/x.git and ssh://git@example.com"
    ... )
    'fatal: cannot read https://me:***@example.com/x.git and ssh://git@example.com'
    """
    return PASSWORD.sub(r"\1:***", text)
