"""Matching of node names in Puppet 3."""

from __future__ import annotations

from typing import Any, Final

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.syntax.nodes import Default, Regexp

NOT_IN_A_KEY: Final = lazy_pattern(r"[^-0-9A-Za-z_:.]")


def host_key(match: Any) -> str:
    """Return the key of a node name; two patterns may have the same key.

    >>> host_key(Regexp(0, 0, "^web[0-9]+"))
    '/web0-9/'
    """
    if isinstance(match, Default):
        return "default"
    if isinstance(match, Regexp):
        return f"/{NOT_IN_A_KEY.sub('', match.pattern.lower()).lstrip('.')}/"
    value: str = match.value
    return value.lower()
