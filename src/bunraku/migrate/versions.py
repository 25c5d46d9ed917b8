"""The versions that a migration goes from and to."""

from __future__ import annotations

NAMES = {"8": "Puppet 8", "9": "OpenVox 9"}
"""New version → its name in reports."""
OLD_VERSIONS = {"8": ("3.8", "3.0", "7"), "9": ("8", "7")}
"""New version → the versions that a migration to it can start from; the first is the default."""
ALL_OLD_VERSIONS = tuple(dict.fromkeys(old for olds in OLD_VERSIONS.values() for old in olds))


class ImpossibleMigration(Exception):
    """Raised for versions between which no migration is possible; the message says which are."""


def versions_of(old: str | None, new: str | None) -> tuple[str, str]:
    """Return the versions to migrate between, where one or both are not given.

    Raise ImpossibleMigration if there is no migration between them.

    >>> versions_of(None, None), versions_of("8", None), versions_of(None, "9")
    (('3.8', '8'), ('8', '9'), ('8', '9'))
    """
    if new is None:
        new = next((one for one, olds in OLD_VERSIONS.items() if old in olds), "8")
    old = old or OLD_VERSIONS[new][0]
    if old not in OLD_VERSIONS[new]:
        known = " or ".join(OLD_VERSIONS[new])
        raise ImpossibleMigration(f"cannot migrate from {old} to {new}; to {new}, use {known}")
    return old, new
