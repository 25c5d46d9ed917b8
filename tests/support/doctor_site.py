"""A small healthy site in a directory, for examinations: authority, agent, server, database, environment."""

from __future__ import annotations

import datetime as dt
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from email.utils import formatdate
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bunraku.base.records import record
from bunraku.jobs.doctor import DoctorOptions, doctor
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.timestamps import to_text
from bunraku.world.linux import LinuxHost
from support.puppetdb_commands import facts, report

NAME = "agent.example.com"
DAY = dt.timedelta(days=1)
CONF = """\
[main]
certname = agent.example.com
server = puppet.example.com
"""
HIERA = """\
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: common
    path: common.yaml
"""


@record(frozen=True)
class Answer:
    """The answer of the server of the site."""

    headers: Mapping[str, str]
    content: bytes = b"running"
    status: int = 200

    def read(self, _size: int = -1) -> bytes:
        return self.content


class SiteHost(LinuxHost):
    """This machine, with a network and disks as a test sets them."""

    def __init__(self) -> None:
        self.used = 10
        self.inodes = 5
        self.names = {"puppet.example.com": "192.0.2.1"}
        self.ports = {("192.0.2.1", 8140)}
        self.skew = 0.0
        self.acting = os.geteuid()
        self.denied = ""
        self.failure: OSError | None = None
        self.depth = 0

    def status(self, path, *, follow=False):
        if self.denied and path.startswith(f"{self.denied}/"):
            raise PermissionError(13, "Permission denied", path)
        return super().status(path, follow=follow)

    def address(self, name: str) -> str:
        if name not in self.names:
            raise OSError(None, "Name or service not known")
        return self.names[name]

    def connect(self, address: str, port: int, seconds: float) -> None:
        if (address, port) not in self.ports:
            raise ConnectionRefusedError(111, "Connection refused")

    @contextmanager
    def http(self, request) -> Iterator[Answer]:
        if self.failure is not None:
            raise self.failure
        content = {"/metrics/v2": {"value": {"Count": self.depth}}, "/pdb/query": []}
        found = next((one for path, one in content.items() if path in request.url), "running")
        date = formatdate(time.time() + self.skew, usegmt=True)
        yield Answer({"date": date}, json.dumps(found).encode())

    def disk_space(self, path: str) -> tuple[int, int, int]:
        return 100, 100 - self.used, 100 - self.used

    def run(self, command, directory=None) -> str:
        return f"Filesystem Inodes IUsed IFree IUse% Mounted on\n/dev/x 100 5 95 {self.inodes}% /\n"

    def effective_user(self) -> int:
        return self.acting


