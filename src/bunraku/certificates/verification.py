"""Whether a certificate is valid: its chain to the authority, its times, and the revocation lists."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from bunraku.base.errors import PuppetError
from bunraku.certificates import issues
from bunraku.certificates.keys import PrivateKey, same_key

Certificates = Sequence[x509.Certificate]
Lists = Sequence[x509.CertificateRevocationList]
SIGNING = (rsa.RSAPublicKey, ec.EllipticCurvePublicKey)
"""The keys of authorities that are supported."""
DIGESTS = ("sha256", "sha384", "sha512", "sha224", "sha1", "md5")


def fingerprint(content: bytes, algorithm: str = "SHA256") -> str:
    """Return a digest as Puppet shows it; ValueError for an unknown algorithm.

    >>> fingerprint(b"")[:17], fingerprint(b"", "sha1")[:5]
    ('E3:B0:C4:42:98:FC', 'DA:39')
    """
    name = algorithm.lower()
    if name not in DIGESTS:
        raise ValueError(f"unknown digest '{algorithm}'; use one of {', '.join(DIGESTS)}")
    return hashlib.new(name, content, usedforsecurity=False).digest().hex(":").upper()


def subject_text(name: x509.Name) -> str:
    """Return a name as Puppet shows it, such as ``CN=web1``."""
    return name.rfc4514_string()


def chain_of(
    certificate: x509.Certificate,
    authorities: Certificates,
    lists: Lists,
    now: dt.datetime,
    *,
    revocation: str | bool = "chain",
) -> list[x509.Certificate]:
    """Return a certificate and those of its issuers up to a root; PuppetError if one is invalid.

    ``revocation`` is the setting certificate_revocation: ``chain``, ``leaf`` or False.
    """
    chain = [certificate]
    check_times(certificate, now)
    while chain[-1].issuer != chain[-1].subject:
        child = chain[-1]
        issuer = issuer_of(child, authorities)
        check_times(issuer, now)
        if revocation == "chain" or (revocation == "leaf" and len(chain) == 1):
            check_revocation(child, issuer, lists, now)
        chain.append(issuer)
    return chain


def issuer_of(certificate: x509.Certificate, authorities: Certificates) -> x509.Certificate:
    """Return the certificate of the issuer of a certificate; PuppetError if there is none."""
    named = [one for one in authorities if one.subject == certificate.issuer]
    subject = subject_text(certificate.subject)
    for issuer in named:
        try:
            certificate.verify_directly_issued_by(issuer)
        except (InvalidSignature, ValueError, TypeError):
            continue
        return issuer
    if named:
        raise invalid(f"Invalid signature for certificate '{subject}'")
    issuer_name = subject_text(certificate.issuer)
    raise invalid(f"The issuer '{issuer_name}' of certificate '{subject}' is missing")


def check_times(certificate: x509.Certificate, now: dt.datetime) -> None:
    """Raise PuppetError for a certificate that is not valid at a time."""
    subject = subject_text(certificate.subject)
    if now < certificate.not_valid_before_utc:
        raise invalid(f"The certificate '{subject}' is not yet valid, verify time is synchronized")
    if now > certificate.not_valid_after_utc:
        raise invalid(f"The certificate '{subject}' has expired, verify time is synchronized")


def check_revocation(
    certificate: x509.Certificate, issuer: x509.Certificate, lists: Lists, now: dt.datetime
) -> None:
    """Raise PuppetError for a revoked certificate, or without a valid list of its issuer."""
    name = subject_text(issuer.subject)
    own = next((one for one in lists if one.issuer == issuer.subject), None)
    if own is None:
        raise invalid(f"The CRL issued by '{name}' is missing")
    key = issuer.public_key()
    if not isinstance(key, SIGNING) or not own.is_signature_valid(key):
        raise invalid(f"Invalid signature for CRL issued by '{name}'")
    if now < own.last_update_utc:
        raise invalid(f"The CRL issued by '{name}' is not yet valid, verify time is synchronized")
    if own.next_update_utc is not None and now > own.next_update_utc:
        raise invalid(f"The CRL issued by '{name}' has expired, verify time is synchronized")
    if own.get_revoked_certificate_by_serial_number(certificate.serial_number) is not None:
        raise invalid(f"Certificate '{subject_text(certificate.subject)}' is revoked")


def check_key(certificate: x509.Certificate, key: PrivateKey, certname: str) -> None:
    """Raise PuppetError, with advice, if a certificate is not that of a private key."""
    if not same_key(certificate.public_key(), key.public_key()):
        subject = subject_text(certificate.subject)
        raise issues.MISMATCHED_KEY(subject=subject, certname=certname)


def invalid(reason: str) -> PuppetError:
    """Return the error for a certificate that is not valid."""
    return issues.INVALID_CERTIFICATE(reason=reason)
