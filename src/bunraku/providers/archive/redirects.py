"""Redirects of requests with secrets: another server gets no header that may be one."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.web_sources import UNWRITABLE
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.secrets import without_password

HARMLESS = frozenset(
    {
        *("accept", "accept-charset", "accept-encoding", "accept-language"),
        *("cache-control", "pragma", "range", "user-agent"),
    }
)
"""The headers that every server may see."""
MOST_REDIRECTS = 5
STANDARD_PORTS = {"http": 80, "https": 443}
UPGRADE = (("http", 80), ("https", 443))
"""The step from a server without TLS to the same one with it."""
TRUSTED = "--location-trusted"
"""The option of curl with which a resource trusts all servers that redirects name."""


def is_harmless(header: str) -> bool:
    """Return whether a header, as ``Name: value``, may be sent to every server.

    >>> is_harmless("Accept: text/html"), is_harmless("X-Token: t0ken")
    (True, False)
    """
    return header.partition(":")[0].strip().lower() in HARMLESS


def has_secrets(resource: ManagedResource) -> bool:
    """Return whether requests contain what only the server of the resource may see."""
    if TRUSTED in (resource["download_options"] or ()):
        return False
    named = (resource["cookie"], resource["username"], resource["password"])
    private = not all(map(is_harmless, resource["headers"] or ()))
    return private or any(one is not None for one in named)


def same_server(one: str, other: str) -> bool:
    """Return whether two URLs lead to one server; a step from ``http`` to ``https`` is allowed.

    >>> same_server("http://a/b", "https://A:443/c"), same_server("https://a/", "http://a/")
    (True, False)
    >>> same_server("http://a:8080/", "http://a:8081/")
    False
    """
    host, first = server_of(one)
    other_host, then = server_of(other)
    return host == other_host and (first == then or (first, then) == UPGRADE)


def server_of(url: str) -> tuple[str | None, tuple[str, int | None]]:
    """Return the host of a URL, and its scheme and port; the port is None if it is not a number.

    >>> server_of("https://web/a")
    ('web', ('https', 443))
    """
    parts = urlsplit(url)
    try:
        port = parts.port or STANDARD_PORTS.get(parts.scheme)
    except ValueError:
        port = None
    return parts.hostname, (parts.scheme, port)


def redirect_target(url: str, location: str) -> str:
    """Return the URL to which a server redirects; ResourceFailure unless it is that of a web server.

    User and password in a URL stay for the same server.

    >>> redirect_target("http://u:p@a/b", "/c d"), redirect_target("http://u:p@a/", "http://a/c")
    ('http://u:p@a/c%20d', 'http://u:p@a/c')
    """
    target = urljoin(url, UNWRITABLE.sub(lambda found: percent(found[0]), location))
    if urlsplit(target).scheme not in STANDARD_PORTS:
        raise ResourceFailure(f"A redirect to {without_password(target)} is not followed")
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    if at and same_server(url, target) and "@" not in urlsplit(target).netloc:
        scheme, _, rest = target.partition("//")
        return f"{scheme}//{user}@{rest}"
    return target


def percent(text: str) -> str:
    """Return text as a part of a URL.

    >>> percent(" ")
    '%20'
    """
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogateescape"))
