"""A directory that stores contents of files under their checksums, with Puppet's layout."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.checksums import BLOCK, LENGTHS, data_of, sum_of_file
from bunraku.world.host import Host

KIND = "sha256"
DIRECTORY_MODE = 0o770
CONTENTS_MODE = 0o440
PATHS_MODE = 0o640
LEVELS = 8
"""The number of directories above a content, each named by a digit of the checksum."""
DIGITS = frozenset("0123456789abcdef")


class Bucket:
    """A filebucket on this machine; ``log`` is called with a level and a text."""

    def __init__(self, host: Host, name: str, path: str, log: Callable[[str, str], None]) -> None:
        self.host = host
        self.name = name
        self.path = path
        self.log = log

    def directory_of(self, digest: str) -> str:
        """Return the path of a content."""
        return posixpath.join(self.path, *digest[:LEVELS], digest)

    def backup(self, path: str) -> str:
        """Store the content of a regular file and return its checksum."""
        status = self.host.status(path, follow=True)
        if status is None:
            raise ResourceFailure(f"Could not back up {path}: File {path} does not exist")
        digest = data_of(sum_of_file(self.host, KIND, path, status))
        directory = self.directory_of(digest)
        contents = posixpath.join(directory, "contents")
        paths = posixpath.join(directory, "paths")
        self.make_directories(directory)
        if self.host.status(contents) is None:
            self.copy(path, contents)
        elif not self.holds(contents, digest):
            text = "Existing backup does not match its expected sum, {sum}. Overwriting corrupted backup."
            self.log("warning", text.replace("{sum}", f"{{{KIND}}}{digest}"))
            self.copy(path, contents)
        elif path not in self.lines(paths):
            self.log("info", f"FileBucket got a duplicate file {{{KIND}}}{digest}")
        self.add_path(paths, path)
        return digest

    def content(self, digest: str) -> Iterator[bytes]:
        """Yield a content piece by piece; raise ResourceFailure for an unknown checksum."""
        if len(digest) != LENGTHS[KIND] or not DIGITS.issuperset(digest):
            raise ResourceFailure(f'Invalid checksum "{digest}"')
        contents = posixpath.join(self.directory_of(digest), "contents")
        if self.host.status(contents) is None:
            raise ResourceFailure("File not found")
        self.log("info", f"FileBucket read {digest}")
        return self.pieces(contents)

    def pieces(self, path: str) -> Iterator[bytes]:
        """Yield the content of a file piece by piece."""
        with self.host.open(path) as file:
            while piece := file.read(BLOCK):
                yield piece

    def copy(self, path: str, contents: str) -> None:
        """Copy a file into the bucket."""
        self.host.replace_file(contents, self.pieces(path), mode=CONTENTS_MODE)

    def holds(self, contents: str, digest: str) -> bool:
        """Return whether a stored content has the checksum in its path."""
        status = self.host.status(contents)
        return (
            status is not None and data_of(sum_of_file(self.host, KIND, contents, status)) == digest
        )

    def make_directories(self, path: str) -> None:
        """Create a directory and its missing parents."""
        if self.host.status(path, follow=True) is None:
            self.make_directories(posixpath.dirname(path))
            self.host.make_directory(path, DIRECTORY_MODE)

    def lines(self, paths: str) -> list[str]:
        """Return the original paths of a content."""
        if self.host.status(paths) is None:
            return []
        return self.host.read(paths).decode("utf-8", "surrogateescape").splitlines()

    def add_path(self, paths: str, path: str) -> None:
        """Record a path as an original path of a content."""
        known = self.lines(paths)
        if path not in known:
            text = "".join(f"{line}\n" for line in [*known, path])
            encoded = text.encode("utf-8", "surrogateescape")
            self.host.replace_file(paths, [encoded], mode=PATHS_MODE)
