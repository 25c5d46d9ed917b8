"""The requests of an agent to its servers, with the headers and in the order of Puppet's agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import quote

from bunraku.agent import issues
from bunraku.agent.settings import Settings
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.web.client import Client
from bunraku.world.http import HttpRequest, HttpResponse, TlsFiles

Service = Literal["puppet", "ca", "report"]
Pairs = Sequence[tuple[str, str]]
PREFIXES: Mapping[Service, str] = {
    "puppet": "/puppet/v3",
    "ca": "/puppet-ca/v1",
    "report": "/puppet/v3",
}
ADDRESSES: Mapping[Service, tuple[str, str]] = {
    "puppet": ("server", "serverport"),
    "ca": ("ca_server", "ca_port"),
    "report": ("report_server", "report_port"),
}
"""Service → the settings with its host and port."""
ENCODINGS = "gzip;q=1.0,identity;q=0.3"
JSON, RICH_JSON, BYTES, TEXT = (
    "application/json",
    "application/vnd.puppet.rich+json",
    "application/octet-stream",
    "text/plain",
)
LONGEST_MESSAGE = 16_384
"""Bytes of a server's message that are read."""


class Refused(PuppetError):
    """An answer whose status is an error; ``status`` is that number."""

    status = 0


@record(frozen=True)
class Query:
    """A request to a service: the path below its prefix, and the parameters in order.

    ``address`` is ``HOST:PORT`` of another server than that of the settings.
    """

    service: Service
    path: str
    parameters: Pairs = ()
    method: str = "GET"
    accept: str = JSON
    body: bytes = b""
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    address: str | None = None

    def with_body(self, body: bytes, content_type: str) -> Query:
        """Return the same request with a body."""
        return replace(self, body=body, content_type=content_type)


class Servers:
    """The servers that the settings name: those of catalogs, certificates and reports.

    ``tls`` is what the requests use; a certificate that comes later is a new value.
    """

    def __init__(self, settings: Settings, version: str, client: Client, tls: TlsFiles) -> None:
        self.settings = settings
        self.version = version
        self.client = client
        self.tls = tls

    def with_tls(self, tls: TlsFiles) -> Servers:
        """Return the same servers, asked with other files of TLS and on other connections."""
        return Servers(self.settings, self.version, self.client, tls)

    def url(self, service: Service, address: str | None = None) -> str:
        """Return the URL of a service, such as ``https://puppet:8140/puppet/v3``."""
        host, port = ADDRESSES[service]
        if address is not None:
            port_of_settings = "" if has_port(address) else f":{self.settings.port(port)}"
            return f"https://{address}{port_of_settings}{PREFIXES[service]}"
        name = self.settings.text(host)
        name = f"[{name}]" if ":" in name else name
        return f"https://{name}:{self.settings.port(port)}{PREFIXES[service]}"

    @contextmanager
    def answer(self, query: Query) -> Iterator[HttpResponse]:
        """Yield the successful answer to a query; Refused for others, PuppetError without one."""
        request = self.request(query)
        try:
            with self.client.exchange(request) as response:
                if response.status != HTTPStatus.OK:
                    raise refusal(response)
                yield response
        except OSError as error:
            reason = str(error) if error.errno is None else error.strerror or str(error)
            raise issues.NO_CONNECTION(url=request.url.partition("?")[0], reason=reason) from None

    def bytes(self, query: Query) -> bytes:
        """Return the body of the answer to a query; see :meth:`answer`."""
        with self.answer(query) as response:
            return response.read()

    def json(self, query: Query) -> Any:
        """Return the data of the answer to a query; see :meth:`answer`."""
        try:
            return parse_json(self.bytes(query))
        except FormatError as error:
            what = f"{query.method} {query.path}"
            raise issues.BAD_ANSWER(what=what, reason=error.problem) from None

    def request(self, query: Query) -> HttpRequest:
        """Return the request of a query.

        The path is percent-encoded, the parameters keep their order.
        """
        target = "&".join(f"{name}={encoded(value)}" for name, value in query.parameters)
        url = self.url(query.service, query.address) + quote(query.path, safe="/~")
        headers = {
            "X-Puppet-Version": self.version,
            "User-Agent": self.settings.text("http_user_agent"),
            "Accept": query.accept,
            **query.headers,
            **({"Content-Type": query.content_type} if query.content_type else {}),
            "Accept-Encoding": ENCODINGS,
        }
        return HttpRequest(
            query.method,
            f"{url}?{target}" if target else url,
            headers,
            query.body,
            self.tls,
            self.settings.number("http_read_timeout"),
        )


def has_port(address: str) -> bool:
    """Return whether an address has a port.

    >>> has_port("web:1"), has_port("[::1]"), has_port("web")
    (True, False, False)
    """
    return ":" in address.rpartition("]")[2]


def encoded(text: str) -> str:
    """Return a text for a query or a form: percent-encoded except for letters, digits and ``-._~``.

    >>> encoded("*.bak"), encoded("a b/c")
    ('%2A.bak', 'a%20b%2Fc')
    """
    return quote(text, safe="")


def refusal(response: HttpResponse) -> Refused:
    """Return the error for an answer that is not successful, with the server's message."""
    text = response.read(LONGEST_MESSAGE).decode("utf-8", "replace").strip()
    if response.headers.get("content-type", "").startswith(JSON):
        try:
            data = parse_json(text)
        except FormatError:
            data = None
        message = data.get("message") if isinstance(data, dict) else None
        text = message if isinstance(message, str) else text
    if not text or "<html" in text[:200].lower():
        text = reason_of(response.status)
    error = issues.REFUSED(status=response.status, message=text)
    found = Refused(error.diagnostic)
    found.status = response.status
    return found


def reason_of(status: int) -> str:
    """Return the phrase of a status.

    >>> reason_of(404), reason_of(599)
    ('Not Found', 'status 599')
    """
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"status {status}"


def message_of(error: Refused) -> str:
    """Return the message of a refusal without its status."""
    return str(error.arguments["message"])


def client_of(settings: Settings, sleep: Any, now: Any) -> Client:
    """Return the client for the settings about connections."""
    return Client(
        keep=settings.number("http_keepalive_timeout"),
        connecting=settings.number("http_connect_timeout"),
        longest_wait=settings.number("runinterval"),
        sleep=sleep,
        now=now,
    )
