"""Logical volumes of LVM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.logical_volume.type import is_set, kibibytes, says_true
from bunraku.providers.lvm import LvmProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.numbers import to_i

OPTIONS = (
    ("stripes", "--stripes"),
    ("stripesize", "--stripesize"),
    ("poolmetadatasize", "--poolmetadatasize"),
)
"""Attributes of a new volume and their options of ``lvcreate``."""
MIRROR_OPTIONS = (("mirrorlog", "--mirrorlog"), ("region_size", "--regionsize"))
"""Attributes of a new mirror and their options."""
FILE_SYSTEM = re.compile(r'\bTYPE="(ext[34]|xfs|swap)"')
NOTHING_FOUND = 2
"""The exit code of ``blkid`` for a device without a file system."""


class LogicalVolumes(LvmProvider):
    """Runs ``lvs``, ``lvcreate``, ``lvextend``, ``lvremove`` and ``lvconvert``."""

    programs = (
        *("lvcreate", "lvremove", "lvextend", "lvs", "resize2fs", "mkswap", "swapoff", "swapon"),
        *("umount", "blkid", "dmsetup", "lvconvert", "lvdisplay", "lsblk"),
    )

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all logical volumes."""
        return self.listed(self.path_of("lvs"))

    def listed_state(self, row: Sequence[str]) -> State:
        """Return the state of a row."""
        return {"ensure": "present", "volume_group": row[1]}

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the group has the volume."""
        group = resource["volume_group"]
        if group is None:
            return "ensure" in (self.states or {}).get(resource.name, {})
        wanted = [resource.name, to_s(group)]
        rows = self.rows(self.path_of("lvs"), wanted[1])
        return any(row[:2] == wanted for row in rows)

    def group(self, resource: ManagedResource) -> str | None:
        """Return the group of a volume: that of the resource, or of the list of volumes."""
        group = resource["volume_group"]
        if group is None:
            return (self.states or {}).get(resource.name, {}).get("volume_group")
        return to_s(group)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the volume."""
        return f"/dev/{self.group(resource) or ''}/{resource.name}"

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the state of a property."""
        readers = {
            "volume_group": self.group,
            "size": self.size,
            "stripes": self.stripes,
            "mirror": lambda one: str(self.mirrors(one)),
            "mirrorlog": self.mirror_log,
        }
        return readers[name](resource)

    def size(self, resource: ManagedResource) -> str | None:
        """Return the size in the unit of the wanted size, GiB without one."""
        wanted = re.match(r"\d+\.?\d{0,2}([KMGTPE])", to_s(resource["size"]), re.IGNORECASE)
        unit = wanted[1].lower() if wanted else "g"
        shown = self.command("lvs", "--noheading", "--unit", unit, self.path(resource))
        found = re.search(rf"\s+(\d+)\.(\d+){unit}", shown, re.IGNORECASE)
        if found is None:
            return None
        decimals = found[2].rstrip("0")
        return f"{found[1]}{'.' if decimals else ''}{decimals}{unit.upper()}"

    def stripes(self, resource: ManagedResource) -> str:
        """Return the number of stripes."""
        return self.command("lvs", "-o", "stripes", "--noheadings", self.path(resource)).strip()

    def mirrors(self, resource: ManagedResource) -> int:
        """Return the number of mirrors: one less than the copies."""
        shown = self.command("lvdisplay", self.path(resource))
        found = re.search(r"Mirrored volumes\s+(\d+)", shown, re.IGNORECASE)
        return int(found[1]) - 1 if found else 0

    def mirror_log(self, resource: ManagedResource) -> str | None:
        """Return where the log of a mirror is; None without a mirror."""
        group = self.group(resource) or ""
        shown = self.command("lvs", "-a", "-o", "+devices", f"/dev/{group}")
        if self.mirrors(resource) <= 0:
            return None
        log = rf"\[{re.escape(resource.name)}_mlog\]\s+{re.escape(group)}\s+"
        if not re.search(log, shown, re.IGNORECASE):
            return "core"
        return "mirrored" if re.search(rf"{log}mw\S+", shown, re.IGNORECASE) else "disk"

    # -- creating and removing -------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create the volume, and wait for its device."""
        self.command("lvcreate", *self.words_of(resource))
        udevadm = self.host.find_program("udevadm")
        if udevadm is not None and self.attempt((udevadm, "settle", "--timeout=30")).code != 0:
            text = "udevadm settle returned non-zero after lvcreate of"
            self.run.log("warning", f"{text} {resource.name}; the device may not be fully ready")

    def words_of(self, resource: ManagedResource) -> Iterator[Any]:
        """Yield the words for ``lvcreate``."""
        pool = resource["thinpool"] or False
        if pool is not True:
            yield from ("-n", resource.name)
        yield from extent_words(resource, "--virtualsize" if isinstance(pool, str) else "--size")
        yield from option_words(resource, OPTIONS)
        if resource["mirror"] is not None:
            yield from ("--mirrors", resource["mirror"])
            yield from option_words(resource, MIRROR_OPTIONS)
            if is_set(resource["no_sync"]):
                yield "--nosync"
        yield from option_words(resource, (("alloc", "--alloc"), ("readahead", "--readahead")))
        if is_set(resource["persistent"]):
            yield from ("--persistent", "y" if says_true(resource["persistent"]) else "n")
        yield from option_words(resource, (("minor", "--minor"), ("type", "--type")))
        if pool:
            yield from ("--thin", f"{self.group(resource)}/{pool_name(resource)}")
        else:
            yield self.group(resource) or ""
        if is_set(resource["yes_flag"]):
            yield "--yes"

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the volume; swap space on it is switched off before."""
        path = self.path(resource)
        if 'TYPE="swap"' in self.command("blkid", path):
            self.command("swapoff", path)
        names = (self.group(resource) or "", resource.name)
        self.command("dmsetup", "remove", "-".join(one.replace("-", "--") for one in names))
        self.command("lvremove", "-f", path)

    # -- changing --------------------------------------------------------------------------------

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the size or the mirrors; the number of stripes cannot be changed."""
        if name == "size":
            self.extend(resource, to_s(value))
        elif name == "stripes":
            text = f"Changing stripes from {to_i(self.stripes(resource))} to {value}"
            raise ResourceFailure(f"{text} is not supported for existing logical volumes")
        elif name == "mirror":
            log = option_words(resource, (("mirrorlog", "--mirrorlog"),))
            self.convert(resource, "-m", value, *log)
        elif name == "mirrorlog" and self.mirrors(resource) > 0:
            self.convert(resource, "--mirrorlog", value)

    def convert(self, resource: ManagedResource, *words: Any) -> None:
        """Change the mirrors of a volume."""
        allocation = option_words(resource, (("alloc", "--alloc"),))
        self.command("lvconvert", *words, *allocation, self.path(resource))

    def extend(self, resource: ManagedResource, wanted: str) -> None:
        """Extend the volume and what is on it; ResourceFailure for a smaller size."""
        current = self.size(resource)
        now, then = kibibytes(current), kibibytes(wanted)
        if now is None or then is None:
            raise ResourceFailure(f"lvs does not show the size of {self.path(resource)}")
        if then <= now:
            text = f"Decreasing the size requires manual intervention ({wanted} < {current})"
            raise ResourceFailure(text)
        always = ("--yes",) if is_set(resource["yes_flag"]) else ()
        self.command("lvextend", "-L", wanted, self.path(resource), *always)
        if to_s(resource["resize_fs"]).lower() != "false":
            self.grow(self.path(resource))

    def grow(self, path: str) -> None:
        """Let the file system or the swap space fill the volume; as in Puppet, a failure is a warning."""
        done = self.attempt((self.path_of("blkid"), path))
        found = FILE_SYSTEM.search(done.output) if done.code == 0 else None
        if found is None:
            level = "debug" if done.code in {0, NOTHING_FOUND} else "warning"
            self.run.log(level, f"Nothing to resize on {path}: {done.output.strip()}")
            return
        for words in self.steps(found[1], path):
            done = self.attempt((self.path_of(words[0]), *words[1:]))
            if done.code != 0:
                self.run.log("warning", f"Could not resize {path}: {done.output.strip()}")
                return

    def steps(self, kind: str, path: str) -> list[tuple[str, ...]]:
        """Return the commands that resize a file system or swap space."""
        if kind == "swap":
            return [("swapoff", path), ("mkswap", path), ("swapon", path)]
        if kind == "xfs":
            if self.host.find_program("xfs_growfs") is None:
                raise ResourceFailure("Command xfs_growfs is missing")
            where = self.attempt((self.path_of("lsblk"), "-o", "MOUNTPOINT", "-nr", path))
            return [("xfs_growfs", where.output.rstrip("\n"))]
        newer = kind == "ext4" and self.host.find_program("resize4fs") is not None
        return [("resize4fs" if newer else "resize2fs", path)]


def option_words(resource: ManagedResource, known: Sequence[tuple[str, str]]) -> Iterator[Any]:
    """Yield the options for the attributes that a resource sets."""
    for name, option in known:
        if is_set(resource[name]):
            yield from (option, resource[name])


def extent_words(resource: ManagedResource, option: str) -> Iterator[Any]:
    """Yield the words for the size of a new volume; without a size it gets all free extents."""
    size = resource["size"] if resource["size"] is not None else resource["initial_size"]
    if size is not None:
        yield from (option, size)
    if resource["extents"] is not None:
        yield from ("--extents", resource["extents"])
    elif size is None:
        yield from ("--extents", "100%FREE")


def pool_name(resource: ManagedResource) -> str:
    """Return the name of the thin pool that a volume is or is in."""
    pool = resource["thinpool"]
    return pool if isinstance(pool, str) else resource.name


provider = LogicalVolumes
