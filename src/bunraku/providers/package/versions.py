"""Versions of packages, compared by the rules of each package system, and ranges of versions.

Versions that differ only in insignificant parts of their text are equal. An older version is less than
a newer one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol, Self

from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure

BOUND = re.compile(r"([<>=]*)(.+)", re.DOTALL)
PARTS = re.compile(r"\d+|\D+")


class InvalidVersion(ResourceFailure, ValueError):
    """A text that is not a version, such as the output of a program; it fails its resource only."""


class Version(Protocol):
    """A version that can be compared."""

    def __lt__(self, other: Self, /) -> bool: ...


Parse = Callable[[str], Version]
"""Parse a version; raise InvalidVersion if it is invalid."""


# -- ranges ----------------------------------------------------------------------------------------


@record(frozen=True)
class Bound:
    """An operator (empty for equality) with a version and its text."""

    operator: str
    version: Version
    text: str

    def includes(self, version: Version) -> bool:
        """Return whether a version satisfies the bound."""
        match self.operator:
            case "<":
                return version < self.version
            case ">":
                return self.version < version
            case "<=":
                return not self.version < version
            case ">=":
                return not version < self.version
            case _:
                return version == self.version


@record(frozen=True)
class Range:
    """One bound, or two that must both be satisfied.

    >>> found = parse_range(">=1.0 <2.0", Debian.parse)
    >>> found.includes(Debian.parse("1.5")), found.includes(Debian.parse("2.0")), str(found)
    (True, False, '>=1.0 <2.0')
    """

    bounds: tuple[Bound, ...]

    @property
    def exact(self) -> bool:
        """Whether the range is one version."""
        return len(self.bounds) == 1 and not self.bounds[0].operator

    def includes(self, version: Version) -> bool:
        """Return whether a version is in the range."""
        return all(bound.includes(version) for bound in self.bounds)

    def newest(self, versions: Sequence[str], parse: Parse) -> str | None:
        """Return the newest version in the range; None if there is none."""
        best: tuple[Version, str] | None = None
        for text in versions:
            try:
                version = parse(text)
            except ValueError:
                continue
            if self.includes(version) and (best is None or best[0] < version):
                best = version, text
        return None if best is None else best[1]

    def joined(self, separator: str) -> str:
        """Format the bounds."""
        return separator.join(bound.operator + bound.text for bound in self.bounds)

    def __str__(self) -> str:
        return self.joined(" ")


def parse_range(text: str, parse: Parse) -> Range:
    """Parse a version range; raise InvalidVersion if it is invalid. Puppet uses only two bounds."""
    bounds: list[Bound] = []
    for one in text.split():
        found = BOUND.fullmatch(one)
        if found is None or found[1] not in ("", "<", ">", "<=", ">="):
            raise InvalidVersion(f"{one} is not a version range")
        bounds.append(Bound(found[1], parse(found[2]), found[2]))
    if not bounds:
        raise InvalidVersion("the text has no version")
    return Range(tuple(bounds[:2]))


def includes(wanted: str, current: str, parse: Parse) -> bool:
    """Return whether a version is in a range, both given as text; False if either is invalid."""
    try:
        return parse_range(wanted, parse).includes(parse(current))
    except ValueError:
        return False


# -- Debian ----------------------------------------------------------------------------------------

DEBIAN = re.compile(r"(?:(\d+):)?([.+~0-9a-zA-Z-]+?)(?:-([.+~0-9a-zA-Z]*))?")


@record(frozen=True)
class Debian:
    """A version by Debian's policy: epoch, upstream version, revision.

    >>> Debian.parse("1.0~rc1") < Debian.parse("1.0") < Debian.parse("1:0.1")
    True
    """

    epoch: int
    upstream: str
    revision: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a version; raise InvalidVersion if it is invalid."""
        found = DEBIAN.fullmatch(text)
        if found is None:
            raise InvalidVersion(f"{text} is not a version of a Debian package")
        return cls(int(found[1] or 0), found[2], found[3] or "")

    def __lt__(self, other: Self) -> bool:
        if self.epoch != other.epoch:
            return self.epoch < other.epoch
        mine = debian_key(self.upstream), debian_key(self.revision)
        return mine < (debian_key(other.upstream), debian_key(other.revision))


def debian_key(text: str) -> list[tuple[list[int], int]]:
    """Return the sort key of a part of a version: letters before other characters, ``~`` first."""
    found: list[tuple[list[int], int]] = []
    parts = PARTS.findall(text)
    if parts and parts[0].isdigit():
        parts.insert(0, "")
    for number in range(0, len(parts), 2):
        digits = parts[number + 1] if number + 1 < len(parts) else "0"
        found.append(([*map(weight, parts[number]), 0], int(digits)))
    while found and found[-1] == NOTHING:
        found.pop()
    return [*found, NOTHING]  # the end comes after "~" and before all else


NOTHING = ([0], 0)
"""The key of a part without characters or without a number."""


def weight(letter: str) -> int:
    """Return the rank of a character that is not a digit; the end of a part has 0."""
    if letter == "~":
        return -1
    return ord(letter) if letter.isalpha() else ord(letter) + 256


# -- RPM -------------------------------------------------------------------------------------------

ARCHITECTURE = re.compile(
    r"\.(?:noarch|i[36]86|ppc(?:64)?|armv\w+|m68kmint|s390x?|ia64|x86_64|sh[34]|aarch64)"
)
SEGMENT = re.compile(r"\d+|[A-Za-z]+|~")


