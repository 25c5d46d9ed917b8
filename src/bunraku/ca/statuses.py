"""The status of certificates and requests, as the interface and ``bunraku ca list`` report it."""

from __future__ import annotations

import hashlib
import re
from typing import TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.ca.extensions import alternative_names, names_text
from bunraku.ca.inventory import inventory_time
from bunraku.ca.revocation import is_revoked
from bunraku.certificates.names import AUTHORIZATION_ARC, is_below, short_name
from bunraku.certificates.received_requests import FAILURES, ReceivedRequest
from bunraku.certificates.values import decoded

Status: TypeAlias = "dict[str, str | int | list[str] | dict[str, str]]"
Subject: TypeAlias = "x509.Certificate | ReceivedRequest"

ALGORITHMS = ("SHA1", "SHA256", "SHA512")
DEFAULT = "SHA256"


def certificate_status(
    name: str, subject: Subject, revoked: x509.CertificateRevocationList
) -> Status:
    """Return the status of a certificate or a request."""
    extensions = extensions_of(subject)
    names = alternative_names(extensions)
    fingerprints = {name: fingerprint(subject, name) for name in ALGORITHMS}
    status: Status = {
        "name": name,
        "state": certificate_state(subject, revoked),
        "dns_alt_names": [text for text in names_text(names) if text.startswith("DNS:")],
        "subject_alt_names": list(names_text(names)),
        "authorization_extensions": authorizations(extensions),
        "fingerprint": fingerprints[DEFAULT],
        "fingerprints": {**fingerprints, "default": fingerprints[DEFAULT]},
    }
    if isinstance(subject, x509.Certificate):
        status["not_after"] = inventory_time(subject.not_valid_after_utc)
        status["not_before"] = inventory_time(subject.not_valid_before_utc)
        status["serial_number"] = subject.serial_number
    return status


def certificate_state(subject: Subject, revoked: x509.CertificateRevocationList) -> str:
    """Return ``requested``, ``signed`` or ``revoked``."""
    if not isinstance(subject, x509.Certificate):
        return "requested"
    return "revoked" if is_revoked(revoked, subject.serial_number) else "signed"


def extensions_of(subject: Subject) -> list[x509.Extension[x509.ExtensionType]]:
    """Return the extensions; none if they are malformed, so one file does not hide others."""
    try:
        return list(subject.extensions)
    except FAILURES:
        return []


def authorizations(extensions: list[x509.Extension[x509.ExtensionType]]) -> dict[str, str]:
    """Return the extensions that authorize, by short name."""
    return {
        short_name(one.oid.dotted_string): str(decoded(one.value.public_bytes()))
        for one in extensions
        if is_below(AUTHORIZATION_ARC, one.oid.dotted_string)
    }


def fingerprint(subject: Subject, algorithm: str = DEFAULT) -> str:
    """Return the digest of a certificate or a request in DER form: ``AB:CD:…``."""
    der = subject.public_bytes(Encoding.DER)
    digest = hashlib.new(algorithm, der, usedforsecurity=False).hexdigest()
    return ":".join(re.findall("..", digest.upper()))