class Site:
    """A healthy site below a directory; ``examine`` returns what the doctor finds."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.host = SiteHost()
        self.confdir, self.vardir = root / "etc/puppet", root / "var"
        self.ssl, self.ca = self.confdir / "ssl", root / "etc/puppetserver/ca"
        self.state, self.production = self.vardir / "state", root / "code/environments/production"
        self.database = self.vardir / "bunraku/puppetdb.sqlite"
        self.now = dt.datetime.now(dt.UTC)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.own_key = ec.generate_private_key(ec.SECP256R1())
        self.write(self.confdir / "puppet.conf", CONF)
        self.certificates()
        self.runs()
        self.report()
        self.facts("8.10.0")
        self.write(self.production / "hiera.yaml", HIERA)
        self.write(self.production / "data/common.yaml", "a: 1\n")
        self.write(self.production / "environment.conf", "environment_timeout = 0\n")
        self.write(self.production / "Puppetfile", "mod 'puppetlabs/stdlib', '9.0.0'\n")
        self.write(self.production / "modules/stdlib/metadata.json", "{}")

    def write(self, path: Path, content: str | bytes, mode: int = 0o644) -> Path:
        """Write a file with a mode."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        return path

    # -- certificates ----------------------------------------------------------------------------

    def certificate(self, name, key, first=-1, last=1000, signer=None) -> bytes:
        """Return a certificate that is valid between two days from now."""
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "CA")])
        built = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
        built = built.public_key(key.public_key()).serial_number(4711 if name == NAME else 12)
        built = built.not_valid_before(self.now + first * DAY).not_valid_after(
            self.now + last * DAY
        )
        built = built.add_extension(x509.BasicConstraints(name == "CA", None), critical=True)
        return built.sign(signer or self.key, hashes.SHA256()).public_bytes(
            serialization.Encoding.PEM
        )

    def revoked(self, *serials: int, first: int = -2, last: int = 1000) -> bytes:
        """Return a revocation list."""
        issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "CA")])
        built = x509.CertificateRevocationListBuilder().issuer_name(issuer)
        built = built.last_update(self.now + first * DAY).next_update(self.now + last * DAY)
        for serial in serials:
            one = x509.RevokedCertificateBuilder().serial_number(serial)
            built = built.add_revoked_certificate(one.revocation_date(self.now - DAY).build())
        return built.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    def certificates(self) -> None:
        authority = self.certificate("CA", self.key)
        for path in (self.ca / "ca_crt.pem", self.ssl / "certs/ca.pem"):
            self.write(path, authority)
        for path in (self.ca / "ca_crl.pem", self.ssl / "crl.pem"):
            self.write(path, self.revoked())
        self.write(self.ca / "ca_key.pem", private(self.key), 0o640)
        (self.ca / "requests").mkdir()
        self.write(self.ssl / f"certs/{NAME}.pem", self.certificate(NAME, self.own_key))
        self.write(self.ssl / f"private_keys/{NAME}.pem", private(self.own_key), 0o640)

    # -- the agent -------------------------------------------------------------------------------

    def runs(self, age: float = 60, **more: object) -> None:
        """Write the record of a run."""
        data = {
            "version": {"config": 1, "puppet": "8.10.0"},
            "resources": {"failed": 0, "failed_to_restart": 0},
            "events": {"failure": 0},
            "time": {"last_run": int(time.time() - age)},
            **more,
        }
        self.write(self.root / "public/last_run_summary.yaml", json.dumps(data))
        self.write(self.state / "last_run_report.yaml", "cached_catalog_status: not_used\n")

    def age(self, path: Path, seconds: float = 10 * 86400) -> Path:
        """Make a file older."""
        os.utime(path, (time.time() - seconds,) * 2)
        return path

    # -- the database ----------------------------------------------------------------------------

    def report(self, age: float = 60, status: str = "unchanged") -> None:
        """Put a report of the agent into the database."""
        time = to_text(int((self.now.timestamp() - age) * 1000))
        times = dict.fromkeys(("start_time", "end_time", "producer_timestamp"), time)
        self.command("store report", 8, {**report(NAME, status=status), **times})

    def facts(self, version: str) -> None:
        """Put facts of the agent into the database."""
        time = to_text(int(self.now.timestamp() * 1000))
        content = facts(NAME, puppetversion=version)
        self.command("replace facts", 5, {**content, "producer_timestamp": time})

    def command(self, name: str, version: int, payload: dict) -> None:
        self.database.parent.mkdir(parents=True, exist_ok=True)
        with closing(open_database(str(self.database))) as database:
            received = int(self.now.timestamp() * 1000)
            process(database, Command(name, version, NAME, json.dumps(payload).encode(), received))

    # -- the examination -------------------------------------------------------------------------

    def examine(self, **options):
        """Return what the doctor finds."""
        settings = {
            "confdir": str(self.confdir),
            "vardir": str(self.vardir),
            "codedir": str(self.root / "code"),
            "publicdir": str(self.root / "public"),
            "rundir": str(self.root / "run"),
            "logdir": str(self.root / "log"),
        }
        return doctor(DoctorOptions(settings, **options), self.host)


def private(key) -> bytes:
    """Return a key as PEM."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
