"""Certificates for tests: an authority, certificates that it signs, its revocation list."""

from __future__ import annotations

import datetime as dt
import ipaddress
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bunraku.ca.authority import Authority as CertificateAuthority
from bunraku.ca.creation import create, self_signed_authority
from bunraku.ca.hosts import Host, read_names, set_up_host
from bunraku.ca.settings import settings_in
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


# -- authorities of bunraku, in puppetserver's layout ----------------------------------------------

SERVER = "puppet.example.test"
KEY_LENGTH = 2048
"""Bits of RSA keys in tests: the shortest that OpenSSL accepts."""


def host_in(ssldir: str, certname: str) -> Host:
    """The paths of a node's files below its ``ssldir``."""
    file = f"{certname}.pem"
    names = (
        "certs/" + file,
        "private_keys/" + file,
        "public_keys/" + file,
        "certs/ca.pem",
        "crl.pem",
    )
    return Host(certname, *(f"{ssldir}/{name}" for name in names))


@cache
def template() -> tempfile.TemporaryDirectory[str]:
    """Return a directory with a new authority in ``ca`` and its server's files in ``ssl``.

    It is made once in a run of the tests; RSA keys take long to make.
    """
    folder = tempfile.TemporaryDirectory()
    settings = settings_in(
        f"{folder.name}/ca", {"keylength": KEY_LENGTH, "ca_name": f"Puppet CA: {SERVER}"}
    )
    authority = CertificateAuthority(settings)
    create(settings, self_signed_authority(settings, authority.clock()))
    host = host_in(f"{folder.name}/ssl", SERVER)
    names = read_names(f"{SERVER},puppet,localhost,IP:127.0.0.1")
    set_up_host(authority, host, names, settings.ca_ttl)
    return folder


def authority_in(folder: Path, **settings: object) -> CertificateAuthority:
    """Return an authority in ``ca`` below a folder; its server's files are in ``ssl``."""
    if not (folder / "ca").exists():
        shutil.copytree(template().name, folder, dirs_exist_ok=True)
    values = {"keylength": KEY_LENGTH, "ca_name": f"Puppet CA: {SERVER}", **settings}
    lines: list[str] = []
    authority = CertificateAuthority(settings_in(f"{folder}/ca", values), lines.append)
    authority.lines = lines
    return authority


@cache
def node_key(_name: str = "") -> ec.EllipticCurvePrivateKey:
    """Return the key of a node, the same in a run of the tests."""
    return ec.generate_private_key(ec.SECP256R1())


def signing_request(
    name: str,
    extensions: Iterable[tuple[x509.ExtensionType, bool]] = (),
    key: ec.EllipticCurvePrivateKey | None = None,
    attributes: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return a signing request in PEM form."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name, _validate=False)])
    builder = x509.CertificateSigningRequestBuilder(subject)
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    for oid, content in (attributes or {}).items():
        builder = builder.add_attribute(x509.ObjectIdentifier(oid), content)
    request = builder.sign(key or node_key(name), hashes.SHA256())
    return request.public_bytes(serialization.Encoding.PEM)


def puppet_extension(name: str, text: str) -> tuple[x509.ExtensionType, bool]:
    """Return an extension by its short name or identifier, as an agent requests it."""
    oid = x509.ObjectIdentifier(IDENTIFIERS.get(name, name))
    return x509.UnrecognizedExtension(oid, encoded(text)), False


def alternative_names(*names: str) -> tuple[x509.ExtensionType, bool]:
    """Return the extension with alternative names of the DNS."""
    return x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), False


def enrol(
    authority: CertificateAuthority, folder: Path, name: str, *more: object
) -> tuple[str, str]:
    """Sign a node's request; return the paths of its certificate and key."""
    authority.submit(name, signing_request(name, more))
    if authority.directory.has_request(name):
        authority.sign(name)
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    certificate.write_bytes(authority.certificate_pem_of_node(name))
    key.write_bytes(
        node_key(name).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(certificate), str(key)
