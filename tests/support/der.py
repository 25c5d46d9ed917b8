"""Signing requests that are written byte by byte in DER form so that they can be wrong."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
COMMON_NAME = "2.5.4.3"
EXTENSION_REQUEST = "1.2.840.113549.1.9.14"
ALTERNATIVE_NAMES = "2.5.29.17"
RSA_SHA256 = "1.2.840.113549.1.1.11"
RSA_MD5 = "1.2.840.113549.1.1.4"
ECDSA_SHA256 = "1.2.840.10045.4.3.2"
UTF8, PRINTABLE, T61, BMP, IA5 = 0x0C, 0x13, 0x14, 0x1E, 0x16


def der(tag: int, *parts: bytes) -> bytes:
    """Return an element with its length."""
    content = b"".join(parts)
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*parts: bytes) -> bytes:
    """Return a SEQUENCE."""
    return der(0x30, *parts)


def set_of(*parts: bytes) -> bytes:
    """Return a SET, whose elements DER sorts."""
    return der(0x31, *sorted(parts))


def octets(content: bytes) -> bytes:
    """Return an OCTET STRING."""
    return der(0x04, content)


def integer(value: int) -> bytes:
    """Return an INTEGER."""
    return der(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def identifier(dotted: str) -> bytes:
    """Return an OBJECT IDENTIFIER."""
    first, second, *rest = map(int, dotted.split("."))
    content = b""
    for number in (first * 40 + second, *rest):
        digits = [number & 127]
        while number := number >> 7:
            digits.insert(0, 128 | number & 127)
        content += bytes(digits)
    return der(0x06, content)


def common_name(text: bytes, tag: int = UTF8) -> bytes:
    """Return one part of a name, a set of one value."""
    return set_of(sequence(identifier(COMMON_NAME), der(tag, text)))


def extension(oid: str, content: bytes, *more: bytes) -> bytes:
    """Return an extension."""
    return sequence(identifier(oid), *more, octets(content))


def requested(*extensions: bytes) -> bytes:
    """Return the attribute with requested extensions."""
    return sequence(identifier(EXTENSION_REQUEST), set_of(sequence(*extensions)))


def alternative_names(*names: bytes) -> bytes:
    """Return the attribute with alternative names, each with its tag."""
    return requested(extension(ALTERNATIVE_NAMES, sequence(*names)))


def public_key(key: Key) -> bytes:
    """Return the public half of a key."""
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def signature_of(key: Key, content: bytes, digest: hashes.HashAlgorithm) -> bytes:
    """Sign content with a key."""
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(content, padding.PKCS1v15(), digest)
    return key.sign(content, ec.ECDSA(digest))


def pem(content: bytes) -> bytes:
    """Return a request in PEM form."""
    label = b"CERTIFICATE REQUEST-----\n"
    return b"-----BEGIN " + label + base64.encodebytes(content) + b"-----END " + label


def request(
    key: Key,
    subject: Sequence[bytes],
    *,
    version: bytes | None = None,
    attributes: Sequence[bytes] = (),
    public: bytes | None = None,
    algorithm: str | None = None,
    digest: hashes.HashAlgorithm | None = None,
    change: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """Return a request in PEM form; ``change`` changes the part that is signed, before that."""
    info = sequence(
        integer(0) if version is None else version,
        sequence(*subject),
        public_key(key) if public is None else public,
        der(0xA0, *attributes),
    )
    info = change(info)
    usual = RSA_SHA256 if isinstance(key, rsa.RSAPrivateKey) else ECDSA_SHA256
    parameters = b"\x05\x00" if isinstance(key, rsa.RSAPrivateKey) else b""
    signature = signature_of(key, info, digest or hashes.SHA256())
    algorithms = sequence(identifier(algorithm or usual), parameters)
    return pem(sequence(info, algorithms, der(0x03, b"\0" + signature)))
