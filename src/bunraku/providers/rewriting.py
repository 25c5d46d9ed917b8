"""Replace the content of existing files; their owner, mode and links stay."""

from __future__ import annotations

import errno
import os
import posixpath

from bunraku.world.host import Host

MOST_LINKS = 40
"""The longest chain of links to follow, as in the kernel."""


def rewrite(host: Host, path: str, content: bytes, *, new_mode: int | None = None) -> None:
    """Replace the content of a file; for a link, replace the content of its target.

    An absent file is created with ``new_mode``; without ``new_mode``, FileNotFoundError is raised.
    """
    real = behind_links(host, path)
    status = host.status(real)
    if status is None and new_mode is not None:
        host.replace_file(real, [content], mode=new_mode)
        return
    if status is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    owner = (status.uid, status.gid) if host.effective_user() == 0 else None
    host.replace_file(real, [content], mode=status.mode, owner=owner)


def behind_links(host: Host, path: str) -> str:
    """Follow the symbolic links of a path and return the last target; other paths are unchanged."""
    for _ in range(MOST_LINKS):
        status = host.status(path)
        if status is None or status.kind != "link":
            return path
        path = posixpath.join(posixpath.dirname(path), host.link_target(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
