"""Sentences that explain why no releases of modules fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.source import NOWHERE, Place
from bunraku.deployment.releases import Release
from bunraku.values.version import SemVer, SemVerRange

MOST_SENTENCES = 5
MOST_VERSIONS = 6


@record(frozen=True)
class Requirement:
    """A module that is needed: ``text`` is the range as written, ``place`` where it is declared.

    ``versions`` is None for a range that is not valid.
    """

    slug: str
    versions: SemVerRange | None
    text: str
    place: Place = NOWHERE

    @property
    def module(self) -> str:
        """The name without the owner: no two modules of one name can be installed."""
        return self.slug.partition("-")[2]

    @property
    def shown(self) -> str:
        """The module and the range."""
        return f"{self.slug} {self.text}"


@record(eq=False)
class Candidate:
    """A release that can be chosen. One that is ``fixed`` is the only one of its module.

    ``version`` is None for a fixed module whose version is not known; it fits every range.
    """

    release: Release
    version: SemVer | None
    dependencies: tuple[Requirement, ...]
    fixed: bool = False
    place: Place = NOWHERE

    @property
    def stable(self) -> bool:
        """Whether it is not a pre-release."""
        return self.version is None or self.version.prerelease is None

    def is_in(self, versions: SemVerRange | None) -> bool:
        """Return whether a range has the release; None is a range that is not valid, and has none."""
        return versions is not None and (self.version is None or versions.includes(self.version))


Need = tuple[Requirement, Candidate | None]
"""A requirement, and the release that has it; None for a declaration."""
Phrase = tuple[str, str]
"""Who needs something, and what."""


@record(slots=False)
class Explanation:
    """The conflicts of a search, in the order in which they were found.

    ``pool`` returns all candidates for a slug. Conflicts that differ only in the releases that take
    part are one sentence with all these versions.
    """

    pool: Callable[[str], Sequence[Candidate]]
    url: str
    conflicts: dict[tuple[str, tuple[Phrase, ...]], dict[str, list[str]]] = field(
        default_factory=dict
    )
    seen: set[frozenset[tuple[int, int]]] = field(default_factory=set)
    """What was noted: the objects of requirements and releases. A search meets most conflicts often."""

    def add(self, needs: Iterable[Need]) -> None:
        """Note that no release meets all needs of one module."""
        needs = list(needs)
        objects = frozenset((id(requirement), id(parent)) for requirement, parent in needs)
        if objects in self.seen:
            return
        self.seen.add(objects)
        needs = unique_needs(needs)
        slugs = list(dict.fromkeys(requirement.slug for requirement, _ in needs))
        if len(slugs) > 1:
            first, second = (
                next(one for one in needs if one[0].slug == slug) for slug in slugs[:2]
            )
            name = first[0].module
            self.note((first, second), f"both would be installed as '{name}'")
            return
        pool = self.pool(slugs[0])
        blamed = smallest_conflict(needs, pool)
        if blamed:
            self.note(blamed, self.ending(slugs[0], len(blamed), pool))
            return
        for candidate in pool:
            if meets(candidate, needs):
                self.add_unmet(candidate)

    def add_unmet(self, candidate: Candidate) -> None:
        """Note the dependencies of a release that no release meets."""
        for requirement in candidate.dependencies:
            pool = self.pool(requirement.slug)
            if not any(one.is_in(requirement.versions) for one in pool):
                self.note([(requirement, candidate)], self.ending(requirement.slug, 1, pool))

    def note(self, needs: Sequence[Need], ending: str) -> None:
        """Note a conflict; the versions of those who need something are collected."""
        ordered = sorted(needs, key=lambda one: (one[1] is not None, one[0].place.line or 0))
        phrases = tuple((asker(one), one[0].shown) for one in ordered)
        key = ending, phrases
        versions = self.conflicts.setdefault(key, {})
        for need in ordered:
            _requirement, parent = need
            if parent is not None:
                known = versions.setdefault(asker(need), [])
                if parent.release.version not in known:
                    known.append(parent.release.version)

    def ending(self, slug: str, count: int, pool: Sequence[Candidate]) -> str:
        """Return the end of a sentence: what there is instead."""
        if not pool:
            return f"{slug} does not exist" + (f" on {self.url}" if self.url else "")
        if pool[0].fixed:
            where = place_text(pool[0].place)
            version = pool[0].release.version
            return f"{slug} is fixed at {version}" + (f" by {where}" if where else "")
        which = {1: "that", 2: "both"}.get(count, "all of them")
        versions = listed_versions([one.release.version for one in pool])
        return f"no release satisfies {which}; released: {versions}"

    def sentences(self) -> list[str]:
        """Return the sentences."""
        found = [
            f"{', and '.join(self.phrase(one, versions) for one in phrases)}; {ending}"
            for (ending, phrases), versions in self.conflicts.items()
        ]
        more = len(found) - MOST_SENTENCES
        return found if more <= 0 else [*found[:MOST_SENTENCES], f"and {more} more conflicts"]

    def phrase(self, phrase: Phrase, versions: dict[str, list[str]]) -> str:
        """Return who needs what."""
        who, what = phrase
        if who not in versions:
            return f"{who} {what}" if who else f"{what} is declared"
        slug, _, place = who.partition("\n")
        known = versions[who]
        verb = "needs" if len(known) == 1 else "need"
        return f"{slug} {listed_versions(known)}{place} {verb} {what}"


def asker(need: Need) -> str:
    """Return who has a need: a place of a declaration, or a slug with that of its declaration."""
    requirement, parent = need
    if parent is None:
        where = place_text(requirement.place)
        return f"{where} declares" if where else ""
    where = place_text(parent.place)
    return f"{parent.release.slug}\n" + (f" ({where})" if where else "")


def place_text(place: Place) -> str:
    """Return the file and the line of a declaration; empty without a file."""
    if place.file is None:
        return ""
    return place.file if place.line is None else f"{place.file}:{place.line}"


def listed_versions(versions: Sequence[str]) -> str:
    """Return versions as a list in a sentence.

    >>> listed_versions(["2.0.0", "1.1.0", "1.0.0"])
    '2.0.0, 1.1.0 and 1.0.0'
    """
    shown, more = list(versions[:MOST_VERSIONS]), len(versions) - MOST_VERSIONS
    if more > 0:
        return f"{', '.join(shown)} and {more} others"
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def requirement_of(slug: str, text: str, place: Place = NOWHERE) -> Requirement:
    """Return a requirement; a range that is not valid has no releases, as in Puppet."""
    try:
        versions = SemVerRange.parse(text)
    except PuppetError:
        return Requirement(slug, None, text, place)
    return Requirement(slug, versions, text, place)


def candidate_of(
    release: Release, version: SemVer | None, *, fixed: bool = False, place: Place = NOWHERE
) -> Candidate:
    """Return the candidate that a release is."""
    needs = tuple(requirement_of(slug, text) for slug, text in release.dependencies)
    return Candidate(release, version, needs, fixed, place)


def unique_needs(needs: Iterable[Need]) -> list[Need]:
    """Return needs without those that others of the same release or place repeat."""
    found: dict[tuple[str, str], Need] = {}
    for need in needs:
        found.setdefault((need[0].shown, asker(need)), need)
    return list(found.values())


def meets(candidate: Candidate, needs: Iterable[Need]) -> bool:
    """Return whether a release meets all needs."""
    return all(candidate.is_in(requirement.versions) for requirement, _ in needs)


def smallest_conflict(needs: Sequence[Need], pool: Sequence[Candidate]) -> Sequence[Need]:
    """Return the fewest needs that no release meets together; none if a release meets all."""
    for count in range(1, min(len(needs), 3)):
        for some in combinations(needs, count):
            if not any(meets(candidate, some) for candidate in pool):
                return some
    return () if any(meets(candidate, needs) for candidate in pool) else needs
