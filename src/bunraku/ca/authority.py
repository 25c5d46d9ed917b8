"""The certificate authority: requests, certificates and revocation in one directory.

Several processes may use the directory at the same time. An object keeps no state but the parsed
key and certificates, which are read again when their files change.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Collection, Iterable

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.x509.oid import NameOID

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.ca import extensions, inventory, issues, revocation
from bunraku.ca.autosign import is_autosigned
from bunraku.ca.directory import (
    Directory,
    filled_lines,
    names_in,
    optional_content,
    remove,
    write_public,
)
from bunraku.ca.policy import (
    RequestRefused,
    SigningRequest,
    check_signing,
    check_subject,
    read_submission,
    shown,
)
from bunraku.ca.settings import AuthoritySettings
from bunraku.ca.signer import Signer, load_signer, pem, validity
from bunraku.ca.statuses import Status, certificate_status
from bunraku.certificates.reading import (
    NotPem,
    certificates_in,
    read_certificate,
    read_revocation_lists,
    request_in,
)
from bunraku.certificates.received_requests import ReceivedRequest

BUNDLE = "ca"
"""The name under which clients get the authority's own certificates."""
OWN_IDENTIFIERS = frozenset(
    [
        x509.AuthorityKeyIdentifier.oid.dotted_string,
        x509.SubjectKeyIdentifier.oid.dotted_string,
    ]
)
"""Extensions that a renewed certificate does not copy."""


def utc_now() -> dt.datetime:
    """Return the current time."""
    return dt.datetime.now(dt.UTC)


def silent(_message: str) -> None:
    """Log nothing."""


@record(frozen=True)
class SignedMany:
    """What became of several requests: names, by outcome; errors with their reasons."""

    signed: list[str] = field(default_factory=list)
    no_csr: list[str] = field(default_factory=list)
    signing_errors: dict[str, str] = field(default_factory=dict)


