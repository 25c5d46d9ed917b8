"""Responses compressed by gzip for clients that accept it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from bunraku.base.records import replace
from bunraku.web.http import Request, Response

LEAST = 512
"""Bytes of a body below which compression is not worth its time."""
LEVEL = 6
GZIP = 16 + zlib.MAX_WBITS
"""Tells zlib to write the header and the checksum of gzip."""
COMPRESSIBLE = ("text/", "application/json", "application/vnd.puppet.", "application/x-msgpack")


def compressed(request: Request, response: Response) -> Response:
    """Return a response compressed if the client accepts gzip and its type and size are worth it.

    >>> request = Request("GET", "/", headers={"accept-encoding": "gzip;q=1.0,identity;q=0.3"})
    >>> response = Response(200, {"content-type": "text/plain"}, ["many words " * 100])
    >>> compressed(request, response).headers["content-encoding"]
    'gzip'
    """
    kind = response.headers.get("content-type", "")
    if (
        "content-encoding" in response.headers
        or not kind.startswith(COMPRESSIBLE)
        or not accepts_gzip(request.headers.get("accept-encoding", ""))
    ):
        return response
    pieces = filled_pieces(response.body)
    start = next(pieces, b"")
    second = next(pieces, None)
    if second is None and len(start) < LEAST:
        return replace(response, body=[start])
    headers = {**response.headers, "content-encoding": "gzip", "vary": "Accept-Encoding"}
    ahead = [start] if second is None else [start, second]
    return Response(response.status, headers, deflated(ahead, pieces, response.body))


def accepts_gzip(header: str) -> bool:
    """Return whether a value of ``Accept-Encoding`` allows gzip (RFC 9110, section 12.5.3).

    >>> accepts_gzip("deflate, gzip;q=0.5"), accepts_gzip("gzip;q=0, *"), accepts_gzip("*")
    (True, False, True)
    """
    wishes = {}
    for part in header.split(","):
        name, _, options = part.strip().partition(";")
        quality = options.replace(" ", "").removeprefix("q=")
        wishes[name.strip().lower()] = quality.strip("0.") != "" if options else True
    return wishes.get("gzip", wishes.get("x-gzip", wishes.get("*", False)))


def filled_pieces(pieces: Iterable[str] | Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces that are not empty, as bytes."""
    for piece in pieces:
        if piece:
            yield piece.encode("utf-8", "replace") if isinstance(piece, str) else piece


def deflated(ahead: list[bytes], rest: Iterator[bytes], body: object) -> Iterator[bytes]:
    """Yield pieces compressed; close the body at the end, however it comes."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    try:
        for piece in ahead:
            yield packer.compress(piece)
        for piece in rest:
            yield packer.compress(piece)
        yield packer.flush()
    finally:
        close = getattr(body, "close", None)
        if close is not None:
            close()
