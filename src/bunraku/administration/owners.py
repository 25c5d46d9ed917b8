"""Give the files of a site to the user who runs it."""

from __future__ import annotations

import os


def give(root: str, user: int, group: int) -> None:
    """Change the owner of a directory and of all below it; links are not followed. Raise OSError."""
    if (user, group) == (os.geteuid(), os.getegid()):
        return
    for directory, folders, files in os.walk(root):
        for name in (*folders, *files):
            os.lchown(os.path.join(directory, name), user, group)
    os.lchown(root, user, group)
