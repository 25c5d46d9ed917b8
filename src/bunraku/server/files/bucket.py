"""The filebucket on the wire: contents by their checksums, with the paths that they came from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.records import record
from bunraku.providers.checksums import is_digest
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.differences import compared
from bunraku.providers.filebucket.bucket import Bucket
from bunraku.server.failures import Refused, no_route
from bunraku.server.files.contents import BINARY, require_binary, served_content
from bunraku.server.files.names import CONTROL, BadPath
from bunraku.server.files.settings import Files
from bunraku.values.ruby_semantics.texts import inspect_text
from bunraku.web.http import BodyTooLarge, Request, Response

UPPER = re.compile("[A-F]")


@record(frozen=True)
class Backup:
    """What the path of a request names: a checksum, and the original path of the content."""

    digest: str
    path: str | None


def answer_bucket(files: Files, request: Request, name: str) -> Response:
    """Return the response to a request for a content, or to a content that is sent."""
    bucket = Bucket(files.host, "server", files.bucket, files.log, files.digest)
    if request.method == "PUT":
        return store_content(files, bucket, request, name)
    if request.method == "HEAD":
        return head(files, bucket, name)
    if request.method == "GET":
        return get(files, bucket, request, name)
    return no_route(f"/puppet/v3/file_bucket_file/{name}")


def get(files: Files, bucket: Bucket, request: Request, name: str) -> Response:
    """Return a content, or its difference to another one."""
    if request.parameters.get("list_all", "false") != "false":
        raise Refused(500, "Listing remote file buckets is not allowed")
    backup = backup_of(files, name)
    if not bucket.has(backup.digest, backup.path):
        raise absent(name)
    other = request.parameters.get("diff_with")
    if other is not None:
        return difference(files, bucket, backup.digest, other)
    require_binary(request)
    files.log("info", f"FileBucket read {backup.digest}")
    return served_content(files.host, bucket.contents(backup.digest), request)


def head(files: Files, bucket: Bucket, name: str) -> Response:
    """Report whether the bucket has a content."""
    backup = backup_of(files, name)
    if not bucket.has(backup.digest, backup.path):
        raise absent(name)
    return Response(200, {}, [])


def store_content(files: Files, bucket: Bucket, request: Request, name: str) -> Response:
    """Store the body of a request under its checksum, whatever the path of the request says."""
    if "accept" in request.headers:
        require_binary(request)
    check_type(request)
    backup = backup_of(files, name)
    bucket.store(limited(request, files.largest_backup), backup.path)
    return Response(200, {"content-type": BINARY}, [])


def check_type(request: Request) -> None:
    """Raise Refused unless a body is announced as bytes."""
    header = request.headers.get("content-type")
    if header is None:
        message = (
            "No Content-Type header was received, it isn't possible to unserialize the request"
        )
        raise Refused(400, message, "MISSING_HEADER_FIELD")
    kind = header.split(";")[0].strip()
    if kind != BINARY:
        message = f"Client sent a mime-type ({kind}) that doesn't correspond to a format we support"
        raise Refused(415, message, "UNSUPPORTED_MEDIA_TYPE")


def limited(request: Request, most: int) -> Iterator[bytes]:
    """Yield the pieces of a body; raise BodyTooLarge after ``most`` bytes."""
    size = 0
    for piece in request.body:
        size += len(piece)
        if size > most:
            raise BodyTooLarge
        yield piece


def backup_of(files: Files, name: str) -> Backup:
    """Return what a name ``ALGORITHM/CHECKSUM[/PATH]`` means; Refused for other names."""
    kind, _, rest = name.partition("/")
    if kind != files.digest:
        raise Refused(500, f"Unsupported checksum type {inspect_text(kind)}")
    digest, _, path = rest.partition("/")
    check_digest(files, digest)
    if CONTROL.search(path):
        raise BadPath("Control character in", name)
    return Backup(digest, path or None)


def check_digest(files: Files, digest: str) -> None:
    """Raise Refused unless a text is a checksum of the bucket: it becomes a part of a path."""
    if not is_digest(files.digest, digest) or UPPER.search(digest):
        raise Refused(500, f"Invalid checksum {inspect_text(digest) if digest else 'nil'}")


def absent(name: str) -> Refused:
    """Return the failure for a content that the bucket does not have."""
    return Refused(404, f"Could not find file_bucket_file {name}", "RESOURCE_NOT_FOUND")


def difference(files: Files, bucket: Bucket, digest: str, other: str) -> Response:
    """Return the difference between two contents as the program diff prints it."""
    check_digest(files, other)
    if not bucket.has(other):
        raise Refused(500, f"could not find diff_with {other}")
    try:
        text = compared(files.host, bucket.contents(digest), bucket.contents(other))
    except ResourceFailure as error:
        raise Refused(500, str(error)) from None
    return Response(200, {"content-type": BINARY}, [text.encode("utf-8", "surrogateescape")])
