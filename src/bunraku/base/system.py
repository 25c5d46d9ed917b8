"""What POSIX systems have and Windows lacks: flags, owners, modes. Each has a value for both.

Windows gives files an access list instead of owner and mode; a home directory is private there.
"""

from __future__ import annotations

import os

PLAIN: int = (
    getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
)
"""Flags for every file: other programs do not inherit it, and its bytes are read as they are."""
NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
AT_ONCE: int = getattr(os, "O_NONBLOCK", 0)
NO_TERMINAL: int = getattr(os, "O_NOCTTY", 0)
DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
HAS_OWNERS = hasattr(os, "geteuid")
HAS_FORK = hasattr(os, "fork")
OPENS_FOLDERS = HAS_OWNERS and os.open in os.supports_dir_fd
"""Whether folders can be opened, and names be used relative to them."""


def user() -> int:
    """Return the number of the effective user; 0 on a system where all files belong to that number."""
    return os.geteuid() if HAS_OWNERS else 0


def network_name() -> str:
    """Return the name of this machine."""
    return os.uname().nodename if HAS_OWNERS else os.environ.get("COMPUTERNAME", "localhost")


def set_mode(handle: int, mode: int) -> None:
    """Set the mode of an open file, on a system with modes. Raise OSError."""
    if HAS_OWNERS:
        os.fchmod(handle, mode)


def has_mode(status: os.stat_result, mode: int) -> bool:
    """Return whether a file has a mode; on a system without modes, each file has each."""
    return not HAS_OWNERS or status.st_mode & 0o777 == mode
