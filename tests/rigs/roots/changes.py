"""Read the changes of a run: paths, accounts, packages.

The overlay keeps every path that differs from the base root in its upper layer, so only the upper
layer is walked, and not the 20,000 paths of the root.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rigs.roots.masks import steady
from rigs.roots.sandbox import Sandbox

Facts = dict[str, Any]

# Not compared: file systems of the kernel, the sandbox's own folders, and what any run leaves behind
# (logs, caches, the state of the program). Packages are read from dpkg's status.
IGNORED_PATHS = """
    /proc /sys /dev /run /rig /opt/bunraku /opt/puppetlabs /root/.puppet /root/.cache /var/tmp /var/log
    /var/cache/apt /var/cache/debconf /var/cache/ldconfig /var/cache/puppet /var/cache/bunraku
    /var/lib/apt /var/lib/dpkg /var/lib/puppet /var/lib/bunraku /var/lib/systemd /var/lib/dbus /var/lib/private
    /etc/puppet/devices /etc/puppet/code/environments /etc/puppet/ssl
    /etc/.pwd.lock /etc/ld.so.cache /etc/machine-id
    /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow- /etc/subuid- /etc/subgid-
"""
IGNORED = frozenset(IGNORED_PATHS.split())
INSIDE_REPOSITORY = re.compile(
    r"(?:\.git|/modules/[^/]+)/(?:index|logs|objects|FETCH_HEAD|ORIG_HEAD)(?:/|$)"
    r"|/\.svn/|/db/(?:uuid|revprops)(?:/|$)|/\.hg/(?!hgrc$|requires$)"
)
"""Paths inside of repositories that contain times and random numbers, or differ from fetch to fetch."""
ACCOUNT_FILES = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow")
"""Files whose content is compared by entry."""

TEXT_LIMIT = 1500
"""Bytes up to which a content is recorded in full."""

KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "dir",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
}


@dataclass(frozen=True)
class Entry:
    """A path at one moment."""

    stamp: tuple[int, ...]
    """All of its status that is compared, and the time of its last change of status."""
    modified: int
    facts: Facts


class Paths:
    """The paths of a sandbox that differ, or once differed, from the base root."""

    def __init__(self, sandbox: Sandbox, earlier: Paths | None = None) -> None:
        """Read them; ``earlier`` is the result of another run, reused for paths with the same status."""
        self.sandbox = sandbox
        self.earlier = earlier
        self.users, self.groups = names(sandbox.root, "passwd"), names(sandbox.root, "group")
        wanted = {*touched(sandbox), *(earlier.entries if earlier else ())}
        self.entries = {
            path: self.read(path) for path in wanted if not INSIDE_REPOSITORY.search(path)
        }

    def read(self, path: str) -> Entry | None:
        """Return the entry of a path, None if there is none."""
        place = f"{self.sandbox.root}{path}"
        if is_below_link(self.sandbox.root, path):
            return None
        try:
            status = os.lstat(place)
        except (FileNotFoundError, NotADirectoryError):
            return None
        stamp = (status.st_mode, status.st_uid, status.st_gid, status.st_ctime_ns)
        if not stat.S_ISDIR(status.st_mode):
            stamp += (status.st_size, status.st_mtime_ns, status.st_nlink)
        known = self.earlier.before(path) if self.earlier else None
        if known is not None and known.stamp == stamp:
            return known
        return Entry(stamp, status.st_mtime_ns, facts(place, path, status, self.users, self.groups))

    def before(self, path: str) -> Entry | None:
        """Return the entry of a path that may be the same as in the base root."""
        if path not in self.entries:
            self.entries[path] = base_entry(self.sandbox.base, path)
        return self.entries[path]


def is_below_link(root: Path, path: str) -> bool:
    """Return whether a directory of a path in a root is a link, which may lead out of the root."""
    above = os.path.dirname(path)
    return os.path.realpath(f"{root}{above}") != os.path.realpath(root) + above.rstrip("/")


def base_entry(base: Path, path: str) -> Entry | None:
    """Return the entry of a path in the base root."""
    try:
        status = os.lstat(f"{base}{path}")
    except (FileNotFoundError, NotADirectoryError):
        return None
    users, groups = names(base, "passwd"), names(base, "group")
    return Entry((), status.st_mtime_ns, facts(f"{base}{path}", path, status, users, groups))


def touched(sandbox: Sandbox) -> Iterator[str]:
    """Yield the paths that differ from the base root: those of the upper layer and of mounts."""
    yield from upper_paths(sandbox.upper, sandbox.base, "")
    for point in (
        sandbox.mounts() if sandbox.systemd is None else ()
    ):  # systemd mounts in its own namespace
        yield point
        yield from paths_below(f"{sandbox.root}{point}", point)


def upper_paths(upper: Path, base: Path, folder: str) -> Iterator[str]:
    """Yield the paths of the upper layer below a folder, and those of the base root that it hides."""
    for entry in os.scandir(f"{upper}{folder}/"):
        path = f"{folder}/{entry.name}"
        if path in IGNORED:
            continue
        yield path
        if entry.is_dir(follow_symlinks=False):
            yield from upper_paths(upper, base, path)
            hides = b"trusted.overlay.opaque" in os.fsencode(" ".join(os.listxattr(entry.path)))
        else:  # also the device 0:0, which stands for a path that was removed
            hides = True
        if hides and os.path.isdir(f"{base}{path}") and not os.path.islink(f"{base}{path}"):
            yield from paths_below(f"{base}{path}", path)


def paths_below(place: str, path: str) -> Iterator[str]:
    """Yield all paths below a folder at ``place``, as paths below ``path``."""
    for folder, folders, files in os.walk(place):
        shown = path + folder.removeprefix(place)
        folders[:] = [name for name in folders if f"{shown}/{name}" not in IGNORED]
        yield from (f"{shown}/{name}" for name in (*folders, *files))


def facts(
    place: str, path: str, status: os.stat_result, users: dict[int, str], groups: dict[int, str]
) -> Facts:
    """Return the recorded facts of a path."""
    kind = KINDS.get(stat.S_IFMT(status.st_mode), "device")
    found: Facts = {
        "type": kind,
        "owner": users.get(status.st_uid, str(status.st_uid)),
        "group": groups.get(status.st_gid, str(status.st_gid)),
    }
    if kind == "link":
        return found | {"target": os.readlink(place)}
    found["mode"] = f"{stat.S_IMODE(status.st_mode):04o}"
    if kind != "file":
        return found
    if status.st_nlink > 1:
        found["links"] = status.st_nlink
    return found if path in ACCOUNT_FILES else found | content(Path(place).read_bytes())


def content(data: bytes) -> Facts:
    """Return the recorded facts of a content; the size only if nothing in it is masked."""
    masked = steady(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    found: Facts = {"size": len(data)} if masked == data else {}
    found["sha256"] = hashlib.sha256(masked).hexdigest()
    if len(masked) > TEXT_LIMIT:
        return found
    try:
        return found | {"text": masked.decode("utf-8")}
    except UnicodeDecodeError:
        return found | {"hex": masked.hex()}


def compare_paths(before: Paths, after: Paths) -> tuple[dict[str, Any], list[str]]:
    """Return the paths that changed, and the files that were written again with the same outcome."""
    changed, rewritten = {}, []
    for path in sorted(after.entries):
        old, new = before.before(path), after.entries[path]
        was, now = old and old.facts, new and new.facts
        if was != now:
            changed[path] = {"was": was, "now": now}
        elif old and new and old.modified != new.modified and is_plain(path, new):
            rewritten.append(path)
    return changed, rewritten


def is_plain(path: str, entry: Entry) -> bool:
    """Return whether a path is a file whose content is compared as a whole."""
    return entry.facts["type"] == "file" and path not in ACCOUNT_FILES


def fields_of(root: Path, database: str, count: int) -> Iterator[list[str]]:
    """Yield the fields of each line of passwd, group or shadow that has ``count`` of them."""
    file = root / "etc" / database
    if file.exists():
        for line in file.read_text("utf-8", "surrogateescape").splitlines():
            fields = line.split(":")
            if len(fields) == count:
                yield fields


def names(root: Path, database: str) -> dict[int, str]:
    """Return names by number, the first of each number."""
    count = 7 if database == "passwd" else 4
    found: dict[int, str] = {}
    for fields in fields_of(root, database, count):
        if fields[2].isdigit():
            found.setdefault(int(fields[2]), fields[0])
    return found


def accounts(root: Path, manifest: str) -> dict[str, dict[str, Facts]]:
    """Return the entries of passwd, group and shadow by name; password hashes only if the manifest has them."""
    today = str(int(time.time() // 86400))

    def shown(password: str) -> str:
        if len(password) > 1 and password.startswith("!"):
            return "!" + shown(password.lstrip("!"))
        return password if len(password) < 3 or password in manifest else "<hash>"

    passwd, group, shadow = {}, {}, {}
    for name, _, *rest in fields_of(root, "passwd", 7):
        passwd[name] = dict(zip(("uid", "gid", "comment", "home", "shell"), rest, strict=True))
    for name, _, gid, members in fields_of(root, "group", 4):
        group[name] = {"gid": gid, "members": sorted(filter(None, members.split(",")))}
    for name, password, changed, *rest, _ in fields_of(root, "shadow", 9):
        ages = dict(zip(("min", "max", "warn", "inactive", "expires"), rest, strict=True))
        when = "today" if changed == today else changed
        shadow[name] = {"password": shown(password), "changed": when, **ages}
    return {"passwd": passwd, "group": group, "shadow": shadow}


def packages(root: Path) -> dict[str, Facts]:
    """Return state and version of each package in dpkg's status."""
    found = {}
    for paragraph in (root / "var/lib/dpkg/status").read_text("utf-8", "replace").split("\n\n"):
        fields = dict(re.findall(r"^(Package|Status|Version): (.*)$", paragraph, re.MULTILINE))
        if "Package" in fields:
            found[fields["Package"]] = {
                "status": fields.get("Status"),
                "version": fields.get("Version"),
            }
    return found


def compare_facts(before: dict[str, Facts], after: dict[str, Facts]) -> dict[str, Any]:
    """Return the entries that changed, each with its old and new value."""
    keys: Iterable[str] = sorted(before.keys() | after.keys())
    return {
        key: {"was": before.get(key), "now": after.get(key)}
        for key in keys
        if before.get(key) != after.get(key)
    }
