"""A certificate as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.certificates.names import short_name
from bunraku.certificates.values import decoded
from bunraku.certificates.verification import fingerprint, subject_text


def certificate_text(certificate: x509.Certificate) -> str:
    """Return the names, times, key and extensions of a certificate, one per line."""
    digest = fingerprint(certificate.public_bytes(Encoding.DER))
    lines = [
        "Certificate:",
        f"    Serial Number: {certificate.serial_number}",
        f"    Issuer: {subject_text(certificate.issuer)}",
        f"    Not Before: {certificate.not_valid_before_utc:%Y-%m-%d %H:%M:%S UTC}",
        f"    Not After : {certificate.not_valid_after_utc:%Y-%m-%d %H:%M:%S UTC}",
        f"    Subject: {subject_text(certificate.subject)}",
        f"    Public Key: {key_text(certificate)}",
        f"    Fingerprint (SHA256): {digest}",
        *(f"    {line}" for line in extension_lines(certificate)),
    ]
    return "\n".join(lines) + "\n"


def key_text(certificate: x509.Certificate) -> str:
    """Return the kind and the size of the key of a certificate."""
    key = certificate.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        return f"RSA, {key.key_size} bits"
    if isinstance(key, ec.EllipticCurvePublicKey):
        return f"EC, {key.curve.name}"
    return type(key).__name__


def extension_lines(certificate: x509.Certificate) -> Iterator[str]:
    """Yield the extensions with a value that people read."""
    for extension in certificate.extensions:
        value = extension.value
        critical = " (critical)" if extension.critical else ""
        if isinstance(value, x509.SubjectAlternativeName):
            names = ", ".join(str(one.value) for one in value)
            yield f"Subject Alternative Name{critical}: {names}"
        elif isinstance(value, x509.BasicConstraints):
            yield f"Basic Constraints{critical}: CA:{str(value.ca).upper()}"
        elif isinstance(value, x509.UnrecognizedExtension):
            oid = value.oid.dotted_string
            yield f"{short_name(oid)}{critical}: {decoded(value.value)}"
