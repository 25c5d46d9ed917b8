"""The kernel's settings in ``/proc/sys``, by the names that the program ``sysctl`` uses."""

from __future__ import annotations

import posixpath

from bunraku.world.host import Host

ROOT = "/proc/sys"
LONGEST = 1 << 16
"""The bytes that one read may return; most of these files can only be read at once."""
SWAPPED = str.maketrans("./", "/.")


def setting_path(name: str) -> str | None:
    """Return the file of a setting; None for a name that ``sysctl`` does not use.

    In names, dots stand for slashes, and slashes for dots.

    >>> (
    ...     setting_path("net.ipv4.conf.eth0/1.forwarding"),
    ...     setting_path("net/ipv4/ip_forward"),
    ...     setting_path("a..b"),
    ... )
    ('/proc/sys/net/ipv4/conf/eth0.1/forwarding', '/proc/sys/net/ipv4/ip_forward', None)
    """
    separators = [character for character in name if character in "./"]
    path = name if separators[:1] == ["/"] else name.translate(SWAPPED)
    if not all(part.strip(".") for part in path.split("/")):
        return None
    return posixpath.join(ROOT, path)


def read_setting(host: Host, name: str) -> str | None:
    """Return the value of a setting without the end of its last line; None if it cannot be read."""
    path = setting_path(name)
    if path is None:
        return None
    try:
        with host.open(path) as file:
            found = file.read(LONGEST)
    except OSError:
        return None
    return found.decode("utf-8", "replace").removesuffix("\n")
