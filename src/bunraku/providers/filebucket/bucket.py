"""A directory that stores contents of files under their checksums, with Puppet's layout."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from bunraku.providers.checksums import BLOCK, LENGTHS, Sum, data_of, sum_of_file, summing
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file_server import FileServer
from bunraku.world.host import Host

KIND = "sha256"
DIRECTORY_MODE = 0o770
CONTENTS_MODE = 0o440
PATHS_MODE = 0o640
LEVELS = 8
"""The number of directories above a content, each named by a digit of the checksum."""
DIGITS = frozenset("0123456789abcdef")
LOCK = ".lock"
"""The file whose lock a process holds while it adds the path of a content that was sent."""
TRIES, PAUSE = 3000, 0.01
"""How often, and after how many seconds, a process tries to get the lock."""


class Bucket:
    """A filebucket on this machine; ``log`` is called with a level and a text.

    ``kind`` is the kind of its checksums.
    """

    def __init__(
        self,
        host: Host,
        name: str,
        path: str,
        log: Callable[[str, str], None],
        kind: str = KIND,
    ) -> None:
        self.kind = kind
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
        digest = data_of(sum_of_file(self.host, self.kind, path, status))
        self.keep(digest, path, lambda contents: self.copy(path, contents))
        return digest

    def keep(self, digest: str, path: str | None, put: Callable[[str], None]) -> None:
        """Store a content by ``put`` unless the bucket has it, and its original path."""
        contents = self.contents(digest)
        paths = self.paths(digest)
        self.make_directories(self.directory_of(digest))
        if self.host.status(contents) is None:
            put(contents)
        elif not self.holds(contents, digest):
            text = "Existing backup does not match its expected sum, {sum}. Overwriting corrupted backup."
            self.log("warning", text.replace("{sum}", f"{{{self.kind}}}{digest}"))
            put(contents)
        elif path not in self.lines(paths):
            self.log("info", f"FileBucket got a duplicate file {{{self.kind}}}{digest}")
        if path is not None:
            self.add_path(paths, path)

    def store(self, pieces: Iterable[bytes], path: str | None) -> str:
        """Store a content that arrives in pieces, with its original path; return its checksum.

        Several processes may do so at the same time.
        """
        self.make_directories(self.path)
        staged = posixpath.join(self.path, f".bunraku-{os.urandom(16).hex()}.free.new")
        total = Sum(self.kind)
        self.host.replace_file(staged, summing(pieces, total), mode=CONTENTS_MODE)
        try:
            digest = data_of(total.text())
            self.keep(digest, None, lambda contents: self.host.rename(staged, contents))
            if path is not None:
                with self.locked():
                    self.add_path(self.paths(digest), path)
        finally:
            if self.host.status(staged) is not None:
                self.host.remove_file(staged)
        return digest

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Wait until no other process adds a path; raise ResourceFailure after half a minute."""
        for _ in range(TRIES):
            with self.host.lock(posixpath.join(self.path, LOCK)) as is_free:
                if is_free:
                    yield
                    return
            self.host.sleep(PAUSE)
        raise ResourceFailure(f"the filebucket {self.path} is locked by another process")

    def contents(self, digest: str) -> str:
        """Return the path of the file with a content."""
        return posixpath.join(self.directory_of(digest), "contents")

    def paths(self, digest: str) -> str:
        """Return the path of the file with the original paths of a content."""
        return posixpath.join(self.directory_of(digest), "paths")

    def has(self, digest: str, path: str | None = None) -> bool:
        """Return whether the bucket has a content, one that came from a path if that is given."""
        if self.host.status(self.contents(digest)) is None:
            return False
        return path is None or path in self.lines(self.paths(digest))

    def content(self, digest: str) -> Iterator[bytes]:
        """Yield a content piece by piece; raise ResourceFailure for an unknown checksum."""
        if len(digest) != LENGTHS[self.kind] or not DIGITS.issuperset(digest):
            raise ResourceFailure(f'Invalid checksum "{digest}"')
        contents = self.contents(digest)
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
            status is not None
            and data_of(sum_of_file(self.host, self.kind, contents, status)) == digest
        )

    def make_directories(self, path: str) -> None:
        """Create a directory and its missing parents."""
        if self.host.status(path, follow=True) is None:
            self.make_directories(posixpath.dirname(path))
            with suppress(FileExistsError):  # another process was faster
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


class ServerBucket:
    """A filebucket on a server; ``address`` is ``HOST`` or ``HOST:PORT``, None for the agent's server."""

    def __init__(self, host: Host, name: str, address: str | None, server: FileServer) -> None:
        self.host = host
        self.name = name
        self.address = address
        self.server = server

    def backup(self, path: str) -> str:
        """Store the content of a regular file, unless it is there, and return its checksum."""
        status = self.host.status(path, follow=True)
        if status is None:
            raise ResourceFailure(f"Could not back up {path}: File {path} does not exist")
        digest = data_of(sum_of_file(self.host, KIND, path, status))
        if not self.server.has_copy(self.address, digest, path):
            self.server.keep_copy(self.address, digest, path, self.host.read(path))
        return digest

    def content(self, digest: str) -> Iterator[bytes]:
        """Yield a content piece by piece; raise ResourceFailure for an unknown checksum."""
        if len(digest) != LENGTHS[KIND] or not DIGITS.issuperset(digest):
            raise ResourceFailure(f'Invalid checksum "{digest}"')
        return self.server.copy(self.address, digest)
