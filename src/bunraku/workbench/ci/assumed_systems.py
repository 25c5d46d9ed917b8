"""The operating systems on which nodes without facts are compiled, if none are given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from bunraku.facts.built_in_systems import System, systems
from bunraku.workbench.ci.hierarchy import DataFile
from bunraku.workbench.ci.module_classes import supported_systems
from bunraku.world.protocol import World

DEFAULT = ("debian-12", "rocky-9")
PREFERRED = ("debian-12", "rocky-9", "ubuntu-24.04", "freebsd-14", "windows-2022")
"""The systems that stand for a family or for an operating system; of others, it is the last one of the table."""
FAMILIES = frozenset({"os.family", "osfamily"})
NAMES = frozenset({"os.name", "operatingsystem"})
RELEASES = frozenset(
    {"os.release.major", "operatingsystemmajrelease", "os.release.full", "operatingsystemrelease"}
)


def assumed_systems(
    data: Iterable[DataFile], modules: Iterable[str], world: World
) -> tuple[str, ...]:
    """Return the operating systems that data or ``metadata.json`` of modules name, one for each family.

    ``modules`` are the directories of the modules with roles. Without any such name, there is a system of
    the family Debian and one of RedHat.
    """
    by_family: dict[str, System] = {}
    for one in [*systems_in_data(data), *systems_in_metadata(modules, world)]:
        by_family.setdefault(one.kind.family, one)
    return tuple(one.system for one in by_family.values()) or DEFAULT


def systems_in_data(data: Iterable[DataFile]) -> Iterator[System]:
    """Yield the systems of the levels of operating systems, those with a release first."""
    plain = []
    for one in data:
        family, name = one.value_of(FAMILIES), one.value_of(NAMES)
        release = one.value_of(RELEASES)
        exact = [row for row in systems() if is_named(row, family, name)]
        if not exact or not (family or name):
            continue
        if release and (found := [row for row in exact if row.release["major"] == release]):
            yield usual(found)
        else:
            plain.append(usual(exact))
    yield from plain


def is_named(row: System, family: str | None, name: str | None) -> bool:
    """Return whether a system has a family and a name, where these are known."""
    return all(
        text is None or text.lower() == known.lower()
        for text, known in ((family, row.kind.family), (name, row.kind.name))
    )


def usual(rows: Sequence[System]) -> System:
    """Return the system that stands for some."""
    preferred = [row for row in rows if row.system in PREFERRED]
    return (preferred or rows)[0 if preferred else -1]


def systems_in_metadata(modules: Iterable[str], world: World) -> Iterator[System]:
    """Yield the systems that the metadata of modules list."""
    known = {row.system: row for row in systems()}
    named = {one for path in modules for one in supported_systems(path, world) if one in known}
    by_kind: dict[str, list[System]] = {}
    for name, row in known.items():
        if name in named:
            by_kind.setdefault(row.kind.family, []).append(row)
    yield from map(usual, by_kind.values())


def module_directories(modulepath: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the directories that modules with some names would have."""
    return [os.path.join(folder, name) for folder in modulepath for name in names]
