"""Ask a server: PuppetDB or bunraku."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb import issues
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.query_failure import bad_query
from bunraku.web.requests import HttpRequest, HttpResponse, TlsFiles
from bunraku.world.protocol import World

QUERY_PATH = "/pdb/query/v4"
LONGEST_MESSAGE = 2_000
"""Characters of a server's message that an error shows."""
HEADERS = {"content-type": "application/json", "accept": "application/json"}
JSON_BODIES = re.compile(r"application/json\b")


@record(frozen=True)
class Client:
    """A PuppetDB at the URL ``base``, such as ``https://puppetdb.example.com:8081``.

    ``seconds`` is how long the server may be silent.
    """

    base: str
    world: World
    tls: TlsFiles = TlsFiles()
    seconds: float = 300.0

    def query(self, query: Json) -> list[Json]:
        """Return the rows of a query: PQL text, or nested arrays. PuppetError if there are none."""
        with self.answer(query) as response:
            try:
                rows = json.loads(response.read())
            except (ValueError, RecursionError):
                raise self.failed("it did not answer with JSON") from None
        if not isinstance(rows, list):
            raise self.failed("it did not answer with an array")
        return rows

    @contextmanager
    def answer(self, query: Json, **parameters: Json) -> Iterator[HttpResponse]:
        """Yield the successful response to a query, whose body is a JSON array of rows.

        The parameters are those of the interface, such as ``limit`` and ``include_total``.
        """
        body = json.dumps({"query": query, **parameters}).encode()
        request = HttpRequest(
            "POST", f"{self.base}{QUERY_PATH}", HEADERS, body, self.tls, self.seconds
        )
        try:
            with self.world.http(request) as response:
                if response.status != 200:
                    raise self.refused(response)
                yield response
        except OSError as error:
            raise self.unreachable(error) from None

    # -- errors --------------------------------------------------------------------------------------

    def failed(self, reason: str) -> PuppetError:
        """Return the error for an answer that cannot be used."""
        return issues.SERVER_FAILED(url=self.base, reason=reason)

    def refused(self, response: HttpResponse) -> PuppetError:
        """Return the error for a response that is not successful, with the server's message."""
        text = response.read(4 * LONGEST_MESSAGE).decode("utf-8", "replace")[:LONGEST_MESSAGE]
        plain = text if response.headers.get("content-type", "").startswith("text/plain") else ""
        if response.status == 400 and text:
            return bad_query(message_in(text))
        if response.status in {401, 403}:
            return self.failed(f"it refused access ({response.status})").hinted(self.certificates())
        if response.status == 404:
            return self.failed("it has no PuppetDB at this path (404)")
        shown = f": {message_in(plain)}" if plain else ""
        return self.failed(f"it answered with status {response.status}{shown}")

    def unreachable(self, error: OSError) -> PuppetError:
        """Return the error for a server that did not answer."""
        failure = self.failed(connection_failure(error))
        if isinstance(error, ssl.SSLError):
            return failure.hinted(self.certificates())
        if isinstance(error, ConnectionRefusedError):
            return failure.hinted(
                "is the server running at this port? PuppetDB listens at 8081 for https, and at 8080"
                " for http from its own host"
            )
        return failure

    def certificates(self) -> str:
        """Return a hint that names the files that were used."""
        if not self.base.startswith("https:"):
            return "use https, with a certificate that the server allows"
        authority = self.tls.authority or "the authorities of the system"
        certificate = self.tls.certificate or "no certificate"
        return (
            f"the server was checked with {authority}, and it was shown {certificate}; the settings"
            " localcacert, hostcert and hostprivkey name other files"
        )


def server_url(text: str) -> str:
    """Return the URL of a server without its path of queries; PuppetError if it is malformed.

    >>> server_url("https://puppetdb.example.com:8081/pdb/query/v4/")
    'https://puppetdb.example.com:8081'
    """
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or not text.isascii() or not text.isprintable() or " " in text:
        raise issues.MALFORMED_URL()
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise issues.MALFORMED_URL().hinted("it cannot have a user, a password or parameters")
    path = parts.path.rstrip("/").removesuffix(QUERY_PATH)
    return f"{parts.scheme}://{parts.netloc}{path}"


def message_in(text: str) -> str:
    """Return the message in the body of an error, which can be a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
    message = found.get("error") if isinstance(found, dict) else None
    return message if isinstance(message, str) else text.strip()


def connection_failure(error: OSError) -> str:
    """Return why a server did not answer."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {(error.reason or str(error)).replace('_', ' ').lower()}"
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return error.strerror or str(error) or type(error).__name__
