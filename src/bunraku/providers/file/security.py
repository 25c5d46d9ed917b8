"""The SELinux context of files: user, role, type and range."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from typing import Any

from bunraku.providers.attributes import ABSENT, Property
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run
from bunraku.world.host import FileStatus, Host

Value = Any
ENABLED = "/sys/fs/selinux/enforce"
"""The file that a kernel with SELinux has."""
MOUNTS = "/proc/mounts"
CONFIGURATION = "/etc/selinux/config"
LABELED = frozenset(["ext2", "ext3", "ext4", "gfs", "gfs2", "xfs", "jfs", "btrfs", "tmpfs", "zfs"])
"""The file systems whose files have contexts, as in Puppet 7.23."""
PARTS = ("seluser", "selrole", "seltype", "selrange")
CONTEXT = re.compile(r"([^\s:]+):([^\s:]+):([^\s:]+)(?::([\sa-zA-Z0-9:,._-]+))?")
KINDS = {"file": 0o100000, "directory": 0o040000, "link": 0o120000}
"""Kind of file → its bits in the mode."""
POLICY = re.compile(r"^\s*SELINUXTYPE\s*=\s*(\S+)", re.MULTILINE)


def is_enabled(run: Run) -> bool:
    """Return whether the kernel has SELinux; it is read once in a run."""
    key = (SecurityContext, "enabled")
    if key not in run.shared:
        run.shared[key] = run.host.is_file(ENABLED)
    return bool(run.shared[key])


def has_labels(host: Host, path: str) -> bool:
    """Return whether the file system of a path stores contexts."""
    mounts = {}
    for line in host.read(MOUNTS).decode("utf-8", "replace").splitlines():
        words = line.split()
        if len(words) > 2 and words[2] != "rootfs":
            mounts[words[1]] = words[2]
    place = posixpath.normpath(path)
    while place not in mounts and place != "/":
        place = posixpath.dirname(place)
    return mounts.get(place) in LABELED


def part_of(name: str, context: str | None) -> str | None:
    """Return a part of a context; ResourceFailure if it is invalid.

    >>> part_of("selrange", "system_u:object_r:etc_t:s0:c1,c2")
    's0:c1,c2'
    """
    if context is None or context == "unlabeled":
        return None
    match = CONTEXT.fullmatch(context)
    if match is None:
        raise ResourceFailure(f"Invalid context to parse: {context}")
    return match[PARTS.index(name) + 1]


def kind_bits(status: FileStatus | None, ensure: Value) -> int:
    """Return the mode of a file with the bits of its kind; of the wanted kind if it is absent."""
    if status is not None:
        return status.mode | KINDS.get(status.kind, 0)
    return KINDS.get("file" if ensure == "present" else str(ensure), 0)


def default_of(name: str, resource: ManagedResource) -> str | None:
    """Return the part of a context that the policy has for a file, None if there is none."""
    run, path = resource.run, resource["path"]
    if not is_enabled(run) or resource.is_true("selinux_ignore_defaults"):
        return None
    if path is None or not has_labels(run.host, path):
        return None
    mode = kind_bits(run.host.status(path), resource["ensure"])
    return part_of(name, run.host.default_security_context(path, mode))


def label_of(value: Value, resource: ManagedResource) -> Value:
    """Return the label of a range that is given by its translation, such as ``SystemHigh``."""
    host = resource.run.host
    if not is_enabled(resource.run) or not host.is_file(CONFIGURATION):
        return value
    policy = POLICY.search(host.read(CONFIGURATION).decode("utf-8", "replace"))
    translations = "" if policy is None else f"/etc/selinux/{policy[1]}/setrans.conf"
    if not translations or not host.is_file(translations):
        return value
    for line in host.read(translations).decode("utf-8", "replace").splitlines():
        label, sign, translation = "".join(line.split()).partition("=")
        if sign and not label.startswith("#") and translation == value:
            return label
    return value


class SecurityContext(Property):
    """A part of the SELinux context. On a machine without SELinux it never needs a change."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the part; ABSENT for a missing file, None without SELinux."""
        host, path = resource.run.host, resource["path"]
        if host.status(path) is None:
            return ABSENT
        if not is_enabled(resource.run):
            return None
        return part_of(self.name, host.security_context(path))

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the part is the wanted one, or cannot be set here."""
        if not is_enabled(resource.run):
            resource.log("debug", "SELinux bindings not found. Ignoring parameter.", self.name)
            return True
        if not has_labels(resource.run.host, resource["path"]):
            text = "SELinux not available for this filesystem. Ignoring parameter."
            resource.log("debug", text, self.name)
            return True
        return super().in_sync(resource, current)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Set the part in the context of the file."""
        host, path = resource.run.host, resource["path"]
        context = host.security_context(path)
        if context is None:
            text = (
                "Can't set SELinux context on file unless the file already has some kind of context"
            )
            resource.log("warning", text, self.name)
            return
        parts = context.split(":", len(PARTS) - 1)
        number = PARTS.index(self.name)
        parts[number : number + 1] = [str(wanted)]
        host.set_security_context(path, ":".join(parts))


def security_context(name: str, about: str) -> SecurityContext:
    """Return the property of a part of the context; its default is that of the policy."""
    read = label_of if name == "selrange" else None
    return SecurityContext(name, default=partial(default_of, name), read_for=read, about=about)
