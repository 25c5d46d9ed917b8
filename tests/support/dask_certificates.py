"""Certificates for a Dask cluster, and the variables that name them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def make_certificates(folder: Path) -> dict[str, str]:
    """Write a self-signed certificate with its key, and return Dask's variables for both sides."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dask")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, private = folder / "dask.pem", folder / "dask-key.pem"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.touch(0o600)
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    prefix = "DASK_DISTRIBUTED__COMM__"
    found = {f"{prefix}TLS__CA_FILE": str(pem), f"{prefix}REQUIRE_ENCRYPTION": "true"}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        found[f"{prefix}TLS__{role}__CERT"] = str(pem)
        found[f"{prefix}TLS__{role}__KEY"] = str(private)
    return found
