"""Signing requests as they were received, of any version that clients write.

PKCS #10 (RFC 2986) has one version, whose number is 0. The gem ``puppetserver-ca`` writes 2, and
puppetserver signs such requests. ``cryptography`` reads version 0 alone: it gets a copy with that
number, and the signature is checked over the original bytes.
"""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import HashAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.records import record

SEQUENCE, INTEGER = 0x30, 0x02
LONG_FORM = 0x80
"""The bit of a length that says how many bytes have it; shorter lengths are in the byte itself."""
VERSIONS = (0, 1, 2)
"""The version numbers that are accepted."""
BODY = re.compile(rb"-----BEGIN [A-Z ]+-----(.*?)-----END [A-Z ]+-----", re.DOTALL)
FAILURES = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    x509.DuplicateExtension,
    x509.InvalidVersion,
    x509.UnsupportedGeneralNameType,
)
"""Errors of the library for content that it cannot read, when an object or a part of it is read."""

PARSE_ERROR = "error parsing asn1 value"


def first_sentence(error: Exception) -> str:
    """Return the first sentence of an error of the library.

    >>> first_sentence(ValueError("error parsing asn1 value: ParseError { kind: ExtraData }"))
    'its DER encoding is wrong'
    """
    text = re.split(r"\.? *\n|\. ", str(error))[0]
    return "its DER encoding is wrong" if text.startswith(PARSE_ERROR) else text


@record(frozen=True)
class ReceivedRequest:
    """A signing request: the original bytes, and what the library reads of them."""

    content: bytes
    """The request in DER form."""
    parsed: x509.CertificateSigningRequest
    """The same request, with version 0."""

    @property
    def extensions(self) -> x509.Extensions:
        """The requested extensions; one of FAILURES is raised if they cannot be read."""
        return self.parsed.extensions

    def public_bytes(self, encoding: Encoding) -> bytes:
        """Return the request in DER or PEM form, as it was received."""
        if encoding is Encoding.DER:
            return self.content
        lines = base64.encodebytes(self.content).replace(b"\n", b"")
        body = b"\n".join(lines[at : at + 64] for at in range(0, len(lines), 64))
        return (
            b"-----BEGIN CERTIFICATE REQUEST-----\n%b\n-----END CERTIFICATE REQUEST-----\n" % body
        )

    @property
    def is_signature_valid(self) -> bool:
        """Whether the request is signed with the key in it; False for unknown algorithms."""
        try:
            verify(self.parsed, signed_part(self.content))
        except (*FAILURES, InvalidSignature):
            return False
        return True

    @property
    def digest(self) -> HashAlgorithm | None:
        """The digest of the signature; None for algorithms without one and unknown ones."""
        try:
            return self.parsed.signature_hash_algorithm
        except FAILURES:
            return None


def load_request(pem: bytes) -> ReceivedRequest:
    """Return the request in a PEM block; raise one of FAILURES for other content."""
    body = BODY.search(pem)
    if body is None:
        raise ValueError("it has no body")
    content = base64.b64decode(b"".join(body[1].split()), validate=True)
    version = version_of(content)
    if version.number not in VERSIONS:
        raise ValueError(f"version {version.number} is not one of {', '.join(map(str, VERSIONS))}")
    zero = content[: version.end - 1] + b"\0" + content[version.end :]
    return ReceivedRequest(content, x509.load_der_x509_csr(zero))


class Version(NamedTuple):
    """The version number of a request and where its last byte ends."""

    number: int
    end: int


def version_of(content: bytes) -> Version:
    """Return the version of a request in DER form; raise ValueError for other content."""
    part, _ = element(content, 0, SEQUENCE)
    fields, _ = element(content, part, SEQUENCE)
    start, end = element(content, fields, INTEGER)
    if end - start != 1:
        raise ValueError("its version is not a small number")
    return Version(content[start], end)


def signed_part(content: bytes) -> bytes:
    """Return the part of a request that is signed (``CertificationRequestInfo``)."""
    start, _ = element(content, 0, SEQUENCE)
    _, end = element(content, start, SEQUENCE)
    return content[start:end]


def element(content: bytes, at: int, tag: int) -> tuple[int, int]:
    """Return where the content of an element of DER begins and ends; raise ValueError for another tag.

    >>> element(b"\\x30\\x03\\x02\\x01\\x07", 0, SEQUENCE)
    (2, 5)
    """
    if content[at : at + 1] != bytes([tag]) or len(content) < at + 2:
        raise ValueError("it is not in DER form")
    start, size = at + 2, content[at + 1]
    if size >= LONG_FORM:
        start += size - LONG_FORM
        size = int.from_bytes(content[at + 2 : start], "big")
    if start + size > len(content):
        raise ValueError("it is cut off")
    return start, start + size


def verify(request: x509.CertificateSigningRequest, signed: bytes) -> None:
    """Check the signature of a request; raise InvalidSignature or one of FAILURES."""
    key, signature = request.public_key(), request.signature
    parameters, digest = request.signature_algorithm_parameters, request.signature_hash_algorithm
    if isinstance(key, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey):
        key.verify(signature, signed)
    elif isinstance(key, ec.EllipticCurvePublicKey) and isinstance(parameters, ec.ECDSA):
        key.verify(signature, signed, parameters)
    elif (
        isinstance(key, rsa.RSAPublicKey)
        and isinstance(parameters, padding.AsymmetricPadding)
        and digest is not None
    ):
        key.verify(signature, signed, parameters, digest)
    else:
        raise InvalidSignature
