"""Choose releases of modules that fit together, as ``puppet module install`` does.

The rules are those of Puppet (semantic_puppet 1.0.4):

* Modules are decided in the order of their names, and the highest version is tried first.
* A release counts only if each of its dependencies has a release in its range.
* Pre-releases are tried only if no stable release counts.
* Two modules with the same name and different owners are never chosen together.

The search tries everything that can matter. After a dead end it returns to the last module that had a
part in it (conflict-directed backjumping), which finds the same releases as going back step by step.
resolvelib (1.2.1) is not used: it needs time in proportion to the product of the numbers of releases to find a
conflict across other modules (``tests/deployment/test_resolver_peer.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.source import NOWHERE, Place
from bunraku.deployment import issues
from bunraku.deployment.conflicts import (
    Candidate,
    Explanation,
    Need,
    Requirement,
    candidate_of,
    requirement_of,
)
from bunraku.deployment.releases import ANY_VERSION, Release, newest_first, slug_of
from bunraku.values.version import SemVer

MOST_ATTEMPTS = 200_000
"""Releases that a search tries."""
LATEST = frozenset({"", "latest"})


@record(frozen=True)
class WantedModule:
    """A module that is asked for.

    ``versions`` is a range or an exact version; ``latest``, or an empty text, stands for any.
    """

    slug: str
    versions: str = ""
    place: Place = NOWHERE


@record(frozen=True)
class FixedModule:
    """A module whose version is not chosen, for example one from git; an empty version fits every range."""

    slug: str
    version: str = ""
    dependencies: tuple[tuple[str, str], ...] = ()
    place: Place = NOWHERE


@record(frozen=True)
class Reason:
    """Why a module was chosen: a declaration at a ``place``, or the dependency of a chosen module."""

    versions: str
    slug: str = ""
    place: Place = NOWHERE


@record(frozen=True)
class ChosenModule:
    """A chosen release. That of a fixed module has no archive."""

    release: Release
    fixed: bool
    reasons: tuple[Reason, ...]


def resolve_modules(
    wanted: Iterable[WantedModule],
    releases: Callable[[str], Iterable[Release]],
    *,
    fixed: Iterable[FixedModule] = (),
    preferred: Mapping[str, str] | None = None,
    url: str = "",
) -> tuple[ChosenModule, ...]:
    """Return the chosen releases with all dependencies, in the order of their slugs.

    ``releases`` returns the releases of a module, none for an unknown one. A ``preferred`` version
    of a slug, such as that of a lock file, is tried before higher ones. Raise RESOLVE_CONFLICT with an
    explanation, which names the Forge by its ``url``.
    """
    pool = Candidates(releases, tuple(fixed), preferred or {}, declared_places(wanted := [*wanted]))
    explanation = Explanation(pool.of, url)
    requirements = [declared(one, pool) for one in wanted]
    requirements += map(required, pool.fixed.values())
    try:
        chosen = Search(pool, explanation, requirements).run()
    except Impossible:
        sentences = "\n".join(f"  {one}" for one in explanation.sentences())
        raise issues.RESOLVE_CONFLICT(sentences=sentences) from None
    return chosen_modules(requirements, chosen)


class Impossible(Exception):
    """No releases fit together."""


def declared_places(wanted: Iterable[WantedModule]) -> dict[str, Place]:
    """Return where modules are declared, by their slugs."""
    return {slug_of(one.slug): one.place for one in wanted}


def declared(module: WantedModule, pool: Candidates) -> Requirement:
    """Return the requirement of a declaration; raise RESOLVE_BAD_RANGE.

    The latest version of a module that has only pre-releases is one of them, as for r10k.
    """
    slug = slug_of(module.slug)
    text = module.versions
    if text in LATEST:
        known = pool.of(slug)
        only_early = bool(known) and not any(one.stable for one in known)
        text = known[0].release.version if only_early else ANY_VERSION
    requirement = requirement_of(slug, text, module.place)
    if requirement.versions is None:
        raise issues.RESOLVE_BAD_RANGE(slug=slug, versions=text).at(module.place)
    return requirement


def required(candidate: Candidate) -> Requirement:
    """Return the requirement that a fixed module is."""
    version = candidate.release.version if candidate.version is not None else ANY_VERSION
    return requirement_of(candidate.release.slug, version, candidate.place)


class Candidates:
    """All candidates by slug; the releases of a module are asked for once, when it is considered."""

    def __init__(
        self,
        releases: Callable[[str], Iterable[Release]],
        fixed: Sequence[FixedModule],
        preferred: Mapping[str, str],
        places: Mapping[str, Place],
    ) -> None:
        self.releases = releases
        self.preferred = preferred
        self.places = places
        self.fixed = {slug_of(one.slug): fixed_candidate(one) for one in fixed}
        self.known: dict[str, list[Candidate]] = {
            slug: [candidate] for slug, candidate in self.fixed.items()
        }
        self.complete: dict[int, bool] = {}

    def of(self, slug: str) -> list[Candidate]:
        """Return the candidates of a module, the best one first."""
        if slug not in self.known:
            place = self.places.get(slug, NOWHERE)
            self.known[slug] = [
                candidate_of(one, SemVer.parse(one.version), place=place)
                for one in newest_first(self.releases(slug))
            ]
            first = self.preferred.get(slug)
            self.known[slug].sort(key=lambda one: one.release.version != first)
        return self.known[slug]

    def is_complete(self, candidate: Candidate) -> bool:
        """Return whether each dependency of a release has a release in its range."""
        found = self.complete.get(id(candidate))
        if found is None:
            found = all(
                any(one.is_in(need.versions) for one in self.of(need.slug))
                for need in candidate.dependencies
            )
            self.complete[id(candidate)] = found
        return found

    def usable(self, slug: str, requirements: Sequence[Requirement]) -> Iterator[Candidate]:
        """Yield the candidates that meet all requirements and count; pre-releases only without others."""
        fitting = [
            one for one in self.of(slug) if all(one.is_in(need.versions) for need in requirements)
        ]
        for stable in (True, False):
            found = False
            for candidate in fitting:
                if candidate.stable is stable and self.is_complete(candidate):
                    found = True
                    yield candidate
            if found:
                return


def fixed_candidate(module: FixedModule) -> Candidate:
    """Return the candidate that a fixed module is."""
    release = Release(slug_of(module.slug), module.version, module.dependencies)
    try:
        version = SemVer.parse(module.version)
    except PuppetError:
        return candidate_of(release, None, fixed=True, place=module.place)
    return candidate_of(release, version, fixed=True, place=module.place)


@record(slots=False)
class ModuleDecision:
    """A module that a search decides: the releases that it has not tried, and who is to blame.

    ``blamed`` are the slugs of the decided modules without which a release that failed could have
    been chosen.
    """

    slug: str
    untried: Iterator[Candidate]
    blamed: set[str] = field(default_factory=set)


class Search:
    """A search for releases. ``needs`` are those of the declarations and of all chosen releases."""

    def __init__(
        self, pool: Candidates, explanation: Explanation, requirements: Iterable[Requirement]
    ) -> None:
        self.pool = pool
        self.explanation = explanation
        self.attempts = 0
        self.chosen: dict[str, Candidate] = {}
        self.needs: dict[str, list[Need]] = {}
        for requirement in requirements:
            self.needs.setdefault(requirement.slug, []).append((requirement, None))

    def run(self) -> dict[str, Candidate]:
        """Return the chosen release of each slug; raise Impossible."""
        decisions: list[ModuleDecision] = []
        while (slug := self.undecided()) is not None:
            requirements = [requirement for requirement, _ in self.needs[slug]]
            decisions.append(ModuleDecision(slug, self.pool.usable(slug, requirements)))
            if not self.advance(decisions[-1]):
                self.go_back(decisions)
        return self.chosen

    def undecided(self) -> str | None:
        """Return the first module that is needed and not decided."""
        open_slugs = (
            slug for slug, needs in self.needs.items() if needs and slug not in self.chosen
        )
        return min(open_slugs, default=None)

    def advance(self, decision: ModuleDecision) -> bool:
        """Choose the next release that fits to those that are chosen; return whether there is one."""
        for candidate in decision.untried:
            self.attempts += 1
            if self.attempts > MOST_ATTEMPTS:
                raise issues.RESOLVE_TOO_DEEP(attempts=MOST_ATTEMPTS)
            blamed = self.opponents(candidate)
            if blamed is None:
                self.choose(candidate)
                return True
            decision.blamed |= blamed
        needs = self.needs[decision.slug]
        self.explanation.add(needs)
        decision.blamed |= parents_of(needs)
        return False

    def opponents(self, candidate: Candidate) -> set[str] | None:
        """Return the decided modules that rule a release out; None if it fits."""
        slug = candidate.release.slug
        for need in [*self.needs[slug][:1], *((one, candidate) for one in candidate.dependencies)]:
            requirement, _ = need
            rivals = self.rivals(requirement)
            if rivals:
                self.explanation.add([*rivals, need])
                return parents_of([*rivals, *self.needs[slug]])
            there = candidate if requirement.slug == slug else self.chosen.get(requirement.slug)
            if there is not None and not there.is_in(requirement.versions):
                self.explanation.add([*self.needs[requirement.slug], need])
                return {requirement.slug} - {slug}
        return None

    def rivals(self, requirement: Requirement) -> list[Need]:
        """Return what is needed of modules with the same name and other owners."""
        return [
            need
            for slug, needs in self.needs.items()
            for need in needs
            if slug != requirement.slug and need[0].module == requirement.module
        ]

    def choose(self, candidate: Candidate) -> None:
        """Choose a release, which then needs its dependencies."""
        self.chosen[candidate.release.slug] = candidate
        for requirement in candidate.dependencies:
            self.needs.setdefault(requirement.slug, []).append((requirement, candidate))

    def take_back(self, slug: str) -> None:
        """Take the last choice back."""
        for requirement in self.chosen.pop(slug).dependencies:
            self.needs[requirement.slug].pop()

    def go_back(self, decisions: list[ModuleDecision]) -> None:
        """Return to the last module that is to blame for a dead end and has another release."""
        blamed = decisions.pop().blamed
        while decisions:
            decision = decisions[-1]
            self.take_back(decision.slug)
            if decision.slug in blamed:
                decision.blamed |= blamed - {decision.slug}
                if self.advance(decision):
                    return
                blamed = decision.blamed
            decisions.pop()
        raise Impossible


def parents_of(needs: Iterable[Need]) -> set[str]:
    """Return the slugs of the chosen releases that have needs."""
    return {parent.release.slug for _, parent in needs if parent is not None}


def chosen_modules(
    requirements: Iterable[Requirement], chosen: Mapping[str, Candidate]
) -> tuple[ChosenModule, ...]:
    """Return the chosen releases in the order of their slugs, with those who need them."""
    reasons: dict[str, list[Reason]] = {}
    needs: list[Need] = [(one, None) for one in requirements]
    while needs:
        requirement, parent = needs.pop(0)
        candidate = chosen[requirement.slug]
        if requirement.slug not in reasons:
            reasons[requirement.slug] = []
            needs += [(one, candidate) for one in candidate.dependencies]
        reasons[requirement.slug].append(reason_for((requirement, parent)))
    return tuple(
        ChosenModule(one.release, one.fixed, tuple(dict.fromkeys(reasons[slug])))
        for slug, one in sorted(chosen.items())
    )


def reason_for(need: Need) -> Reason:
    """Return a need as the reason of a choice."""
    requirement, parent = need
    if parent is None:
        return Reason(requirement.text, place=requirement.place)
    return Reason(requirement.text, parent.release.slug, parent.place)
