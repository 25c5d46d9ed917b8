"""Requests of archives to web servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from bunraku.base.records import replace
from bunraku.providers.archive.redirects import (
    MOST_REDIRECTS,
    is_harmless,
    redirect_target,
    same_server,
)
from bunraku.providers.checksums import BLOCK
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.web_sources import UNWRITABLE, is_success
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import to_s
from bunraku.web.client import basic
from bunraku.web.requests import HttpRequest, HttpResponse, Network, Proxy, TlsFiles
from bunraku.world.host import Host

LONGEST_MESSAGE = 2_000
"""Bytes of a server's message that an error shows."""


def web_pieces(
    host: Host, common: HttpRequest, resource: ManagedResource, url: str
) -> Iterator[bytes]:
    """Yield the content at a URL piece by piece; ResourceFailure if it does not come.

    Redirects are followed to other web servers only.
    """
    try:
        yield from pieces_of(host, download_request(common, resource, url))
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResourceFailure(f"{without_password(url)}: {reason}") from None


def pieces_of(host: Host, request: HttpRequest) -> Iterator[bytes]:
    """Yield the content of the answer to a request, or of the one that redirects lead to; OSError."""
    redirects = 0
    while True:
        if UNWRITABLE.search(request.url):
            raise ResourceFailure(f'bad URI(is not URI?): "{without_password(request.url)}"')
        with host.http(request) as response:
            location = target(request, response)
            if location is None:
                while piece := response.read(BLOCK):
                    yield piece
                return
        if redirects >= MOST_REDIRECTS:
            raise ResourceFailure(
                f"Redirect limit exceeded, last url: {without_password(request.url)}"
            )
        request = followed(request, location)
        redirects += 1


def followed(request: HttpRequest, url: str) -> HttpRequest:
    """Return the request that follows a redirect; another server gets only harmless headers."""
    if same_server(request.url, url):
        return replace(request, url=url)
    harmless = {name: value for name, value in request.headers.items() if is_harmless(name)}
    return replace(request, url=url, headers=harmless)


def target(request: HttpRequest, response: HttpResponse) -> str | None:
    """Return where a redirect leads, None for content; ResourceFailure for any other answer."""
    if is_success(response.status):
        return None
    moved = HTTPStatus.MULTIPLE_CHOICES <= response.status < HTTPStatus.BAD_REQUEST
    location = response.headers.get("location")
    if moved and location is not None:
        return redirect_target(request.url, location)
    text = response.read(LONGEST_MESSAGE).decode("utf-8", "replace")
    raise ResourceFailure(
        f"HTTP Error Code {response.status}\nURL: {without_password(request.url)}\nContent:\n{text}"
    )


def download_request(common: HttpRequest, resource: ManagedResource, url: str) -> HttpRequest:
    """Return the request for a URL with the credentials, the cookies and the proxy of a resource."""
    network = Network(proxy_of(resource), connecting=common.network.connecting)
    tls = TlsFiles(checked=not resource.is_true("allow_insecure"))
    return replace(common, url=url, headers=headers_of(common, resource), network=network, tls=tls)


def headers_of(common: HttpRequest, resource: ManagedResource) -> Mapping[str, str]:
    """Return the headers of a request."""
    found = {name: one for name, one in common.headers.items() if name == "User-Agent"}
    for line in resource["headers"] or ():
        name, _, value = line.partition(":")
        found[name.strip()] = value.strip()
    if resource["cookie"] is not None:
        found["Cookie"] = "; ".join(text_list(resource["cookie"]))
    if resource["username"] is not None and resource["password"] is not None:
        user, password = to_s(resource["username"]), to_s(resource["password"])
        found["Authorization"] = basic(user, password)
    return found


def text_list(value: object) -> list[str]:
    """Return the texts of a value or an array.

    >>> text_list(["a", 1]), text_list("b")
    (['a', '1'], ['b'])
    """
    return [to_s(one) for one in (value if isinstance(value, list) else [value])]


def proxy_of(resource: ManagedResource) -> Proxy | None:
    """Return the proxy of a resource; None if it sets none."""
    if resource["proxy_server"] is None:
        return None
    server = to_s(resource["proxy_server"])
    text = server if "://" in server else f"{resource['proxy_type']}://{server}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None:
        raise ResourceFailure(f"{without_password(text)} is not the URL of a proxy")
    user, password = (
        None if one is None else unquote(one) for one in (parts.username, parts.password)
    )
    standard = 443 if parts.scheme == "https" else 80
    return Proxy(host, port or standard, user, password)
