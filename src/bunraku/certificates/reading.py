"""Certificates, revocation lists and requests in PEM files."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import TypeVar

from cryptography import x509

from bunraku.base.errors import Issue
from bunraku.base.file_reading import read_whole
from bunraku.certificates import issues
from bunraku.certificates.received_requests import (
    FAILURES,
    ReceivedRequest,
    first_sentence,
    load_request,
)

T = TypeVar("T")
CERTIFICATE = re.compile(
    rb"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\r?\n?", re.DOTALL
)
REVOCATION_LIST = re.compile(rb"-----BEGIN X509 CRL-----.*?-----END X509 CRL-----\r?\n?", re.DOTALL)
REQUEST = re.compile(
    rb"-----BEGIN (NEW )?CERTIFICATE REQUEST-----.*?-----END (NEW )?CERTIFICATE REQUEST-----\r?\n?",
    re.DOTALL,
)

# Names longer than X.509 allows are refused by the rules of the authority; the library warns, too.
warnings.filterwarnings("ignore", "Attribute's length must be", UserWarning)


class NotPem(ValueError):
    """Raised for a text that has not the objects it should have; the message says why."""


def certificates_in(content: bytes) -> list[x509.Certificate]:
    """Return all certificates in a PEM text; raise NotPem if there is none or one is malformed."""
    return all_in(content, CERTIFICATE, x509.load_pem_x509_certificate, "certificate")


def revocation_lists_in(content: bytes) -> list[x509.CertificateRevocationList]:
    """Return all revocation lists in a PEM text; raise NotPem if there is none or one is malformed."""
    return all_in(content, REVOCATION_LIST, x509.load_pem_x509_crl, "revocation list")


def request_in(content: bytes) -> ReceivedRequest:
    """Return the first signing request in a PEM text; raise NotPem if there is none."""
    return all_in(content, REQUEST, load_request, "certificate request", first=True)[0]


def all_in(
    content: bytes,
    pattern: re.Pattern[bytes],
    load: Callable[[bytes], T],
    what: str,
    *,
    first: bool = False,
) -> list[T]:
    """Return the objects between the markers of a PEM text, or the first alone."""
    found = [one[0] for one in pattern.finditer(content)]
    if not found:
        raise NotPem(f"it has no {what} in PEM form")
    try:
        return [load(one) for one in (found[:1] if first else found)]
    except FAILURES as error:
        raise NotPem(f"malformed {what}: {first_sentence(error)}") from None


def read_certificates(path: str) -> list[x509.Certificate]:
    """Return all certificates in a file; raise PuppetError if it has none or cannot be read."""
    return read_pem(path, certificates_in, "certificate")


def read_certificate(path: str) -> x509.Certificate:
    """Return the first certificate in a file; raise PuppetError if it has none."""
    return read_certificates(path)[0]


def read_revocation_lists(path: str) -> list[x509.CertificateRevocationList]:
    """Return all revocation lists in a file; raise PuppetError if it has none."""
    return read_pem(path, revocation_lists_in, "revocation list")


def read_pem(path: str, read: Callable[[bytes], T], what: str) -> T:
    """Return what a function reads from a file; raise PuppetError with the path."""
    try:
        return read(read_whole(path))
    except OSError as error:
        failed: Issue = issues.UNREADABLE_FILE
        reason, what = error.strerror or str(error), f"the {what}"
    except NotPem as error:
        failed, reason = issues.INVALID_CONTENT, str(error)
    raise failed(what=what, path=path, reason=reason)
