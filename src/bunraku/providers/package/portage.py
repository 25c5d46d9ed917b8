"""Packages of Gentoo: ``emerge`` installs them, ``eix`` finds them, ``qatom`` reads their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    PackageProvider,
    flags,
    version_of,
)
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.providers.systems import families

EMERGE = "/usr/bin/emerge"
EIX = "/usr/bin/eix"
UPDATE_INDEX = "/usr/bin/eix-update"
QATOM = "/usr/bin/qatom"
INDEX_DIRECTORY = "/var/cache/eix"
TIMESTAMP = "/usr/portage/metadata/timestamp"
ATOM_PARTS = ("category", "pn", "pv", "pr", "slot", "pfx", "sfx")
ATOM_FORMAT = '"[%[CATEGORY]] [%[PN]] [%[PV]] [%[PR]] [%[SLOT]] [%[pfx]] [%[sfx]]"'
ATOM = re.compile(r'^"' + r"\s+".join([r"\[(\S*)\]"] * len(ATOM_PARTS)) + r'(.*)"$', re.MULTILINE)
UNSET = ("", "(null)", "<unset>")
FOUND_FORMAT = (
    "'<category> <name> [<installedversions:LASTVERSION>] [<bestversion:LASTVERSION>]"
    " [<installedversions:LASTSLOTVERSIONS>] [<installedversions:INSTALLEDVERSIONS>]"
    " [<availableversions:STABLEVERSIONS>] [<bestslotversions:LASTSLOTVERSIONS>]"
    " <homepage> <description>\n'"
)
FOUND = re.compile(r"(\S+)\s+(\S+)\s+" + r"\[(\S*)\]\s+" * 6 + r"(\S+)\s+(.*)")
FOUND_FIELDS = (
    "category",
    "name",
    "ensure",
    "version_available",
    "installed_slots",
    "installed_versions",
    "installable_versions",
    "slot_versions_available",
)
VARIABLES = {
    "HOME": "/",
    "EIX_LIMIT": "0",
    "LASTVERSION": "{last}<version>{}",
    "LASTSLOTVERSIONS": "{!first},{}<version>:<slot>",
    "INSTALLEDVERSIONS": "{!first},{}<version>",
    "STABLEVERSIONS": "{!first}{!last},{}{}{isstable}<version>{}",
}
SET_VERSION = "9999"
"""The version of a set of packages."""


class Portage(PackageProvider):
    """Installs packages of the repositories, also in a version or slot, and sets of packages."""

    name = "portage"
    programs: ClassVar[tuple[str, ...]] = (EMERGE, EIX, QATOM, UPDATE_INDEX)
    can_purge: ClassVar[bool] = True
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "install_options",
        "purgeable",
        "reinstallable",
        "uninstall_options",
        "versionable",
        "virtual_packages",
    }

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.variables = dict(VARIABLES)
        self.sets: frozenset[str] | None = None
        """The names of all sets of packages; None before the first query."""
        self.atoms: dict[ManagedResource, dict[str, str]] = {}
        """The parts of the names of packages, as ``qatom`` reads them."""

    def suitable(self) -> bool:
        """Return whether the system is Gentoo or derived from it."""
        return super().suitable() and "gentoo" in families(self.host)

    # -- names -----------------------------------------------------------------------------------

    def atom(self, resource: ManagedResource) -> dict[str, str]:
        """Return the parts of a name with the wanted version: category, name, version, slot."""
        if resource not in self.atoms:
            version = version_of(resource)
            wanted = resource.name if version is None else f"={resource.name}-{version}"
            found = ATOM.search(self.execute(QATOM, wanted, "--format", ATOM_FORMAT).output)
            parts = dict(zip(ATOM_PARTS, found.groups(), strict=False)) if found else {}
            self.atoms[resource] = {name: part for name, part in parts.items() if part not in UNSET}
        return self.atoms[resource]

    def plain_name(self, resource: ManagedResource) -> str:
        """Return a name with its category if there is one."""
        atom = self.atom(resource)
        return "/".join(atom[part] for part in ("category", "pn") if part in atom)

    def full_name(self, resource: ManagedResource) -> str:
        """Return a name with category, version and slot, for ``emerge``."""
        atom = self.atom(resource)
        versions = [f"-{atom[part]}" for part in ("pv", "pr") if part in atom]
        slot = f":{atom['slot']}" if "slot" in atom else ""
        return "".join((atom.get("pfx", ""), self.plain_name(resource), *versions, slot))

    # -- states ----------------------------------------------------------------------------------

    def searched(self, *search: str) -> list[State]:
        """Return the packages that ``eix`` finds; its index is updated first if it is old."""
        self.update_index()
        options = ("--nocolor", "--pure-packages", "--format", FOUND_FORMAT)
        output = self.execute(EIX, *options, *search).output
        matches = filter(None, map(FOUND.match, output.splitlines()))
        rows = (zip(FOUND_FIELDS, match.groups(), strict=False) for match in matches)
        return [{name: text for name, text in row if text} for row in rows]

    def update_index(self) -> None:
        """Update the index of ``eix`` if it is older than the repository."""
        path = INDEX_DIRECTORY
        if self.host.is_directory(path):
            path += "/portage.eix"
        index = self.host.status(path, follow=True)
        sources = (self.host.status(path, follow=True) for path in (EIX, TIMESTAMP))
        if index is None or any(one and index.modified <= one.modified for one in sources):
            self.execute(UPDATE_INDEX)

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the installed packages, by the name without category."""
        return {state["name"]: state for state in self.searched("--installed")}

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return False: a name may have a category or a slot."""
        return False

    def is_set(self, resource: ManagedResource) -> bool:
        """Return whether a resource is a set of packages."""
        if self.sets is None:
            output = self.execute(EMERGE, "--list-sets").output
            self.sets = frozenset(map(str.strip, output.splitlines()))
        return resource.name.startswith("@") and resource.name[1:] in self.sets

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package, of its wanted version or slot."""
        atom = self.atom(resource)
        if self.is_set(resource):
            return {"ensure": SET_VERSION}
        field = "--category-name" if "category" in atom else "--name"
        name = self.plain_name(resource)
        packages = self.searched("--exact", field, name)
        if not packages:
            text = f"No package found with the specified name [{resource.name}]"
            raise ResourceFailure(text)
        if len(packages) > 1:
            text = "More than one package with the specified name [{0}], "
            text += "please use the category parameter to disambiguate"
            raise ResourceFailure(text.format(name))
        return chosen(packages[0], atom)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest available version."""
        return (self.query(resource) or {}).get("version_available")

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install or update a package."""
        update = ["--update"] if resource["ensure"] == "latest" else []
        options = flags(resource["install_options"])
        self.execute(EMERGE, *update, *options, self.full_name(resource))

    def reinstall(self, resource: ManagedResource) -> None:
        """Build a package again."""
        self.install(resource)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        options = flags(resource["uninstall_options"])
        self.execute(EMERGE, "--rage-clean", *options, self.full_name(resource))


def chosen(state: State, atom: Mapping[str, str]) -> State:
    """Return the state of the version or slot of a package that a name selects."""
    if "pv" in atom:
        version = "-".join(atom[part] for part in ("pv", "pr") if part in atom)
        places = ("installable_versions", "installed_versions")
        available, installed = (
            version if version in state.get(place, "").split(",") else None for place in places
        )
    elif "slot" in atom:
        places = ("slot_versions_available", "installed_slots")
        available, installed = (
            version_in_slot(state.get(place, ""), atom["slot"]) for place in places
        )
    else:
        return {"ensure": ABSENT, **state}
    return {**state, "version_available": available, "ensure": installed or ABSENT}


def version_in_slot(versions: str, slot: str) -> str | None:
    """Return the version in a slot.

    >>> version_in_slot("2.7:2.7,3.9:3.9", "3.9")
    '3.9'
    """
    pairs = (one.rsplit(":", 1) for one in versions.split(",") if ":" in one)
    return next((version for version, place in pairs if place == slot), None)


provider = Portage
