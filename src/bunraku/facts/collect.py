"""This machine's facts, under Facter 4's names and in its structure.

The sources are files below ``/proc``, ``/sys`` and ``/etc``, and a few programs where a file does
not tell. Facts of Ruby itself are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from bunraku.facts.legacy import legacy_facts
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
COLLECTORS: tuple[Callable[[Probe], Facts], ...] = (
    disk_facts,
    dmi_facts,
    identity_facts,
    kernel_facts,
    load_facts,
    memory_facts,
    mountpoint_facts,
    network_facts,
    os_facts,
    partition_facts,
    processor_facts,
    setting_facts,
    ssh_facts,
    uptime_facts,
    virtual_facts,
)


def collect(
    world: World,
    warn: Callable[[Diagnostic], None],
    external_folders: Sequence[str] = FOLDERS,
    *,
    legacy: bool = False,
) -> Facts:
    """All facts, sorted by name; external facts win over the machine's own, variables
    ``FACTER_…`` over both.
    """
    probe = Probe(world)
    found: Facts = {"facterversion": FACTER_VERSION}
    for collector in COLLECTORS:
        found.update(collector(probe))
    if legacy:
        found.update(legacy_facts(found))
    found.update(external_facts(world, external_folders, warn))
    found.update(variable_facts(world))
    return {name: in_order(found[name]) for name in sorted(found)}


def in_order(value: Any) -> Any:
    """A fact whose hashes are sorted by name, except those in arrays."""
    if isinstance(value, dict):
        return {name: in_order(value[name]) for name in sorted(value, key=str)}
    return value
