"""Errors of commands: payloads that do not have the shape of their wire format."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues


def invalid(what: str, reason: str) -> PuppetError:
    """Return the error of a document that does not have the expected shape."""
    return issues.INVALID_DOCUMENT(what=what, reason=reason)


def unstorable(what: str, reason: str) -> PuppetError:
    """Return the error of a document with a value that the real PuppetDB fails to store."""
    return issues.UNSTORABLE_DOCUMENT(what=what, reason=reason)
