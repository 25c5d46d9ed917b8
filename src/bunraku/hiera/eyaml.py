"""Encrypted values of hiera-eyaml: ``ENC[PKCS7,…]`` in YAML data, opened with the node's keys."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Place
from bunraku.hiera import issues
from bunraku.world.protocol import World
from bunraku.world.recording import opens_secret

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

Value = Any
ENCRYPTED = lazy_pattern(r"ENC\[(?:([A-Za-z0-9]+),)?([A-Za-z0-9+/=\s]*?)\]")
DEFAULT_PRIVATE_KEY = "./keys/private_key.pkcs7.pem"
DEFAULT_PUBLIC_KEY = "./keys/public_key.pkcs7.pem"


def decrypt(
    value: Value, options: Mapping[str, Value], world: World, *, key: str, path: str
) -> Value:
    """Return the value with every encrypted piece of its texts decrypted."""
    if value.__class__ is str:
        if "ENC[" not in value or not ENCRYPTED.search(value):
            return value
        opened = ENCRYPTED.sub(
            lambda found: open_piece(found[1], found[2], options, world, key=key, path=path), value
        )
        return opened.removesuffix("\n").removesuffix("\r")
    if value.__class__ is list:
        return [decrypt(item, options, world, key=key, path=path) for item in value]
    if value.__class__ is dict:
        return {
            name: decrypt(item, options, world, key=key, path=path) for name, item in value.items()
        }
    return value


def open_piece(
    scheme: str | None,
    text: str,
    options: Mapping[str, Value],
    world: World,
    *,
    key: str,
    path: str,
) -> str:
    """Return one encrypted piece in plain text."""

    def failed(reason: object) -> Exception:
        error = issues.DECRYPTION_FAILED(key=key, path=path, reason=reason)
        return error.at(Place(path))

    if (scheme or "PKCS7").upper() != "PKCS7":
        raise failed(f"{scheme} is not supported; use PKCS7")
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, pkcs7
    except ImportError:
        raise issues.NO_CRYPTOGRAPHY(key=key) from None

    def missing(reason: str) -> PuppetError:
        return issues.NO_KEY(key=key, path=path, reason=reason).at(Place(path))

    private = key_text(options, world, "private_key", DEFAULT_PRIVATE_KEY, missing)
    public = key_text(options, world, "public_key", DEFAULT_PUBLIC_KEY, missing)
    try:
        envelope = base64.b64decode(re.sub(r"\s", "", text), validate=True)
        certificate = x509.load_pem_x509_certificate(public)
        own = rsa_key(load_pem_private_key(private, None))
        if own.public_key() != certificate.public_key():  # else one of 256 texts opens as nonsense
            raise failed("the private key does not belong to the certificate")
        opens_secret(world)
        opened = pkcs7.pkcs7_decrypt_der(envelope, certificate, own, [])
    except binascii.Error:
        raise failed("it is not base64") from None
    except PuppetError:
        raise
    except Exception as error:  # the library raises many kinds
        raise failed(str(error).partition("\n")[0] or type(error).__name__) from None
    return opened.decode("utf-8", "surrogateescape")


def rsa_key(key: PrivateKeyTypes) -> RSAPrivateKey:
    """Return a private key; raise TypeError if it is not an RSA key, which eyaml requires."""
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    if not isinstance(key, RSAPrivateKey):
        raise TypeError("the private key is not an RSA key")
    return key


def key_text(
    options: Mapping[str, Value],
    world: World,
    name: str,
    default: str,
    missing: Callable[[str], PuppetError],
) -> bytes:
    """Return a key in PEM form: from an environment variable, or a file; raise ``missing(reason)``."""
    variable = options.get(f"pkcs7_{name}_env_var")
    if variable:
        text = world.environment_variable(str(variable))
        if text is None:
            raise missing(f"the environment variable {variable} is not set")
        return text.encode()
    path = str(options.get(f"pkcs7_{name}") or default)
    try:
        return world.read(path)
    except OSError as error:
        raise missing(
            f"the key {path} cannot be read: {error.strerror or 'it does not exist'}"
        ) from None
