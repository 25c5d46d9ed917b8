"""Owners and modes of files that are found by searching: other users must not be able to write them.

Two rules, as those of git (``safe.directory``) and of ssh (``StrictModes``): what is read must belong to
this user, to root, or to the owner of the directory that the user chose; a program is started for a
file only if no user but this one and root can have written the file or renamed a directory above it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator

from bunraku.base import system
from bunraku.base.fences import SAFE, is_safe

ROOT = 0
MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def reason_against(path: str, start: str) -> str | None:
    """Return why other users can have written a file or directory, found from ``start``; None if not.

    It must belong to this user, to root, or to the owner of ``start``, and only these and members of the
    group of ``start`` may write to it. The user chose ``start``: everybody may write there, unless it
    is a directory for everybody, such as ``/tmp``, which has the sticky bit. A file in a ``start`` in
    which everybody may write has no better mode than that.

    >>> reason_against("/tmp", "/tmp/work"), reason_against("/", "/tmp")
    ('all users can write to it', None)
    """
    status, below = file_status(path), file_status(start)
    if status is None or not system.HAS_OWNERS or is_safe(os.path.realpath(path)):
        return None  # nothing can be read there
    owners, groups = own_users(), {ROOT, os.getegid(), *os.getgroups()}
    if below is not None:
        owners.add(below.st_uid)
        groups.add(below.st_gid)
    link = None if stat.S_ISDIR(status.st_mode) else link_status(path)
    for one in (status, link):
        if one is not None and one.st_uid not in owners:
            return f"it belongs to {user_name(one.st_uid)}"
    if status.st_mode & stat.S_IWOTH and not is_open_by_choice(path, start):
        return "all users can write to it"
    if status.st_mode & stat.S_IWGRP and not is_own_group(status.st_gid, groups, owners):
        return f"the group {group_name(status.st_gid)} can write to it"
    return None


def have_same_writers(directory: str, above: str) -> bool:
    """Return whether two different directories have the same owner, group and mode, and not everybody may write there."""
    first, second = file_status(directory), file_status(above)
    if first is None or second is None or directory == above:
        return False
    if not system.HAS_OWNERS:
        return True
    writers = [(one.st_uid, one.st_gid, one.st_mode & MAY_WRITE) for one in (first, second)]
    return writers[0] == writers[1] and not first.st_mode & stat.S_IWOTH


def reason_against_program(path: str) -> str | None:
    """Return why no program is started for a file; None if only this user and root can write it.

    All directories above it count, because who writes to one of them can replace those below; with the
    sticky bit, only their owners can.
    """
    if not system.HAS_OWNERS or is_safe(os.path.realpath(path)):
        return None
    owners = own_users()
    for one in chain_of(path):
        status = os.lstat(one)
        if status.st_uid not in owners:
            return f"{described(one, path)} belongs to {user_name(status.st_uid)}"
        is_sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
        if is_sticky or stat.S_ISLNK(status.st_mode):
            continue
        if status.st_mode & stat.S_IWOTH:
            return f"all users can write to {described(one, path)}"
        if status.st_mode & stat.S_IWGRP and not is_own_group(status.st_gid, {ROOT}, owners):
            return f"the group {group_name(status.st_gid)} can write to {described(one, path)}"
    return None


def how_to_allow(path: str) -> str:
    """Return the hint for a file that is not trusted."""
    folder = os.path.dirname(path) or "."
    return f"if you trust these files, set {SAFE}={folder}, or change their owner and mode"


# -- parts -----------------------------------------------------------------------------------------


def own_users() -> set[int]:
    """Return this user and root, and the user who became root by ``sudo``, as git does."""
    found = {ROOT, os.geteuid()}
    invoker = os.environ.get("SUDO_UID", "")
    if os.geteuid() == ROOT and invoker.isdecimal():
        found.add(int(invoker))
    return found


def is_open_by_choice(path: str, start: str) -> bool:
    """Return whether everybody may write to a file or directory because the user chose such a place."""
    below = file_status(start)
    if below is None or not below.st_mode & stat.S_IWOTH or below.st_mode & stat.S_ISVTX:
        return False
    real, chosen = os.path.realpath(path), os.path.realpath(start)
    return chosen in (real, os.path.dirname(real))


def is_own_group(group: int, groups: Collection[int], owners: Collection[int]) -> bool:
    """Return whether members of a group are trusted: one of ``groups``, or a private one of an owner."""
    return group in groups or is_private_group(group, owners)


def is_private_group(group: int, owners: Collection[int]) -> bool:
    """Return whether a group has the name of an owner and no other member (umask 002)."""
    import grp  # few files can be written by a group
    import pwd

    try:
        found = grp.getgrgid(group)
    except KeyError:  # as in containers: the group has no name
        return group in owners
    names = set()
    for owner in owners:
        try:
            names.add(pwd.getpwuid(owner).pw_name)
        except KeyError:
            continue
    return found.gr_name in names and set(found.gr_mem) <= {found.gr_name}


def chain_of(path: str) -> Iterator[str]:
    """Yield a file, the one that it leads to, and all directories above both."""
    seen = set()
    for one in (os.path.abspath(path), os.path.realpath(path)):
        while one not in seen:
            if os.path.lexists(one):
                yield one
            seen.add(one)
            one = os.path.dirname(one)


def described(one: str, path: str) -> str:
    """Return a part of a path as messages name it: the path itself is ``it``."""
    return "it" if one == path else one


def user_name(number: int) -> str:
    """Return the name of a user, or the number of one without a name."""
    import pwd

    try:
        return f"the user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"the user with the number {number}"


def group_name(number: int) -> str:
    """Return the name of a group, or its number."""
    import grp

    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return f"with the number {number}"


def file_status(path: str) -> os.stat_result | None:
    """Return the status of a file; None if there is none."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def link_status(path: str) -> os.stat_result | None:
    """Return the status of a file itself, a link not followed; None if there is none."""
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None
