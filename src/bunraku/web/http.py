"""Requests and responses, without a server: what answers a request is a function of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from bunraku.base.records import field, record

JSON_TYPE = "application/json;charset=utf-8"
TEXT_TYPE = "text/plain;charset=utf-8"
Document: TypeAlias = "Mapping[str, Document] | Sequence[Document] | str | float | bool | None"
"""A JSON value."""


class BodyTooLarge(Exception):
    """Raised while a body is read that is longer than its reader accepts."""


class ClientGone(Exception):
    """Raised in a thread that reads or writes a body after the client has closed its connection."""


def staying() -> bool:
    """Report that the client waits for the response."""
    return False


@record(frozen=True)
class Request:
    """A request; the names of headers are in lower case.

    ``parameters`` has the last value of each parameter in the query, ``pairs`` has all in their
    order. ``body`` yields the pieces of the body as they arrive, once. ``certificate`` is the
    verified certificate of the client in DER form, ``client`` the common name in it. ``secure``
    requests came by TLS. ``gone`` reports whether the client has closed the connection. ``address``
    is the client's IP address.
    """

    method: str
    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Iterable[bytes] = ()
    client: str | None = None
    secure: bool = False
    gone: Callable[[], bool] = staying
    pairs: Sequence[tuple[str, str]] = ()
    certificate: bytes | None = None
    address: str = ""

    def read(self, most: int) -> bytes:
        """Return the whole body; raise BodyTooLarge if it has more than ``most`` bytes."""
        pieces, size = [], 0
        for piece in self.body:
            size += len(piece)
            if size > most:
                raise BodyTooLarge
            pieces.append(piece)
        return b"".join(pieces)


@record(frozen=True)
class Response:
    """A response whose body comes in pieces; texts are sent as UTF-8."""

    status: int
    headers: Mapping[str, str]
    body: Iterable[str] | Iterable[bytes]


def json_response(value: Document, status: int = 200) -> Response:
    """Return a JSON document."""
    return Response(status, {"content-type": JSON_TYPE}, [json.dumps(value, ensure_ascii=False)])


def text_response(status: int, text: str) -> Response:
    """Return a sentence."""
    return Response(status, {"content-type": TEXT_TYPE}, [text])


def redirect(location: str) -> Response:
    """Return a redirection to another page."""
    return Response(302, {"location": location}, [])
