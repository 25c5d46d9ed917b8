"""Keys of hiera-eyaml that are generated for a site, and data that is encrypted with them."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs7

ENCRYPTED = re.compile(rb"ENC\[PKCS7,[^\]]*\]")
FROM, TO = datetime(2020, 1, 1, tzinfo=UTC), datetime(2120, 1, 1, tzinfo=UTC)


class Keys:
    """A key pair in a directory; it is generated when it is first used."""

    def __init__(self, folder: Path) -> None:
        self.private = folder / "private_key.pkcs7.pem"
        self.public = folder / "public_key.pkcs7.pem"

    def options(self) -> dict[str, str]:
        """Return the options of a level of the hierarchy."""
        return {
            "pkcs7_private_key": str(self.private),
            "pkcs7_public_key": str(self.public),
        }

    @cached_property
    def certificate(self) -> x509.Certificate:
        if not self.public.exists():
            self.generate()
        return x509.load_pem_x509_certificate(self.public.read_bytes())

    def generate(self) -> None:
        """Write a private key and the certificate with the public one."""
        key = rsa.generate_private_key(65537, 2048)
        name = x509.Name([])
        builder = x509.CertificateBuilder(name, name, key.public_key(), 1, FROM, TO)
        self.private.parent.mkdir(parents=True, exist_ok=True)
        self.private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.TraditionalOpenSSL,
                serialization.NoEncryption(),
            )
        )
        certificate = builder.sign(key, hashes.SHA256())
        self.public.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def replaced(self, text: bytes) -> bytes:
        """Return a file of data in which each encrypted value is another one, derived from it."""
        return ENCRYPTED.sub(lambda found: self.again(secret_of(found[0])), text)

    def again(self, secret: bytes) -> bytes:
        """Return the encrypted value of an earlier run so that data and answers stay the same."""
        path = self.private.with_name(secret.decode())
        if not path.exists():
            encrypted = self.encrypted(secret)
            path.write_bytes(encrypted)
        return path.read_bytes()

    def encrypted(self, secret: bytes) -> bytes:
        """Return a value as it stands in data."""
        envelope = (
            pkcs7.PKCS7EnvelopeBuilder()
            .set_data(secret)
            .add_recipient(self.certificate)
            .encrypt(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])
        )
        return b"ENC[PKCS7," + b64encode(envelope) + b"]"


def secret_of(encrypted: bytes) -> bytes:
    """Return the value to use in place of one that nobody here can read.

    >>> secret_of(b"ENC[PKCS7,abc]")
    b'secret-e2f91946'
    """
    return b"secret-" + hashlib.sha256(encrypted).hexdigest()[:8].encode()
