"""The family of the operating system, which chooses among the providers of a type."""

from __future__ import annotations

from bunraku.providers.service.system import families
from bunraku.world.host import Host

RED_HAT = frozenset(
    {"almalinux", "amzn", "centos", "fedora", "ol", "redhat", "rhel", "rocky", "scientific"}
)
SUSE = frozenset({"sled", "sles", "suse", "opensuse"})


def is_debian(host: Host) -> bool:
    """Return whether the system is Debian or derived from it."""
    return "debian" in families(host)


def is_red_hat(host: Host) -> bool:
    """Return whether the system is of the family of Red Hat."""
    return not RED_HAT.isdisjoint(families(host))


def is_suse(host: Host) -> bool:
    """Return whether the system is of the family of SUSE."""
    return not SUSE.isdisjoint(families(host))
