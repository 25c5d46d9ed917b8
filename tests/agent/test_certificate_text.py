"""The text of certificates, beside that of OpenSSL."""

from __future__ import annotations

import datetime as dt
import ipaddress
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from bunraku.certificates.text import certificate_text

DATA = Path(__file__).parent / "data"
"""A certificate, and what Ruby with OpenSSL 3.0.19 and the names of Puppet 7.23 prints for it."""
PRINT = """
require 'puppet'
require 'puppet/ssl/oids'
Puppet::SSL::Oids.register_puppet_oids
print OpenSSL::X509::Certificate.new($stdin.read).to_text
"""
KEYS = {
    "RSA": lambda: rsa.generate_private_key(65537, 2048),
    "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "K-256": lambda: ec.generate_private_key(ec.SECP256K1()),
}


def recorded():
    return x509.load_pem_x509_certificate((DATA / "certificate.pem").read_bytes())


def test_a_recorded_certificate():
    assert certificate_text(recorded()) == (DATA / "certificate.txt").read_text()


def test_names_of_a_site():
    found = certificate_text(recorded(), {"1.3.6.1.4.1.34380.1.2.9": "Own"})
    assert "            Own: \n" in found


def name(*pairs):
    return x509.Name([x509.NameAttribute(oid, value) for oid, value in pairs])


def certificate_of(kind, serial):
    """Return a certificate as authorities make them, with unusual parts."""
    begin = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
    key = KEYS[kind]()
    public = key.public_key()
    subject = name((NameOID.ORGANIZATION_NAME, "a/O=b+, c"), (NameOID.COMMON_NAME, "w\u00e4b"))
    issuer = name((NameOID.COMMON_NAME, "Puppet CA: x"), (NameOID.EMAIL_ADDRESS, "a@b"))
    builder = x509.CertificateBuilder(issuer, subject, public, serial, begin, begin.replace(2050))
    for value, critical in (
        (x509.BasicConstraints(ca=kind == "RSA", path_length=0 if kind == "RSA" else None), True),
        (x509.KeyUsage(True, True, True, True, True, True, True, True, False), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH, OTHER]), False),
        (x509.SubjectKeyIdentifier.from_public_key(public), False),
        (x509.AuthorityKeyIdentifier(b"\xab\xcd", [x509.DirectoryName(issuer)], serial), False),
        (x509.SubjectAlternativeName([
            x509.DNSName("a.b"),
            x509.IPAddress(ipaddress.ip_address("10.0.0.1")),
            x509.IPAddress(ipaddress.ip_address("fe80::1")),
            x509.UniformResourceIdentifier("http://a/b"),
            x509.RFC822Name("a@b"),
            x509.RegisteredID(OTHER),
        ]), False),
        (x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.34380.1.3.13"), b"\x0c\x03web"), False),
        (x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.34380.1.3.39"), b"\x0c\x04true"), False),
        (x509.UnrecognizedExtension(x509.ObjectIdentifier("2.16.840.1.113730.1.13"), b"\x16\x03abc"), False),
    ):  # fmt: skip
        builder = builder.add_extension(value, critical)
    return builder.sign(key, hashes.SHA384())


SERIALS = (1, 255, (1 << 63) - 1, 1 << 63)
OTHER = x509.ObjectIdentifier("1.2.3.4")


@pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed")
@pytest.mark.parametrize(("kind", "serial"), [*zip(KEYS, SERIALS, strict=True)], ids=KEYS)
def test_the_text_is_that_of_openssl(kind, serial):
    certificate = certificate_of(kind, serial)
    done = subprocess.run(
        ["ruby", "-ropenssl", "-e", PRINT],
        input=certificate.public_bytes(Encoding.PEM).decode(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(done.stderr.strip()[-200:])
    assert certificate_text(certificate) == done.stdout
