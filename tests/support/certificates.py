"""Certificates for tests: an authority, certificates that it signs, its revocation list."""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Iterable, Mapping
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bunraku.certificates.names import IDENTIFIERS
from bunraku.certificates.values import encoded

DAY = dt.timedelta(days=1)
SIGNS = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)
"""What an authority's key is for. Python 3.13 requires it, and the identifier of the authority below."""


class Authority:
    """An authority whose files are in a folder: ``ca.pem``, ``crl.pem``, ``NAME.pem``, ``NAME.key``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = dt.datetime.now(dt.UTC)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Puppet CA: test")])
        certificate = (
            self.builder(self.name, self.key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(SIGNS, critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False
            )
            .sign(self.key, hashes.SHA256())
        )
        self.write("ca.pem", certificate.public_bytes(serialization.Encoding.PEM))
        self.revoke([])

    def builder(self, name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        """Return a certificate of this authority that is not signed yet."""
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.now - DAY)
            .not_valid_after(self.now + DAY)
        )

    def sign(
        self,
        certname: str,
        extensions: Mapping[str, str] | None = None,
        names: Iterable[str] = (),
    ) -> x509.Certificate:
        """Make a certificate and its key, with Puppet's extensions by short name or identifier.

        ``names`` are alternative names beside the certname.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, certname)])
        alternatives = x509.SubjectAlternativeName(
            [
                *[x509.DNSName(one) for one in (certname, *names)],
                x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
            ]
        )
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = self.builder(name, key).add_extension(alternatives, critical=False)
        builder = builder.add_extension(issuer, critical=False)
        for short, text in (extensions or {}).items():
            oid = x509.ObjectIdentifier(IDENTIFIERS.get(short, short))
            builder = builder.add_extension(
                x509.UnrecognizedExtension(oid, encoded(text)), critical=False
            )
        certificate = builder.sign(self.key, hashes.SHA256())
        self.write(f"{certname}.pem", certificate.public_bytes(serialization.Encoding.PEM))
        self.write(
            f"{certname}.key",
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        )
        return certificate

    def revoke(self, certificates: list[x509.Certificate]) -> None:
        """Write the revocation list."""
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.name)
            .last_update(self.now - DAY)
            .next_update(self.now + DAY)
        )
        for certificate in certificates:
            builder = builder.add_revoked_certificate(
                x509.RevokedCertificateBuilder()
                .serial_number(certificate.serial_number)
                .revocation_date(self.now)
                .build()
            )
        signed = builder.sign(self.key, hashes.SHA256())
        self.write("crl.pem", signed.public_bytes(serialization.Encoding.PEM))

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        (self.folder / name).write_bytes(content)

    def der(self, name: str) -> bytes:
        """Return a certificate of the folder in DER form, as TLS passes it to a server."""
        certificate = x509.load_pem_x509_certificate((self.folder / f"{name}.pem").read_bytes())
        return certificate.public_bytes(serialization.Encoding.DER)

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return str(self.folder / name)
