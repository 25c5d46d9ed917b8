"""Generated releases of modules, and a model of the search of Puppet in them (semantic_puppet 1.0.4)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from bunraku.deployment.releases import Release
from bunraku.values.version import SemVer, SemVerRange

NAMES = [
    *("acme-app", "acme-base", "acme-conf", "acme-disk", "acme-edge", "acme-file", "acme-grid"),
    "other-base",
]
VERSIONS = ["0.9.0", "1.0.0", "1.1.0", "1.2.3", "2.0.0", "2.1.0", "3.0.0-rc1", "3.0.0"]
RANGES = [
    *(
        ">= 1.0.0 < 2.0.0",
        ">= 1.0.0",
        ">= 0.9.0 < 3.0.0",
        ">= 1.1.0 < 3.0.0",
        "1.x",
        "1.1.x",
        "~1.1.0",
    ),
    *(
        ">= 2.0.0 < 3.0.0",
        "< 2.0.0",
        "^1.1.0",
        "1.0.0 - 2.0.0",
        "2.0.0",
        "3.0.0-rc1",
        ">= 3.0.0-rc1",
    ),
]
World = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Slug → version → slug of a dependency → range."""
Choice = list[tuple[str, str]]


def world_of(rng: random.Random, *, circular: bool) -> World:
    """Return releases; dependencies go to later names only, unless they can be ``circular``."""
    found = {}
    for number, name in enumerate(NAMES):
        versions = rng.sample(VERSIONS, rng.randint(2, 7))
        others = [one for one in NAMES if one != name] if circular else NAMES[number + 1 :]
        share = 0.25 if circular else 0.4
        found[name] = {
            version: {other: rng.choice(RANGES) for other in others if rng.random() < share}
            for version in versions
        }
    return found


def releases_in(world: World, slug: str) -> Iterator[Release]:
    """Yield the releases of a module."""
    for version, dependencies in world.get(slug, {}).items():
        yield Release(slug, version, tuple(dependencies.items()))


def in_range(version: str, versions: str) -> bool:
    """Return whether a range has a version."""
    return SemVerRange.parse(versions).includes(SemVer.parse(version))


def fitting(world: World, slug: str, versions: str) -> list[str]:
    """Return the versions of a module in a range, the lowest first."""
    found = (one for one in world.get(slug, {}) if in_range(one, versions))
    return sorted(found, key=SemVer.parse)


def fits(world: World, chosen: Choice, slug: str, version: str) -> bool:
    """Return whether a release fits to those that are chosen, and its name to all names."""
    ranges = [world[one][at].get(slug) for one, at in chosen]
    names = {name for one, at in [*chosen, (slug, version)] for name in (one, *world[one][at])}
    return all(one is None or in_range(version, one) for one in ranges) and len(
        {name.partition("-")[2] for name in names}
    ) == len(names)


def choice_of_puppet(
    world: World, open_modules: Mapping[str, Iterable[str]], chosen: Choice
) -> Choice | None:
    """Return what Puppet chooses for modules with their possible versions; None if nothing fits.

    Puppet can choose two versions of a module that was decided before another one that needs it.
    """
    if not open_modules:
        return chosen
    name = min(open_modules)
    others = {slug: versions for slug, versions in open_modules.items() if slug != name}
    if any((name, version) in chosen for version in open_modules[name]):
        return choice_of_puppet(world, others, chosen)
    needs = {
        version: {slug: fitting(world, slug, text) for slug, text in world[name][version].items()}
        for version in open_modules[name]
    }
    counting = [version for version in open_modules[name] if all(needs[version].values())]
    stable = [one for one in counting if "-" not in one] or counting
    for version in reversed(stable):
        if fits(world, chosen, name, version):
            merged = dict(others)
            for slug, versions in needs[version].items():
                merged[slug] = [one for one in others.get(slug, versions) if one in versions]
            found = choice_of_puppet(world, merged, [*chosen, (name, version)])
            if found is not None:
                return found
    return None
