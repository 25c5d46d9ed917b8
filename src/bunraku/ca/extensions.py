"""Extensions of the certificates that an authority issues, as puppetserver makes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.x509.oid import ExtendedKeyUsageOID

from bunraku.certificates.names import CLI_AUTHORIZATION
from bunraku.certificates.values import encoded

Extensions: TypeAlias = "list[tuple[x509.ExtensionType, bool]]"
"""Extensions and whether they are critical."""

NETSCAPE_COMMENT = x509.ObjectIdentifier("2.16.840.1.113730.1.13")
COMMENT = b"Puppet Server Internal Certificate"
IA5_STRING = 0x16
DIGEST = hashes.SHA256()


def comment() -> x509.UnrecognizedExtension:
    """Return the comment in all certificates of puppetserver."""
    return x509.UnrecognizedExtension(NETSCAPE_COMMENT, bytes([IA5_STRING, len(COMMENT)]) + COMMENT)


def key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    """Return the use of the key of an authority, or of a node."""
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=not signs_certificates,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def key_identifier(certificate: x509.Certificate) -> bytes:
    """Return the identifier of a certificate's key: that in it, else the usual digest."""
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
    except (x509.ExtensionNotFound, ValueError):
        return x509.SubjectKeyIdentifier.from_public_key(certificate.public_key()).digest
    return found.value.digest


def issued_by(signer: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    """Return the identifier of the issuing authority: its key, issuer and serial number."""
    return x509.AuthorityKeyIdentifier(
        key_identifier(signer), [x509.DirectoryName(signer.issuer)], signer.serial_number
    )


def of_node(
    key: CertificatePublicKeyTypes, signer: x509.Certificate, names: Sequence[x509.GeneralName]
) -> Extensions:
    """Return the extensions of each node's certificate."""
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    return [
        (x509.SubjectAlternativeName(names), False),
        (comment(), False),
        (issued_by(signer), False),
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.ExtendedKeyUsage(uses), True),
        (key_usage(signs_certificates=False), True),
        (x509.SubjectKeyIdentifier.from_public_key(key), False),
    ]


def of_authority(key: CertificatePublicKeyTypes, signer: bytes | None = None) -> Extensions:
    """Return the extensions of an authority; ``signer`` is the key identifier of its issuer."""
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    return [
        (comment(), False),
        (x509.AuthorityKeyIdentifier(signer or own.digest, None, None), False),
        (x509.BasicConstraints(ca=True, path_length=None), True),
        (key_usage(signs_certificates=True), True),
        (own, False),
    ]


def cli_authorization() -> tuple[x509.ExtensionType, bool]:
    """Return the extension that lets the server's certificate use the interface of the authority."""
    oid = x509.ObjectIdentifier(CLI_AUTHORIZATION)
    return x509.UnrecognizedExtension(oid, encoded("true")), False


def alternative_names(
    extensions: Iterable[x509.Extension[x509.ExtensionType]],
) -> list[x509.GeneralName]:
    """Return the alternative names among extensions."""
    for one in extensions:
        if isinstance(one.value, x509.SubjectAlternativeName):
            return list(one.value)
    return []


def names_text(names: Iterable[x509.GeneralName]) -> list[str]:
    """Return alternative names as puppetserver writes them: addresses first, then DNS names."""
    known = list(names)
    return [
        *[f"IP:{one.value}" for one in known if isinstance(one, x509.IPAddress)],
        *[f"DNS:{one.value}" for one in known if isinstance(one, x509.DNSName)],
    ]
