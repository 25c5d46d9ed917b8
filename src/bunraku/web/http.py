"""Requests and responses of the interface, without a server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from bunraku.base.records import field, record
from bunraku.puppetdb.json_values import Json

JSON_TYPE = "application/json;charset=utf-8"
TEXT_TYPE = "text/plain;charset=utf-8"


@record(frozen=True)
class Request:
    """A request; the names of headers are in lower case."""

    method: str
    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@record(frozen=True)
class Response:
    """A response whose body comes in pieces."""

    status: int
    headers: Mapping[str, str]
    body: Iterable[str]


def json_response(value: Json, status: int = 200) -> Response:
    """Return a JSON document."""
    return Response(status, {"content-type": JSON_TYPE}, [json.dumps(value, ensure_ascii=False)])


def text_response(status: int, text: str) -> Response:
    """Return a sentence."""
    return Response(status, {"content-type": TEXT_TYPE}, [text])


def redirect(location: str) -> Response:
    """Return a redirection to another page."""
    return Response(302, {"location": location}, [])
