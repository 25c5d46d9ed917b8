"""Packages and groups of packages of Arch Linux, by ``pacman``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlsplit

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import COMMON_FEATURES, PackageProvider, flags
from bunraku.providers.provider import State
from bunraku.providers.systems import families
from bunraku.types.ruby_semantics.values import to_s

PACMAN = "/usr/bin/pacman"
YAOURT = "/usr/bin/yaourt"
"""A program for the user repository; it replaces pacman where it exists."""
SYSTEMS = frozenset({"arch", "archlinux", "manjaro", "manjarolinux"})
QUIET = ("--noconfirm", "--noprogressbar")
LINE = re.compile(r"(\S+)\s(\S+)")
WEB = ("http", "https", "ftp", "sftp")


class Pacman(PackageProvider):
    """Installs packages of the repositories, or the file that ``source`` sets."""

    name = "pacman"
    programs: ClassVar[tuple[str, ...]] = (PACMAN,)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "install_options",
        "uninstall_options",
        "virtual_packages",
    }

    def suitable(self) -> bool:
        """Return whether the system is Arch Linux or Manjaro."""
        return super().suitable() and not SYSTEMS.isdisjoint(families(self.host))

    # -- states ----------------------------------------------------------------------------------

    def installed(self) -> dict[str, str]:
        """Return the versions of the installed packages, by name."""
        done = self.attempt((PACMAN, "-Q"))
        if done.code != 0:
            raise ResourceFailure("Error getting installed packages")
        matches = filter(None, map(LINE.match, done.output.splitlines()))
        return {match[1]: match[2] for match in sorted(matches, key=lambda match: match[1])}

    def groups(self, packages: Mapping[str, str], *names: str) -> dict[str, State]:
        """Return the groups whose packages are all installed; the versions are the state."""
        done = self.attempt((PACMAN, "-Sgg", *names))
        if done.code != 0 and not names:
            command = f"{PACMAN} -Sgg"
            raise ResourceFailure(f"Execution of '{command}' returned {done.code}: {done.output}")
        members: dict[str, list[str]] = {}
        for line in done.output.splitlines() if done.code == 0 else ():
            group, package = line.split()[:2]
            members.setdefault(group, []).append(package)
        return {
            group: {"ensure": ", ".join(f"{one} {packages[one]}" for one in sorted(found))}
            for group, found in members.items()
            if packages.keys() >= set(found)
        }

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the installed packages and groups."""
        packages = self.installed()
        found: dict[str, State] = {name: {"ensure": text} for name, text in packages.items()}
        return found | self.groups(packages)

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of a package or of a group; a group needs ``allow_virtual``."""
        packages = self.installed()
        name = resource.name
        group = self.groups(packages, name).get(name)
        if group is None:
            return {"ensure": packages[name]} if name in packages else None
        if not resource.is_true("allow_virtual"):
            resource.log("warning", f"{name} is a group, but allow_virtual is false.")
            return None
        return group

    def is_group(self, name: str) -> bool:
        """Return whether a name is that of a group."""
        done = self.attempt((PACMAN, "-Sg", name))
        return done.code == 0 and bool(done.output)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest version in the repositories, or those of the packages of a group."""
        query = (PACMAN, "-Sp", "--print-format")
        if self.is_group(resource.name):
            output = self.execute(*query, "%n %v", resource.name).output
            return ", ".join(sorted(output.splitlines()))
        done = self.attempt((*query, "%v", resource.name))
        if done.code != 0 and self.uses_yaourt():
            lines = self.execute(YAOURT, "-Qma", resource.name).output.splitlines()
            return next((line.split()[1] for line in lines if line.startswith("aur")), None)
        return self.execute(*query, "%v", resource.name).output.rstrip("\n")

    # -- changes ---------------------------------------------------------------------------------

    def uses_yaourt(self) -> bool:
        """Return whether the program for the user repository exists."""
        return self.host.status(YAOURT, follow=True) is not None

    def change(self, *words: str) -> None:
        """Run the program that installs and removes packages."""
        self.execute(YAOURT if self.uses_yaourt() else PACMAN, *words)

    def refuse_group(self, resource: ManagedResource, action: str) -> bool:
        """Return whether a resource is a group; raise ResourceFailure if it must not be one."""
        is_group = self.is_group(resource.name)
        if is_group and not resource.is_true("allow_virtual"):
            text = "Refusing to {0} package group {1}, because allow_virtual is false."
            raise ResourceFailure(text.format(action, resource.name))
        return is_group

    def install(self, resource: ManagedResource) -> None:
        """Install a package, a group or a file."""
        if resource["source"]:
            path = file_of(to_s(resource["source"]))
            self.execute(PACMAN, *QUIET, "-S")
            self.execute(PACMAN, *QUIET, "-U", path)
        else:
            self.refuse_group(resource, "install")
            options = flags(resource["install_options"])
            quiet = ("--noconfirm", "--needed", "--noprogressbar")
            self.change(*quiet, *options, "-S", resource.name)
        if self.query(resource) is None:
            raise ResourceFailure(f"Could not find package '{resource.name}'")

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package, or a group with what only its packages need."""
        is_group = self.refuse_group(resource, "uninstall")
        options = flags(resource["uninstall_options"])
        self.change(*QUIET, *options, "-R", *(["-s"] if is_group else []), resource.name)


def file_of(source: str) -> str:
    """Return the path or address of a package file; raise ResourceFailure for other addresses."""
    parts = urlsplit(source)
    if not parts.scheme or parts.scheme in WEB:
        return source
    if parts.scheme == "file":
        return parts.path
    if parts.scheme == "puppet":
        raise ResourceFailure("puppet:// URL is not supported by pacman")
    raise ResourceFailure(f"Source {source} is not supported by pacman")


provider = Pacman
