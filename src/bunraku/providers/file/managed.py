"""A file resource during a run: its path, its status and its source."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.checksums import is_marked
from bunraku.providers.file.sources import Source, first_source, wanted_of
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run
from bunraku.values.binary import Binary
from bunraku.world.host import FileStatus


class ManagedFile:
    """The path of a file resource, with the cached status of the path and its source."""

    __slots__ = ("found", "host", "known", "path", "resource", "source")

    def __init__(self, resource: ManagedResource, source: Source | None = None) -> None:
        self.resource = resource
        self.host = resource.run.host
        self.path: str = resource["path"]
        self.source = source
        """The source that is copied here, after it was looked up."""
        self.known = False
        self.found: FileStatus | None = None

    @property
    def follows(self) -> bool:
        """Whether links are followed."""
        return bool(self.resource["links"] == "follow")

    @property
    def status(self) -> FileStatus | None:
        """The status of the path, read once; None if the path does not exist."""
        if not self.known:
            self.known = True
            try:
                self.found = self.host.status(self.path, follow=self.follows)
            except PermissionError:
                self.resource.log("warning", "Could not stat; permission denied")
                self.found = None
        return self.found

    def forget(self) -> None:
        """Drop the status so that it is read again when needed."""
        self.known = False

    @property
    def kind(self) -> str:
        """The kind of the file, ``absent`` if the path does not exist."""
        status = self.status
        return ABSENT if status is None else status.kind

    def is_for_content(self) -> bool:
        """Return whether the path should be a regular file."""
        ensure = self.resource["ensure"]
        if ensure == "file":
            return True
        if ensure == "present":
            return self.kind in (ABSENT, "file")
        if ensure is not None:
            return False
        return self.resource["content"] is not None or self.kind == "file"

    def find_source(self) -> Source:
        """Return the source; raise ResourceFailure if no source exists."""
        if self.source is None:
            resource = self.resource
            self.source = first_source(resource["source"], resource.run, wanted_of(resource))
        return self.source


def given_content(resource: ManagedResource) -> Any:
    """Return the content that a resource sets: the last one of an array, as in Puppet."""
    given = resource.original.get("content")
    return given[-1] if isinstance(given, list) and given else given


def content_of(resource: ManagedResource) -> bytes | None:
    """Return the content that a resource sets; None for no content or a checksum."""
    given = given_content(resource)
    if isinstance(given, Binary):
        return given.data
    if given is None or is_marked(given):
        return None
    return str(given).encode("utf-8", "surrogateescape")


def user_number(run: Run, name: Any) -> int | None:
    """Return the ID of a user, given its name or ID; None for an unknown name."""
    number = as_number(name)
    if number is not None:
        return number
    found = run.host.user(str(name))
    return None if found is None else found.uid


def group_number(run: Run, name: Any) -> int | None:
    """Return the ID of a group, given its name or ID; None for an unknown name."""
    number = as_number(name)
    if number is not None:
        return number
    found = run.host.group(str(name))
    return None if found is None else found.gid


def as_number(name: Any) -> int | None:
    """Convert a numeric name to a number.

    >>> as_number("12"), as_number(3), as_number("web")
    (12, 3, None)
    """
    if isinstance(name, int):
        return name
    return int(name) if isinstance(name, str) and name.isdecimal() else None
