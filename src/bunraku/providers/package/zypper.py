"""RPM packages from repositories on SUSE's systems, by ``zypper``."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import COMMON_FEATURES, flags, version_of
from bunraku.providers.package.rpm import RpmFiles
from bunraku.providers.package.versions import Rpm, includes, parse_range
from bunraku.providers.provider import Provider
from bunraku.providers.run import Run
from bunraku.providers.systems import is_suse

ZYPPER = "/usr/bin/zypper"
COLUMN = re.compile(r"\s*\|\s*")
GLOBAL_OPTIONS = ("--no-gpg-check", "--no-gpg-checks")
"""Options that come before the command."""
LAST_ASKING = (6, 13)
"""The last release of zypper 0 without the option that agrees with licenses."""
FIRST_RESOLVING = 6
"""The first minor version of zypper 1 that needs no option to remove what depends on a package."""
NAME, NEWEST = 2, 4
"""The columns of ``list-updates`` with the name and the available version."""
FOUND_NAME, FOUND_VERSION = 1, 3
"""The columns of ``search -s`` with the name and the version."""


class Zypper(RpmFiles):
    """Installs packages of the repositories."""

    name = "zypper"
    programs: ClassVar[tuple[str, ...]] = (ZYPPER, "rpm")
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "versionable",
        "install_options",
        "virtual_packages",
    }

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.updates: dict[str, str] | None = None
        """The newer versions of packages, by name; None before the first query."""

    def suitable(self) -> bool:
        """Return whether the system is one of SUSE's."""
        return Provider.suitable(self) and is_suse(self.host)

    def version(self) -> tuple[int, int, int]:
        """Return the version of zypper."""
        numbers = map(int, re.findall(r"\d+", self.attempt((ZYPPER, "--version")).output))
        major, minor, patch, *_ = (*numbers, 0, 0, 0)
        return major, minor, patch

    # -- states ----------------------------------------------------------------------------------

    def fits(self, wanted: str, version: str) -> bool:
        """Return whether a version is the wanted one or is in the wanted range."""
        if wanted[:1] in ("<", ">"):
            return includes(wanted, version, Rpm.parse)
        return super().fits(wanted, version)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the version that an update would install; one query reads those of all packages."""
        if self.updates is None:
            rows = map(COLUMN.split, self.execute(ZYPPER, "list-updates").output.splitlines())
            self.updates = {
                row[NAME]: row[NEWEST] for row in rows if row[0] == "v" and len(row) > NEWEST
            }
        return self.updates.get(resource.name, self.state(resource)["ensure"])

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install or update a package, in the wanted version if there is one."""
        wanted = version_of(resource)
        package = resource.name
        if wanted is not None:
            package += f"-{self.best_version(resource, wanted)}"
        major, minor, patch = self.version()
        given = flags(resource["install_options"])
        words = ["--quiet" if major else "--terse"]
        words += [one for one in GLOBAL_OPTIONS if one in given]
        words.append("install")
        if not (major < 1 and minor <= LAST_ASKING[0] and patch <= LAST_ASKING[1]):
            words.append("--auto-agree-with-licenses")
        words.append("--no-confirm")
        words += [one for one in given if one not in GLOBAL_OPTIONS]
        if major and wanted is None and not resource.is_true("allow_virtual"):
            words.append("--name")
        self.execute(ZYPPER, *words, package)
        if self.query(resource) is None:
            raise ResourceFailure(f"Could not find package {resource.name}")

    def best_version(self, resource: ManagedResource, wanted: str) -> str:
        """Return the newest available version of a range; the given text if there is none."""
        try:
            found = parse_range(wanted, Rpm.parse)
        except ValueError:
            return wanted
        if found.exact:
            return wanted
        options = ("--match-exact", "--type", "package", "--uninstalled-only", "-s")
        output = self.execute(ZYPPER, "search", *options, resource.name).output
        rows = [row for row in map(COLUMN.split, output.splitlines()) if len(row) > FOUND_VERSION]
        versions = [row[FOUND_VERSION] for row in rows if row[FOUND_NAME] == resource.name]
        return found.newest(versions, Rpm.parse) or wanted

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        major, minor, _patch = self.version()
        if not major:
            super().uninstall(resource)
            return
        resolves = ["--force-resolution"] if major == 1 and minor < FIRST_RESOLVING else []
        self.execute(ZYPPER, "remove", "--no-confirm", *resolves, resource.name)


provider = Zypper
