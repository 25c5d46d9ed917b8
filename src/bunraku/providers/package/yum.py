"""RPM packages from repositories, by ``yum``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import MISSING, flags, version_of
from bunraku.providers.package.rpm import SEPARATOR, RpmFiles
from bunraku.providers.package.versions import (
    ARCHITECTURE,
    Rpm,
    compare_given,
    includes,
    parse_range,
)
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

BEFORE_OBSOLETES = re.compile(r"^(?:Obsoleting|Security:|Update)", re.MULTILINE)
VERSION = re.compile(r"(?:(\d+):)?(\S+)-(\S+)")
EPOCH = re.compile(r"^\d+:")
REPOSITORY_OPTIONS = ("--disablerepo", "--enablerepo", "--disableexcludes")
UPDATES = 100
"""The exit code of ``check-update`` if there are updates."""
COLUMNS = 3
"""The columns of a line of ``check-update``: name, version and repository."""


class Yum(RpmFiles):
    """Installs packages of the repositories."""

    name = "yum"
    program: ClassVar[str] = "yum"
    programs: ClassVar[tuple[str, ...]] = ("yum", "rpm")
    features: ClassVar[frozenset[str]] = (RpmFiles.features | {"purgeable"}) - {"uninstall_options"}
    can_purge = True
    update_action: ClassVar[str] = "update"
    error_level: ClassVar[str] = "0"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.updates: dict[tuple[str, ...], dict[str, str]] = {}
        """The newer versions of packages, by the selected repositories and by name."""

    # -- states ----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all packages; raise ResourceFailure for users other than root."""
        if self.host.effective_user() != 0:
            raise ResourceFailure(f"The {self.name} provider can only be used as root")
        super().prefetch(resources)

    def fits(self, wanted: str, version: str) -> bool:
        """Return whether a version is the wanted one or is in the wanted range."""
        if wanted[:1] in ("<", ">"):
            return includes(wanted, version, Rpm.parse)
        return super().fits(wanted, version)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the version that an update would install; one query reads those of all packages."""
        choice = repositories(resource)
        if choice not in self.updates:
            self.updates[choice] = self.check_updates(choice)
        current = self.state(resource)["ensure"]
        found = self.updates[choice].get(resource.name)
        if found is None and current in MISSING:
            raise ResourceFailure("Tried to get latest on a missing package")
        return current if found is None else found

    def check_updates(self, choice: tuple[str, ...]) -> dict[str, str]:
        """Return the newer versions of all packages, with the epoch."""
        done = self.attempt((self.program, "check-update", *choice), merged=False)
        if done.code == UPDATES:
            return updates_of(done.output)
        if done.code != 0:
            text = "Could not check for updates, '{0} check-update' exited with {1}"
            self.run.log("warning", text.format(self.program, done.code))
        return {}

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install, update or downgrade a package."""
        options = flags(resource["install_options"])
        quiet = ("-d", "0", "-e", self.error_level, "-y", *options)
        if not resource.is_true("allow_virtual"):
            self.execute(self.program, *quiet, "list", resource.name)
        action, package = "install", resource.name
        wanted = version_of(resource)
        state = self.query(resource)
        if wanted is not None:
            wanted = self.best_version(resource, wanted)
            action = self.action_for(resource, wanted, state)
            package = str(resource["source"] or with_version(package, wanted))
        elif resource["ensure"] == "latest" and state is not None:
            action = self.update_action
        elif resource["source"]:
            package = to_s(resource["source"])
        output = self.execute(self.program, *quiet, action, package).output
        if f"No package {package} available." in output.splitlines():
            raise ResourceFailure(f"Could not find package {package}")
        if wanted is not None:
            self.check_version(resource, wanted)

    def action_for(self, resource: ManagedResource, wanted: str, state: Any) -> str:
        """Return the command that installs a version beside or instead of the current one."""
        if state is None:
            return "install"
        if resource.is_true("install_only"):
            return self.update_action
        current = str(state["ensure"]).split(SEPARATOR)[-1]
        order = compare_given(Rpm.parse(wanted), Rpm.parse(current))
        return ("install", self.update_action, "downgrade")[order]

    def best_version(self, resource: ManagedResource, wanted: str) -> str:
        """Return the newest available version of a range; the given text if there is none."""
        try:
            found = parse_range(wanted, Rpm.parse)
        except ValueError:
            return wanted
        if found.exact:
            return wanted
        query = (self.program, "list", resource.name, "--showduplicates", *repositories(resource))
        available = self.execute(*query).output.partition("Available Packages")[2]
        rows = (line.split() for line in available.splitlines())
        versions = [row[1] for row in rows if len(row) > 1]
        newest = found.newest(versions, Rpm.parse)
        return wanted if newest is None else EPOCH.sub("", newest)

    def check_version(self, resource: ManagedResource, wanted: str) -> None:
        """Raise ResourceFailure unless the wanted version is now installed."""
        state = self.query(resource)
        if state is None:
            raise ResourceFailure(f"Could not find package {resource.name}")
        version = state["ensure"]
        if not self.in_sync(resource, version):
            text = f"Failed to update to version {wanted}, got version {version} instead"
            raise ResourceFailure(text)

    def purge(self, resource: ManagedResource) -> None:
        """Remove a package and those that depend on it."""
        self.execute(self.program, "-y", "erase", resource.name)


def with_version(name: str, version: str) -> str:
    """Return a package with its version; the architecture comes last.

    >>> with_version("zlib.x86_64", "1.2-3"), with_version("zlib", "1.2-3")
    ('zlib-1.2-3.x86_64', 'zlib-1.2-3')
    """
    found = ARCHITECTURE.search(name)
    if found is None or found.end() != len(name):
        return f"{name}-{version}"
    return f"{name[: found.start()]}-{version}{found[0]}"


def repositories(resource: ManagedResource) -> tuple[str, ...]:
    """Return the install options that select repositories; queries need them too."""
    options = flags(resource["install_options"])
    return tuple(
        option
        for name in REPOSITORY_OPTIONS
        for option in dict.fromkeys(options)
        if option.startswith(name + "=")
    )


def updates_of(output: str) -> dict[str, str]:
    """Return the versions that ``check-update`` lists, by name with and without architecture.

    >>> updates_of("\\nkernel.x86_64   5.14.0-70   updates\\n")["kernel"]
    '0:5.14.0-70'
    """
    found: dict[str, str] = {}
    words = BEFORE_OBSOLETES.split(output, maxsplit=1)[0].split("\n\n")
    for block in words:
        columns = block.split()
        for number in range(0, len(columns) - 1, COLUMNS):
            package, text = columns[number], columns[number + 1]
            version = VERSION.fullmatch(text)
            if "." in package and version is not None:
                shown = f"{version[1] or 0}:{version[2]}-{version[3]}"
                found.setdefault(package.rpartition(".")[0], shown)
                found.setdefault(package, shown)
    return found


provider = Yum
