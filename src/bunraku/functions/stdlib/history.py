"""The implementations of functions by release of the standard library.

An entry of the index (``functions/index.py``) is a list of eras separated by semicolons: first and
last release, the function API (``3x``, ``4x``, or ``pp`` for the Puppet language) and the module,
with the table in it when that is not ``function``. Where two eras hold, the later entry wins. Before
release 1.0.0, and between 3.0.0 and 3.1.x, a few functions were missing.
"""

from __future__ import annotations

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import record
from bunraku.functions.index import STDLIB

Version = tuple[int, int, int]
API_3 = frozenset({"3x"})
ALL_APIS = frozenset({"3x", "4x", "pp"})


def parse_version(text: str) -> Version:
    """Return the first three numbers of a version.

    >>> parse_version("8.5.0-rc1")
    (8, 5, 0)
    """
    numbers = [int(part) for part in text.partition("-")[0].split(".")[:3]]
    major, minor, patch = [*numbers, 0, 0, 0][:3]
    return major, minor, patch


def read_version(text: str | None, newest: Version) -> Version:
    """Return the three numbers of a version, ``newest`` where none is stated or it is not one.

    >>> read_version("8.5.0", (9, 7, 0)), read_version("new", (9, 7, 0))
    ((8, 5, 0), (9, 7, 0))
    """
    parts = (text or "").split("-")[0].split(".")
    if len(parts) < 3 or not all(part.isdigit() for part in parts[:3]):
        return newest
    return int(parts[0]), int(parts[1]), int(parts[2])


@record(frozen=True)
class Era:
    """A range of releases in which a function has one implementation; ``last`` None: to the newest."""

    first: str
    last: str | None
    api: str
    place: str

    def covers(self, version: Version) -> bool:
        """Return whether a release is in the range."""
        if parse_version(self.first) > version:
            return False
        return self.last is None or version <= parse_version(self.last)


@remembered(1024)
def eras(name: str) -> tuple[Era, ...]:
    """Return the eras of a function; none if no release has it.

    >>> [one.place for one in eras("loadyaml")]
    ['documents', 'documents.newer']
    """
    found = []
    for entry in STDLIB[name].split("; ") if name in STDLIB else ():
        span, api, place = entry.split()
        first, _, last = span.partition("-")
        found.append(Era(first, last or None, api, place))
    return tuple(found)


def era(name: str, version: Version, apis: frozenset[str] = ALL_APIS) -> Era | None:
    """Return the era of a function that a release is in; only functions of these APIs count.

    >>> era("merge", (8, 5, 0)).place, era("merge", (4, 0, 0)).place, era("has_key", (9, 0, 0))
    ('hashes', 'hashes.older', None)
    """
    found = [one for one in eras(name) if one.api in apis and one.covers(version)]
    return found[-1] if found else None
