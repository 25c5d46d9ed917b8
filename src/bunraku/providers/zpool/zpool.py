"""Pools of ZFS with the program ``zpool``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.types.ruby_semantics.values import inspect, to_s

GROUPS = {"spares": "spare", "logs": "log", "cache": "cache"}
"""The headings of ``zpool status`` and the properties for what follows."""
PARTITION = re.compile(r"/dev/(:?[a-z]+([0-9]+n[0-9]+p)?1|disk/by-id/.+-part1)$")
SETTINGS = ("ashift", "autoexpand", "failmode")


class ZpoolProvider(Provider):
    """Reads the devices of a pool with ``zpool status``."""

    name = "zpool"
    programs = ("zpool",)

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.pools: dict[str, State] = {}
        """The devices of pools, by name; an empty state for a missing pool."""

    @property
    def program(self) -> str:
        """The path of the program."""
        return self.host.find_program("zpool") or "zpool"

    # -- reading ---------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: a pool is read when it is compared."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all pools."""
        lines = self.execute(self.program, "list", "-H").output.splitlines()
        return {line.split()[0]: {"ensure": "present"} for line in lines if line.strip()}

    def pool(self, name: str) -> State:
        """Return the devices of a pool; nothing if it does not exist."""
        if name not in self.pools:
            words = (self.program, "status", "-P", name)
            output = self.attempt(words, merged=False).output
            rows = [line.split() for line in output.splitlines() if line.startswith("\t")]
            self.pools[name] = self.devices([row[0] for row in rows if row][1:])
        return self.pools[name]

    def devices(self, words: list[str]) -> State:
        """Return the devices in the first column of the table of ``zpool status``, by property."""
        if not words:
            return {}
        found: State = {"pool": words[0]}
        members: list[str] = []
        for word in reversed(words[1:]):
            kind = kind_of(word)
            if kind is None:
                members.insert(0, self.whole_disk(word))
                kind = "disk" if word == words[1] else None
            if kind is not None:
                found[kind] = [" ".join(members), *found.get(kind, [])]
                members = []
        return found

    def whole_disk(self, device: str) -> str:
        """Return the disk of a first partition, another device as it is."""
        if PARTITION.search(device) is None:
            return device
        return self.execute("lsblk", "-p", "-no", "pkname", device).output.rstrip("\n")

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the pool exists."""
        return bool(self.pool(resource.name))

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the devices for a purpose, or a setting of the pool."""
        if name not in SETTINGS:
            return self.pool(resource.name).get(name)
        done = self.attempt((self.program, "get", name, resource.name))
        if done.code != 0:
            if name == "ashift":
                return "-"
            self.execute(self.program, "get", name, resource.name)
        rows = [line.split() for line in done.output.splitlines()]
        return rows[-1][2] if rows and rows[-1][0] == resource.name else None

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create the pool."""
        settings = [(name, resource[name]) for name in SETTINGS]
        words = [
            one for name, value in settings if value for one in ("-o", f"{name}={to_s(value)}")
        ]
        if not any(resource[name] for name in ("disk", "mirror", "raidz")):
            raise ResourceFailure("no implicit conversion of nil into Array")
        self.execute(self.program, "create", *words, resource.name, *device_words(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Destroy the pool."""
        self.execute(self.program, "destroy", resource.name)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change a setting; devices cannot be changed."""
        if name not in SETTINGS:
            current = inspect(self.get(resource, name))
            text = f"zpool {name} can't be changed. should be {inspect(value)}"
            raise ResourceFailure(f"{text}, currently is {current}")
        words = (self.program, "set", f"{name}={to_s(value)}", resource.name)
        if name == "ashift":
            self.attempt(words)
        else:
            self.execute(*words)

    def flush(self, resource: ManagedResource) -> None:
        """Read the pool again next time."""
        self.pools.pop(resource.name, None)


def kind_of(word: str) -> str | None:
    """Return the property that a heading of ``zpool status`` is for; None for a device.

    >>> kind_of("mirror-0"), kind_of("raidz2-1"), kind_of("logs"), kind_of("/dev/sda")
    ('mirror', 'raidz', 'log', None)
    """
    if word.startswith("mirror"):
        return "mirror"
    return "raidz" if word.startswith(("raidz1", "raidz2")) else GROUPS.get(word)


def device_words(resource: ManagedResource) -> Iterator[str]:
    """Yield the words for the devices of a new pool."""
    if resource["disk"]:
        yield from (device for one in resource["disk"] for device in str(one).split())
    else:
        kind = "mirror" if resource["mirror"] else "raidz"
        word = "mirror" if kind == "mirror" else to_s(resource["raid_parity"] or "raidz1")
        for group in resource[kind]:
            yield from (word, *str(group).split())
    for name in ("spare", "log", "cache"):
        if resource[name]:
            yield from (name, *(device for one in resource[name] for device in str(one).split()))


provider = ZpoolProvider
