"""Semantic versions and ranges of them, as SemanticPuppet understands them.

This is the one home of versions: of values in Puppet code, of ``version_requirement`` in
``metadata.json`` and of releases on the Forge. ``SemVer.parse`` and ``SemVerRange.parse`` read texts;
versions are ordered, with pre-releases before their release; ``SemVerRange.includes`` has a
pre-release only where a bound has one of the same ``major.minor.patch``.
"""

from __future__ import annotations

import re
from functools import total_ordering

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values import issues

IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
NUMBER = r"(?:0|[1-9]\d*)"
VERSION = lazy_pattern(
    rf"({NUMBER})\.({NUMBER})\.({NUMBER})(?:-({IDENTIFIERS}))?(?:\+({IDENTIFIERS}))?\n?\Z", re.ASCII
)
QUALIFIER = lazy_pattern(rf"{IDENTIFIERS}\n?\Z", re.ASCII)
LEADING_ZERO = lazy_pattern(r"(?:^|\.)0\d+(?:\.|$)")


@total_ordering
class SemVer:
    """``major.minor.patch-prerelease+build``; build counts for equality, not for order.

    >>> SemVer.parse("1.2.3-rc.2") < SemVer.parse("1.2.3-rc.10") < SemVer.parse("1.2.3")
    True
    """

    __slots__ = ("build", "major", "minor", "order", "patch", "prerelease")

    ATTRIBUTES = ("major", "minor", "patch", "prerelease", "build")

    def __init__(
        self,
        major: float,
        minor: int,
        patch: int,
        prerelease: str | None = None,
        build: str | None = None,
    ) -> None:
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
        self.build = build
        self.order = (major, minor, patch, prerelease_order(prerelease))

    @classmethod
    def parse(cls, text: str) -> SemVer:
        """Return the version that a string spells; raise SEMVER_INVALID if it is invalid."""
        match = VERSION.match(text)
        if match is None:
            raise issues.INVALID_VERSION(text=text)
        major, minor, patch, prerelease, build = match.groups()
        check_prerelease(prerelease)
        return cls(int(major), int(minor), int(patch), prerelease, build)

    @property
    def triple(self) -> tuple[float, int, int]:
        """Major, minor and patch."""
        return self.major, self.minor, self.patch

    def __str__(self) -> str:
        major = "Infinity" if self.major == float("inf") else self.major
        text = f"{major}.{self.minor}.{self.patch}"
        if self.prerelease is not None:
            text += "-" + self.prerelease
        return text if self.build is None else f"{text}+{self.build}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SemVer) and self.order == other.order and self.build == other.build

    def __lt__(self, other: SemVer) -> bool:
        return self.order < other.order

    def __hash__(self) -> int:
        return hash((SemVer, self.order, self.build))

    def __reduce__(self) -> tuple[type[SemVer], tuple[object, ...]]:
        return SemVer, (self.major, self.minor, self.patch, self.prerelease, self.build)


