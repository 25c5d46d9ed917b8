"""Sources of files: find the target of ``source`` and read it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from bunraku.base.records import record
from bunraku.providers.base import Run
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.file.checksums import BLOCK, sum_of_file
from bunraku.world.host import FileStatus, Host

SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(.*)", re.DOTALL)
AUTHORITY = re.compile(r"(?!//)|//(?:[^/@]*@)?(?:\[[^]/]*\]|[^:/]*)(?::[0-9]*)?(?:/|$)")
"""The begin of a URI after its scheme: a path, or a host with an optional port."""
SCHEMES = ("file", "puppet", "http", "https")
FILES = "files"
"""The directory of a module whose files it serves."""


@record(slots=False)
class Source:
    """A file found at a source. ``uri`` is its name, ``path`` its path on this machine.

    ``relative`` is the path below the copied directory, ``.`` for the directory itself.
    """

    uri: str
    path: str
    status: FileStatus
    host: Host
    checksum_kind: str
    relative: str = "."
    known_checksum: str | None = None

    @property
    def kind(self) -> str:
        """The kind of the file."""
        return self.status.kind

    @property
    def target(self) -> str:
        """The target of a link."""
        return self.host.link_target(self.path)

    @property
    def checksum(self) -> str:
        """The checksum of the content; it is read once."""
        if self.known_checksum is None:
            self.known_checksum = sum_of_file(self.host, self.checksum_kind, self.path, self.status)
        return self.known_checksum

    def pieces(self) -> Iterator[bytes]:
        """Yield the content piece by piece; errors contain the source."""
        try:
            with self.host.open(self.path) as file:
                while piece := file.read(BLOCK):
                    yield piece
        except OSError as error:
            error.filename = self.path
            raise


def read_source(value: object) -> str:
    """Return a source as a URI; raise InvalidValue if it cannot be a source."""
    text = str(value)
    text = text.rstrip("/") or text[:1]
    if text.startswith("/"):
        return f"file://{text}"
    parts = SCHEME.fullmatch(text)
    if parts is None:
        raise InvalidValue(f"Cannot use relative URLs '{text}'")
    if not parts[2].startswith("/"):
        raise InvalidValue(f"Cannot use opaque URLs '{text}'")
    if parts[1] not in SCHEMES:
        raise InvalidValue(f"Cannot use URLs of type '{parts[1]}' as source for fileserving")
    authority = AUTHORITY.match(parts[2])
    if authority is None:
        reason = f'bad URI(is not URI?): "{text}"'
        raise InvalidValue(f"Could not understand source {text}: {reason}")
    return text


def local_path(uri: str, run: Run) -> str | None:
    """Return the path of a source on this machine; None if its module does not have it."""
    scheme, _, rest = uri.partition(":")
    authority, path = "", rest
    if rest.startswith("//"):
        authority, _, path = rest[2:].partition("/")
        path = "/" + path
    if scheme == "file":
        return unquote(path)
    if scheme != "puppet" or authority:
        place = "over the network" if scheme != "puppet" else f"from the server {authority}"
        reason = f"bunraku does not copy files {place}"
        raise ResourceFailure(f"Could not retrieve file metadata for {uri}: {reason}")
    return module_path(uri, path.lstrip("/"), run)


def module_path(uri: str, key: str, run: Run) -> str | None:
    """Return the path of a file of a module, from ``modules/NAME/PATH``; None if there is none."""
    mount, _, path = key.partition("/")
    if ".." in path.split("/"):
        reason = f"Cannot find file: Invalid relative path '{path}'"
        raise ResourceFailure(f"Could not retrieve file metadata for {uri}: {reason}")
    if mount != "modules":
        return None
    name, _, relative = path.partition("/")
    for directory in run.modules:
        module = posixpath.join(directory, name)
        if name and run.host.is_directory(module):
            return posixpath.join(module, FILES, relative).rstrip("/")
    return None


def find_source(uri: str, run: Run, *, follow: bool, checksum_kind: str) -> Source | None:
    """Return the file at a source; None if it does not exist or is a dangling link."""
    path = local_path(uri, run)
    if path is None or run.host.status(path, follow=True) is None:
        return None
    status = run.host.status(path, follow=follow)
    if status is None:
        return None
    return Source(uri, path, status, run.host, checksum_kind)


def first_source(uris: Sequence[str], run: Run, *, follow: bool, checksum_kind: str) -> Source:
    """Return the first source that exists; raise ResourceFailure if none does."""
    for uri in uris:
        found = find_source(uri, run, follow=follow, checksum_kind=checksum_kind)
        if found is not None:
            return found
    raise ResourceFailure(
        f"Could not retrieve information from environment {run.environment} "
        f"source(s) {', '.join(uris)}"
    )
