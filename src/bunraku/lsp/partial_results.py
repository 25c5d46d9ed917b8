"""Answers with many items: a client that gives a token gets them in parts, as they are found."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

from bunraku.lsp.connection import INVALID_PARAMS, InvalidMessage
from bunraku.lsp.query import ClientQuery, Json

MOST, SECONDS = 100, 0.1
"""Items of a part, and the time after which it is sent with fewer."""


def in_parts(query: ClientQuery, items: Iterable[Json]) -> list[Json]:
    """Return all items; none if they were sent in parts."""
    token = query.params.get("partialResultToken")
    if token is None:
        return list(items)
    if not isinstance(token, int | str):
        raise InvalidMessage(INVALID_PARAMS, "partialResultToken is not a number or a text")
    part: list[Json] = []
    sent = monotonic()
    for one in items:
        part.append(one)
        if len(part) == MOST or monotonic() - sent > SECONDS:
            query.session.notify("$/progress", {"token": token, "value": part})
            part, sent = [], monotonic()
    if part:
        query.session.notify("$/progress", {"token": token, "value": part})
    return []
