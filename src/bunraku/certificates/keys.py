"""Private and public keys: made, read, and written with their modes from the first byte."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat, PublicFormat

from bunraku.base.file_reading import read_whole
from bunraku.certificates import issues

PrivateKey: TypeAlias = "rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey"
PublicKey: TypeAlias = "rsa.RSAPublicKey | ec.EllipticCurvePublicKey"
KeyType: TypeAlias = Literal["rsa", "ec"]

PRIVATE_MODE = 0o640
"""Puppet's mode of private keys: the group of the server reads them."""
PUBLIC_MODE = 0o644
KEY_LENGTH = 4096
"""Puppet's length of RSA keys in bits."""
SHORTEST = 1024
LONGEST = 16384
EXPONENT = 65537
CURVE = "prime256v1"
CURVES: Mapping[str, ec.EllipticCurve] = {
    "prime256v1": ec.SECP256R1(),
    "secp256r1": ec.SECP256R1(),
    "secp384r1": ec.SECP384R1(),
    "secp521r1": ec.SECP521R1(),
}
"""OpenSSL's names of the curves that TLS clients support."""


def make_key(length: int = KEY_LENGTH, kind: KeyType = "rsa", curve: str = CURVE) -> PrivateKey:
    """Return a new private key; raise PuppetError for a length or a curve that is not supported."""
    if kind == "ec":
        if curve not in CURVES:
            raise issues.BAD_KEY_SETTING(
                reason=f"unknown curve '{curve}'; use one of {', '.join(CURVES)}"
            )
        return ec.generate_private_key(CURVES[curve])
    if not SHORTEST <= length <= LONGEST:
        raise issues.BAD_KEY_SETTING(
            reason=f"a length of {length} bits; use {SHORTEST} to {LONGEST}"
        )
    return rsa.generate_private_key(EXPONENT, length)


def private_pem(key: PrivateKey, password: bytes | None = None) -> bytes:
    """Return a private key in the PEM form that Puppet writes (``BEGIN RSA PRIVATE KEY``)."""
    protection: serialization.KeySerializationEncryption = (
        serialization.NoEncryption()
        if password is None
        else serialization.BestAvailableEncryption(password)
    )
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, protection)


def public_pem(key: PublicKey) -> bytes:
    """Return a public key in PEM form (``BEGIN PUBLIC KEY``)."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def read_private_key(path: str, password: bytes | None = None) -> PrivateKey:
    """Return the private key in a PEM file; raise PuppetError if it cannot be read."""
    what = "private key"
    try:
        content = read_whole(path)
    except OSError as error:
        reason = error.strerror or error
        raise issues.UNREADABLE_FILE(what=f"the {what}", path=path, reason=reason) from None
    try:
        key = serialization.load_pem_private_key(content, password)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        # The text of these errors names the form of the key, never its content.
        reason = str(error).partition("\n")[0]
        raise issues.INVALID_CONTENT(what=what, path=path, reason=reason) from None
    if not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        reason = "it is neither an RSA key nor one of an elliptic curve"
        raise issues.INVALID_CONTENT(what=what, path=path, reason=reason)
    return key


def same_key(first: object, second: object) -> bool:
    """Return whether two public keys are the same; False for keys of other kinds."""
    kinds = rsa.RSAPublicKey | ec.EllipticCurvePublicKey
    return (
        isinstance(first, kinds)
        and isinstance(second, kinds)
        and public_pem(first) == public_pem(second)
    )
