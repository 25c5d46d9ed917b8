"""The release of the standard library that the file of a function is from, by the file's content.

A function written in Python replaces a module's file only if the file is known: its content
is that of a release, apart from line endings and the end of the file. A changed file runs as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from bunraku.functions.stdlib.history import parse_version

DIGEST_LENGTH = 16
KINDS = {"ruby": "4x", "ruby3": "3x"}
"""Kind of file (``modules/autoload.py``) → kind of function."""


def content_digest(content: bytes) -> str:
    """Return the digest of a file's content; line endings and the end of the file do not count.

    >>> content_digest(b"a\\r\\nb") == content_digest(b"a\\nb\\n")
    True
    """
    plain = content.replace(b"\r\n", b"\n").rstrip()
    return hashlib.sha256(plain).hexdigest()[:DIGEST_LENGTH]


def recorded_releases() -> Mapping[str, str]:
    """Return the contents of all files in all releases, in the form of the module ``releases``."""
    from bunraku.functions.stdlib.releases import RELEASES

    return RELEASES


def releases_with(kind: str, name: str, digest: str, releases: Mapping[str, str]) -> str | None:
    """Return the releases that have a file with this content (``2.2.0-4.1.0,4.3.0``), or None."""
    for item in releases.get(f"{kind} {name}", "").split(" "):
        known, _, versions = item.partition(":")
        if known == digest:
            return versions
    return None


def release_of(
    kind: str, name: str, content: bytes, stated: str | None, releases: Mapping[str, str]
) -> str | None:
    """Return the release that a file is from, None where its content is that of no release.

    If the release that the module states has this content, it is used; otherwise the last one that
    has it.
    """
    versions = releases_with(kind, name, content_digest(content), releases)
    if versions is None:
        return None
    if stated is not None and any(covers(span, stated) for span in versions.split(",")):
        return stated
    return versions.split(",")[-1].rpartition("-")[2]


def covers(span: str, version: str) -> bool:
    """Return whether a version is in a range of releases.

    >>> covers("2.2.0-4.1.0", "3.2.0"), covers("2.2.0", "2.2.1"), covers("2.2.0", "new")
    (True, False, False)
    """
    first, _, last = span.partition("-")
    try:
        number = parse_version(version)
    except ValueError:
        return False
    return parse_version(first) <= number <= parse_version(last or first)


def needed_by(name: str) -> tuple[str, ...]:
    """Return the functions and library files that the code of a function needs besides its file."""
    from bunraku.functions.stdlib.releases import NEEDS

    return NEEDS.get(name, ())
