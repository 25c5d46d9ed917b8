"""The resources that a directory generates for its entries and those of its sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.file.managed import ManagedFile
from bunraku.providers.file.posix import Posix
from bunraku.providers.file.sources import Source, sources_below, wanted_of
from bunraku.providers.file.walk import FoundEntry, walk_directory
from bunraku.providers.managed_resource import ManagedResource
from bunraku.values.sensitive import Sensitive

OWN = frozenset(
    {
        "path",
        "ensure",
        "recurse",
        "recurselimit",
        "max_files",
        "target",
        "alias",
        "source",
        "parent",
    }
)
"""The parameters that apply only to the directory itself."""


class Recursion:
    """The children of a directory: parameters by relative path, and the sources of some."""

    def __init__(self, posix: Posix, file: ManagedFile) -> None:
        self.posix = posix
        self.file = file
        self.resource = file.resource
        self.parameters: dict[str, dict[str, Any]] = {}
        self.sources: dict[str, Source] = {}

    def children(self) -> list[ManagedResource]:
        """Return the generated resources, sorted by path."""
        resource = self.resource
        if resource["recurse"] != "remote":
            self.add_local()
        if resource["target"] is not None:
            self.add_links(resource["target"])
        elif resource["source"] is not None:
            self.add_sources()
        if resource.is_true("purge"):
            for parameters in self.parameters.values():
                if "source" not in parameters:
                    parameters["ensure"] = "absent"
        prefix = self.file.path.rstrip("/") + "/"
        managed = self.managed_below(prefix)
        return [
            self.child(relative, prefix + relative)
            for relative in sorted(self.parameters)
            if not is_covered(prefix + relative, managed)
        ]

    def managed_below(self, prefix: str) -> set[str]:
        """Return the paths below the directory that other resources manage."""
        self.resource.run.compute_names("file")
        found = self.resource.run.of_type("file")
        return {one["path"] or one.name for one in found if one.name.startswith(prefix)}

    def child(self, relative: str, path: str) -> ManagedResource:
        """Return the resource for a path, with the parameters of the directory."""
        resource = self.resource
        given: dict[str, Any] = {
            name: Sensitive(value) if name in resource.sensitive else value
            for name, value in resource.original.items()
            if name not in OWN
        }
        made = ManagedResource(
            resource.type,
            path,
            {**given, "path": path, **self.parameters[relative]},
            path=resource.containers,
        )
        if relative in self.sources:
            self.posix.sources[made] = self.sources[relative]
        return made

    # -- entries ----------------------------------------------------------------------------------

    def walk(self, top: str) -> list[FoundEntry]:
        """Return the entries of a tree within the limits of the parameters."""
        wanted = wanted_of(self.resource)
        return walk_directory(
            self.file.host,
            top,
            ignore=wanted.ignore,
            levels=wanted.levels,
            follow=wanted.follow,
            max_files=wanted.max_files,
            warn=self.warn,
        )

    def below(self, top: str) -> Iterator[FoundEntry]:
        """Yield the entries of a directory; none if it does not exist."""
        if self.file.host.status(top, follow=True) is not None:
            for found in self.walk(top):
                if found.relative != ".":
                    yield found

    def add_local(self) -> None:
        """Add the entries of the directory."""
        for found in self.below(self.file.path):
            self.parameters[found.relative] = {}

    def add_links(self, target: str) -> None:
        """Add links to all files of another directory, and its directories."""
        if self.file.host.status(target, follow=True) is None:
            return
        self.resource.values["ensure"] = ["directory"]
        for found in self.below(target):
            parameters = self.parameters.setdefault(found.relative, {})
            if found.status.kind == "directory":
                parameters["ensure"] = "directory"
            else:
                parameters |= {"ensure": "link", "target": found.path}

    def add_sources(self) -> None:
        """Add the entries of the sources: of the first that exists, or of all; earlier sources win."""
        resource = self.resource
        wanted = wanted_of(resource)
        for uri in resource["source"]:
            entries = sources_below(uri, resource.run, wanted, self.warn)
            if not entries:
                continue
            if entries[0].status.kind != "directory":
                return
            for found in entries:
                self.add_source(found)
            if resource["sourceselect"] == "first":
                return

    def add_source(self, found: Source) -> None:
        """Add one entry of a source, unless an earlier source has it."""
        relative = found.relative
        if relative == ".":
            if self.file.source is None:
                self.file.source = found
        elif relative not in self.sources:
            self.sources[relative] = found
            self.parameters.setdefault(relative, {})["source"] = found.uri

    def warn(self, text: str) -> None:
        """Log a warning."""
        self.resource.run.log("warning", text)


def is_covered(path: str, managed: set[str]) -> bool:
    """Return whether another resource manages a path or one of its parents."""
    if not managed:
        return False
    while path:
        if path in managed:
            return True
        path = path.rpartition("/")[0]
    return False
