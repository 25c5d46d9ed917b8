"""The links in systemd's directories that enable or mask units.

systemd keeps the state of the unit file of a loaded unit until its files are reloaded. If links were
changed without ``systemctl``, ``systemctl show`` returns the old state; these links show it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import suppress

from bunraku.base.records import record
from bunraku.world.host import Host

DIRECTORIES = ("/etc/systemd/system", "/run/systemd/system")
"""The directories in which ``systemctl`` makes links."""
DEPENDENCIES = (".wants", ".requires", ".upholds")
"""The suffixes of directories whose links start units with another unit."""
NOT_LINKED = frozenset({"disabled", "static", "indirect"})
"""The states of unit files without a link that enables them."""


@record(frozen=True)
class UnitLinks:
    """The names of units with links that enable them, and the entries of systemd's directories."""

    enabled: frozenset[str]
    entries: frozenset[str]

    def confirm(self, name: str, state: str, fragment: str) -> bool:
        """Return whether the links of a unit fit the state of its unit file.

        ``fragment`` is the path of the unit file that systemd has read.
        """
        hidden = any(
            path in self.entries and path != fragment
            for path in (posixpath.join(directory, name) for directory in DIRECTORIES)
        )
        if hidden or "@" in name:
            return False
        if state == "enabled":
            return name in self.enabled
        if state == "masked":
            return fragment in self.entries
        return state in NOT_LINKED and name not in self.enabled


def read_unit_links(host: Host) -> UnitLinks:
    """Read the links of systemd's directories, which may be absent."""
    enabled: set[str] = set()
    entries: set[str] = set()
    for directory in DIRECTORIES:
        for name, target in scanned(host, directory):
            path = posixpath.join(directory, name)
            if name.endswith(DEPENDENCIES):
                for pair in scanned(host, path):
                    enabled.update(pair)
                continue
            entries.add(path)
            if target != name:  # an alias
                enabled.add(target)
    return UnitLinks(frozenset(enabled), frozenset(entries))


def scanned(host: Host, directory: str) -> Iterator[tuple[str, str]]:
    """Yield the names in a directory, each with the name of the file that a link leads to."""
    if not host.is_directory(directory):
        return
    for name, status in host.scan(directory):
        target = name
        if status.kind == "link":
            with suppress(FileNotFoundError):  # removed since
                target = posixpath.basename(host.link_target(posixpath.join(directory, name)))
        yield name, target
