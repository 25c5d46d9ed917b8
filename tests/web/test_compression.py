"""Responses compressed by gzip."""

from __future__ import annotations

import gzip

import pytest

from bunraku.web.compression import LEAST, accepts_gzip, compressed
from bunraku.web.http import Request, Response

TEXT = "a line of a catalog\n" * 200
ACCEPTING = Request("GET", "/", headers={"accept-encoding": "gzip;q=1.0,deflate;q=0.6"})


def response(pieces, **headers):
    return Response(200, {"content-type": "application/json", **headers}, pieces)


def test_pieces_are_compressed_as_one_stream():
    found = compressed(ACCEPTING, response([TEXT, TEXT.encode(), "ü"]))
    assert found.headers["content-encoding"] == "gzip"
    assert gzip.decompress(b"".join(found.body)).decode() == TEXT + TEXT + "ü"


@pytest.mark.parametrize(
    ("request_", "plain"),
    [
        (Request("GET", "/"), response([TEXT])),
        (ACCEPTING, response(["x" * (LEAST - 1)])),
        (ACCEPTING, response([])),
        (ACCEPTING, Response(200, {"content-type": "application/octet-stream"}, [TEXT])),
        (ACCEPTING, response([TEXT], **{"content-encoding": "br"})),
    ],
)
def test_other_responses_stay_as_they_are(request_, plain):
    found = compressed(request_, plain)
    assert found.headers == plain.headers
    assert "gzip" not in found.headers.get("content-encoding", "")
    assert "".join(piece if isinstance(piece, str) else piece.decode() for piece in found.body) in {
        TEXT,
        "x" * (LEAST - 1),
        "",
    }


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("gzip; q=0.001", True),
        ("gzip;q=0.0", False),
        ("gzip;q=0", False),
        ("identity", False),
        ("x-gzip", True),
        ("", False),
        ("*;q=0", False),
    ],
)
def test_the_header_of_the_client_decides(header, accepted):
    assert accepts_gzip(header) is accepted


def test_the_body_is_closed_when_the_client_leaves():
    closed = []

    def body():
        try:
            yield TEXT
            yield TEXT
            yield TEXT
        finally:
            closed.append(True)

    pieces = iter(compressed(ACCEPTING, response(body())).body)
    next(pieces)
    pieces.close()
    assert closed == [True]
