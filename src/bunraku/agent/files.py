"""Files of the server: sources of file resources, inlined metadata, and remote filebuckets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from bunraku.agent.http import BYTES, Query, RefusedAnswer, Servers
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file_server import ServedFile, Wanted
from bunraku.world.host import FileStatus, Kind

BLOCK = 1 << 16
NOT_FOUND = 404
KINDS: Mapping[object, Kind] = {"file": "file", "directory": "directory", "link": "link"}
Data = Mapping[str, Any]


@record(frozen=True)
class Inlined:
    """The metadata of files that a static catalog has, by title of the resource.

    ``metadata`` are those of single files, ``trees`` those of directories by source. ``code_id``
    names the version of the contents.
    """

    metadata: Mapping[str, Data] = field(default_factory=dict)
    trees: Mapping[str, Mapping[str, Sequence[Data]]] = field(default_factory=dict)
    code_id: str | None = None


def inlined_in(catalog: Data) -> Inlined:
    """Return the metadata that a catalog has.

    >>> inlined_in({"code_id": "a", "metadata": {"/x": {"type": "file"}}}).metadata["/x"]["type"]
    'file'
    """
    found = (catalog.get(name) for name in ("metadata", "recursive_metadata"))
    metadata, trees = (one if isinstance(one, dict) else {} for one in found)
    return Inlined(metadata, trees, catalog.get("code_id"))


class ServerFiles:
    """The files that a server has for an environment; see :class:`FileServer`."""

    def __init__(self, servers: Servers, environment: str, inlined: Inlined | None = None) -> None:
        self.servers = servers
        self.environment = environment
        self.inlined = inlined or Inlined()

    # -- sources ---------------------------------------------------------------------------------

    def find(self, uri: str, wanted: Wanted) -> ServedFile | None:
        """Return the file with a URI; None if it does not exist."""
        inlined = self.inlined.metadata.get(wanted.title)
        if inlined is not None and has_kind(inlined, wanted.checksum_kind):
            return self.served(uri, inlined)
        data = self.asked(uri, "file_metadata", basic_parameters(wanted))
        return None if data is None else self.served(uri, data)

    def search(self, uri: str, wanted: Wanted) -> list[ServedFile]:
        """Return a directory and its entries; none if it does not exist."""
        entries = self.inlined.trees.get(wanted.title, {}).get(uri)
        if entries is None or not all(has_kind(one, wanted.checksum_kind) for one in entries):
            entries = self.asked(uri, "file_metadatas", tree_parameters(wanted))
        if entries is None:
            return []
        if not isinstance(entries, list):
            raise source_failure(uri, "the server's answer is not an array")
        return [self.served(uri, one) for one in entries]

    def asked(self, uri: str, kind: str, parameters: list[tuple[str, str]]) -> Any:
        """Return the metadata of a URI from the server; None if it has no such file."""
        address, path = place_of(uri)
        pairs = [*parameters, ("environment", self.environment)]
        try:
            return self.servers.json(Query("fileserver", f"/{kind}{path}", pairs, address=address))
        except PuppetError as error:
            if isinstance(error, RefusedAnswer) and error.status == NOT_FOUND:
                return None
            raise source_failure(uri, error.message) from None

    def served(self, uri: str, data: object) -> ServedFile:
        """Return the file that metadata describe; raise ResourceFailure if they are malformed."""
        if not isinstance(data, dict) or data.get("type") not in KINDS:
            raise source_failure(uri, "the server's answer is not the metadata of a file")
        mode, owner, group = (data.get(name) for name in ("mode", "owner", "group"))
        defaults = ((mode, 0o644), (owner, 0), (group, 0))
        numbers = [one if isinstance(one, int) else default for one, default in defaults]
        status = FileStatus(KINDS[data["type"]], *numbers)
        checksum = data.get("checksum")
        value = checksum.get("value") if isinstance(checksum, dict) else None
        relative = data.get("relative_path") or "."
        target = data.get("destination")
        if not isinstance(value, str) or not is_relative(relative):
            raise source_failure(uri, "the server's answer has no checksum, or a path outside")
        inner = uri if relative == "." else f"{uri}/{relative}"
        content = data.get("content_uri")
        pieces = partial(self.pieces, inner, content if isinstance(content, str) else None)
        return ServedFile(
            status, value, pieces, relative, target if isinstance(target, str) else None
        )

    def pieces(self, uri: str, content_uri: str | None) -> Iterator[bytes]:
        """Yield the content of a file piece by piece.

        ``content_uri`` is the place of the version that a static catalog names.
        """
        address, path = place_of(content_uri or uri)
        pairs = [("environment", self.environment)]
        kind = "file_content"
        if content_uri is not None:
            kind = "static_file_content"
            pairs.append(("code_id", str(self.inlined.code_id)))
        query = Query("fileserver", f"/{kind}{path}", pairs, accept=BYTES, address=address)
        yield from self.body(uri, query)

    def body(self, uri: str, query: Query) -> Iterator[bytes]:
        """Yield the body of an answer piece by piece; raise ResourceFailure if it does not come."""
        try:
            with self.servers.answer(query) as response:
                while piece := response.read(BLOCK):
                    yield piece
        except PuppetError as error:
            raise ResourceFailure(f"Could not retrieve content of {uri}: {error.message}") from None

    # -- filebuckets -----------------------------------------------------------------------------

    def bucket(self, server: str | None, digest: str, path: str, method: str) -> Query:
        """Return the query about a content of a filebucket."""
        place = f"/file_bucket_file/sha256/{digest}{path}"
        pairs = [("environment", self.environment)]
        return Query("puppet", place, pairs, method, BYTES, address=server)

    def has_copy(self, server: str | None, digest: str, path: str) -> bool:
        """Return whether a filebucket has a content."""
        try:
            with self.servers.answer(self.bucket(server, digest, path, "HEAD")):
                return True
        except PuppetError as error:
            if isinstance(error, RefusedAnswer) and error.status == NOT_FOUND:
                return False
            raise ResourceFailure(f"Could not back up {path}: {error.message}") from None

    def keep_copy(self, server: str | None, digest: str, path: str, content: bytes) -> None:
        """Store a content in a filebucket."""
        query = self.bucket(server, digest, path, "PUT").with_body(content, BYTES)
        try:
            self.servers.bytes(query)
        except PuppetError as error:
            raise ResourceFailure(f"Could not back up {path}: {error.message}") from None

    def copy(self, server: str | None, digest: str) -> Iterator[bytes]:
        """Yield a content of a filebucket piece by piece."""
        return self.body(f"{{sha256}}{digest}", self.bucket(server, digest, "", "GET"))


def place_of(uri: str) -> tuple[str | None, str]:
    """Return the address of the server that a URI names, None for the run's own, and the path.

    >>> place_of("puppet:///modules/a/b c"), place_of("puppet://other:8141/modules/a")
    ((None, '/modules/a/b c'), ('other:8141', '/modules/a'))
    """
    rest = uri.partition(":")[2]
    if not rest.startswith("//"):
        return None, rest
    address, slash, path = rest[2:].partition("/")
    host = urlsplit(f"//{address}").netloc.rpartition("@")[2]
    return host or None, slash + path


def basic_parameters(wanted: Wanted) -> list[tuple[str, str]]:
    """Return the parameters of each request for metadata, in Puppet's order."""
    return [
        ("links", "follow" if wanted.follow else "manage"),
        ("checksum_type", wanted.checksum_kind),
        ("source_permissions", wanted.permissions),
    ]


