"""bunraku's resolver beside resolvelib: the same releases, and why resolvelib is not used.

Puppet does not decide a module again because a later one needs another version of it. A provider says
that to resolvelib by a release that needs itself. Then resolvelib chooses what Puppet chooses, but

* its optimistic backjumping, which no public parameter turns off, reports a conflict or chooses lower
  versions in a few cases in which modules need each other;
* without it, it returns to the last decision after each dead end, and the time to find a conflict of two
  modules grows with the product of the numbers of releases of all modules between them.
"""

from __future__ import annotations

import random

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.deployment.conflicts import Candidate
from bunraku.deployment.resolver import Candidates, WantedModule, declared, resolve_modules
from support.module_worlds import NAMES, RANGES, releases_in, world_of

resolvelib = pytest.importorskip("resolvelib")
resolvers = pytest.importorskip("resolvelib.resolvers")
OPTIMISTIC_FAULTS = {447: "lower versions", 1068: "a conflict"}
"""Seeds of worlds in which optimistic backjumping fails."""


@record(frozen=True)
class Itself:
    """The requirement of a chosen release that nothing else is chosen for its module."""

    candidate: Candidate

    @property
    def slug(self) -> str:
        return self.candidate.release.slug


class Provider(resolvelib.AbstractProvider):
    """Puppet's rules as resolvelib asks for them; a module is identified by its name without the owner."""

    def __init__(self, pool):
        self.pool = pool

    def identify(self, requirement_or_candidate):
        one = requirement_or_candidate
        return (one.release if isinstance(one, Candidate) else one).slug.partition("-")[2]

    def get_preference(self, identifier, resolutions, candidates, information, backtrack_causes):
        return min(one.requirement.slug for one in information[identifier])

    def find_matches(self, identifier, requirements, incompatibilities):
        needs = list(requirements[identifier])
        slug, *rivals = {one.slug for one in needs}
        if rivals:
            return []
        chosen = [one.candidate for one in needs if isinstance(one, Itself)]
        found = self.pool.usable(slug, [one for one in needs if not isinstance(one, Itself)])
        return [
            one
            for one in found
            if all(one is other for other in chosen) and one not in incompatibilities[identifier]
        ]

    def is_satisfied_by(self, requirement, candidate):
        if isinstance(requirement, Itself):
            return requirement.candidate is candidate
        return requirement.slug == candidate.release.slug and candidate.is_in(requirement.versions)

    def get_dependencies(self, candidate):
        return [Itself(candidate), *candidate.dependencies]


def chosen_by_resolvelib(world, asked, *, optimistic=False, rounds=20_000):
    """Return the versions that resolvelib chooses; None for a conflict."""
    pool = Candidates(lambda slug: releases_in(world, slug), (), {}, {})
    resolution = resolvers.Resolution(Provider(pool), resolvelib.BaseReporter())
    if not optimistic:
        resolution._optimistic_backjumping_ratio = 0.0
    try:
        state = resolution.resolve([declared(one, pool) for one in asked], max_rounds=rounds)
    except resolvers.ResolutionImpossible:
        return None
    return {one.release.slug: one.release.version for one in state.mapping.values()}


def chosen_by_bunraku(world, asked):
    """Return the chosen versions; None for a conflict."""
    try:
        found = resolve_modules(asked, lambda slug: releases_in(world, slug))
    except PuppetError as error:
        return None if error.code == "RESOLVE_CONFLICT" else error.code
    return {one.release.slug: one.release.version for one in found}


def generated(seed, *, circular):
    """Return a generated world and the modules that are asked for."""
    rng = random.Random(seed)
    world = world_of(rng, circular=circular)
    names = rng.sample(NAMES, rng.choice([1, 1, 2, 3]))
    return world, [WantedModule(one, rng.choice([">= 0.0.0", rng.choice(RANGES)])) for one in names]


@pytest.mark.parametrize("circular", [False, True])
def test_both_choose_the_same(circular):
    for seed in [*range(150), *OPTIMISTIC_FAULTS]:
        world, asked = generated(seed, circular=circular)
        assert chosen_by_bunraku(world, asked) == chosen_by_resolvelib(world, asked), seed


@pytest.mark.parametrize(("seed", "fault"), OPTIMISTIC_FAULTS.items())
def test_optimistic_backjumping_fails(seed, fault):
    world, asked = generated(seed, circular=True)
    found = chosen_by_resolvelib(world, asked, optimistic=True)
    right = chosen_by_bunraku(world, asked)
    assert right is not None
    assert found != right
    assert (found is None) is (fault == "a conflict")


@pytest.mark.parametrize("optimistic", [False, True])
def test_resolvelib_does_not_find_a_conflict_across_other_modules(optimistic):
    world = {
        f"a-{name}": {f"{major}.{minor}.0": {} for major in range(1, 4) for minor in range(8)}
        for name in "bcdefgh"
    }
    world["a-zed"] = {"1.0.0": {"a-base": "< 2.0.0"}}
    world["a-base"] = {"2.0.0": {}, "1.0.0": {}}
    asked = [WantedModule(slug) for slug in world if slug != "a-base"]
    asked.append(WantedModule("a-base", ">= 2.0.0"))
    assert chosen_by_bunraku(world, asked) is None
    with pytest.raises(resolvers.ResolutionTooDeep):
        chosen_by_resolvelib(world, asked, optimistic=optimistic, rounds=2_000)
