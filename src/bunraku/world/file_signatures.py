"""Signatures of files: they show that a file has not changed, without reading it.

A signature has the times of the last change of content and of status, the size, the inode and the
device. It distinguishes two states only if each change sets a different time. There is no signature
for

* a file that changed a moment ago, because a further change may set the same time. File systems
  take their times from a kernel clock with a resolution of 1 to 10 ms; if both times are whole
  seconds, the resolution may be one second (early ext file systems) or two (FAT);
* a file on a file system whose times do not come from this kernel or do not follow each change:
  network file systems (the kernel queries the server only now and then), FUSE, ``/proc``.

Without a signature, callers read the file and compare.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import time_ns

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.lazy_patterns import lazy_pattern

Signature = tuple[int, ...]

JUST_NOW = 100_000_000
"""Nanoseconds in which two changes may set the same time: ten ticks of the slowest kernel clock."""
SECOND = 1_000_000_000
JUST_NOW_IN_SECONDS = 2 * SECOND + JUST_NOW
"""The same for file systems whose times are whole seconds."""

LOCAL = frozenset(
    [
        *("bcachefs", "btrfs", "erofs", "ext2", "ext3", "ext4", "f2fs", "iso9660", "jffs2", "jfs"),
        *("nilfs2", "overlay", "ramfs", "reiserfs", "rootfs", "squashfs", "tmpfs", "ubifs", "ufs"),
        *("xfs", "zfs"),
    ]
)
"""File systems that take their times from this kernel and change only through it."""
MOUNTS = "/proc/self/mountinfo"
OCTAL = lazy_pattern(r"\\([0-7]{3})")


def signature_of(path: str, since: int | None = None) -> Signature | None:
    """Return the signature of a file or folder, links followed; None if it is unreliable.

    With ``since``, a time in nanoseconds, it is that of the state that the file had at that time, too; None
    if it changed later, or just before.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # absent, or a name that no file can have
        return None
    changed, altered = status.st_mtime_ns, status.st_ctime_ns
    age = (time_ns() if since is None else since) - max(changed, altered)
    if age < JUST_NOW_IN_SECONDS and not is_settled(changed, altered, age):
        return None
    if not is_local(status.st_dev, path):
        return None
    return changed, altered, status.st_size, status.st_ino, status.st_dev


def is_unchanged(path: str, known: Signature) -> bool:
    """Return whether a file or folder still has a signature, which was reliable when it was taken.

    >>> is_unchanged("/no/such/file", (1, 1, 0, 1, 1))
    False
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    changed, altered, size, inode, device = known
    return (
        status.st_mtime_ns == changed
        and status.st_ctime_ns == altered
        and status.st_size == size
        and status.st_ino == inode
        and status.st_dev == device
    )


def is_settled(changed: int, altered: int, age: int) -> bool:
    """Return whether any later change of the file will change its times."""
    in_seconds = changed % SECOND == 0 and altered % SECOND == 0
    return age >= (JUST_NOW_IN_SECONDS if in_seconds else JUST_NOW)


DEVICES: BoundedCache[int, bool] = BoundedCache("devices", 1000)
"""Whether the times of a device are reliable, for the devices checked before."""


def is_local(device: int, path: str) -> bool:
    """Return whether the file system of a file has reliable times."""
    found = DEVICES.get(device)
    if found is None:
        found = DEVICES.keep(device, is_local_in(MOUNTS, device, path))
    return found


def is_local_in(table: str, device: int, path: str) -> bool:
    """Return whether a mount table has a file's file system as one with reliable times.

    Without a table, as on systems other than Linux, all file systems count as reliable.
    """
    try:
        with open(table, "rb") as file:
            kinds = mounted_kinds(os.fsdecode(file.read()))
    except OSError:
        return True
    return not kinds or kind_of(device, path, kinds) in LOCAL


def mounted_kinds(text: str) -> dict[str, str]:
    """Return the kinds of file systems by device (``8:1``) and by folder, from the mount table.

    >>> mounted_kinds("27 1 254:0 / /srv\\\\040a rw,noatime shared:1 - ext4 /dev/vda rw\\n")
    {'254:0': 'ext4', '/srv a': 'ext4'}
    """
    found = {}
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        _, _, device, _, folder, *_ = before.split(" ")
        folder = OCTAL.sub(lambda code: chr(int(code[1], 8)), folder)
        found[device] = found[folder] = after.split(" ")[0]
    return found


def kind_of(device: int, path: str, kinds: Mapping[str, str]) -> str | None:
    """Return the kind of a file's file system, by device or else (btrfs) by parent folder.

    >>> kind_of(-1, "/a/b", {"/": "ext4", "/a": "btrfs", "/a/c": "nfs"})
    'btrfs'
    """
    kind = kinds.get(f"{os.major(device)}:{os.minor(device)}") if device >= 0 else None
    here = os.path.realpath(path)
    while kind is None and (kind := kinds.get(here)) is None and here != "/":
        here = os.path.dirname(here)
    return kind
