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
    named = {one.system for one in (*systems_in_data(data), *systems_in_metadata(modules, world))}
    found = [row for row in systems() if row.system in named]
    families = dict.fromkeys(row.kind.family for row in found)
    chosen = (usual([row for row in found if row.kind.family == one]) for one in families)
    return tuple(row.system for row in chosen) or DEFAULT


def systems_in_data(data: Iterable[DataFile]) -> Iterator[System]:
    """Yield the systems that levels of operating systems name by their files.

    Of each family, those of the levels that say most count: a level of names says more than one of families.
    """
    most: dict[str, int] = {}
    found: list[tuple[int, System]] = []
    for one in data:
        wanted = [one.value_of(variables) for variables in (FAMILIES, NAMES, RELEASES)]
        said = sum(weight for weight, value in zip((1, 2, 4), wanted, strict=True) if value)
        if wanted[0] or wanted[1]:
            for row in systems():
                if is_named(row, *wanted):
                    most[row.kind.family] = max(said, most.get(row.kind.family, 0))
                    found.append((said, row))
    yield from (row for said, row in found if said == most[row.kind.family])


def is_named(row: System, family: str | None, name: str | None, release: str | None) -> bool:
    """Return whether a system has a family, a name and a release, where these are known."""
    has = row.kind.family, row.kind.name, row.release["major"]
    return all(
        text is None or text.lower() == known.lower()
        for text, known in zip((family, name, release), has, strict=True)
    )


def usual(rows: Sequence[System]) -> System:
    """Return the system that stands for some: a preferred one, else the last release of the first system."""
    preferred = [row for row in rows if row.system in PREFERRED]
    same = [row for row in systems() if row in rows and row.kind == rows[0].kind]
    return preferred[0] if preferred else same[-1]


def systems_in_metadata(modules: Iterable[str], world: World) -> Iterator[System]:
    """Yield the systems that the metadata of modules list."""
    named = {one for path in modules for one in supported_systems(path, world)}
    yield from (row for row in systems() if row.system in named)


def module_directories(modulepath: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the directories that modules with some names would have."""
    return [os.path.join(folder, name) for folder in modulepath for name in names]
