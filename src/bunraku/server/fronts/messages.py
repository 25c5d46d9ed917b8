"""What front processes and the home send each other: requests, responses, errors, as parts of a message."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.server.issues import FROM_HOME
from bunraku.web.http import Request, Response

LARGEST = 8 << 20
"""Bytes of the body of a request that is forwarded: a webhook may have that many."""
PASSED = ("method", "path", "headers", "client", "secure", "pairs", "address")


def parts_of_request(request: Request) -> list[bytes]:
    """Return a request as parts of a message; raise BodyTooLarge."""
    head = {name: getattr(request, name) for name in PASSED}
    head["parameters"] = dict(request.parameters)
    head["certified"] = request.certificate is not None
    return [json.dumps(head).encode(), request.certificate or b"", request.read(LARGEST)]


def request_in(parts: Sequence[bytes]) -> Request:
    """Return the request in the parts of a message."""
    head, certificate, body = parts
    values: dict[str, Any] = json.loads(head)
    certified = values.pop("certified")
    values["pairs"] = [(name, value) for name, value in values["pairs"]]
    return Request(**values, certificate=certificate if certified else None, body=[body])


def parts_of_response(response: Response) -> list[bytes]:
    """Return a response as parts of a message."""
    pieces = [one.encode() if isinstance(one, str) else one for one in response.body]
    head = {"status": response.status, "headers": dict(response.headers)}
    return [json.dumps(head).encode(), b"".join(pieces)]


def response_in(parts: Sequence[bytes]) -> Response:
    """Return the response in the parts of a message."""
    head, body = parts
    values: dict[str, Any] = json.loads(head)
    return Response(values["status"], values["headers"], [body])


def part_of_value(value: Any) -> list[bytes]:
    """Return a JSON value as parts of a message."""
    return [json.dumps(value).encode()]


def parts_of_error(error: PuppetError) -> list[bytes]:
    """Return an error as parts of a message: only errors have an empty first part."""
    return [b"", error.message.encode("utf-8", "surrogateescape")]


def checked(parts: Sequence[bytes]) -> Sequence[bytes]:
    """Return the parts of a message, or raise the error in them."""
    if not parts[0]:
        raise FROM_HOME(message=parts[1].decode("utf-8", "surrogateescape"))
    return parts