def tree_parameters(wanted: Wanted) -> list[tuple[str, str]]:
    """Return the parameters of a request for the metadata of a directory, in Puppet's order.

    >>> tree_parameters(Wanted("/x", ignore=["*.bak"]))[:3]
    [('recurse', 'true'), ('max_files', '0'), ('ignore', '*.bak')]
    """
    return [
        ("recurse", "true"),
        *([] if wanted.levels is None else [("recurselimit", str(wanted.levels))]),
        ("max_files", str(wanted.max_files)),
        *(("ignore", pattern) for pattern in wanted.ignore),
        *basic_parameters(wanted),
    ]


def has_kind(data: Data, kind: str) -> bool:
    """Return whether metadata have a checksum of a kind; directories have none of a content."""
    checksum = data.get("checksum")
    same = isinstance(checksum, dict) and checksum.get("type") == kind
    return same or data.get("type") != "file"


def is_relative(path: object) -> bool:
    """Return whether a path stays below its directory.

    >>> is_relative("a/b"), is_relative("../a"), is_relative("/a")
    (True, False, False)
    """
    return isinstance(path, str) and not path.startswith("/") and ".." not in path.split("/")


def source_failure(uri: str, reason: str) -> ResourceFailure:
    """Return the failure of a source."""
    return ResourceFailure(f"Could not retrieve file metadata for {uri}: {reason}")
