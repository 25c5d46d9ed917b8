"""Owners of searched directories: other users must not be able to create files in them."""

from __future__ import annotations

import os
import stat


def is_shared(directory: str, start: str) -> bool:
    """Return whether a directory above ``start`` may contain files that another user put there.

    This is the case if it belongs neither to this user, nor to root, nor to the owner of ``start``,
    or if all users can write to it, as to ``/tmp``, which has the sticky bit.

    >>> is_shared("/tmp", "/tmp/work"), is_shared("/", "/tmp")
    (True, False)
    """
    status = status_of(directory)
    if status is None:
        return False  # nothing can be read there either
    below = status_of(start)
    trusted = {0, os.geteuid()} if below is None else {0, os.geteuid(), below.st_uid}
    for_all = stat.S_ISVTX | stat.S_IWOTH
    return status.st_uid not in trusted or status.st_mode & for_all == for_all


def status_of(path: str) -> os.stat_result | None:
    """Return the status of a file; None if there is none."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None
