"""The requests of an agent to its servers, with the headers and in the order of Puppet's agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from ssl import SSLCertVerificationError
from typing import Any
from urllib.parse import quote, urlsplit

from bunraku.agent import issues
from bunraku.agent.routes import Address, Routes, Service
from bunraku.agent.settings import AgentSettings
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.providers.run import Log
from bunraku.web.client import Client, NotConnected, status_phrase
from bunraku.web.requests import HttpRequest, HttpResponse, Network, TlsFiles
from bunraku.world.host import Host

Pairs = Sequence[tuple[str, str]]
PREFIXES: Mapping[Service, str] = {
    "puppet": "/puppet/v3",
    "fileserver": "/puppet/v3",
    "ca": "/puppet-ca/v1",
    "report": "/puppet/v3",
}
STATUS = "/status/v1/simple/server"
ENCODINGS = "gzip;q=1.0,identity;q=0.3"
JSON, RICH_JSON, BYTES, TEXT = (
    "application/json",
    "application/vnd.puppet.rich+json",
    "application/octet-stream",
    "text/plain",
)
LONGEST_MESSAGE = 16_384
"""Bytes of a server's message that are read."""


class RefusedAnswer(PuppetError):
    """An answer whose status is an error; ``status`` is that number."""

    status = 0


@record(frozen=True)
class Query:
    """A request to a service: the path below its prefix, and the parameters in order.

    ``address`` is ``HOST:PORT`` of another server than that of the settings. ``statuses`` are those of success.
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
    statuses: tuple[int, ...] = (HTTPStatus.OK,)

    def with_body(self, body: bytes, content_type: str) -> Query:
        """Return the same request with a body."""
        return replace(self, body=body, content_type=content_type)


class Servers:
    """The servers that the settings name: those of catalogs, files, certificates and reports.

    ``tls`` is what the requests use; a certificate that comes later is a new value. ``routes`` finds
    the server of a service, ``network`` says how requests leave the machine.
    """

    def __init__(
        self,
        settings: AgentSettings,
        version: str,
        client: Client,
        tls: TlsFiles,
        routes: Routes,
        network: Network,
    ) -> None:
        self.settings = settings
        self.version = version
        self.client = client
        self.tls = tls
        self.routes = routes
        self.network = network

    def with_tls(self, tls: TlsFiles) -> Servers:
        """Return the same servers, asked with other files of TLS and on other connections."""
        return Servers(self.settings, self.version, self.client, tls, self.routes, self.network)

    # -- addresses -------------------------------------------------------------------------------

    def url(self, service: Service, address: str | None = None) -> str:
        """Return the URL of a service, such as ``https://puppet:8140/puppet/v3``.

        ``address`` is another server than that of the service. PuppetError if no server answers.
        """
        if address is None:
            return self.service_url(service, self.routes.find(service, self))
        port = "" if has_port(address) else f":{self.settings.port('serverport')}"
        return f"https://{address}{port}{PREFIXES[service]}"

    def service_url(self, service: Service, address: Address) -> str:
        """Return the URL of a service on a server."""
        return f"https://{address.text()}{PREFIXES[service]}"

    def reach(self, service: Service, address: Address) -> None:
        """Connect to a server; PuppetError if that fails."""
        request = self.request_of(self.service_url(service, address))
        with self.failures(request):
            self.client.reach(request)

    def ask_status(self, address: Address) -> None:
        """Ask a server for its status; Refused or PuppetError if it is not good."""
        request = self.request_of(f"https://{address.text()}{STATUS}")
        with self.failures(request), self.client.exchange(request) as response:
            if response.status != HTTPStatus.OK:
                raise refused(response.status, status_phrase(response.status))

    # -- requests --------------------------------------------------------------------------------

    @contextmanager
    def answer(self, query: Query) -> Iterator[HttpResponse]:
        """Yield the successful answer to a query; Refused for others, PuppetError without one."""
        request = self.request(query)
        with self.failures(request), self.client.exchange(request) as response:
            if response.status not in query.statuses:
                raise refusal(response)
            yield response

    @contextmanager
    def failures(self, request: HttpRequest) -> Iterator[None]:
        """Raise PuppetError, with Puppet's messages, instead of the errors of connections."""
        begin = self.client.clock()
        try:
            yield
        except OSError as error:
            if isinstance(error.__cause__, SSLCertVerificationError):
                reason = error.__cause__.verify_message
                raise issues.UNTRUSTED_SERVER(reason=reason) from None
            seconds = round(self.client.clock() - begin, 3)
            what = failure_text(error, request.url, seconds)
            url = request.url.partition("?")[0]
            raise issues.NO_CONNECTION(url=url, what=what) from None

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
        return self.request_of(f"{url}?{target}" if target else url, query)

    def request_of(self, url: str, query: Query | None = None) -> HttpRequest:
        """Return the request for a URL, with the headers of Puppet's agent and those of a query."""
        query = query or Query("puppet", "", accept="*/*")
        headers = {
            "X-Puppet-Version": self.version,
            "User-Agent": self.settings.text("http_user_agent"),
            "Accept": query.accept,
            **({"X-Puppet-Profiling": "true"} if self.settings.flag("profile") else {}),
            **query.headers,
            **({"Content-Type": query.content_type} if query.content_type else {}),
            "Accept-Encoding": ENCODINGS,
        }
        return HttpRequest(
            query.method,
            url,
            {**self.settings.extra_headers(headers), **headers},
            query.body,
            self.tls,
            self.settings.number("http_read_timeout"),
            self.network,
        )


def failure_text(error: OSError, url: str, seconds: float) -> str:
    """Return what follows "Request to URL" in Puppet's message about an error.

    >>> failure_text(OSError("cut"), "https://web:1/a", 0.5)
    'failed after 0.5 seconds: cut'
    """
    connecting = isinstance(error, NotConnected)
    cause = error.__cause__ if connecting else error
    if isinstance(cause, TimeoutError):
        return f"timed out {'connect' if connecting else 'read'} operation after {seconds} seconds"
    reason = str(error) if error.errno is None else error.strerror or str(error)
    if connecting:
        reason = f"Failed to open TCP connection to {urlsplit(url).netloc} ({reason})"
    return f"failed after {seconds} seconds: {reason}"


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


def refusal(response: HttpResponse) -> RefusedAnswer:
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
        text = status_phrase(response.status)
    return refused(response.status, text)


def refused(status: int, message: str) -> RefusedAnswer:
    """Return the error for an answer with a status and a message."""
    error = issues.REFUSED(status=status, message=message)
    found = RefusedAnswer(error.diagnostic)
    found.status = status
    return found


def message_of(error: RefusedAnswer) -> str:
    """Return the message of a refusal without its status."""
    return str(error.arguments["message"])


def servers_of(settings: AgentSettings, host: Host, version: str, log: Log) -> Servers:
    """Return the servers of the settings, asked without a certificate; PuppetError if one is wrong."""

    def sleep(seconds: float) -> None:
        log("warning", f"Sleeping for {seconds:g} seconds before retrying the request")
        host.sleep(seconds)

    client = Client(
        keep=settings.number("http_keepalive_timeout"),
        longest_wait=settings.number("runinterval"),
        sleep=sleep,
        now=host.now,
    )
    network = settings.network(host.environment_variables())
    routes = Routes(settings, host, log)
    return Servers(settings, version, client, settings.tls(own=False), routes, network)
