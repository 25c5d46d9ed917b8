"""Debian packages from repositories, by ``apt-get``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.dpkg import Dpkg
from bunraku.providers.package.provider import MISSING, flags, version_of
from bunraku.providers.package.versions import Debian, includes, parse_range
from bunraku.providers.provider import State
from bunraku.providers.run import Run

APT_GET = "/usr/bin/apt-get"
APT_CACHE = "/usr/bin/apt-cache"
APT_MARK = "/usr/bin/apt-mark"
PRESEED = "/usr/bin/debconf-set-selections"
SOURCES = "/etc/apt/sources.list"
CDROM = re.compile(rb"^[^#\n]*cdrom:", re.MULTILINE)
POLICY = re.compile(r"^(\S+):\n(?:  .*\n)*?  Candidate:\s+(\S+)$", re.MULTILINE)


class Apt(Dpkg):
    """Installs packages of the repositories, or the file that ``source`` sets."""

    name = "apt"
    programs: ClassVar[tuple[str, ...]] = (*Dpkg.programs, APT_GET, APT_CACHE, APT_MARK, PRESEED)
    features: ClassVar[frozenset[str]] = Dpkg.features | {"versionable", "install_options"}

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.upgrades: list[str] = []
        """The names of all packages to keep at their latest version."""
        self.candidates: dict[str, str] = {}
        """The latest versions, by name."""
        self.candidates_at = -1
        """The number of changes in the run when the latest versions were read."""
        self.manual: frozenset[str] | None = None
        """The packages that were installed on request before the first change."""

    # -- states ----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all packages, and collect those whose latest version is needed."""
        super().prefetch(resources)
        self.upgrades = [one.name for one in resources if "latest" in one.accepted("ensure")]

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package, with the mark ``manual`` if it was installed on request."""
        state = super().query(resource)
        if state is not None and "mark" in resource and state["ensure"] not in MISSING:
            shown = self.execute(APT_MARK, "showmanual", resource.name).output
            if shown.strip() == resource.name:
                state["mark"] = "manual"
        return state

    def latest(self, resource: ManagedResource) -> str | None:
        """Return the version that would be installed; one query reads those of all packages."""
        name = resource.name
        if self.candidates_at != self.run.changes or name not in self.upgrades:
            names = dict.fromkeys([*self.upgrades, name])
            output = self.execute(APT_CACHE, "policy", *names).output
            self.candidates = dict(POLICY.findall(output))
            self.candidates_at = self.run.changes
        if name not in self.candidates:
            resource.log("err", "Could not find latest version")
        return self.candidates.get(name)

    def in_sync(self, resource: ManagedResource, current: object) -> bool:
        """Return whether the installed version is in the wanted range."""
        wanted = resource["ensure"]
        if current in MISSING or not isinstance(current, str) or not isinstance(wanted, str):
            return False
        return includes(wanted, current, Debian.parse)

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install a package, in the wanted version if there is one."""
        self.read_manual()
        self.preseed(resource)
        self.check_cdrom(resource)
        kept = "old" if resource["configfiles"] == "keep" else "new"
        command = [APT_GET, "-q", "-y", "-o", f"DPkg::Options::=--force-conf{kept}"]
        package = resource.name
        wanted = version_of(resource)
        if wanted is not None:
            package += f"={self.best_version(resource, wanted)}"
            command.append("--force-yes")
        command += flags(resource["install_options"])
        self.install_by(resource, (*command, "install", resource["source"] or package))
        if resource["source"] and resource["ensure"] != "present":
            self.check_version(resource)

    def best_version(self, resource: ManagedResource, wanted: str) -> str:
        """Return the newest available version of a range; the given text if there is none."""
        try:
            found = parse_range(wanted, Debian.parse)
        except ValueError:
            return wanted
        if found.exact:
            return wanted
        output = self.execute(APT_CACHE, "madison", resource.name).output
        lines = (line.split("|") for line in output.splitlines())
        versions = [parts[1].strip() for parts in lines if len(parts) > 1]
        return found.newest(versions, Debian.parse) or str(found)

    def check_version(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure unless the package file had the wanted version."""
        state = self.query(resource)
        if state is None:
            raise ResourceFailure(f"Could not find package {resource.name}")
        if not self.in_sync(resource, state["ensure"]):
            wanted, version = resource["ensure"], state["ensure"]
            text = f"Failed to update to version {wanted}, got version {version} instead"
            raise ResourceFailure(text)

    def check_cdrom(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure if the installation needs a disc."""
        try:
            needed = CDROM.search(self.host.read(SOURCES)) is not None
        except OSError:
            return
        if needed and resource["allowcdrom"] != "true":
            raise ResourceFailure(
                f"{SOURCES} contains a cdrom source; not installing.  "
                "Use 'allowcdrom' to override this failure."
            )

    def preseed(self, resource: ManagedResource) -> None:
        """Preset the answers of the response file to the questions of the package."""
        path = resource["responsefile"]
        if path is None:
            return
        if self.host.status(path, follow=True) is None:
            text = "No responsefile specified or non existent, not preseeding anything"
            resource.log("info", text)
            return
        resource.log("info", f"Preseeding {path} to debconf-set-selections")
        self.execute(PRESEED, path)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package and those that depend on it."""
        self.remove(resource, "remove")

    def purge(self, resource: ManagedResource) -> None:
        """Remove a package with its configuration files, even if it was removed before."""
        self.remove(resource, "remove", "--purge")
        super().purge(resource)

    def remove(self, resource: ManagedResource, *action: str) -> None:
        """Run ``apt-get`` to remove a package, which may be held."""
        self.read_manual()
        self.preseed(resource)
        held = self.state(resource).get("mark") == "hold"
        allowed = ["--allow-change-held-packages"] if held else []
        self.execute(APT_GET, "-y", "-q", *allowed, *action, resource.name)

    def read_manual(self) -> None:
        """Read the packages that were installed on request, once."""
        if self.manual is None:
            self.manual = frozenset(self.execute(APT_MARK, "showmanual").output.split("\n"))

    def flush(self, resource: ManagedResource) -> None:
        """Mark a managed package as installed on request."""
        self.read_manual()
        if resource.name not in (self.manual or ()) and resource["ensure"] != ABSENT:
            self.execute(APT_MARK, "manual", resource.name)


provider = Apt
