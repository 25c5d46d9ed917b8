"""Sources of files: find the target of ``source`` and read it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol
from urllib.parse import unquote

from bunraku.base.records import record
from bunraku.providers.checksums import BLOCK, sum_of_file
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.file.walk import walk_directory
from bunraku.providers.file.web_sources import WebFiles
from bunraku.providers.file_server import FileServer, ServedFile, Wanted
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import FileStatus, Host

SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(.*)", re.DOTALL)
AUTHORITY = re.compile(r"(?!//)|//(?:[^/@]*@)?(?:\[[^]/]*\]|[^:/]*)(?::[0-9]*)?(?:/|$)")
"""The begin of a URI after its scheme: a path, or a host with an optional port."""
SCHEMES = ("file", "puppet", "http", "https")
WEB = ("http:", "https:")
FILES = "files"
"""The directory of a module whose files it serves."""


class Source(Protocol):
    """A file found at a source, on this machine or on a server. ``uri`` is its name.

    ``relative`` is the path below the copied directory, ``.`` for the directory itself.
    """

    @property
    def uri(self) -> str:
        """The URI of the file."""

    @property
    def status(self) -> FileStatus:
        """The status of the file."""

    @property
    def relative(self) -> str:
        """The path below the copied directory."""

    @property
    def path(self) -> str | None:
        """The path on this machine; None for a file on a server."""

    @property
    def target(self) -> str:
        """The target of a link."""

    @property
    def checksum(self) -> str:
        """The checksum of the content."""

    @property
    def is_owned(self) -> bool:
        """Whether the status has an owner and a mode."""

    def pieces(self) -> Iterator[bytes]:
        """Yield the content piece by piece; errors contain the source."""


@record(slots=False)
class LocalSource:
    """A source on this machine; its checksum is of the kind ``checksum_kind``."""

    uri: str
    path: str
    status: FileStatus
    host: Host
    checksum_kind: str
    relative: str = "."
    known_checksum: str | None = None

    @property
    def is_owned(self) -> bool:
        """Return true: each file of this machine has an owner."""
        return True

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


@record(slots=False)
class RemoteSource:
    """A source on the server of the run, or on a web server."""

    uri: str
    file: ServedFile

    @property
    def status(self) -> FileStatus:
        """See :class:`Source`."""
        return self.file.status

    @property
    def relative(self) -> str:
        """See :class:`Source`."""
        return self.file.relative

    @property
    def is_owned(self) -> bool:
        """See :class:`Source`."""
        return self.file.owned

    @property
    def path(self) -> None:
        """Return None: the file is not on this machine."""

    @property
    def target(self) -> str:
        """See :class:`Source`; raise ResourceFailure for a link without a target."""
        if self.file.target is None:
            raise ResourceFailure(f"Could not retrieve file metadata for {self.uri}: no target")
        return self.file.target

    @property
    def checksum(self) -> str:
        """See :class:`Source`."""
        return self.file.checksum

    def pieces(self) -> Iterator[bytes]:
        """See :class:`Source`."""
        return self.file.pieces()


def read_source(value: object) -> str:
    """Return a source as a URI; raise InvalidValue if it cannot be a source."""
    text = to_s(value)
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
    if authority:
        reason = f"bunraku does not copy files from the server {authority}"
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


def served_by(uri: str, run: Run) -> FileServer | None:
    """Return the server of a source; None for a source on this machine."""
    return run.file_server if uri.startswith("puppet:") else None


def web_files(uri: str, run: Run) -> WebFiles | None:
    """Return the files of web servers for a source there; None for other sources."""
    return WebFiles(run.host, run.web) if uri.startswith(WEB) else None


def find_source(uri: str, run: Run, wanted: Wanted) -> Source | None:
    """Return the file at a source; None if it does not exist or is a dangling link."""
    server: FileServer | WebFiles | None = served_by(uri, run) or web_files(uri, run)
    if server is not None:
        served = server.find(uri, wanted)
        return None if served is None else RemoteSource(uri, served)
    path = local_path(uri, run)
    if path is None or run.host.status(path, follow=True) is None:
        return None
    status = run.host.status(path, follow=wanted.follow)
    if status is None:
        return None
    return LocalSource(uri, path, status, run.host, wanted.checksum_kind)


def sources_below(uri: str, run: Run, wanted: Wanted, warn: Callable[[str], None]) -> list[Source]:
    """Return the file at a source and the entries of a directory; none if it does not exist."""
    if web_files(uri, run) is not None:
        raise ResourceFailure("cannot lookup multiple files")
    server = served_by(uri, run)
    if server is not None:
        return [RemoteSource(below(uri, one.relative), one) for one in server.search(uri, wanted)]
    top = local_path(uri, run)
    if top is None or run.host.status(top, follow=True) is None:
        return []
    found = walk_directory(
        run.host,
        top,
        ignore=wanted.ignore,
        levels=wanted.levels,
        follow=wanted.follow,
        max_files=wanted.max_files,
        warn=warn,
    )
    kind = wanted.checksum_kind
    return [
        LocalSource(below(uri, one.relative), one.path, one.status, run.host, kind, one.relative)
        for one in found
    ]


def below(uri: str, relative: str) -> str:
    """Return the URI of an entry of a directory.

    >>> below("puppet:///modules/a/tree", "b/c"), below("puppet:///modules/a/tree", ".")
    ('puppet:///modules/a/tree/b/c', 'puppet:///modules/a/tree')
    """
    return uri if relative == "." else f"{uri}/{relative}"


def first_source(uris: Sequence[str], run: Run, wanted: Wanted) -> Source:
    """Return the first source that exists; raise ResourceFailure if none does."""
    for uri in uris:
        found = find_source(uri, run, wanted)
        if found is not None:
            return found
    raise ResourceFailure(
        f"Could not retrieve information from environment {run.environment} "
        f"source(s) {', '.join(map(without_password, uris))}"
    )


def wanted_of(resource: ManagedResource) -> Wanted:
    """Return the questions of a file resource about its sources."""
    ignore = resource["ignore"] or []
    return Wanted(
        resource.title,
        resource["links"] == "follow",
        resource["checksum"],
        resource["source_permissions"] or "ignore",
        ignore if isinstance(ignore, list) else [ignore],
        resource["recurselimit"],
        int(resource["max_files"]),
    )
