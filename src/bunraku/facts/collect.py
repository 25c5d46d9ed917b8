"""This machine's facts, under Facter 4's names and in its structure.

The sources are files below ``/proc``, ``/sys`` and ``/etc``, and a few programs where a file does
not tell. Facts of Ruby itself are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from bunraku.errors import Diagnostic
from bunraku.facts.external import FOLDERS, external_facts, variable_facts
from bunraku.facts.hardware import (
    disk_facts,
    dmi_facts,
    memory_facts,
    mountpoint_facts,
    partition_facts,
    processor_facts,
)
from bunraku.facts.legacy import PATHS, legacy_facts
from bunraku.facts.network import network_facts
from bunraku.facts.probe import Probe
from bunraku.facts.system import (
    identity_facts,
    kernel_facts,
    load_facts,
    os_facts,
    setting_facts,
    ssh_facts,
    uptime_facts,
)
from bunraku.facts.virtual import virtual_facts
from bunraku.world import World

Facts = dict[str, Any]
FACTER_VERSION = "4.3.0"
"""The version of Facter whose names and structure these facts have."""
COLLECTORS: Mapping[Callable[[Probe], Facts], frozenset[str]] = {
    disk_facts: frozenset({"disks"}),
    dmi_facts: frozenset({"dmi"}),
    identity_facts: frozenset({"identity"}),
    kernel_facts: frozenset({"kernel", "kernelmajversion", "kernelrelease", "kernelversion"}),
    load_facts: frozenset({"load_averages"}),
    memory_facts: frozenset({"memory"}),
    mountpoint_facts: frozenset({"mountpoints"}),
    network_facts: frozenset({"networking"}),
    os_facts: frozenset({"os"}),
    partition_facts: frozenset({"partitions"}),
    processor_facts: frozenset({"processors"}),
    setting_facts: frozenset({"filesystems", "fips_enabled", "path", "timezone"}),
    ssh_facts: frozenset({"ssh"}),
    uptime_facts: frozenset({"system_uptime"}),
    virtual_facts: frozenset({"hypervisors", "is_virtual", "virtual"}),
}
"""What finds facts → the facts that it can find."""
ALL = frozenset().union(*COLLECTORS.values())


def collect(
    world: World,
    warn: Callable[[Diagnostic], None],
    external_folders: Sequence[str] = FOLDERS,
    *,
    legacy: bool = False,
    names: Collection[str] | None = None,
) -> Facts:
    """Return the facts of a machine, sorted by name.

    External facts win over the machine's own, and variables ``FACTER_…`` over both. With ``names``,
    only what finds these facts is run; other facts may be among the result.
    """
    probe = Probe(world)
    found: Facts = {"facterversion": FACTER_VERSION}
    wanted = None if names is None else wanted_facts(names)
    for collector, provided in COLLECTORS.items():
        if wanted is None or wanted & provided:
            found.update(collector(probe))
    if legacy:
        found.update(legacy_facts(found))
    found.update(external_facts(world, external_folders, warn))
    found.update(variable_facts(world))
    return {name: in_order(found[name]) for name in sorted(found)}


def wanted_facts(names: Iterable[str]) -> frozenset[str] | None:
    """Return the structured facts that names such as ``os.family`` need; None for all of them.

    >>> sorted(wanted_facts(["os.family", "hostname"]))
    ['networking', 'os']
    """
    wanted: set[str] = set()
    for name in names:
        root = name.partition(".")[0]
        if root not in ALL:
            root = PATHS.get(root, "").partition(".")[0]
        if root not in ALL:
            return None
        wanted.add(root)
    return frozenset(wanted)


def in_order(value: Any) -> Any:
    """A fact whose hashes are sorted by name, except those in arrays."""
    if isinstance(value, dict):
        return {name: in_order(value[name]) for name in sorted(value, key=str)}
    return value
