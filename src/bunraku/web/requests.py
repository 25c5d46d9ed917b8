"""Requests to servers: what a compile asks of the network, as data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager

from bunraku.base.lazy_typing import Literal, Protocol
from bunraku.base.records import field, record


@record(frozen=True)
class TlsFiles:
    """Files in PEM format: the certificates of authorities, and the client's certificate and key.

    Without ``authority``, the authorities of the system are trusted; those of ``others``, which are
    files or directories, are trusted besides. ``revocations`` are the
    revocation lists; with the depth ``leaf`` they are needed for the server's own certificate only.
    Unless ``checked``, any server is accepted.
    """

    authority: str | None = None
    certificate: str | None = None
    key: str | None = None
    revocations: str | None = None
    depth: Literal["chain", "leaf"] = "chain"
    checked: bool = True
    others: tuple[str, ...] = ()


@record(frozen=True)
class Proxy:
    """A proxy for HTTP; the user is None if it needs none."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, shown=False)


@record(frozen=True)
class Network:
    """How requests leave this machine.

    ``proxy`` is used except for servers that match one of ``direct``. ``address`` is the source
    address. ``connecting`` is the time limit in seconds to connect, None for that of the request.
    ``redirects`` are followed at most, for answers with one of ``statuses``; credentials are sent to
    other hosts only if redirects are ``trusted``.
    """

    proxy: Proxy | None = None
    direct: tuple[str, ...] = ()
    address: str | None = None
    connecting: float | None = None
    redirects: int = 0
    trusted: bool = False
    statuses: frozenset[int] = frozenset({301, 302, 307})
    """By default those that Puppet's client follows, each with the same method and body (Puppet 8)."""


DIRECT = Network()
"""No proxy, no redirects."""


@record(frozen=True)
class HttpRequest:
    """A request; ``seconds`` is the limit for each wait, to connect and for more of the answer.

    ``longest`` is the limit for the whole answer, which a server can send byte by byte; 0 is none.
    A user and a password in the URL are sent as basic authentication.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(default=b"", shown=False)
    tls: TlsFiles = TlsFiles()
    seconds: float = 60.0
    network: Network = DIRECT
    longest: float = 0.0


class HttpResponse(Protocol):
    """A response; its body is read while the block that gave it is open."""

    @property
    def status(self) -> int:
        """The status, such as 200."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; their names are in lower case."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes of the body, at most ``size``; all that remain without it."""


Exchange = AbstractContextManager[HttpResponse]
"""A block in which the response to a request can be read."""
