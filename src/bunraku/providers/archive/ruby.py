"""The provider ``ruby`` of ``archive``: downloads without a program, and what all providers share."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit

from bunraku.providers.archive.downloads import web_pieces
from bunraku.providers.archive.extraction import extract_command
from bunraku.providers.checksums import BLOCK, Sum
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.sources import find_source
from bunraku.providers.file_server import Wanted
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, successful
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

Value = Any
NOT_EXTRACTED = "archive not extracted"
CHECKSUM = re.compile(r"\b[\da-fA-F]{32,128}\b")
UMASK = 0o022
LARGEST_CHECKSUM_FILE = 16 << 20
"""Bytes of a file with checksums that are read."""


class Ruby(Provider):
    """Downloads with HTTP itself; the name is that of Puppet's provider."""

    name = "ruby"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.found: dict[str, str] = {}
        """Path → the checksum of the archive there, if it was read."""
        self.remote: dict[str, str | None] = {}
        """Path → the checksum at ``checksum_url``."""

    # -- state -----------------------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the archive, or what it creates, exists with the wanted checksum."""
        if not self.is_extracted(resource):
            return self.matches(resource)
        present = self.host.status(resource["path"], follow=True) is not None
        return not present or self.matches(resource)

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of ``creates``: its value, unless something must be extracted."""
        if resource.is_true("extract") and not self.is_extracted(resource):
            return NOT_EXTRACTED
        return resource["creates"]

    def is_extracted(self, resource: ManagedResource) -> bool:
        """Return whether the path that the archive creates exists."""
        creates = resource["creates"]
        return creates is not None and self.host.status(to_s(creates), follow=True) is not None

    def found_checksum(self, resource: ManagedResource) -> str | None:
        """Return the checksum of the archive that was found on the machine."""
        return self.found.get(resource.name)

    def known_checksum(self, resource: ManagedResource) -> str | None:
        """Return the wanted checksum as far as it is known without a request."""
        checksum: str | None = resource["checksum"]
        return self.remote.get(resource.name) if checksum is None else checksum

    def wanted_checksum(self, resource: ManagedResource) -> str | None:
        """Return the wanted checksum, from its URL if the resource does not set it."""
        unknown = resource["checksum"] is None and resource["checksum_url"] is not None
        if unknown and self.remote.get(resource.name) is None:
            self.remote[resource.name] = self.remote_checksum(resource)
        return self.known_checksum(resource)

    def matches(self, resource: ManagedResource) -> bool:
        """Return whether the archive exists with the wanted checksum."""
        if self.host.status(resource["path"], follow=True) is None:
            return False
        if resource["checksum_type"] == "none":
            return True
        self.found[resource.name] = self.checksum(resource, resource["path"])
        return self.wanted_checksum(resource) == self.found[resource.name]

    def checksum(self, resource: ManagedResource, path: str) -> str:
        """Return the checksum of a file, of the type that the resource sets."""
        kind = "sha256" if resource["checksum_type"] == "sha2" else to_s(resource["checksum_type"])
        made = Sum(kind)
        with self.host.open(path) as file:
            while piece := file.read(BLOCK):
                made.add(piece)
        return made.text().rpartition("}")[2]

    def remote_checksum(self, resource: ManagedResource) -> str | None:
        """Return the first checksum in the file at ``checksum_url``; None if it has none."""
        self.check_directory(resource)
        with self.host.temporary_file(b"") as path:
            pieces = b"".join(self.pieces(resource, resource["checksum_url"]))
            self.fill(resource, resource["checksum_url"], path)
            content = pieces or self.host.beginning(path, LARGEST_CHECKSUM_FILE)
        found = CHECKSUM.search(content.decode("utf-8", "replace"))
        return None if found is None else found[0]

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Download the archive unless it is there, and extract it."""
        try:
            if not self.matches(resource):
                self.transfer(resource)
            self.extract(resource)
        finally:
            if resource.is_true("cleanup") and resource.is_true("extract"):
                self.destroy(resource)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the archive."""
        status = self.host.status(resource["path"], follow=True)
        if status is not None and status.kind != "directory":
            self.host.remove_file(resource["path"])

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Extract the archive again."""
        self.extract(resource)

    def extract(self, resource: ManagedResource) -> None:
        """Extract the archive if the resource wants that."""
        if not resource.is_true("extract"):
            return
        directory, path = resource["extract_path"], resource["path"]
        if directory is None:
            raise ResourceFailure("missing archive extract_path")
        line = extract_command(path, resource["extract_command"], resource["extract_flags"])
        if resource["user"] is not None or resource["group"] is not None:
            self.host.set_mode(path, 0o644)
        if not self.host.is_directory(directory):
            raise ResourceFailure(f"Working directory {directory} does not exist!")
        user, group = resource["user"], resource["group"]
        successful(line, self.attempt(line, directory=directory, user=user, group=group))

    # -- downloads -------------------------------------------------------------------------------

    def transfer(self, resource: ManagedResource) -> None:
        """Download the archive and verify it; nothing is left of a download that is wrong."""
        path, source = resource["path"], resource["source"]
        if source is None:
            raise ResourceFailure("Unable to fetch archive, the source parameter is nil.")
        self.check_directory(resource)
        self.host.replace_file(
            path,
            self.pieces(resource, source),
            mode=self.mode_of(source),
            check=partial(self.complete, resource),
            staging=self.staging(resource),
        )

    def complete(self, resource: ManagedResource, path: str) -> None:
        """Download to a file what a program must download, verify it, and make its directory."""
        self.fill(resource, resource["source"], path)
        if resource.is_true("checksum_verify") and resource["checksum_type"] != "none":
            actual, wanted = self.checksum(resource, path), self.wanted_checksum(resource)
            if actual != wanted:
                self.destroy(resource)
                text = f"(expected: {wanted or ''} actual: {actual})"
                raise ResourceFailure(f"Download file checksum mismatch {text}")
        self.make_directories(posixpath.dirname(resource["path"]))

    def check_directory(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure if the directory for temporary files does not exist."""
        directory = resource["temp_dir"]
        if directory is not None and not self.host.is_directory(directory):
            raise ResourceFailure(f"Temporary directory {directory} doesn't exist")

    def staging(self, resource: ManagedResource) -> str:
        """Return the directory of the download, in the file system of the archive.

        It is the nearest one that exists: a download that fails makes no directory.
        """
        nearest: str = posixpath.dirname(resource["path"])
        while not self.host.is_directory(nearest):
            nearest = posixpath.dirname(nearest)
        chosen = resource["temp_dir"]
        if chosen is not None and self.device(chosen) == self.device(nearest):
            return str(chosen)
        return nearest

    def device(self, path: str) -> int | None:
        """Return the device of the file system of a path."""
        status = self.host.status(path, follow=True)
        return None if status is None else status.device

    def make_directories(self, path: str) -> None:
        """Create a directory and those above it that are missing."""
        if not self.host.is_directory(path):
            self.make_directories(posixpath.dirname(path))
            if not self.host.is_directory(path):  # DIR/.. exists as soon as DIR does
                self.host.make_directory(path, 0o777 & ~UMASK)

    def mode_of(self, source: str) -> int:
        """Return the mode of the new archive: that of a file of this machine, otherwise 0644."""
        path = local_path(source)
        status = None if path is None else self.host.status(path, follow=True)
        return 0o644 if status is None else status.mode & 0o777 & ~UMASK

    def pieces(self, resource: ManagedResource, location: str) -> Iterable[bytes]:
        """Return the content at a place; nothing if :meth:`fill` must download it."""
        if location.startswith("puppet"):
            return self.served(location)
        path = local_path(location)
        if path is None:
            return self.downloaded(resource, location)
        if not location.startswith("file") and self.host.status(path, follow=True) is None:
            raise ResourceFailure(f"Source file: {location} does not exists.")
        return self.read_pieces(path)

    def downloaded(self, resource: ManagedResource, location: str) -> Iterable[bytes]:
        """Return the content at a URL; nothing if :meth:`fill` must download it."""
        if location.startswith("http"):
            return web_pieces(self.host, self.run.web, resource, location)
        return ()

    def fill(self, resource: ManagedResource, location: str, path: str) -> None:
        """Download to a file what only a program can download."""
        if location.startswith("ftp"):
            self.download(resource, location, path)
        elif location.startswith("s3"):
            self.copy_with("aws", ("s3", "cp", location, path), resource)
        elif location.startswith("gs"):
            self.copy_with("gsutil", ("cp", location, path), resource)

    def download(self, resource: ManagedResource, location: str, path: str) -> None:
        """Download a file with a program."""
        raise ResourceFailure(
            f"The provider {self.name} cannot download from ftp servers; install curl or wget"
        )

    def copy_with(self, program: str, words: tuple[str, ...], resource: ManagedResource) -> None:
        """Download a file with the client of a cloud."""
        found = self.host.find_program(program)
        if found is None:
            raise ResourceFailure(f"Command {program} is missing")
        if resource.is_private("download_options"):
            text = f"the options of {program} would be in a process list: they cannot be Sensitive"
            raise ResourceFailure(text)
        self.execute(found, *words, *(resource["download_options"] or ()))

    def served(self, uri: str) -> Iterator[bytes]:
        """Yield the content of a file of a module."""
        found = find_source(uri, self.run, Wanted(uri, follow=True))
        if found is None:
            raise ResourceFailure(
                "Previous error(s) resulted in Puppet being unable to retrieve information from "
                f"environment {self.run.environment} source(s) {uri}'\n"
                "Most probable cause is file not found."
            )
        yield from found.pieces()

    def read_pieces(self, path: str) -> Iterator[bytes]:
        """Yield the content of a file of this machine."""
        with self.host.open(path) as file:
            while piece := file.read(BLOCK):
                yield piece


def local_path(location: str) -> str | None:
    """Return the path of a file of this machine; None for another place.

    >>> local_path("file:///srv/a%20b.zip"), local_path("/srv/a.zip"), local_path("https://a/b")
    ('/srv/a b.zip', '/srv/a.zip', None)
    """
    if location.startswith("file"):
        return unquote(urlsplit(location).path)
    remote = location.startswith(("puppet", "http", "ftp", "s3", "gs"))
    return None if remote else location


provider = Ruby
