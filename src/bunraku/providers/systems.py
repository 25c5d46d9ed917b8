"""The family of the operating system, which chooses among the providers of a type."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.world.host import Host

LINE = lazy_pattern(r"^(ID|ID_LIKE)=(.*)$", re.MULTILINE)
FREEBSD = frozenset({"freebsd", "dragonfly"})
"""The IDs of FreeBSD and of the system that is derived from it."""
RED_HAT = frozenset(
    {"almalinux", "amzn", "centos", "fedora", "ol", "redhat", "rhel", "rocky", "scientific"}
)
SUSE = frozenset({"sled", "sles", "suse", "opensuse"})


def families(host: Host) -> frozenset[str]:
    """Return the IDs of the system and of the systems that it is derived from, in lower case."""
    try:
        text = host.read("/etc/os-release").decode("utf-8", "replace")
    except OSError:
        return frozenset()
    words = (word for _, value in LINE.findall(text) for word in value.strip("\"'").split())
    return frozenset(map(str.lower, words))


def is_debian(host: Host) -> bool:
    """Return whether the system is Debian or derived from it."""
    return "debian" in families(host)


def is_red_hat(host: Host) -> bool:
    """Return whether the system is of the family of Red Hat."""
    return not RED_HAT.isdisjoint(families(host))


def is_suse(host: Host) -> bool:
    """Return whether the system is of the family of SUSE."""
    return not SUSE.isdisjoint(families(host))
