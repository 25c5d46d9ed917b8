"""Keys of hiera-eyaml, and values that they encrypt."""

from __future__ import annotations

import base64
import datetime as dt


def key_pair():
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "eyaml")])
    now = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=36500))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private, certificate


def encrypt(certificate, text):
    from cryptography.hazmat.primitives.ciphers.algorithms import AES256
    from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(text.encode()).add_recipient(certificate)
    builder = builder.set_content_encryption_algorithm(AES256)
    envelope = builder.encrypt(Encoding.DER, [pkcs7.PKCS7Options.Binary])
    return f"ENC[PKCS7,{base64.b64encode(envelope).decode()}]"
