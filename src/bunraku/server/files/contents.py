"""The contents of files, piece by piece, whole or a range."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from bunraku.server.failures import Refused
from bunraku.server.formats import not_acceptable
from bunraku.web.http import Request, Response
from bunraku.world.host import Host

BINARY = "application/octet-stream"
ACCEPTED = frozenset({BINARY, "*/*"})
PIECE = 1 << 19
"""Bytes of a file that are read and sent at a time."""
RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


class Contents:
    """A part of an open file, which closes the file at its end."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self.file = file
        self.left = size
        file.seek(start)

    def __iter__(self) -> Iterator[bytes]:
        """Yield the pieces; fewer bytes than announced if the file became shorter."""
        with self.file:
            while self.left and (piece := self.file.read(min(PIECE, self.left))):
                self.left -= len(piece)
                yield piece

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def served_content(host: Host, path: str, request: Request) -> Response:
    """Return the content of a file or the range that is requested of it; OSError if unreadable.

    A directory has no content. Refused for special files: to read one may wait for ever.
    """
    status = host.status(path, follow=True)
    kind = "file" if status is None else status.kind
    if kind == "directory":
        return Response(200, {"content-type": BINARY, "content-length": "0"}, [])
    if kind != "file":
        raise Refused(500, f"Cannot manage files of type {kind}")
    file = host.open(path)
    try:
        return response_with(file, request)
    except BaseException:
        file.close()
        raise


def response_with(file: BinaryIO, request: Request) -> Response:
    """Return a response with the content of an open file."""
    size = file.seek(0, io.SEEK_END)
    headers = {"content-type": BINARY, "accept-ranges": "bytes"}
    wanted = wanted_range(request, size)
    if wanted is None:
        return responding(200, headers, file, 0, size)
    start, end = wanted
    if start >= end:
        file.close()
        return Response(416, {"content-range": f"bytes */{size}", "content-length": "0"}, [])
    headers["content-range"] = f"bytes {start}-{end - 1}/{size}"
    return responding(206, headers, file, start, end - start)


def responding(
    status: int, headers: dict[str, str], file: BinaryIO, start: int, size: int
) -> Response:
    """Return a response with a part of a file; a small one is read now."""
    headers["content-length"] = str(size)
    contents = Contents(file, start, size)
    return Response(status, headers, list(contents) if size <= PIECE else contents)


def wanted_range(request: Request, size: int) -> tuple[int, int] | None:
    """Return the start and the end of the requested range; None for the whole content.

    The start is not below the end if the file has no byte of the range. Several ranges, other
    units and ranges of a version that the server cannot know (``If-Range``) mean the whole
    content, as RFC 9110 allows.

    >>> wanted_range(Request("GET", "/", headers={"range": "bytes=2-"}), 10)
    (2, 10)
    >>> wanted_range(Request("GET", "/", headers={"range": "bytes=-3"}), 10)
    (7, 10)
    """
    found = RANGE.fullmatch(request.headers.get("range", "").strip())
    if found is None or "if-range" in request.headers:
        return None
    first, last = found.groups()
    if not first:
        return (max(0, size - int(last)), size) if last else None
    if last and int(last) < int(first):
        return None
    return int(first), min(size, int(last) + 1) if last else size


def require_binary(request: Request) -> None:
    """Raise Refused if a client does not accept bytes."""
    header = request.headers.get("accept")
    if header is None:
        raise Refused(400, "Missing required Accept header", "MISSING_HEADER_FIELD")
    if ACCEPTED.isdisjoint(item.split(";")[0].strip() for item in header.split(",")):
        raise not_acceptable(header)
