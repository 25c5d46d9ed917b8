"""Certificates, revocation lists and keys: their times, their issuer, and whether they fit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from cryptography import x509

from bunraku.base.errors import PuppetError
from bunraku.certificates.keys import same_key
from bunraku.certificates.reading import NotPem, certificates_in, revocation_lists_in
from bunraku.certificates.ssl_directory import SslDirectory
from bunraku.certificates.verification import issuer_of, subject_text
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined, date, few_names

SOON = dt.timedelta(days=30)
RENEW = "bunraku ssl renew_cert renews it while it is valid; after that: bunraku ssl clean, then bunraku agent --test"
REPLACE = "make another authority: move its directory away, then bunraku ca setup; every node needs another certificate then"
NTP = "check the clock of this machine: timedatectl status"
REQUEST = "remove the certificate with bunraku ssl clean, and request another one with bunraku agent --test"
EXPIRED = Fault("certificate-expired", "error", "the certificate {name} expired on {date}", "{how}")
EXPIRES = Fault(
    "certificate-expires", "warning", "the certificate {name} expires on {date}", "{how}"
)
NOT_YET = Fault(
    "certificate-not-yet-valid", "error", "the certificate {name} is valid from {date} only", NTP
)
UNREADABLE = Fault("certificate-unreadable", "error", "not a certificate or key: {reason}", REQUEST)
FOREIGN = Fault("certificate-not-of-authority", "error", "{reason}", REQUEST)
REVOKED = Fault("certificate-revoked", "error", "the certificate {name} is revoked", REQUEST)
MISMATCH = Fault(
    "key-does-not-fit", "error", "the certificate {name} is not that of the key {key}", REQUEST
)
UNSIGNED = Fault(
    "certificate-missing",
    "error",
    "the agent has a key and no certificate {place}",
    "sign its request on the authority: bunraku ca sign --certname {name}",
)
LIST_EXPIRED = Fault(
    "crl-expired",
    "error",
    "the revocation list of {name} expired on {date}",
    "on the authority: bunraku ca prune --remove-expired, or a running server, signs it again; on an agent: rm {place}, its next run gets it",
)
LIST_NOT_YET = Fault(
    "crl-not-yet-valid", "error", "the revocation list of {name} is valid from {date} only", NTP
)
LIST_EXPIRES = Fault(
    "crl-expires", "warning", "the revocation list of {name} expires on {date}", LIST_EXPIRED.hint
)
OF_NODES = Fault(
    "node-certificates-expire",
    "warning",
    "signed certificates expire within 30 days ({count}): {names}",
    "on the node: bunraku ssl renew_cert while it is valid; after that, bunraku ca clean --certname NAME here, and bunraku ssl clean, then bunraku agent --test there",
)
PENDING = Fault(
    "requests-pending",
    "warning",
    "certificate requests wait ({count}): {names}",
    "bunraku ca list shows them, bunraku ca sign --certname NAME signs one",
)


def check_authority(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find faults of the authority's certificate, its revocation list and what it has signed."""
    if not machine.has_authority:
        yield Gap("authority", f"no directory {machine.of_server('cadir')}", absent=True)
        return
    yield from check_file(machine, machine.of_server("cacert"), REPLACE)
    yield from check_list(machine, machine.of_server("cacrl"))
    yield from check_signed(machine)
    folder = machine.of_server("csrdir")
    waiting = [name[:-4] for name in machine.names(folder) if name.endswith(".pem")]
    if waiting:
        yield PENDING.at(folder, count=len(waiting), names=few_names(waiting))


def check_signed(machine: Examined) -> Iterator[FoundFault]:
    """Find certificates of nodes that expire soon."""
    folder = machine.of_server("signeddir")
    own = f"{machine.of_server('certname')}.pem"
    late = []
    for name in machine.names(folder):
        if name.endswith(".pem") and name != own:
            found = certificates_of(machine, f"{folder}/{name}")
            if found and found[0].not_valid_after_utc < machine.now + SOON:
                late.append(name[:-4])
    if late:
        yield OF_NODES.at(folder, count=len(late), names=few_names(late))


