"""Refused requests, in the shapes of puppetserver: who refuses decides the form of the response.

```
the rules of access          403, no type, a sentence
no such route                404, JSON with message, url and status
the parts written in Ruby    JSON with message and issue_kind; the message begins with the status
the other parts              a sentence
```
"""

from __future__ import annotations

import json

from bunraku.web.http import JSON_TYPE, Response, text_response

RUNTIME_ERROR = "RUNTIME_ERROR"
RESOURCE_NOT_FOUND = "RESOURCE_NOT_FOUND"
UNSUPPORTED_FORMAT = "UNSUPPORTED_FORMAT"
UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
MISSING_HEADER_FIELD = "MISSING_HEADER_FIELD"
PHRASES = {
    400: "Bad Request",
    403: "Not Authorized",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    415: "Unsupported Media Type",
    500: "Server Error",
}
"""How the message about a status begins."""


class Refused(Exception):
    """Raised while a request is answered: it is refused with a status and a message."""

    def __init__(self, status: int, message: str, kind: str = RUNTIME_ERROR) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.kind = kind

    @property
    def response(self) -> Response:
        """The response of the parts written in Ruby."""
        return failure(self.status, self.message, self.kind)


class RefusedPlainly(Refused):
    """A refusal in the shape of the other parts: a sentence."""

    @property
    def response(self) -> Response:
        """The sentence."""
        return text_response(self.status, self.message)


class Busy(Refused):
    """A refusal after which agents wait for ``seconds`` and then ask again."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(503, message)
        self.seconds = seconds

    @property
    def response(self) -> Response:
        """The sentence, and the time to wait."""
        found = text_response(self.status, self.message)
        return Response(
            self.status, {**found.headers, "retry-after": str(self.seconds)}, found.body
        )


def failure(status: int, message: str, kind: str = RUNTIME_ERROR) -> Response:
    """Return a failure in the shape of the parts written in Ruby.

    >>> "".join(failure(404, "Could not find node a", RESOURCE_NOT_FOUND).body)
    '{"message":"Not Found: Could not find node a","issue_kind":"RESOURCE_NOT_FOUND"}'
    """
    content = {"message": f"{PHRASES[status]}: {message}", "issue_kind": kind}
    return Response(status, {"content-type": JSON_TYPE}, [compact(content)])


def no_route(path: str) -> Response:
    """Return the response to a method and path without a route."""
    text = f'{{\n"message":"Not Found",\n"url":{json.dumps(path)},\n"status":"404"\n}}'
    headers = {
        "cache-control": "must-revalidate,no-cache,no-store",
        "content-type": "application/json",
    }
    return Response(404, headers, [text])


def forbidden(method: str, path: str) -> Response:
    """Return the refusal by the rules of access."""
    text = f"Forbidden request: {path} (method :{method.lower()}). Please see the server logs"
    return Response(403, {}, [f"{text} for details."])


def compact(content: object) -> str:
    """Return JSON without spaces, as Ruby writes it."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