class Authority:
    """An authority; ``log`` is called with a line for each action and each refusal.

    Methods raise Refused for what the rules do not allow, and PuppetError for files that cannot be
    read or written.
    """

    def __init__(
        self,
        settings: AuthoritySettings,
        log: Callable[[str], None] = silent,
        clock: Callable[[], dt.datetime] = utc_now,
    ) -> None:
        self.settings = settings
        self.directory = Directory(settings)
        self.log = log
        self.clock = clock
        self.loaded: tuple[bytes, bytes, Signer] | None = None

    def signer(self) -> Signer:
        """Return the certificate and the key that sign, as they are in the files now."""
        certificates = optional_content(self.settings.cacert) or b""
        key = optional_content(self.settings.cakey) or b""
        if self.loaded is None or self.loaded[:2] != (certificates, key):
            self.loaded = (certificates, key, load_signer(self.settings))
        return self.loaded[2]

    # -- what clients read -----------------------------------------------------------------------

    def certificate_path(self, name: str) -> str | None:
        """Return the path of a node's certificate, or of the authority's own for ``ca``."""
        return self.settings.cacert if name == BUNDLE else self.directory.certificate_path(name)

    def request_pem(self, name: str) -> bytes | None:
        """Return a node's pending request in PEM form."""
        return optional_content(self.directory.request_path(name))

    @property
    def published_list(self) -> str:
        """The path of the revocation lists for clients."""
        one = self.settings
        return one.infra_crl_path if one.enable_infra_crl else one.cacrl

    def own_list(self, path: str | None = None) -> x509.CertificateRevocationList:
        """Return the authority's own revocation list."""
        path = path or self.settings.cacrl
        lists = read_revocation_lists(path)
        return revocation.own_list(lists, self.signer().certificate, path)

    def is_issued(self, name: str) -> bool:
        """Return whether the authority ever issued a certificate for a node."""
        return self.directory.has_certificate(name) or inventory.has_entry(self.settings, name)

    def status(self, name: str) -> Status | None:
        """Return the status of a node's certificate, or of its request; None if it has neither."""
        certificate, request = self.certificate_pem_of_node(name), self.request_pem(name)
        if certificate is not None:
            return certificate_status(name, certificates_in(certificate)[0], self.own_list())
        return (
            None
            if request is None
            else certificate_status(name, request_in(request), self.own_list())
        )

    def certificate_pem_of_node(self, name: str) -> bytes | None:
        """Return a node's certificate in PEM form, also for a node of the name ``ca``."""
        return optional_content(self.directory.certificate_path(name))

    def statuses(self, state: str | None = None) -> list[Status]:
        """Return the statuses of all requests and certificates, or of those in one state.

        Files that cannot be read are logged and left out.
        """
        revoked = self.own_list()
        found: list[Status] = []
        if state in {None, "requested"}:
            for name in names_in(self.settings.csrdir):
                self.add_status(found, name, self.request_pem(name), request_in, revoked)
        if state != "requested":
            for name in names_in(self.settings.signeddir):
                content = self.certificate_pem_of_node(name)
                self.add_status(found, name, content, lambda pem: certificates_in(pem)[0], revoked)
        return [one for one in found if state in {None, one["state"]}]

    def add_status(
        self,
        found: list[Status],
        name: str,
        content: bytes | None,
        read: Callable[[bytes], x509.Certificate | ReceivedRequest],
        revoked: x509.CertificateRevocationList,
    ) -> None:
        """Add the status of a file, unless it has vanished or has other content."""
        try:
            if content is not None:
                found.append(certificate_status(name, read(content), revoked))
        except NotPem as error:
            self.log(f"cannot read the certificate or request of {shown(name)}: {error}")

    def expirations(self) -> dict[str, dict[str, str]]:
        """Return when the certificates of the authorities and their revocation lists expire."""
        lists = read_revocation_lists(self.settings.cacrl)
        return {
            "ca-certs": {
                common_name(one.subject): inventory.inventory_time(one.not_valid_after_utc)
                for one in self.signer().chain
            },
            "crls": {
                common_name(one.issuer): inventory.inventory_time(one.next_update_utc)
                for one in lists
                if one.next_update_utc is not None
            },
        }

    # -- requests --------------------------------------------------------------------------------

    def submit(self, hostname: str, content: bytes) -> None:
        """Keep a node's request, and sign it if the settings say so; raise Refused.

        A request that may not be signed stays pending. One whose certificate cannot be written does
        not: the node will send it again.
        """
        request = read_submission(content)
        content = request.pem
        with self.directory.lock():
            self.check_duplicate(request.subject)
            check_subject(hostname, request.subject)
            path = self.directory.request_path(hostname)
            if path is None:
                raise RequestRefused("Subject hostname format is invalid")
            write_public(path, content)
        if is_autosigned(self.settings.autosign, request.subject, content, self.log):
            check_signing(request, self.settings)
            with self.directory.lock():
                if self.request_pem(hostname) == content:  # not replaced or signed meanwhile
                    try:
                        self.issue(request, None)
                    except PuppetError:
                        remove(path)
                        raise
            self.log(f"signed {numbered_names([hostname])}")

    def check_duplicate(self, name: str) -> None:
        """Raise Refused for a node that has a certificate or a request already."""
        if self.directory.has_certificate(name):
            path = self.directory.certificate_path(name) or ""
            serial = read_certificate(path).serial_number
            state = "revoked" if revocation.is_revoked(self.own_list(), serial) else "signed"
        elif self.directory.has_request(name):
            state = "requested"
        else:
            return
        if not self.settings.allow_duplicate_certs:
            raise RequestRefused(
                f"{shown(name)} already has a {state} certificate; ignoring certificate request"
            )

    def sign(self, name: str, seconds: int | None = None) -> None:
        """Sign a pending request; raise Refused if there is none or the rules do not allow it."""
        with self.directory.lock():
            self.sign_pending(name, seconds)
        self.log(f"signed {numbered_names([name])}")

    def sign_pending(self, name: str, seconds: int | None) -> None:
        """Sign a pending request; needs the lock."""
        content = self.request_pem(name)
        if content is None:
            raise RequestRefused(
                f"Cannot sign certificate for host {shown(name)} without a certificate request"
            )
        request = read_submission(content)
        check_subject(name, request.subject)
        check_signing(request, self.settings)
        self.issue(request, seconds)

    def sign_many(self, names: Iterable[str], seconds: int | None = None) -> SignedMany:
        """Sign pending requests; one that is refused does not stop the others."""
        result = SignedMany()
        with self.directory.lock():
            for name in names:
                if not self.directory.has_request(name):
                    result.no_csr.append(name)
                    continue
                try:
                    self.sign_pending(name, seconds)
                except (RequestRefused, PuppetError) as error:
                    self.log(f"failed in bulk signing for entry {shown(name)}: {error}")
                    result.signing_errors[name] = str(error)
                else:
                    result.signed.append(name)
        if result.signed:
            self.log(f"signed {numbered_names(result.signed)}")
        return result

    def pending(self) -> list[str]:
        """Return the names of the nodes with a request."""
        return names_in(self.settings.csrdir)

    def issue(self, request: SigningRequest, seconds: int | None) -> x509.Certificate:
        """Sign a request, and remove it; needs the lock."""
        if seconds is None:
            renewing = self.settings.allow_auto_renewal and request.renews_itself
            settings = self.settings
            seconds = settings.auto_renewal_cert_ttl if renewing else settings.ca_ttl
        names = request.names
        own = x509.DNSName(request.subject)
        if own not in names:
            names.append(own)
        copied = [
            (one.value, one.critical)
            for one in request.extensions
            if not isinstance(one.value, x509.SubjectAlternativeName)
        ]
        certificate = self.certify(
            x509.Name(request.content.parsed.subject.get_attributes_for_oid(NameOID.COMMON_NAME)),
            request.key,
            names,
            copied,
            seconds,
        )
        self.keep(request.subject, certificate)
        remove(self.directory.request_path(request.subject))
        return certificate

    def certify(
        self,
        subject: x509.Name,
        key: CertificatePublicKeyTypes,
        names: Collection[x509.GeneralName],
        more: extensions.Extensions,
        seconds: int,
    ) -> x509.Certificate:
        """Return a certificate of a node with the next serial number; needs the lock."""
        signer = self.signer()
        serial = inventory.take_serial(self.settings)
        usual = extensions.of_node(key, signer.certificate, list(names))
        span = validity(self.clock(), seconds)
        return signer.sign(subject, key, serial, span, [*usual, *more])

    def keep(self, name: str, certificate: x509.Certificate) -> None:
        """Write a node's new certificate and its line in the inventory; needs the lock."""
        inventory.add(self.settings, certificate, name)
        write_public(self.directory.certificate_path(name) or "", pem(certificate))

    def delete_request(self, name: str) -> bool:
        """Remove a pending request; return whether there was one."""
        with self.directory.lock():
            return remove(self.directory.request_path(name))

    # -- certificates ----------------------------------------------------------------------------

    def revoke(self, names: Collection[str]) -> None:
        """Revoke all certificates of nodes that have not expired; raise Refused for a stranger.

        Nothing is revoked unless every name has had a certificate.
        """
        with self.directory.lock():
            self.revoke_serials(set().union(*map(self.serials_of, names)))
        self.log(f"revoked {numbered_names(names)}")

    def serials_of(self, name: str) -> set[int]:
        """Return the serial numbers of a node's valid certificates; raise Refused for a stranger."""
        if not self.is_issued(name):
            raise RequestRefused(
                f"Cannot revoke certificate for host {shown(name)} without a signed certificate"
            )
        found = inventory.valid_serials(self.settings, name, self.clock())
        if self.directory.has_certificate(name):
            path = self.directory.certificate_path(name) or ""
            found.add(read_certificate(path).serial_number)
        return found

    def revoke_serials(self, serials: set[int]) -> None:
        """Revoke certificates by their serial numbers; needs the lock."""
        self.add_to_list(self.settings.cacrl, serials)
        settings = self.settings
        if settings.enable_infra_crl and os.path.exists(settings.infra_node_serials_path):
            lines = filled_lines(settings.infra_node_serials_path)
            infra = {int(line) for line in lines if line.isdecimal()}
            self.add_to_list(settings.infra_crl_path, serials & infra)

    def add_to_list(self, path: str, serials: set[int]) -> None:
        """Write a revocation list with more serial numbers, unless it has them; needs the lock."""
        lists = read_revocation_lists(path)
        own = revocation.own_list(lists, self.signer().certificate, path)
        new = {serial for serial in serials if not revocation.is_revoked(own, serial)}
        if new:
            following = revocation.with_revoked(self.signer(), own, new, self.clock())
            self.replace_list(path, lists, own, following)

    def replace_list(
        self,
        path: str,
        lists: list[x509.CertificateRevocationList],
        old: x509.CertificateRevocationList,
        new: x509.CertificateRevocationList,
    ) -> None:
        """Write a file of revocation lists with another list of this authority, which comes first."""
        write_public(path, pem(new, *[one for one in lists if one is not old]))

    def delete(self, name: str) -> bool:
        """Remove a node's certificate and request; return whether there was one. Revokes nothing."""
        with self.directory.lock():
            certificate = remove(self.directory.certificate_path(name))
            request = remove(self.directory.request_path(name))
        return certificate or request

    def clean(self, names: Collection[str]) -> list[str]:
        """Revoke and remove the certificates of nodes; return the names that had none."""
        unique = list(dict.fromkeys(names))
        issued = [name for name in unique if self.is_issued(name)]
        if issued:
            self.revoke(issued)
            with self.directory.lock():
                for name in issued:
                    remove(self.directory.certificate_path(name))
        return [name for name in unique if name not in issued]

    def renew(self, der: bytes) -> x509.Certificate:
        """Return a new certificate for the key, name and extensions of a verified one.

        Raises Refused for a certificate that this authority did not issue, or has revoked.
        """
        try:
            old = x509.load_der_x509_certificate(der)
            old.verify_directly_issued_by(self.signer().certificate)
            copied = [one for one in old.extensions if one.oid.dotted_string not in OWN_IDENTIFIERS]
        except (*revocation.FAILURES, x509.DuplicateExtension):
            raise RequestRefused("Certificate present, but does not match signature") from None
        with self.directory.lock():
            if revocation.is_revoked(self.own_list(), old.serial_number):
                raise RequestRefused("Certificate present, but it is revoked")
            signer, name = self.signer(), common_name(old.subject)
            if self.directory.certificate_path(name) is None:
                raise RequestRefused("Subject hostname format is invalid")
            added: extensions.Extensions = [
                *[(one.value, one.critical) for one in copied],
                (extensions.issued_by(signer.certificate), False),
                (x509.SubjectKeyIdentifier.from_public_key(old.public_key()), False),
            ]
            serial = inventory.take_serial(self.settings)
            span = validity(self.clock(), self.settings.auto_renewal_cert_ttl)
            new = signer.sign(old.subject, old.public_key(), serial, span, added)
            self.keep(name, new)
        self.log(f"renewed certificate for {name}")
        return new

    # -- revocation lists ------------------------------------------------------------------------

    def update_lists(self, incoming: Iterable[x509.CertificateRevocationList]) -> None:
        """Replace the lists of the authorities above this one by newer ones.

        Raises PuppetError for lists that are invalid, or cannot be compared.
        """
        received = list(incoming)
        if any(is_delta(one) for one in received):
            raise issues.REFUSED_LISTS(reason="Cannot support delta CRL.")
        paths = [self.settings.cacrl]
        if self.settings.enable_infra_crl:
            paths.append(self.settings.infra_crl_path)
        signer = self.signer()
        with self.directory.lock():
            for path in paths:
                current = read_revocation_lists(path)
                own = revocation.own_list(current, signer.certificate, path)
                chain = revocation.newer_lists(current, own, received)
                revocation.check_chain(signer.certificate, signer.chain, chain, self.clock())
                write_public(path, pem(*chain))

    def refresh(self) -> bool:
        """Re-sign lists that expire within 30 days, or are not valid yet; return whether there was one.

        Certificates that had expired when the old list was signed are left out of the new one. Now
        is not asked: a clock that is years ahead for an hour must not end a revocation.
        """
        settings, now, done = self.settings, self.clock(), False
        paths = [settings.cacrl, *([settings.infra_crl_path] * settings.enable_infra_crl)]
        with self.directory.lock():
            for path in paths:
                lists = read_revocation_lists(path)
                own = revocation.own_list(lists, self.signer().certificate, path)
                if revocation.is_out_of_date(own, now):
                    expired = inventory.expired_serials(settings, min(now, own.last_update_utc))
                    new = revocation.without(self.signer(), own, expired, now)
                    self.replace_list(path, lists, own, new)
                    done = True
        return done


def numbered_names(names: Collection[str]) -> str:
    """Return names with their number, for the log.

    >>> numbered_names(["a"]), numbered_names(["a", "b"])
    ('1 certificate: a', '2 certificates: a, b')
    """
    noun = "certificate" if len(names) == 1 else "certificates"
    return f"{len(names)} {noun}: {', '.join(map(shown, names))}"


def common_name(name: x509.Name) -> str:
    """Return the common name of a subject or an issuer; empty text without one."""
    found = name.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(found[-1].value) if found else ""


def is_delta(one: x509.CertificateRevocationList) -> bool:
    """Return whether a list has only the changes since another."""
    try:
        one.extensions.get_extension_for_class(x509.DeltaCRLIndicator)
    except (x509.ExtensionNotFound, ValueError):
        return False
    return True