def prerelease_order(prerelease: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key: numbers before words, fewer parts before more, no pre-release last."""
    if prerelease is None:
        return ((2, 0, ""),)
    if not prerelease:
        return ()
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in prerelease.split(".")
    )


def check_prerelease(prerelease: str | None) -> None:
    """Raise an error if a numeric part has leading zeros."""
    if prerelease and any(
        part.isdigit() and part[0] == "0" and len(part) > 1 for part in prerelease.split(".")
    ):
        raise issues.INVALID_VERSION_PART(
            part="pre-release (a number with leading zeros)", value=prerelease
        )


def is_version(text: str) -> bool:
    """Return whether a text is a semantic version.

    >>> is_version("1.2.3-rc.1"), is_version("1.2"), is_version("v1.2.3"), is_version("1.0.0-01")
    (True, False, False, False)
    """
    try:
        SemVer.parse(text)
    except PuppetError:
        return False
    return True


FIRST = SemVer(0, 0, 0, "")
LAST = SemVer(float("inf"), 0, 0)


class Interval:
    """The versions between two versions."""

    __slots__ = ("high", "high_included", "low", "low_included")

    def __init__(
        self,
        low: SemVer = FIRST,
        high: SemVer = LAST,
        low_included: bool = True,
        high_included: bool = True,
    ) -> None:
        self.low = low
        self.high = high
        self.low_included = low_included
        self.high_included = high_included

    def key(self) -> tuple[object, ...]:
        """Return the key of equality."""
        return self.low, self.high, self.low_included, self.high_included

    def is_empty(self) -> bool:
        """Return whether no version is between two bounds."""
        if self.low == self.high:
            return not (self.low_included and self.high_included)
        return self.high < self.low

    def intersection(self, other: Interval) -> Interval:
        """Return the versions that are in both intervals."""
        if self is EVERYTHING or other is EVERYTHING:
            return other if self is EVERYTHING else self
        low, low_in = max(
            ((i.low, i.low_included) for i in (self, other)), key=lambda e: (e[0].order, not e[1])
        )
        high, high_in = min(
            ((i.high, i.high_included) for i in (self, other)), key=lambda e: (e[0].order, e[1])
        )
        result = Interval(low, high, low_in, high_in)
        return NOTHING if result.is_empty() else result

    def touches(self, other: Interval) -> bool:
        """Return whether this interval and another adjoin or overlap."""
        first, second = sorted((self, other), key=lambda i: (i.low.order, not i.low_included))
        if second.low.order == first.high.order:
            return first.high_included or second.low_included
        return second.low < first.high

    def union(self, other: Interval) -> Interval:
        """Return the interval from the lower start to the higher end."""
        if self is EVERYTHING:
            return self
        low = min(self, other, key=lambda i: (i.low.order, not i.low_included))
        high = max(self, other, key=lambda i: (i.high.order, i.high_included))
        return Interval(low.low, high.high, low.low_included, high.high_included)

    def includes(self, version: SemVer) -> bool:
        """Return whether a version is inside; pre-releases only if a bound has their triple."""
        if self.low == self.high:
            return version == self.low
        if version < self.low or (version.order == self.low.order and not self.low_included):
            return False
        if self.high < version or (version.order == self.high.order and not self.high_included):
            return False
        if version.prerelease is None or self is EVERYTHING:
            return True
        return any(
            bound.prerelease and bound.triple == version.triple for bound in (self.low, self.high)
        )

    def canonical(self) -> str:
        """Return the interval as comparisons."""
        if self.low is FIRST and self.high is LAST:
            return "*"
        if self.low == self.high and self.low_included and self.high_included:
            return str(self.low)
        parts = []
        if self.low is not FIRST:
            parts.append(f"{'>=' if self.low_included else '>'}{self.low}")
        if self.high is not LAST:
            parts.append(f"{'<=' if self.high_included else '<'}{self.high}")
        return " ".join(parts)


NOTHING = Interval(FIRST, SemVer(0, 0, 0), high_included=False)
EVERYTHING = Interval()
"""``*``: the only interval with all pre-releases."""
ANY = rf"(?:{NUMBER}|[xX*])"
PARTIAL = rf"(?:{ANY}\.{ANY}\.{ANY}(?:-{IDENTIFIERS})?(?:\+{IDENTIFIERS})?|{ANY}(?:\.{ANY})?)"
HYPHEN = lazy_pattern(rf"({PARTIAL})\s+-\s+({PARTIAL})\Z", re.ASCII)
SIMPLE = lazy_pattern(rf"(>=|<=|~>|~=|[<>=~^])?({PARTIAL})\Z", re.ASCII)
AFTER_OPERATOR = lazy_pattern(r"([<>=~^])(?:\s+|v)", re.ASCII)
BETWEEN = lazy_pattern(r"\s*\|\|\s*", re.ASCII)
SPACES = lazy_pattern(r"\s+", re.ASCII)
PART = lazy_pattern(r"([^.+-]+)(?:\.([^.+-]+))?(?:\.([^.+-]+))?(?:-([^+]+))?(?:\+(.+))?\Z")


class SemVerRange:
    """A set of versions, written as npm does; equal to another when the bounds are.

    >>> SemVerRange.parse("~1.2").includes(SemVer.parse("1.2.9"))
    True
    >>> SemVerRange.parse("~1.2").canonical()
    '>=1.2.0 <1.3.0'
    """

    __slots__ = ("intervals", "text")

    ATTRIBUTES = ("min", "max", "exclude_max")

    def __init__(self, intervals: tuple[Interval, ...], text: str) -> None:
        self.intervals = intervals
        self.text = text

    @classmethod
    def parse(cls, text: str) -> SemVerRange:
        """Return the range that a string spells; raise SEMVER_RANGE_INVALID if it is invalid."""
        parts = ruby_split(BETWEEN, AFTER_OPERATOR.sub(r"\1", text))
        found = [parse_intersection(part, text) for part in parts if part]
        some = merged(found)
        return cls(tuple(some) or (EVERYTHING,), text if some else "*")

    @classmethod
    def between(
        cls, low: SemVer | None, high: SemVer | None, exclude_high: bool = False
    ) -> SemVerRange:
        """Return the range from one version to another; None leaves a side open."""
        interval = Interval(low or FIRST, high or LAST, high_included=not exclude_high)
        shown_low, shown_high = interval.low, interval.high
        text = f">={shown_low} <{shown_high}" if exclude_high else f"{shown_low} - {shown_high}"
        if low is None or high is None:
            text = interval.canonical()
        return cls((interval,), text)

    @classmethod
    def joined(cls, ranges: list[SemVerRange]) -> tuple[SemVerRange, ...]:
        """Ranges, those that touch made one; those with several parts are kept.

        >>> SemVerRange.joined([SemVerRange.parse("1.x"), SemVerRange.parse("2.x")])
        (>=1.0.0 <3.0.0,)
        """
        found: list[SemVerRange] = []
        for item in ranges:
            whole = item
            for other in [*found]:
                if len(whole.intervals) == len(other.intervals) == 1:
                    one, two = other.intervals[0], whole.intervals[0]
                    if one.touches(two):
                        found.remove(other)
                        joint = one.union(two)
                        whole = cls((joint,), joint.canonical())
            found.append(whole)
        return tuple(found)

    @property
    def min(self) -> SemVer:
        """The lower bound."""
        return self.intervals[0].low

    @property
    def max(self) -> SemVer:
        """The upper bound."""
        return self.intervals[-1].high

    @property
    def exclude_max(self) -> bool:
        """Whether the upper bound itself is outside."""
        return not self.intervals[-1].high_included

    def includes(self, version: SemVer) -> bool:
        """Return whether a version is in the range."""
        return any(interval.includes(version) for interval in self.intervals)

    def canonical(self) -> str:
        """Return the range as comparisons."""
        return " || ".join(interval.canonical() for interval in self.intervals)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def key(self) -> tuple[object, ...]:
        """Return the key of equality."""
        return tuple(interval.key() for interval in self.intervals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SemVerRange) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((SemVerRange, self.key()))


def ruby_split(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the parts of a text as Ruby's ``split`` does: empty parts at the end are left out."""
    parts = pattern.split(text)
    while parts and not parts[-1]:
        parts.pop()
    return parts


def merged(found: list[Interval]) -> list[Interval]:
    """Return the intervals, with adjoining and overlapping ones joined to the last of them.

    The order matters for ``*``, whose pre-releases are in a range only if it is joined to others.
    """
    waiting = found
    result: list[Interval] = []
    while waiting:
        *others, joined = waiting
        waiting = []
        for other in others:
            if joined.touches(other):
                joined = joined.union(other)
            else:
                waiting.append(other)
        result.insert(0, joined)
    return result if len(result) == len(found) else merged(result)


def parse_intersection(text: str, whole: str) -> Interval:
    """Return the interval of comparisons separated by spaces, or of ``a - b``."""
    if match := HYPHEN.match(text):
        low, high = (floor_of(split_partial(part)) for part in match.groups())
        return Interval(low).intersection(Interval(high=high))
    simple = [SIMPLE.match(part) for part in ruby_split(SPACES, text)]
    interval = EVERYTHING if simple else NOTHING
    for match in simple:
        if match is None:
            raise issues.INVALID_RANGE(text=whole)
        interval = interval.intersection(simple_interval(match[1] or "=", match[2]))
    return interval


Partial = tuple["int | None", "int | None", "int | None", "str | None", "str | None"]


def split_partial(text: str) -> Partial:
    """Return major, minor, patch (None for ``x`` or if absent), pre-release and build."""
    match = PART.match(text)
    if match is None:
        raise issues.INVALID_RANGE(text=text)
    numbers = [None if part is None or part in "xX*" else int(part) for part in match.groups()[:3]]
    return numbers[0], numbers[1], numbers[2], match[4], match[5]


def floor_of(partial: Partial) -> SemVer:
    """Return the first version that a partial one covers."""
    major, minor, patch, prerelease, build = partial
    check_prerelease(prerelease)
    return SemVer(major or 0, minor or 0, patch or 0, prerelease, build)


def next_after(partial: Partial) -> SemVer:
    """Return the first version after all that a partial one covers."""
    major, minor, patch = partial[:3]
    if minor is None:
        return SemVer((major or 0) + 1, 0, 0)
    if patch is None:
        return SemVer(major or 0, minor + 1, 0)
    return SemVer(major or 0, minor, patch + 1)


def simple_interval(operator: str, text: str) -> Interval:
    """Return the text of one comparison."""
    partial = split_partial(text)
    if operator == "<":
        return half_open(FIRST, floor_of(partial))
    if operator == ">=":
        return Interval(floor_of(partial))
    partial = normalized(partial)
    major, minor, patch = partial[:3]
    floor, whole = floor_of(partial), patch is not None
    if major is None:
        return NOTHING if operator == ">" else EVERYTHING
    if operator == "=":
        return Interval(floor, floor) if whole else half_open(floor, next_after(partial))
    if operator == ">":
        return Interval(floor, low_included=False) if whole else Interval(next_after(partial))
    if operator == "<=":
        if whole:
            return Interval(high=floor)
        return Interval(high=next_after(partial), high_included=False)
    if operator == "^" and major > 0:
        return half_open(floor, SemVer(major + 1, 0, 0))
    if minor is None:
        return half_open(floor, SemVer(major + 1, 0, 0))
    return half_open(floor, SemVer(major, minor + 1, 0))  # ~1.2, ~1.2.3, ^0.2.3


def normalized(partial: Partial) -> Partial:
    """Return a partial version in which every part after an ``x`` is ``x``."""
    major, minor, patch, prerelease, build = partial
    if major is None:
        return None, None, None, None, None
    if minor is None or patch is None:
        return major, minor, None, None, None
    return major, minor, patch, prerelease, build


def half_open(low: SemVer, high: SemVer) -> Interval:
    """Return the interval from one version up to and excluding another."""
    return Interval(low, high, high_included=False)
