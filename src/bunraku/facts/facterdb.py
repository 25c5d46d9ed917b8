"""Fact sets: facts of machines with many operating systems, of FacterDB or built in.

FacterDB is a gem whose folder ``facts`` has one JSON file for each version of Facter and each kind of
machine: ``facts/4.2/debian-11-x86_64.facts``. The names are those of rspec-puppet-facts
(``debian-11-x86_64``). bunraku reads an installed FacterDB and ships none of its data; for systems that the
installed one lacks, it has sets of its own (:mod:`bunraku.facts.built_in_systems`).
"""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterable
from typing import Any

from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.facts.built_in_systems import FACTER, built_in_facts, built_in_names
from bunraku.facts.documents import read_facts
from bunraku.facts.issues import FACTERDB_MISSING, UNKNOWN_FACT_SET

EXTENSION = ".facts"
USUAL_FOLDERS = (
    "/usr/share/rubygems-integration/all/gems/facterdb-*/facts",
    "/var/lib/gems/*/gems/facterdb-*/facts",
    "/usr/local/bundle/gems/facterdb-*/facts",
    "/opt/puppetlabs/puppet/lib/ruby/gems/*/gems/facterdb-*/facts",
)
"""Where Debian's package ``facterdb`` and ``gem install facterdb`` put the data."""


@record(frozen=True)
class FactSet:
    """The facts of one kind of machine: its name, the version of Facter, and the file; built-in ones have none."""

    name: str
    facter: str
    path: str | None = None

    def facts(self) -> dict[str, Any]:
        """Return the facts; PuppetError for a file that cannot be read."""
        return built_in_facts(self.name) if self.path is None else read_facts(self.path)


def installed_facterdb() -> str | None:
    """Return the folder ``facts`` of the newest FacterDB that is installed; None without one."""
    found = [path for pattern in USUAL_FOLDERS for path in glob.glob(pattern)]
    return max(found, key=lambda path: parts_of(version_of_gem(path)), default=None)


def version_of_gem(path: str) -> str:
    """Return the version in the path of a FacterDB.

    >>> version_of_gem("/gems/facterdb-1.12.1/facts")
    '1.12.1'
    """
    return os.path.basename(os.path.dirname(path)).rpartition("-")[2]


def parts_of(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, by which versions are ordered.

    >>> parts_of("4.10") > parts_of("4.9")
    True
    """
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def all_fact_sets(path: str | None = None, facter: str | None = None) -> dict[str, FactSet]:
    """Return the fact sets by name, each for the newest version of Facter that has one.

    ``path`` is the folder ``facts`` of FacterDB; its sets are the only ones then. By default they are those
    of the installed one, and built-in ones. ``facter`` limits the versions: those up to it count. Raises
    PuppetError if ``path`` is not a directory.
    """
    folder = path or installed_facterdb()
    found: dict[str, FactSet] = {}
    if path is None and is_wanted(FACTER, facter):
        found = {name: FactSet(name, FACTER) for name in built_in_names()}
    if folder is None:
        return found
    if not os.path.isdir(folder):
        raise FACTERDB_MISSING(where=folder)
    for version in sorted(versions_in(folder, facter), key=parts_of):
        for name in sorted(os.listdir(os.path.join(folder, version))):
            if name.endswith(EXTENSION):
                one = FactSet(
                    name.removesuffix(EXTENSION).lower(),
                    version,
                    os.path.join(folder, version, name),
                )
                found[one.name] = one
    return dict(sorted(found.items()))


def versions_in(folder: str, newest: str | None) -> Iterable[str]:
    """Yield the versions of Facter in a folder, up to the newest one that is wanted."""
    for name in os.listdir(folder):
        if parts_of(name) and is_wanted(name, newest):
            yield name


def is_wanted(version: str, newest: str | None) -> bool:
    """Return whether a version of Facter is up to the newest one that is wanted.

    >>> is_wanted("4.2", "4.2.1"), is_wanted("4.10", "4.2")
    (True, False)
    """
    parts = parts_of(version)
    return newest is None or parts <= parts_of(newest)[: len(parts)]


def fact_sets(path: str | None, names: Collection[str], facter: str | None = None) -> list[FactSet]:
    """Return the fact sets with names, or of operating systems: see :func:`matches`.

    Raises PuppetError for a name that matches no fact set, and if ``path`` is not a directory.
    """
    known = all_fact_sets(path, facter)
    found: dict[str, FactSet] = {}
    for name in names:
        fitting = {one: known[one] for one in known if matches(one, name.lower())}
        if not fitting:
            near = suggestion(name.lower(), wanted_names(known))
            systems = ", ".join(dict.fromkeys(one.partition("-")[0] for one in known))
            raise UNKNOWN_FACT_SET(name=name, near=near).hinted(f"there are facts of {systems}")
        found |= fitting
    return list(found.values())


def fact_set(path: str | None, name: str, facter: str | None = None) -> FactSet:
    """Return the one fact set with a name, or the first that it fits; PuppetError for none.

    64-bit machines come before others: ``debian-12`` is ``debian-12-x86_64``.
    """
    fitting = fact_sets(path, [name], facter)
    usual = [one for one in fitting if one.name.endswith("-x86_64")]
    return (usual or fitting)[0]


def wanted_names(known: Iterable[str]) -> list[str]:
    """Return the names of operating systems, their releases and fact sets.

    >>> wanted_names(["debian-12-x86_64"])
    ['debian-12-x86_64', 'debian-12', 'debian']
    """
    found: dict[str, None] = {}
    for name in known:
        while name:
            found[name] = None
            name = name.rpartition("-")[0]
    return list(found)


def matches(name: str, wanted: str) -> bool:
    """Return whether a fact set is the wanted one, or of the wanted operating system and release.

    >>> matches("debian-12-x86_64", "debian"), matches("debian-12-x86_64", "debian-1")
    (True, False)
    """
    return name == wanted or name.startswith(f"{wanted}-")
