"""The site of the trials: nodes with certificates and secrets, and a server that can be started again."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import random
import ssl
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from bunraku.ca.authority import Authority
from support.agent_reports import unchanged_report
from support.certificates import SERVER, authority_in, enrol, node_key
from support.marked_processes import MarkedProcesses
from support.server_process import ServerProcess

MANIFEST = """
node /^bad/ { fail("no catalog for ${trusted['certname']}") }
node default {
  $sum = range(0, 3000).reduce(0) |$total, $one| { $total + $one }
  notify { 'stamp': message => "${facts['stamp']}", withpath => $sum > 0 }
  notify { "of ${trusted['certname']}": message => "${facts['marker']}" }
  file { '/secret': content => Sensitive("hidden-${facts['marker']}") }
  file { '/tree': ensure => directory, recurse => true, source => 'puppet:///modules/site/tree' }
}
"""
LARGE = random.Random(1).randbytes(3_000_000)
"""The content of a file that no socket can take at once."""
ALL_NODES = ".auto.example.test"
"""How the names of the nodes end whose requests for certificates are signed at once."""
BINARY = {"Content-Type": "application/octet-stream"}


class ServedSite:
    """A server of a site below ``root``, with ``nodes`` that have certificates.

    ``var``, ``ssl``, ``ca`` and ``log`` are directories so that each can be on a disk of its own.
    """

    def __init__(self, root: Path, nodes: int = 4, options: tuple[str, ...] = ()) -> None:
        self.root = root
        self.options = options
        self.authority: Authority = authority_in(root)
        self.nodes = [f"node{number}{ALL_NODES}" for number in range(nodes)]
        for name in self.nodes:
            enrol(self.authority, root, name)
        files = {
            "environments/production/manifests/site.pp": MANIFEST,
            "environments/production/modules/site/files/tree/one": "one\n",
            "autosign.conf": f"*{ALL_NODES}\n",
        }
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (root / "environments/production/modules/site/files/large").write_bytes(LARGE)
        for name in ("var", "log", "modules"):
            (root / name).mkdir(exist_ok=True)
        self.processes = MarkedProcesses(str(root))
        self.contexts: dict[str | None, ssl.SSLContext] = {}

    def start(self, *wrapper: str, **environment: str) -> ServerProcess:
        """Start the server."""
        root = self.root
        return ServerProcess(
            [
                *("--confdir", str(root / "etc"), "--ssldir", str(root / "ssl")),
                *("--cadir", str(root / "ca"), "--vardir", str(root / "var")),
                *("--certname", SERVER, "--autosign", str(root / "autosign.conf")),
                *(
                    "--environmentpath",
                    str(root / "environments"),
                    "--basemodulepath",
                    str(root / "modules"),
                ),
                *("--access-log", str(root / "log/access"), "--max-active-instances", "2"),
                *self.options,
            ],
            root / "log/errors",
            {**self.processes.environment, **environment},
            wrapper,
        )

    def context(self, name: str | None) -> ssl.SSLContext:
        """Return the TLS of a node's client; without a certificate for None."""
        if name not in self.contexts:
            found = ssl.create_default_context(cafile=str(self.root / "ca/ca_crt.pem"))
            if name == SERVER:
                ssl_ = self.root / "ssl"
                found.load_cert_chain(ssl_ / f"certs/{name}.pem", ssl_ / f"private_keys/{name}.pem")
            elif name is not None:
                found.load_cert_chain(self.root / f"{name}.pem", self.root / f"{name}.key")
            self.contexts[name] = found
        return self.contexts[name]

    def marker(self, name: str) -> str:
        """Return the secret of a node, which no other node may see."""
        return hashlib.sha256(f"secret of {name}".encode()).hexdigest()

    def client(
        self, server: ServerProcess, name: str | None, seconds: float = 60
    ) -> http.client.HTTPSConnection:
        """Return a connection of a node."""
        return http.client.HTTPSConnection(
            *server.address, timeout=seconds, context=self.context(name)
        )


def asked(
    connection: http.client.HTTPSConnection,
    method: str,
    target: str,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, bytes]:
    """Return status and body of an answer."""
    connection.request(method, target, body, {"Accept": "*/*", **(headers or {})})
    response = connection.getresponse()
    return response.status, response.read()


def asked_once(site: ServedSite, server: ServerProcess, name: str | None, *request) -> tuple:
    """Return status and body of the answer on a new connection."""
    with closing(site.client(server, name)) as connection:
        return asked(connection, *request)


def catalog_request(site: ServedSite, node: str, stamp: int) -> tuple:
    """Return the request of a node for its catalog; the facts have a stamp."""
    values = {"stamp": str(stamp), "marker": site.marker(node), "os": {"family": "Debian"}}
    facts = json.dumps({"name": node, "values": values})
    body = (
        "environment=production&facts_format=application%2Fjson"
        f"&facts={quote(quote(facts, safe=''), safe='')}"
    )
    headers = {
        "Accept": "application/vnd.puppet.rich+json",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    target = f"/puppet/v3/catalog/{node}?environment=production"
    return "POST", target, body.encode(), headers


def report_request(node: str, stamp: int) -> tuple:
    """Return the request of a node that brings a report with a stamp."""
    report = unchanged_report(node, configuration_version=stamp, puppet_version="8.10.0")
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    target = f"/puppet/v3/report/{node}?environment=production"
    return "PUT", target, json.dumps(report).encode(), headers


def backup_request(content: bytes) -> tuple:
    """Return the request that stores a content in the filebucket."""
    digest = hashlib.sha256(content).hexdigest()
    target = f"/puppet/v3/file_bucket_file/sha256/{digest}/some/path?environment=production"
    return "PUT", target, content, BINARY


def large_request() -> tuple:
    """Return the request for the large file."""
    return "GET", "/puppet/v3/file_content/modules/site/large?environment=production"


def signing_target(name: str) -> str:
    """Return the target of a node's request for a certificate."""
    return f"/puppet-ca/v1/certificate_request/{name}"


def one_key() -> object:
    """Return a key that all the new nodes of a trial share: keys take time."""
    return node_key("of trials")


def shown_body(content: bytes) -> str:
    """Return the start of an answer for a report."""
    return base64.b64encode(content[:60]).decode() if b"\0" in content else str(content[:200])
