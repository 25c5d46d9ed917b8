"""The attributes that every resource has, regardless of its type."""

from __future__ import annotations

METAPARAMETERS: tuple[str, ...] = (
    "noop",
    "schedule",
    "audit",
    "loglevel",
    "alias",
    "tag",
    "require",
    "subscribe",
    "before",
    "notify",
    "stage",
)
"""In Puppet's order, which suggestions follow."""

METAPARAMETER_NAMES = frozenset(METAPARAMETERS)
"""The same, for tests of membership."""
