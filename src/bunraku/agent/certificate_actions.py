"""What ``bunraku ssl`` does: request, fetch, renew, check and remove the certificate of a node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.agent import issues
from bunraku.agent.http import RefusedAnswer, Servers
from bunraku.agent.life import NOT_FOUND, Life
from bunraku.base.errors import Issue, PuppetError
from bunraku.certificates.keys import PrivateKey
from bunraku.certificates.names import load_mapping
from bunraku.certificates.ssl_directory import OF_AUTHORITY, OF_NODE
from bunraku.certificates.text import certificate_text
from bunraku.certificates.verification import fingerprint, subject_text


def bootstrap(life: Life) -> None:
    """Request a certificate and wait until it is signed."""
    wait = life.settings.number("waitforcert")
    life.ensure(wait=wait, once=life.settings.flag("onetime"))
    life.log("notice", "Completed SSL initialization")


def submit_request(life: Life) -> None:
    """Send a request, and fetch the certificate if it is signed at once."""
    life.directory.make()
    servers = life.ensure_authority()
    key = node_key(life)
    name, url = life.settings.name, servers.url("ca")
    with failing(issues.SUBMIT_FAILED):
        is_new = life.submit(servers, key)
    if not is_new:
        raise issues.CONFLICT(certname=name, url=url)
    life.log("notice", f"Submitted certificate request for '{name}' to {url}")
    if not fetch(life, servers, key):
        life.log("info", f"The certificate for '{name}' has not yet been signed")


def generate_request(life: Life) -> None:
    """Write a request without sending it."""
    life.directory.make()
    with failing(issues.GENERATE_FAILED):
        life.directory.write_request(life.new_request(node_key(life)))
    path = life.directory.paths["hostcsr"]
    life.log("notice", f"Generated certificate request in '{path}'")


def download_cert(life: Life) -> None:
    """Fetch the signed certificate."""
    life.directory.make()
    servers = life.ensure_authority()
    key = life.directory.key()
    if key is None:
        path = life.directory.paths["hostprivkey"]
        raise issues.MISSING_FILE(what="private key is", path=path)
    if not fetch(life, servers, key):
        raise issues.NOT_SIGNED(certname=life.settings.name)


def fetch(life: Life, servers: Servers, key: PrivateKey) -> bool:
    """Fetch and store the signed certificate; return False if it is not signed."""
    name = life.settings.name
    life.log("info", f"Downloading certificate '{name}' from {servers.url('ca')}")
    with failing(issues.DOWNLOAD_FAILED):
        certificate = life.signed(servers)
        if certificate is not None:
            life.take(certificate, key)
    return certificate is not None


def node_key(life: Life) -> PrivateKey:
    """Return the key of the node; a missing one is made."""
    return life.ensure_key("SSL")


@contextmanager
def failing(issue: Issue) -> Iterator[None]:
    """Raise another error, with the message of the first, instead of errors in the block."""
    try:
        yield
    except PuppetError as error:
        raise issue(reason=error.message) from error


def renew_cert(life: Life, limit: float | None = None) -> None:
    """Fetch a new certificate in the place of the current one, if that is valid for less than a time."""
    certificate, key = life.own()
    left = (certificate.not_valid_after_utc - life.now()).total_seconds()
    if limit is not None and left > limit:
        until, name = certificate.not_valid_after_utc, life.settings.name
        life.log("info", f"Certificate '{name}' is still valid until {until}")
        return
    try:
        found = life.renew(key)
    except RefusedAnswer as error:
        if error.status == NOT_FOUND:
            raise issues.NOT_RENEWED() from None
        raise issues.DOWNLOAD_FAILED(reason=error.message) from None
    life.take(found, key)


def verify(life: Life) -> None:
    """Check the key, the certificate, its chain and the revocation lists."""
    certificate, key = life.own()
    chain = life.check(certificate, key)
    for one in reversed(chain):
        kind = "client" if one is certificate else "CA"
        subject, digest = subject_text(one.subject), fingerprint(one.public_bytes(Encoding.DER))
        life.log("notice", f"Verified {kind} certificate '{subject}' fingerprint (SHA256) {digest}")


def shown_certificate(life: Life) -> str:
    """Return the certificate as text."""
    certificate, key = life.own()
    life.check(certificate, key)
    names = load_mapping(life.settings.text("trusted_oid_mapping_file"), "longname")
    return certificate_text(certificate, names)


def clean(life: Life, *, with_authority: bool) -> None:
    """Remove the files of the node, and with ``with_authority`` those of the authority.

    On the machine of the authority, its certificate must be gone there first.
    """
    check_cleaned(life)
    files = {**OF_NODE, **(OF_AUTHORITY if with_authority else {})}
    for name, what in files.items():
        if life.directory.remove(name):
            life.log("notice", f"Removed {what} {life.directory.paths[name]}")


def check_cleaned(life: Life) -> None:
    """Raise PuppetError if the authority runs here and still has the certificate of the node."""
    name = life.settings.name
    if name != life.settings.text("ca_server"):
        return
    try:
        certificate = life.signed(life.ensure_authority())
    except PuppetError as error:
        raise issues.CLEANING_UNKNOWN(certname=name, reason=error.message) from None
    if certificate is not None:
        raise issues.NOT_CLEANED(certname=name)