@record(frozen=True)
class Rpm:
    """A version of an RPM: epoch (None if it is not given), version, release."""

    epoch: str | None
    version: str
    release: str | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a version."""
        head, colon, rest = text.partition(":")
        epoch = str(int(head)) if colon and head.isdigit() else None
        version, dash, release = (rest if colon else text).partition("-")
        return cls(epoch, version, ARCHITECTURE.sub("", release) if dash else None)

    def __lt__(self, other: Self) -> bool:
        epochs = compare_rpm(self.epoch or "0", other.epoch or "0")
        return (epochs or compare_given(self, other)) < 0


def compare_given(wanted: Rpm, current: Rpm) -> int:
    """Return -1, 0 or 1 for an older, equal or newer version; compare only the parts of ``wanted``.

    >>> compare_given(Rpm.parse("1.2"), Rpm.parse("1.2-3.el9"))
    0
    """
    if wanted.epoch is not None:
        found = 1 if current.epoch is None else compare_rpm(wanted.epoch, current.epoch)
        if found:
            return found
    found = compare_rpm(wanted.version, current.version)
    if found or wanted.release is None:
        return found
    return 1 if current.release is None else compare_rpm(wanted.release, current.release)


def compare_rpm(one: str, other: str) -> int:
    """Return -1, 0 or 1, as ``rpmvercmp`` does.

    >>> compare_rpm("1.10", "1.9"), compare_rpm("1.0~rc1", "1.0"), compare_rpm("1.a", "1.1")
    (1, -1, -1)
    """
    mine, yours = SEGMENT.findall(one), SEGMENT.findall(other)
    for left, right in zip(mine, yours, strict=False):
        if left == right:
            continue
        if "~" in (left, right):
            return -1 if left == "~" else 1
        if left.isdigit() != right.isdigit():
            return 1 if left.isdigit() else -1
        if left.isdigit():
            if int(left) != int(right):
                return 1 if int(left) > int(right) else -1
        else:
            return 1 if left > right else -1
    rest = (mine if len(mine) > len(yours) else yours)[min(len(mine), len(yours)) :]
    if not rest:
        return 0
    longer = 1 if len(mine) > len(yours) else -1
    return -longer if rest[0] == "~" else longer


# -- Python ----------------------------------------------------------------------------------------

PYTHON = re.compile(
    r"""\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_number>\d+)?)?
    (?:-(?P<implicit>\d+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>\d+)?)?
    (?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>\d+)?)?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
PRERELEASES = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


@record(frozen=True)
class Python:
    """A version by PEP 440."""

    key: tuple[object, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a version; raise InvalidVersion if it is invalid.

        >>> versions = [Python.parse(text) for text in ("1.0.dev1", "1.0rc1", "1.0", "1.0.post1")]
        >>> versions == sorted(versions, key=lambda version: version.key)
        True
        """
        found = PYTHON.fullmatch(text)
        if found is None:
            raise InvalidVersion(f"{text} is not a version of a Python package")
        release = [int(part) for part in found["release"].split(".")]
        while len(release) > 1 and release[-1] == 0:
            release.pop()
        pre = (found["pre"] or "").lower()
        post = found["post"] or found["implicit"]
        if pre:
            stage = (PRERELEASES.get(pre, pre), int(found["pre_number"] or 0))
        else:
            stage = ("", 0) if found["dev"] and not post else ("z", 0)
        after = int(found["implicit"] or found["post_number"] or 0) if post else -1
        unfinished = (0, int(found["dev_number"] or 0)) if found["dev"] else (1, 0)
        local = [
            (1, int(part), "") if part.isdigit() else (0, 0, part)
            for part in re.split("[-_.]", (found["local"] or "").lower())
            if part
        ]
        epoch = int(found["epoch"] or 0)
        return cls((epoch, release, stage, after, unfinished, local))

    def __lt__(self, other: Self) -> bool:
        return self.key < other.key


# -- Ruby ------------------------------------------------------------------------------------------

RUBY = re.compile(r"\s*(\d+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)?\s*")


@record(frozen=True)
class Ruby:
    """A version of a gem; one with letters is a prerelease.

    >>> Ruby.parse("1.0.a") < Ruby.parse("1.0") < Ruby.parse("1.0.1")
    True
    >>> Ruby.parse("1.0") == Ruby.parse("1")
    True
    """

    segments: tuple[tuple[int, int | str], ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a version; raise InvalidVersion if it is invalid."""
        if RUBY.fullmatch(text) is None:
            raise InvalidVersion(f"{text} is not a version of a gem")
        words = re.findall(r"\d+|[A-Za-z]+", text.replace("-", ".pre.")) or ["0"]
        found: list[tuple[int, int | str]] = [
            (1, int(word)) if word.isdigit() else (0, word) for word in words
        ]
        while len(found) > 1 and found[-1] == (1, 0):
            found.pop()
        return cls(tuple(found))

    def __lt__(self, other: Self) -> bool:
        length = max(len(self.segments), len(other.segments))
        return filled(self.segments, length) < filled(other.segments, length)


def filled(
    segments: tuple[tuple[int, int | str], ...], length: int
) -> tuple[tuple[int, int | str], ...]:
    """Pad segments with zeros to a length."""
    return segments + ((1, 0),) * (length - len(segments))
