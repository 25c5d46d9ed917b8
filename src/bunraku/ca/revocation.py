"""Revocation lists: that of the authority first, then those of the authorities above it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.ca import issues
from bunraku.ca.extensions import DIGEST, key_identifier
from bunraku.ca.signer import EARLIER, Signer

List: TypeAlias = "x509.CertificateRevocationList"

LIFETIME = dt.timedelta(days=5 * 365)
FAILURES = (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm)
"""Errors for a wrong name, a wrong signature, and keys that are not supported."""
SIGNING_KEYS = (
    rsa.RSAPublicKey,
    ec.EllipticCurvePublicKey,
    ed25519.Ed25519PublicKey,
    ed448.Ed448PublicKey,
)
SigningKey: TypeAlias = (
    "rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | ed448.Ed448PublicKey"
)
WINDOW = dt.timedelta(days=30)
"""A list that expires sooner is re-signed."""


def new_list(
    signer: Signer,
    now: dt.datetime,
    revoked: Iterable[x509.RevokedCertificate],
    number: int,
    lifetime: dt.timedelta = LIFETIME,
) -> List:
    """Return a signed revocation list."""
    now = now.replace(microsecond=0)
    # Entries are passed at once: the method of the builder that adds one copies all others.
    builder = x509.CertificateRevocationListBuilder(
        signer.certificate.subject, now - EARLIER, now + lifetime, [], list(revoked)
    )
    identifier = x509.AuthorityKeyIdentifier(key_identifier(signer.certificate), None, None)
    return (
        builder.add_extension(identifier, critical=False)
        .add_extension(x509.CRLNumber(number), critical=False)
        .sign(signer.key, DIGEST)
    )


def entry(serial: int, now: dt.datetime) -> x509.RevokedCertificate:
    """Return the entry of a certificate that is revoked now."""
    builder = x509.RevokedCertificateBuilder().serial_number(serial)
    return builder.revocation_date(now.replace(microsecond=0)).build()


def list_number(one: List) -> int:
    """Return the number of a list; 0 for one without."""
    try:
        return one.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number
    except (x509.ExtensionNotFound, ValueError):
        return 0


def issuer_key(one: List) -> bytes | None:
    """Return the identifier of the key that signed a list, if the list has it."""
    try:
        found = one.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier)
    except (x509.ExtensionNotFound, ValueError):
        return None
    return found.value.key_identifier


def own_list(lists: Sequence[List], certificate: x509.Certificate, path: str) -> List:
    """Return the list that an authority issued; raise PuppetError if there is none."""
    for one in lists:
        if is_issued_by(one, certificate):
            return one
    raise issues.NO_LIST(cacrl=path, issuer=certificate.subject.rfc4514_string())


def is_issued_by(one: List, certificate: x509.Certificate) -> bool:
    """Return whether an authority issued a list."""
    if one.issuer != certificate.subject:
        return False
    identifier = issuer_key(one)
    return identifier is None or identifier == key_identifier(certificate)


def is_revoked(one: List, serial: int) -> bool:
    """Return whether a list has a serial number."""
    return one.get_revoked_certificate_by_serial_number(serial) is not None


def with_revoked(signer: Signer, one: List, serials: Collection[int], now: dt.datetime) -> List:
    """Return the next list of an authority, with more serial numbers."""
    added = [entry(serial, now) for serial in sorted(serials)]
    return new_list(signer, now, [*one, *added], list_number(one) + 1)


def without(signer: Signer, one: List, serials: Collection[int], now: dt.datetime) -> List:
    """Return the next list of an authority, without some serial numbers."""
    kept = [entry for entry in one if entry.serial_number not in serials]
    return new_list(signer, now, kept, list_number(one) + 1)


def is_out_of_date(one: List, now: dt.datetime) -> bool:
    """Return whether a list must be re-signed: it expires soon, or is not valid yet.

    The second comes from a clock that was ahead; TLS refuses every client by such a list.
    """
    until = one.next_update_utc
    return one.last_update_utc > now or (until is not None and until < now + WINDOW)


# -- the chain ---------------------------------------------------------------------------------------


def newer_lists(current: Sequence[List], own: List, incoming: Iterable[List]) -> list[List]:
    """Return a chain with those of the incoming lists that are newer; never replaces the own list.

    Raises PuppetError for lists that cannot be compared.
    """
    submitted: dict[bytes, list[List]] = {}
    for one in distinct_lists(incoming):
        identifier = issuer_key(one)
        if identifier is None:
            reason = "One or more submitted CRLs do not have an authority key identifier."
            raise issues.REFUSED_LISTS(reason=reason)
        submitted.setdefault(identifier, []).append(one)
    others = [one for one in current if one is not own]
    return [own, *[newest(one, submitted.get(issuer_key(one) or b"", [])) for one in others]]


def distinct_lists(lists: Iterable[List]) -> list[List]:
    """Return lists without duplicates."""
    return list({one.public_bytes(Encoding.DER): one for one in lists}.values())


def newest(present: List, incoming: Iterable[List]) -> List:
    """Return the list with the highest number; raise PuppetError if two others share it."""
    candidates = distinct_lists([present, *incoming])
    highest = max(list_number(one) for one in candidates)
    found = [one for one in candidates if list_number(one) == highest]
    if len(found) > 1:
        raise issues.REFUSED_LISTS(reason="Could not determine newest CRL.")
    return found[0]


def check_chain(
    leaf: x509.Certificate,
    chain: Iterable[x509.Certificate],
    lists: Sequence[List],
    now: dt.datetime,
) -> None:
    """Raise PuppetError unless a chain leads from an authority to a root without a revoked certificate."""
    known = list(chain)
    current, seen = leaf, 0
    while True:
        check_time(current, now)
        issuer = issuer_among(current, known)
        check_not_revoked(current, issuer, lists, now)
        if issuer == current:
            return
        current, seen = issuer, seen + 1
        if seen > len(known):
            raise issues.BAD_CHAIN(reason="the chain of certificates has a cycle")


def check_time(certificate: x509.Certificate, now: dt.datetime) -> None:
    """Raise PuppetError for a certificate that is not valid now."""
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        raise issues.BAD_CHAIN(reason=f"{name_of(certificate)} has expired or is not valid yet")


def issuer_among(
    certificate: x509.Certificate, known: Iterable[x509.Certificate]
) -> x509.Certificate:
    """Return the certificate that issued another; raise PuppetError if it is missing."""
    for one in known:
        try:
            certificate.verify_directly_issued_by(one)
        except FAILURES:
            continue
        if is_authority(one):
            return one
    raise issues.BAD_CHAIN(reason=f"no certificate of the issuer of {name_of(certificate)}")


def is_authority(certificate: x509.Certificate) -> bool:
    """Return whether a certificate is one of an authority."""
    try:
        found = certificate.extensions.get_extension_for_class(x509.BasicConstraints)
    except (x509.ExtensionNotFound, ValueError):
        return False
    return found.value.ca


def check_not_revoked(
    certificate: x509.Certificate,
    issuer: x509.Certificate,
    lists: Iterable[List],
    now: dt.datetime,
) -> None:
    """Raise PuppetError unless a valid list of the issuer does not have a certificate."""
    key = issuer.public_key()
    for one in lists:
        if is_issued_by(one, issuer) and has_signature_of(one, key):
            if is_revoked(one, certificate.serial_number):
                raise issues.BAD_CHAIN(reason=f"{name_of(certificate)} is revoked")
            if one.next_update_utc is not None and one.next_update_utc < now:
                raise issues.BAD_CHAIN(reason=f"the list of {name_of(issuer)} has expired")
            return
    raise issues.BAD_CHAIN(reason=f"no revocation list of {name_of(issuer)}")


def has_signature_of(one: List, key: object) -> bool:
    """Return whether a key signed a list."""
    return isinstance(key, SIGNING_KEYS) and one.is_signature_valid(key)


def name_of(certificate: x509.Certificate) -> str:
    """Return the subject of a certificate for a message."""
    return f"'{certificate.subject.rfc4514_string()}'"
