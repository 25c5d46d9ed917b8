"""Repositories of yum in ``/etc/yum.conf`` and the files of its directories."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from bunraku.providers.attributes import ABSENT
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.run import Run
from bunraku.providers.yumrepo.repositories import MODE, Repositories, Section, Setting
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Host

CONFIGURATION = "/etc/yum.conf"
DIRECTORIES = ("/etc/yum.repos.d", "/etc/yum/repos.d")
SUFFIX = ".repo"
KEYS = {"descr": "name"}
"""The settings that have another name than the property."""


class IniFiles(Provider):
    """Reads and writes the files of yum."""

    name = "inifile"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.repositories = Repositories(run.host)
        self.directories: list[str] = []
        """The directories that exist; new files go to the last one."""

    def suitable(self) -> bool:
        """Return True."""
        return True

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all repositories."""
        self.repositories = Repositories(self.host)
        self.directories = list(directories(self.host))
        for path in self.paths():
            self.repositories.read(path)
        sections = self.repositories.sections()
        return {one.name: state_of(one) for one in sections if one.name != "main"}

    def paths(self) -> Iterator[str]:
        """Yield the files that may have repositories."""
        if self.host.is_file(CONFIGURATION):
            yield CONFIGURATION
        for directory in self.directories:
            for name, _ in self.host.scan(directory):
                path = posixpath.join(directory, name)
                visible = name.endswith(SUFFIX) and not name.startswith(".")
                if visible and self.host.is_file(path):
                    yield path

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the repository is there, in the file that ``target`` names."""
        state = self.state(resource)
        if not state:
            return False
        anywhere = resource["target"] == ABSENT
        return anywhere or bool(state["target"] == self.path(resource.name, resource["target"]))

    def path(self, name: str, target: str) -> str:
        """Return the file of a repository; it is always in a directory of repositories."""
        if not self.directories:
            return CONFIGURATION
        last = self.directories[-1]
        if target == ABSENT:
            return posixpath.join(last, name + SUFFIX)
        file = target if target.endswith(SUFFIX) else target + SUFFIX
        if posixpath.dirname(target) in self.directories:
            return file
        return posixpath.join(last, posixpath.basename(file))

    # -- changing --------------------------------------------------------------------------------

    def section(self, resource: ManagedResource) -> Section:
        """Return the section of a repository in its file; one in another file is moved there.

        A section of yum.conf moves to a file in a directory of repositories when it changes, as
        with Puppet.
        """
        path = self.path(resource.name, self.target(resource))
        same = self.named(resource.name)
        found = next((one for one in same if one.file == path), None)
        if found is not None:
            return found
        for one in same:
            one.removed = True
        section = self.repositories.add(resource.name, path)
        for one in same[-1:]:
            section.entries += one.entries
        return section

    def target(self, resource: ManagedResource) -> str:
        """Return where a repository is, or else where it is to be."""
        wanted: str = resource["target"]
        if wanted == ABSENT:
            return str(self.state(resource).get("target", ABSENT))
        return wanted

    def named(self, name: str) -> list[Section]:
        """Return the sections of a name."""
        return [one for one in self.repositories.sections() if one.name == name and not one.removed]

    def create(self, resource: ManagedResource) -> None:
        """Add a repository with its settings; without any, nothing is written."""
        path = self.path(resource.name, resource["target"])
        if path not in self.repositories.files and self.host.is_file(path):
            self.repositories.read(path)
        for attribute in resource.properties():
            if attribute.name != "ensure" and attribute.name in resource:
                self.set(resource, attribute.name, resource[attribute.name])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a repository."""
        for one in self.named(resource.name):
            one.removed = True

    def set(self, resource: ManagedResource, name: str, value: object) -> None:
        """Change a setting."""
        text = None if value == ABSENT else to_s(value)
        self.section(resource).set(KEYS.get(name, name), text)

    def flush(self, resource: ManagedResource) -> None:
        """Write the files, and make all of them readable for everyone, as Puppet does."""
        self.repositories.store()
        for path in self.repositories.files:
            status = self.host.status(path, follow=True)
            if status is None or status.mode & 0o777 == MODE:
                continue
            text = f"changing mode of {path} from {status.mode & 0o777:03o} to {MODE:03o}"
            source = f"{resource.reference}(provider={self.name})"
            self.run.log("info", text, source, file=resource.file, line=resource.line)
            self.host.set_mode(path, MODE)


def directories(host: Host) -> Iterator[str]:
    """Yield the directories of repositories that exist: those of yum.conf, else the usual ones."""
    named: str | None = None
    if host.is_file(CONFIGURATION):
        configuration = Repositories(host)
        configuration.read(CONFIGURATION)
        main = next((one for one in configuration.sections() if one.name == "main"), None)
        named = None if main is None else main.get("reposdir")
    found = DIRECTORIES if named is None else named.replace(",", " ").split()
    yield from (path for path in found if host.status(path, follow=True) is not None)


def state_of(section: Section) -> State:
    """Return the state of a repository."""
    settings = (one for one in section.entries if isinstance(one, Setting))
    values = {one.key: one.value for one in settings}
    name = values.pop("name", None)
    state = {key: value for key, value in values.items() if value is not None}
    if name is not None:
        state["descr"] = name
    return {**state, "ensure": "present", "target": section.file}


provider = IniFiles
