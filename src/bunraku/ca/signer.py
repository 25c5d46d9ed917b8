"""The certificate and the key that sign, and their chain."""

from __future__ import annotations

import datetime as dt
import os

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.records import record
from bunraku.ca import issues
from bunraku.ca.extensions import DIGEST, Extensions
from bunraku.ca.settings import AuthoritySettings
from bunraku.certificates.keys import PrivateKey, read_private_key, same_key
from bunraku.certificates.reading import read_certificates

EARLIER = dt.timedelta(days=1)
"""Certificates begin a day back, for machines whose clocks are slow."""
REQUIRED = ("cacert", "cacrl", "cakey", "cert_inventory", "serial")
"""Settings whose files an authority must have."""


@record(frozen=True)
class Signer:
    """The certificate that signs, its key, and all certificates of the chain."""

    certificate: x509.Certificate
    key: PrivateKey
    chain: tuple[x509.Certificate, ...]

    def sign(
        self,
        subject: x509.Name,
        key: CertificatePublicKeyTypes,
        serial: int,
        validity: tuple[dt.datetime, dt.datetime],
        extensions: Extensions,
    ) -> x509.Certificate:
        """Return a certificate for a subject and its key."""
        return signed(
            self.key, self.certificate.subject, subject, key, serial, validity, extensions
        )


def signed(
    signing_key: PrivateKey,
    issuer: x509.Name,
    subject: x509.Name,
    key: CertificatePublicKeyTypes,
    serial: int,
    validity: tuple[dt.datetime, dt.datetime],
    extensions: Extensions,
) -> x509.Certificate:
    """Return a certificate for a subject and its key."""
    begin, end = validity
    builder = x509.CertificateBuilder(issuer, subject, key, serial, begin, end)
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    return builder.sign(signing_key, DIGEST)


def load_signer(settings: AuthoritySettings) -> Signer:
    """Return the signer of an authority; raise PuppetError if there is none."""
    require(settings)
    chain = tuple(read_certificates(settings.cacert))
    key = read_private_key(settings.cakey)
    for one in chain:
        if same_key(one.public_key(), key.public_key()):
            return Signer(one, key, chain)
    raise issues.NO_SIGNER(cacert=settings.cacert, cakey=settings.cakey)


def require(settings: AuthoritySettings) -> None:
    """Raise PuppetError if the directory has no authority, or a part of one."""
    missing = missing_files(settings)
    if len(missing) == len(REQUIRED):
        raise issues.NO_AUTHORITY(cadir=settings.cadir)
    if missing:
        raise issues.PARTIAL(cadir=settings.cadir, missing=", ".join(missing))


def missing_files(settings: AuthoritySettings) -> list[str]:
    """Return the paths of the required files that are absent."""
    paths = [str(getattr(settings, name)) for name in REQUIRED]
    return [path for path in paths if not os.path.exists(path)]


def exists(settings: AuthoritySettings) -> bool:
    """Return whether the directory has an authority; raise PuppetError for a part of one."""
    if len(missing_files(settings)) == len(REQUIRED):
        return False
    require(settings)
    return True


def validity(now: dt.datetime, seconds: int) -> tuple[dt.datetime, dt.datetime]:
    """Return the time of validity of a certificate that is issued now."""
    now = now.replace(microsecond=0)
    return now - EARLIER, now + dt.timedelta(seconds=seconds)


def pem(*objects: x509.Certificate | x509.CertificateRevocationList) -> bytes:
    """Return certificates or revocation lists in PEM form."""
    return b"".join(one.public_bytes(Encoding.PEM) for one in objects)
