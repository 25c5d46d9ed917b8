"""Requests to a Forge: credentials, redirects, attempts and limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import local
from typing import Any, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import replace
from bunraku.base.version import version
from bunraku.deployment import issues
from bunraku.deployment.credentials import public_address
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.web.client import (
    Answer,
    Client,
    NotConnected,
    basic,
    seconds_until,
    server_of,
    status_phrase,
)
from bunraku.web.requests import DIRECT, HttpRequest, Network, TlsFiles

T = TypeVar("T")
ADDRESS = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""The start of an address with a scheme."""
BUSY = frozenset({429, 500, 502, 503, 504})
"""The statuses after which a request is sent again."""
REDIRECTED = frozenset({301, 302, 303, 307, 308})
REDIRECTS = 10
TRIES = 3
FIRST_WAIT = 0.5
"""Seconds before the second attempt; each further wait is twice as long."""
LONGEST_WAIT = 30.0
"""Seconds that a Forge can make a request wait by ``Retry-After``."""
LONGEST_TRANSFER = 900.0
"""Seconds for a whole answer; without this limit, one byte a minute would do."""
BLOCK = 1 << 16
LONGEST_REASON = 200
SYSTEM_AUTHORITIES = TlsFiles()


class TooMuch(TimeoutError):
    """An answer that is too large or takes too long; asking again does not help."""


