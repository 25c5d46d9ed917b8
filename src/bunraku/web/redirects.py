"""Redirects: where an answer sends a request, and the request that follows."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from bunraku.base.records import replace
from bunraku.web.requests import HttpRequest

CREDENTIALS = frozenset({"authorization", "cookie"})


def location_of(request: HttpRequest, status: int, headers: Mapping[str, str]) -> str | None:
    """Return where an answer sends a request that follows redirects; None for other answers.

    Raise OSError for a redirect without a place.
    """
    if not request.network.redirects or status not in request.network.statuses:
        return None
    location = headers.get("location")
    if location is None:
        raise OSError("Location response header is missing")
    return location


def redirected(request: HttpRequest, location: str, redirects: int) -> HttpRequest:
    """Return the request that follows a redirect; OSError after too many ``redirects``.

    Credentials are not sent to another host, unless redirects are trusted.

    >>> redirected(HttpRequest("GET", "http://a/b/c"), "d", 10).url
    Traceback (most recent call last):
    OSError: Too many HTTP redirections for http://a/b/c
    """
    if redirects >= request.network.redirects:
        place = request.url.partition("?")[0]
        raise OSError(f"Too many HTTP redirections for {place}")
    url = urljoin(request.url, location)
    same = urlsplit(url).hostname == urlsplit(request.url).hostname
    headers = {
        name: value
        for name, value in request.headers.items()
        if same or request.network.trusted or name.lower() not in CREDENTIALS
    }
    return replace(request, url=url, headers=headers)
