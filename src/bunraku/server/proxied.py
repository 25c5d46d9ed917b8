"""Callers behind a proxy that ends TLS: who they are, from the headers that the proxy sets.

The names of the headers and the values are those of puppetserver with ``allow-header-cert-info``
(trapperkeeper-authorization 1.0.0; OpenVox Server 8, documentation "External SSL termination").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import unquote_to_bytes

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.certificates.trusted import trusted_data
from bunraku.server.failures import RefusedPlainly
from bunraku.web.http import Request

VERIFY, NAME, CERTIFICATE = "x-client-verify", "x-client-dn", "x-client-cert"
HEADERS = frozenset([VERIFY, NAME, CERTIFICATE])
SUCCESS = "SUCCESS"
OTHER_NAMES = {"emailAddress": NameOID.EMAIL_ADDRESS}
"""Attributes of a distinguished name that RFC 4514 does not list, as OpenSSL writes them."""
MARKER = b"-----BEGIN CERTIFICATE-----"


def proxied(request: Request, log: Callable[[str, str], None]) -> Request:
    """Return a request with the name and the certificate of the client that a proxy has verified.

    Without both headers the client has none. Raise RefusedPlainly for a certificate that cannot be
    read, or that is another name's: puppetserver would use its extensions.
    """
    name = name_in(request.headers, log)
    if name is None:
        return request
    verified = request.headers.get(VERIFY)
    if verified != SUCCESS:
        log("err", f"Client with CN '{name}' was not verified by '{VERIFY}' header: '{verified}'")
        return request
    text = request.headers.get(CERTIFICATE)
    if not text:
        return replace(request, client=name)
    certificate, own_name = certificate_in(text)
    if own_name != name:
        raise refused(f"The certificate in {CERTIFICATE} is not that of the name in {NAME}")
    return replace(request, client=name, certificate=certificate)


def name_in(headers: Mapping[str, str], log: Callable[[str, str], None]) -> str | None:
    """Return the common name in the header with the distinguished name; None without exactly one."""
    text = headers.get(NAME, "")
    if not text:
        return None
    names = legacy_names(text) if text.startswith("/") else common_names(text)
    if len(names) == 1 and names[0]:
        return names[0]
    reason = f"CN could not be found in DN provided by HTTP header '{NAME}': '{text}'."
    log("warning", f"{reason} Treating client as 'unauthenticated'.")
    return None


def common_names(text: str) -> list[str]:
    """Return the common names in a distinguished name of RFC 2253 (RFC 4514).

    >>> common_names("CN=web.example.com,OU=a"), common_names("OU=a")
    (['web.example.com'], [])
    """
    try:
        name = x509.Name.from_rfc4514_string(text, OTHER_NAMES)
    except ValueError:
        return []
    return [str(one.value) for one in name.get_attributes_for_oid(NameOID.COMMON_NAME)]


def legacy_names(text: str) -> list[str]:
    """Return the common names in a distinguished name as OpenSSL wrote it before version 1.1.

    >>> legacy_names("/O=a/CN=web.example.com")
    ['web.example.com']
    """
    pairs = (part.partition("=") for part in text.split("/"))
    return [value for kind, _, value in pairs if kind == "CN"]


def certificate_in(text: str) -> tuple[bytes, str]:
    """Return the one certificate of a URL-encoded header in DER form, and its name.

    RefusedPlainly for other texts.
    """
    content = unquote_to_bytes(text)
    count = content.count(MARKER)
    if count == 0:
        raise refused(f"No certs found in PEM read from {CERTIFICATE}")
    if count > 1:
        raise refused(f"Only 1 PEM should be supplied for {CERTIFICATE} but {count} found")
    try:
        found = x509.load_pem_x509_certificate(content).public_bytes(Encoding.DER)
        return found, str(trusted_data(found)["certname"])
    except (ValueError, PuppetError) as error:
        raise refused(f"Unable to parse {CERTIFICATE} into certificate: {error}") from None


def refused(reason: str) -> RefusedPlainly:
    """Return the refusal of a request."""
    return RefusedPlainly(400, reason)


class Warnings:
    """The headers about which the log has a line: each is reported once for each reason."""

    def __init__(self) -> None:
        self.reported: set[tuple[str, str]] = set()

    def add(self, headers: Mapping[str, str], reason: str, log: Callable[[str, str], None]) -> None:
        """Log that the headers of a proxy are ignored, without their values."""
        for name in sorted(HEADERS & headers.keys()):
            if (name, reason) not in self.reported:
                self.reported.add((name, reason))
                log(
                    "warning",
                    f"The HTTP header {name} was specified but {reason}. This header will be ignored.",
                )
