"""The life of an agent's certificate: authority, revocation list, key, request, certificate.

Each step loads what is on the disk, or gets and stores it; the order and the messages are those
of Puppet's agent.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from typing import TypeVar

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.agent import issues
from bunraku.agent.http import TEXT, Query, RefusedAnswer, Servers, message_of
from bunraku.agent.settings import AgentSettings
from bunraku.base.errors import PuppetError
from bunraku.certificates.keys import PrivateKey, make_key
from bunraku.certificates.names import load_mapping
from bunraku.certificates.reading import NotPem, certificates_in, revocation_lists_in
from bunraku.certificates.signing_requests import Attributes, make_request, read_attributes
from bunraku.certificates.ssl_directory import SslDirectory
from bunraku.certificates.verification import chain_of, check_key, fingerprint
from bunraku.providers.run import Log
from bunraku.web.client import status_phrase
from bunraku.web.requests import TlsFiles
from bunraku.world.host import Host

T = TypeVar("T")
NOT_MODIFIED, BAD_REQUEST, NOT_FOUND = 304, 400, 404


class Unsigned(Exception):
    """Raised while the authority has not signed the request."""


class Life:
    """The certificate of a node, from the settings, its directory and the authority's server.

    ``say`` prints a line for the person who waits.
    """

    def __init__(
        self,
        settings: AgentSettings,
        host: Host,
        servers: Servers,
        log: Log,
        say: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.host = host
        self.servers = servers
        self.log = log
        self.say = say
        self.directory = SslDirectory(host, settings.name, settings.values)

    # -- the whole -------------------------------------------------------------------------------

    def ensure(self, *, wait: float, once: bool) -> Servers:
        """Return the servers to ask with the node's certificate, which is requested if necessary.

        While it is not signed, wait ``wait`` seconds between two attempts, 0 raises PuppetError.
        With ``once``, errors are raised at once; otherwise they are logged and wait, too.
        """
        deadline = self.host.now() + self.settings.number("maxwaitforcert")
        while True:
            try:
                return self.locked_step()
            except Unsigned:
                reason = issues.NOT_SIGNED(certname=self.settings.name)
            except PuppetError as error:
                if once:
                    raise
                self.log("err", str(error))
                reason = error
            self.pause(wait, deadline, reason)

    def pause(self, wait: float, deadline: float, reason: PuppetError) -> None:
        """Wait before the next attempt; raise the reason if no more attempts are allowed."""
        if wait < 1:
            self.complain("Exiting now because the waitforcert setting is set to 0.")
            raise reason
        if self.host.now() > deadline:
            self.complain(
                "Couldn't fetch certificate from CA server; you might still need to sign this agent's "
                f"certificate ({self.settings.name}). Exiting now because the maxwaitforcert timeout "
                "has been exceeded."
            )
            raise reason
        self.log("info", f"Will try again in {wait:g} seconds.")
        self.servers.client.close()
        self.host.sleep(wait)

    def complain(self, text: str) -> None:
        """Log an error; print it for a person who waits, without the setting ``daemonize``."""
        if self.settings.flag("daemonize"):
            self.log("err", text)
        else:
            self.say(text)

    def locked_step(self) -> Servers:
        """Try once to have a certificate, alone in the directory."""
        self.directory.make()
        path = self.directory.paths["ssl_lockfile"]
        deadline = self.host.now() + self.settings.number("maxwaitforlock")
        while True:
            with self.host.lock(path) as mine:
                if mine:
                    try:
                        return self.step()
                    finally:
                        with suppress(OSError):
                            self.host.remove_file(path)
            pause = self.settings.number("waitforlock")
            if pause < 1:
                raise issues.SSL_IN_PROGRESS(why="waitforlock setting is set to 0")
            if self.host.now() >= deadline:
                raise issues.SSL_IN_PROGRESS(why="maxwaitforlock timeout has been exceeded")
            self.log("info", "Another puppet instance is already running; waiting for it to finish")
            self.log("info", f"Will try again in {pause:g} seconds.")
            self.host.sleep(pause)

    def step(self) -> Servers:
        """Return the servers to ask with the node's certificate; Unsigned if it has none yet."""
        servers = self.ensure_authority()
        key = self.ensure_key()
        certificate = self.directory.certificate()
        if certificate is None:
            self.submit(servers, key)
            certificate = self.download(servers, key)
        self.check(certificate, key)
        renewed = self.renewed(certificate, key)
        if renewed is not None:
            self.directory.write_certificate(renewed)
        self.servers.client.forget()
        return self.servers.with_tls(self.settings.tls())

    # -- the authority ---------------------------------------------------------------------------

    def ensure_authority(self) -> Servers:
        """Return the servers to ask without a certificate, once those of the authority are known."""
        fresh = self.ensure_authority_certificate()
        if self.settings.revocation() is None:
            self.log("info", "Certificate revocation is disabled, skipping CRL download")
        else:
            self.ensure_revocation_list(forced=fresh)
        self.servers.client.forget()
        return self.servers.with_tls(self.settings.tls(own=False))

    def ensure_authority_certificate(self) -> bool:
        """Load, download or refresh the authority's certificate; return whether it is refreshed."""
        self.log("debug", "Loading CA certs")
        if self.directory.authorities() is None:
            content = self.text("CA certificate", "/certificate/ca", TlsFiles(checked=False))
            self.check_fingerprint(content)
            self.parsed("CA certificate", content, certificates_in)
            self.directory.write("localcacert", content)
            return False
        checked = TlsFiles(self.settings.text("localcacert"))
        return self.refreshed("CA certificate", "localcacert", "ca_refresh_interval", checked)

    def check_fingerprint(self, content: bytes) -> None:
        """Raise PuppetError for a bundle that does not have the fingerprint of the settings."""
        expected = self.settings.text("ca_fingerprint")
        if not expected:
            return
        found = fingerprint(content)
        letters = expected.replace(":", "").upper()
        if found.replace(":", "") != letters:
            pairs = ":".join(letters[at : at + 2] for at in range(0, len(letters), 2))
            raise issues.WRONG_AUTHORITY(found=found, expected=pairs)
        self.log("info", f"Verified CA bundle with digest (SHA256) {found}")

    def ensure_revocation_list(self, *, forced: bool) -> None:
        """Load, download or refresh the revocation list; ``forced`` refreshes a recent one, too."""
        self.log("debug", "Loading CRLs")
        checked = TlsFiles(self.settings.text("localcacert"))
        if self.directory.revocation_lists() is None:
            content = self.text("CRLs", "/certificate_revocation_list/ca", checked)
            self.parsed("CRLs", content, revocation_lists_in)
            self.directory.write("hostcrl", content)
            return
        self.refreshed("CRL", "hostcrl", "crl_refresh_interval", checked, forced=forced)

    def refreshed(
        self, what: str, name: str, interval: str, tls: TlsFiles, *, forced: bool = False
    ) -> bool:
        """Download a file again if it is old; return whether it changed.

        A failure is logged and the existing file is used. A file that has not changed on the server
        is written again, so its time shows when it was compared.
        """
        longest, changed = self.settings.interval(interval), self.directory.changed(name)
        old = longest is not None and changed is not None and self.host.now() > changed + longest
        if not (old or forced):
            return False
        self.log("info", f"Refreshing {what}")
        path = "/certificate/ca" if name == "localcacert" else "/certificate_revocation_list/ca"
        since = {"If-Modified-Since": formatdate(changed, usegmt=True)} if changed else {}
        try:
            content = self.servers.with_tls(tls).bytes(
                Query("ca", path, accept=TEXT, headers=since)
            )
        except PuppetError as error:
            return self.not_refreshed(what, name, error)
        self.parsed(
            what, content, certificates_in if name == "localcacert" else revocation_lists_in
        )
        self.directory.write(name, content)
        self.log("info", f"Refreshed {what}: {fingerprint(content)}")
        return True

    def not_refreshed(self, what: str, name: str, error: PuppetError) -> bool:
        """Log that an existing file stays; return False."""
        if isinstance(error, RefusedAnswer) and error.status == NOT_MODIFIED:
            self.log("info", f"{what} is unmodified, using existing {what}")
            content = self.directory.content(name)
            if content is not None:
                self.directory.write(name, content)
            return False
        level = "info" if isinstance(error, RefusedAnswer) else "warning"
        self.log(level, f"Failed to refresh {what}, using existing {what}: {error.message}")
        return False

    def text(self, what: str, path: str, tls: TlsFiles) -> bytes:
        """Return a file of the authority; PuppetError if the server does not have it."""
        try:
            return self.servers.with_tls(tls).bytes(Query("ca", path, accept=TEXT))
        except PuppetError as error:
            if not isinstance(error, RefusedAnswer):
                raise
            if error.status == NOT_FOUND:
                raise issues.AUTHORITY_MISSING(what=what.rstrip("s")) from None
            raise issues.NO_AUTHORITY(what=what, reason=error.message) from None

    def parsed(self, what: str, content: bytes, reader: Callable[[bytes], T]) -> T:
        """Return what a reader finds in a downloaded file; PuppetError if it is not that."""
        try:
            return reader(content)
        except NotPem as error:
            raise issues.NO_AUTHORITY(what=what, reason=str(error)) from None

    # -- the node --------------------------------------------------------------------------------

    def ensure_key(self, kind_of_rsa: str = "RSA SSL") -> PrivateKey:
        """Return the private key of the node; a missing one is made and stored.

        ``kind_of_rsa`` is how the message about a new RSA key calls it.
        """
        self.log("debug", "Loading/generating private key")
        key = self.directory.key()
        if key is None:
            key = self.new_key(kind_of_rsa)
            self.directory.write_key(key)
        return key

    def new_key(self, kind_of_rsa: str) -> PrivateKey:
        """Return a new key of the kind and size of the settings."""
        name, kind = self.settings.name, self.settings.text("key_type")
        if kind == "ec":
            curve = self.settings.text("named_curve")
            self.log("info", f"Creating a new EC SSL key for {name} using curve {curve}")
            return make_key(kind="ec", curve=curve)
        if kind != "rsa":
            raise issues.BAD_SETTING(name="key_type", value=kind, reason="use rsa or ec")
        self.log("info", f"Creating a new {kind_of_rsa} key for {name}")
        return make_key(int(self.settings.number("keylength")))

    def new_request(self, key: PrivateKey) -> x509.CertificateSigningRequest:
        """Return the signing request of the settings and of csr_attributes.yaml."""
        attributes, name = self.attributes(), self.settings.name
        self.log("info", f"Creating a new SSL certificate request for {name}")
        request = make_request(
            name,
            key,
            alternative_names=self.settings.words("dns_alt_names"),
            attributes=attributes,
            renews=bool(self.settings.interval("hostcert_renewal_interval")),
        )
        digest = fingerprint(request.public_bytes(Encoding.DER))
        self.log("info", f"Certificate Request fingerprint (SHA256): {digest}")
        return request

    def attributes(self) -> Attributes:
        """Return the attributes of the node's csr_attributes.yaml; none without the file."""
        path = self.settings.text("csr_attributes")
        self.log("info", f"csr_attributes file loading from {path}")
        try:
            content = self.host.read(path)
        except FileNotFoundError:
            return Attributes()
        except OSError as error:
            raise issues.MISSING_FILE(what="file of attributes is", path=path) from error
        mapping = load_mapping(self.settings.text("trusted_oid_mapping_file"))
        return read_attributes(content, path, mapping)

    def submit(self, servers: Servers, key: PrivateKey) -> bool:
        """Send a signing request; return False if the server already has another one."""
        self.log("debug", "Generating and submitting a CSR")
        request = self.new_request(key)
        path = f"/certificate_request/{self.settings.name}"
        body = request.public_bytes(Encoding.PEM)
        try:
            servers.bytes(Query("ca", path, (), "PUT", TEXT, body, TEXT))
        except RefusedAnswer as error:
            if error.status != BAD_REQUEST:
                reason = message_of(error)
                raise issues.NOT_SUBMITTED(status=error.status, reason=reason) from None
            self.log("debug", f"The server refused the request: {message_of(error)}")
            return False
        self.directory.write_request(request)
        return True

    def download(self, servers: Servers, key: PrivateKey) -> x509.Certificate:
        """Return the signed certificate, checked and stored; Unsigned if there is none yet."""
        self.log("debug", "Downloading client certificate")
        certificate = self.signed(servers)
        if certificate is None:
            self.log("info", f"Certificate for {self.settings.name} has not been signed yet")
            self.say(
                "Couldn't fetch certificate from CA server; you might still need to sign this agent's "
                f"certificate ({self.settings.name})."
            )
            raise Unsigned
        url = servers.url("ca")
        self.log("info", f"Downloaded certificate for {self.settings.name} from {url}")
        self.check(certificate, key)
        self.directory.write_certificate(certificate)
        return certificate

    def take(self, certificate: x509.Certificate, key: PrivateKey) -> None:
        """Check and store a certificate that was downloaded."""
        digest = fingerprint(certificate.public_bytes(Encoding.DER))
        name = self.settings.name
        self.log("notice", f"Downloaded certificate '{name}' with fingerprint (SHA256) {digest}")
        self.check(certificate, key)
        self.directory.write_certificate(certificate)

    def own(self) -> tuple[x509.Certificate, PrivateKey]:
        """Return the certificate and the key of the node; PuppetError if a file is missing."""
        directory, paths = self.directory, self.directory.paths
        if directory.authorities() is None:
            raise issues.MISSING_FILE(what="CA certificates are", path=paths["localcacert"])
        if self.settings.revocation() is not None and directory.revocation_lists() is None:
            raise issues.MISSING_FILE(what="CRL is", path=paths["hostcrl"])
        key = directory.key()
        if key is None:
            raise issues.MISSING_FILE(what="private key is", path=paths["hostprivkey"])
        certificate = directory.certificate()
        if certificate is None:
            raise issues.MISSING_FILE(what="client certificate is", path=paths["hostcert"])
        return certificate, key

    def signed(self, servers: Servers) -> x509.Certificate | None:
        """Return the node's certificate from the authority; None if it has not signed one."""
        name = self.settings.name
        try:
            content = servers.bytes(Query("ca", f"/certificate/{name}", accept=TEXT))
            return certificates_in(content)[0]
        except RefusedAnswer as error:
            if error.status == NOT_FOUND:
                return None
            raise issues.NO_CERTIFICATE(certname=name, reason=error.message) from None
        except NotPem as error:
            raise issues.NO_CERTIFICATE(certname=name, reason=error) from None

    def check(self, certificate: x509.Certificate, key: PrivateKey) -> list[x509.Certificate]:
        """Return the chain of a certificate; PuppetError if it or the key is not usable."""
        check_key(certificate, key, self.settings.name)
        return chain_of(
            certificate,
            self.directory.authorities() or [],
            self.directory.revocation_lists() or [],
            self.now(),
            revocation=self.settings.revocation() or False,
        )

    def now(self) -> dt.datetime:
        """Return the time of the machine."""
        return dt.datetime.fromtimestamp(self.host.now(), dt.UTC)

    # -- renewal ---------------------------------------------------------------------------------

    def renewed(self, certificate: x509.Certificate, key: PrivateKey) -> x509.Certificate | None:
        """Return a new certificate for one that expires soon, if the server renews it."""
        before = self.settings.interval("hostcert_renewal_interval")
        left = (certificate.not_valid_after_utc - self.now()).total_seconds()
        if not before or left > before:
            return None
        self.log("debug", "Renewing client certificate")
        try:
            found = self.renew(key)
        except RefusedAnswer as error:
            if error.status == NOT_FOUND:
                self.log("info", "Certificate autorenewal has not been enabled on the server.")
            else:
                reason = f"{error.status} {status_phrase(error.status)}"
                text = f"Failed to automatically renew certificate: {reason}"
                self.log("warning", text)
            return None
        except PuppetError as error:
            text = f"Unable to automatically renew certificate: {error.message}"
            self.log("warning", text)
            return None
        digest = fingerprint(found.public_bytes(Encoding.PEM))
        self.log(
            "info",
            f"Renewed client certificate: {digest}, not before '{found.not_valid_before_utc}', "
            f"not after '{found.not_valid_after_utc}'",
        )
        return found

    def renew(self, key: PrivateKey) -> x509.Certificate:
        """Return a new certificate from the authority, checked; Refused if it does not renew."""
        servers = self.servers.with_tls(self.settings.tls())
        content = servers.bytes(
            Query("ca", "/certificate_renewal", method="POST", accept=TEXT, content_type=TEXT)
        )
        try:
            found = certificates_in(content)[0]
        except NotPem as error:
            raise issues.NO_CERTIFICATE(certname=self.settings.name, reason=error) from None
        self.check(found, key)
        return found


def fingerprint_of(host: Host, settings: AgentSettings, digest: str = "SHA256") -> str | None:
    """Return the fingerprint of the node's certificate, or of its request; None without both.

    Raises ValueError for an unknown digest.
    """
    directory = SslDirectory(host, settings.name, settings.values)
    found = directory.certificate() or directory.request()
    return None if found is None else fingerprint(found.public_bytes(Encoding.DER), digest)
