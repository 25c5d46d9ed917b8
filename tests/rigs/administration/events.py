"""What happens to an administrator between the steps of a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from rigs.administration.machines import DOMAIN, Machines

AUTHORITY = "/srv/puppet/etc/puppetserver/ca"
AGENT_CERTIFICATES = "/etc/puppetlabs/puppet/ssl/certs"
DAY = dt.timedelta(days=1)


def expire(machines: Machines, node: str) -> None:
    """Replace the certificate of a node, here and there, by one that ended yesterday and is like it otherwise."""
    folder = machines.path(AUTHORITY)
    signed = folder / f"signed/{node}.{DOMAIN}.pem"
    content = expired(signed.read_bytes(), folder)
    for path in (signed, machines.path_on(node, f"{AGENT_CERTIFICATES}/{node}.{DOMAIN}.pem")):
        path.write_bytes(content)


def expired(content: bytes, authority: Path) -> bytes:
    """Return a certificate with the key and the extensions of another one, which ended yesterday."""
    old = x509.load_pem_x509_certificate(content)
    signer = x509.load_pem_x509_certificates((authority / "ca_crt.pem").read_bytes())[0]
    key = serialization.load_pem_private_key((authority / "ca_key.pem").read_bytes(), None)
    now = dt.datetime.now(dt.UTC)
    built = x509.CertificateBuilder().subject_name(old.subject).issuer_name(signer.subject)
    built = built.public_key(old.public_key()).serial_number(old.serial_number)
    built = built.not_valid_before(now - 10 * DAY).not_valid_after(now - DAY)
    for one in old.extensions:
        built = built.add_extension(one.value, one.critical)
    return built.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def fill(machines: Machines, file: str) -> None:
    """Write a file until the disk is full."""
    machines.shell(f"dd if=/dev/zero of={file} bs=1M status=none 2>/dev/null || true")


def publish(machines: Machines) -> None:
    """Put the new package in the place of the old one, where the day is one of packages."""
    machines.shell(
        "[ ! -d /packages/new ] || { rm /root/bunraku_*.deb; cp /packages/new/*.deb /root; }"
    )


EVENTS: Mapping[str, Callable[[Machines], None]] = {
    "the certificate of db1 expires": lambda machines: expire(machines, "db1"),
    "db2 is not started again": lambda machines: machines.remove("db2"),
    "a new version is in /root": publish,
    "a dump fills the disk": lambda machines: fill(machines, "/srv/dump.sql"),
}
"""Events by the words of the page."""