class ForgeConnection:
    """Sends requests to one Forge, also from several threads.

    ``url`` is the address without credentials. The credentials of the address, or else the
    ``token``, are sent in the header ``Authorization``, and only to the host and port of the Forge:
    neither redirects nor addresses in its answers can have them sent elsewhere. ``token`` is the whole
    value of the header (r10k, ``authorization_token``). Each thread gets a client from ``clients``.
    ``seconds`` is the limit for each wait.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        network: Network = DIRECT,
        tls: TlsFiles = SYSTEM_AUTHORITIES,
        clients: Callable[[], Client] = Client,
        seconds: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        try:
            self.url, of_address = url_and_authorization(url)
            self.origin = server_of(self.url)
        except (OSError, ValueError) as error:
            raise issues.FORGE_BAD_URL(reason=error) from None
        self.authorization = token or of_address
        if not is_header(self.authorization):
            raise issues.FORGE_BAD_TOKEN(url=self.url)
        self.network = replace(network, redirects=0)
        self.tls = tls
        self.clients = clients
        self.seconds = seconds
        self.sleep = sleep
        self.own = local()
        self.made: list[Client] = []
        self.silence = ""

    def address(self, place: str) -> str:
        """Return the address of a path on the Forge, or of a whole address.

        The Forge can be below a path of its server; its answers have paths with and without that.

        >>> ForgeConnection("https://web/forge/").address("/v3/modules/a-b")
        'https://web/forge/v3/modules/a-b'
        """
        if ADDRESS.match(place):
            return place
        prefix = urlsplit(self.url).path.rstrip("/")
        if prefix and place.startswith(f"{prefix}/"):
            return self.url[: -len(urlsplit(self.url).path)] + place
        return f"{self.url.rstrip('/')}/{place.lstrip('/')}"

    def fetch(
        self, place: str, receive: Callable[[Answer], T], headers: Mapping[str, str] | None = None
    ) -> T:
        """Return what ``receive`` makes of the answer for a path or an address.

        A Forge that is busy or whose answer ends early is asked again. ``receive`` gets all other
        answers, and can be called again after it has raised OSError. A Forge that could not be reached,
        or did not answer in time, is not asked again in this run.
        """
        url = self.address(place)
        if self.silence:
            raise issues.FORGE_NOT_REACHED(url=public_address(url), reason=self.silence)
        attempt = 1
        while True:
            try:
                with self.exchange(url, headers or {}) as answer:
                    if answer.status not in BUSY:
                        return receive(answer)
                    error = self.busy(url, answer, attempt)
                    wait = wait_after(answer, attempt)
            except OSError as cause:
                error = issues.FORGE_NOT_REACHED(
                    url=public_address(url), reason=failure_reason(cause)
                )
                wait = wait_of(attempt)
                if isinstance(cause, NotConnected | TimeoutError):
                    self.note_silence(url, cause)
                    raise error from None
            if attempt == TRIES:
                raise error
            self.sleep(wait)
            attempt += 1

    def note_silence(self, url: str, cause: OSError) -> None:
        """Remember that the Forge is silent; an answer that is too much does not count."""
        if server_of(url) == self.origin and not isinstance(cause, TooMuch):
            self.silence = failure_reason(cause)

    def busy(self, url: str, answer: Answer, attempt: int) -> PuppetError:
        """Return the error for an answer of a busy Forge."""
        reason = self.refusal(answer)
        return issues.FORGE_BUSY(
            url=public_address(url), status=answer.status, tries=attempt, reason=reason
        )

    def refused(self, place: str, answer: Answer) -> PuppetError:
        """Return the error for an answer without the content that was asked for."""
        url = public_address(self.address(place))
        return issues.FORGE_REFUSED(url=url, status=answer.status, reason=self.refusal(answer))

    def refusal(self, answer: Answer) -> str:
        """Return why the Forge does not give the content: its own message, or the status."""
        try:
            document = parse_json(answer.read(BLOCK))
        except (FormatError, OSError):
            document = None
        message = document.get("message") if isinstance(document, dict) else None
        if not isinstance(message, str) or not message.isprintable():
            return status_phrase(answer.status)
        secret = self.authorization or "\0"
        hidden = message.replace(secret, "***").replace(secret.rpartition(" ")[2], "***")
        return hidden[:LONGEST_REASON]

    @contextmanager
    def exchange(self, url: str, headers: Mapping[str, str]) -> Iterator[Answer]:
        """Send a request, follow redirects, and yield the answer. Raise OSError."""
        for _ in range(REDIRECTS + 1):
            with self.client().exchange(self.request(url, headers)) as answer:
                location = answer.headers.get("location")
                if answer.status not in REDIRECTED or location is None:
                    yield answer
                    return
            url = address_after(url, location)
        raise OSError(f"more than {REDIRECTS} redirects")

    def request(self, url: str, headers: Mapping[str, str]) -> HttpRequest:
        """Return the request for an address. Raise OSError for one that cannot be sent."""
        if not url.isascii() or not url.isprintable() or " " in url:
            raise OSError("the URL is malformed (it has a character that must be encoded)")
        origin = server_of(url)
        own = {"User-Agent": f"bunraku/{version()}", "Accept": "*/*", **headers}
        if self.authorization and origin == self.origin:
            own["Authorization"] = self.authorization
        return HttpRequest(
            "GET",
            url,
            own,
            tls=self.tls,
            seconds=self.seconds,
            network=self.network,
            longest=LONGEST_TRANSFER,
        )

    def client(self) -> Client:
        """Return the client of the calling thread."""
        found: Client | None = getattr(self.own, "client", None)
        if found is None:
            found = self.own.client = self.clients()
            self.made.append(found)
        return found

    def close(self) -> None:
        """Close the connections of all threads, at the end of a run."""
        for client in self.made:
            client.close()


def url_and_authorization(url: str) -> tuple[str, str]:
    """Return a URL without user and password, and these for the header ``Authorization``.

    >>> url_and_authorization("https://anna:pass%20word@web:8080/forge")
    ('https://web:8080/forge', 'Basic YW5uYTpwYXNzIHdvcmQ=')
    """
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, ""
    name, _, password = user.partition(":")
    return parts._replace(netloc=host).geturl(), basic(unquote(name), unquote(password))


def is_header(text: str) -> bool:
    r"""Return whether a text can be the value of a header.

    >>> is_header("Bearer abc"), is_header("abc\n")
    (True, False)
    """
    return text.isascii() and text.isprintable()


def address_after(url: str, location: str) -> str:
    """Return where a redirect leads. Raise OSError for a malformed address."""
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise OSError(f"the URL is malformed ({error})") from None


def wait_after(answer: Answer, attempt: int) -> float:
    """Return the seconds before a busy Forge is asked again."""
    asked = seconds_until(answer.headers.get("retry-after", ""), time.time())
    return wait_of(attempt) if asked is None else min(asked, LONGEST_WAIT)


def wait_of(attempt: int) -> float:
    """Return the seconds after a failed attempt.

    >>> wait_of(1), wait_of(2)
    (0.5, 1.0)
    """
    return float(FIRST_WAIT * 2 ** (attempt - 1))


def failure_reason(error: OSError) -> str:
    """Return the reason of a failed request."""
    cause = error.__cause__ or error
    if isinstance(cause, TimeoutError):
        return str(cause) or "it does not answer in time"
    if isinstance(cause, OSError) and cause.errno is not None:
        return cause.strerror or str(cause)
    return str(cause) or type(cause).__name__


def blocks_of(answer: Answer, most: int) -> Iterator[bytes]:
    """Yield the body of an answer in pieces; OSError if it is too large or takes too long."""
    end = time.monotonic() + LONGEST_TRANSFER
    while block := answer.read(BLOCK):
        most -= len(block)
        if most < 0:
            raise TooMuch("the answer is too large")
        if time.monotonic() > end:
            raise TooMuch(f"the answer takes more than {LONGEST_TRANSFER:g} seconds")
        yield block


def document_of(answer: Answer, most: int) -> Any:
    """Return the data of an answer in JSON. Raise FormatError or OSError."""
    return parse_json(b"".join(blocks_of(answer, most)))
