"""The first process of the machine, and its links of init scripts."""

from __future__ import annotations

import re

from bunraku.world.host import Host

RUNLEVEL = re.compile(r"rc.*\.d")
ENOUGH_LINKS = 4
"""The runlevels that must have a link to a script that starts at boot, at least."""
ENABLED_CODES = frozenset({104, 106})
"""Exit codes of ``invoke-rc.d --query``: the script, or a fallback, would be started."""
UNKNOWN_CODES = frozenset({101, 105})
"""Exit codes of ``invoke-rc.d --query``: the policy forbids the action or is unknown."""


def runs_systemd(host: Host) -> bool:
    """Return whether systemd is the first process of the machine."""
    try:
        return b"systemd" in host.read("/proc/1/comm")
    except OSError:
        return False


def start_links(host: Host, name: str) -> int:
    """Return the number of runlevels in which the init script of a service is started."""
    pattern = re.compile(rf"S..{re.escape(name)}")
    count = 0
    for directory in host.list_directory("/etc"):
        if RUNLEVEL.fullmatch(directory) and host.is_directory(f"/etc/{directory}"):
            names = host.list_directory(f"/etc/{directory}")
            count += sum(1 for one in names if pattern.fullmatch(one))
    return count


def enabled_by_policy(host: Host, code: int, name: str) -> bool:
    """Return whether a script starts at boot, from the exit code of ``invoke-rc.d --query``."""
    if code in UNKNOWN_CODES:
        return start_links(host, name) >= ENOUGH_LINKS
    return code in ENABLED_CODES