def check_host(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find faults of the certificate and the key of this machine."""
    path, key = machine.of_agent("hostcert"), machine.of_agent("hostprivkey")
    yield from check_copies(machine)
    if machine.status(path) is None:
        if machine.status(key) is None:
            yield Gap("certificate of this machine", f"no file {path}", absent=True)
        else:
            yield UNSIGNED.at(path, name=machine.of_agent("certname"))
        return
    faults = [*check_file(machine, path)]
    yield from faults
    if not any(one.code == UNREADABLE.code for one in faults):
        yield from check_issuer(machine, path)
        yield from check_host_key(machine, path, key)


def check_copies(machine: Examined) -> Iterator[FoundFault]:
    """Find faults of the agent's copies of the authority's certificate and revocation list."""
    authority, crl = machine.of_agent("localcacert"), machine.of_agent("hostcrl")
    if machine.status(authority) is not None:
        yield from check_file(machine, authority, REPLACE)
    if machine.status(crl) is not None:
        yield from check_list(machine, crl)


def check_issuer(machine: Examined, path: str) -> Iterator[FoundFault | Gap]:
    """Find a certificate that the authority has not signed, or has revoked."""
    authority, crl = machine.of_agent("localcacert"), machine.of_agent("hostcrl")
    certificate = certificates_of(machine, path)[0]
    if machine.status(authority) is None:
        yield Gap("issuer of the certificate", f"no file {authority}")
        return
    try:
        issuer_of(certificate, certificates_of(machine, authority))
    except PuppetError as error:
        yield FOREIGN.at(path, reason=str(error))
    if machine.status(crl) is None:
        yield Gap("revocation list", f"no file {crl}", absent=True)
        return
    for one in lists_of(machine, crl):
        number = certificate.serial_number
        if one.issuer == certificate.issuer and one.get_revoked_certificate_by_serial_number(
            number
        ):
            yield REVOKED.at(path, name=subject_text(certificate.subject))


def check_host_key(machine: Examined, path: str, key: str) -> Iterator[FoundFault | Gap]:
    """Find a key that is missing or belongs to another certificate."""
    directory = SslDirectory(machine.host, machine.of_agent("certname"), machine.agent)
    certificate = certificates_of(machine, path)[0]
    try:
        machine.host.read(key)
        own = directory.key()
    except FileNotFoundError:
        yield UNREADABLE.at(key, reason="the file does not exist")
        return
    except OSError as error:
        yield Gap("key of this machine", f"{key}: {error.strerror}")
        return
    except PuppetError as error:
        yield UNREADABLE.at(key, reason=str(error))
        return
    if own is not None and not same_key(certificate.public_key(), own.public_key()):
        yield MISMATCH.at(path, name=subject_text(certificate.subject), key=key)


def check_file(machine: Examined, path: str, how: str = RENEW) -> Iterator[FoundFault]:
    """Find certificates in a file that are not valid now, or not much longer."""
    try:
        found = certificates_in(machine.host.read(path))
    except FileNotFoundError:
        yield UNREADABLE.at(path, reason="the file does not exist")
        return
    except NotPem as error:
        yield UNREADABLE.at(path, reason=str(error))
        return
    for one in found:
        name, end = subject_text(one.subject), one.not_valid_after_utc
        if machine.now < one.not_valid_before_utc:
            yield NOT_YET.at(path, name=name, date=date(one.not_valid_before_utc))
        elif end < machine.now + SOON:
            fault = EXPIRED if end < machine.now else EXPIRES
            yield fault.at(path, name=name, date=date(end), how=how)


def check_list(machine: Examined, path: str) -> Iterator[FoundFault]:
    """Find revocation lists that are not valid now, or not much longer."""
    try:
        found = revocation_lists_in(machine.host.read(path))
    except FileNotFoundError:
        yield UNREADABLE.at(path, reason="the file does not exist")
        return
    except NotPem as error:
        yield UNREADABLE.at(path, reason=str(error))
        return
    for one in found:
        end = one.next_update_utc
        if machine.now < one.last_update_utc:
            yield LIST_NOT_YET.at(
                path, name=subject_text(one.issuer), date=date(one.last_update_utc)
            )
        if end is not None and end < machine.now + SOON:
            fault = LIST_EXPIRED if end < machine.now else LIST_EXPIRES
            yield fault.at(path, name=subject_text(one.issuer), date=date(end))


def certificates_of(machine: Examined, path: str) -> Sequence[x509.Certificate]:
    """Return the certificates in a file, none if it has none. Raise OSError."""
    try:
        return certificates_in(machine.host.read(path))
    except NotPem:
        return []


def lists_of(machine: Examined, path: str) -> Sequence[x509.CertificateRevocationList]:
    """Return the revocation lists in a file, none if it has none. Raise OSError."""
    try:
        return revocation_lists_in(machine.host.read(path))
    except NotPem:
        return []
