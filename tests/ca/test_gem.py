"""The commands of the gem ``puppetserver-ca`` use the authority of ``bunraku server``."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509

from support.own_server import NAME, Server, environment, write_site

PUPPET_CONF = """
[main]
certname = {name}
server = {name}
serverport = {port}
ssldir = {root}/etc/ssl
cadir = {root}/ca
keylength = 2048
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    if shutil.which("puppetserver") is None:
        pytest.skip("puppetserver is not installed")
    root = tmp_path_factory.mktemp("site")
    write_site(root)

    def start(words, **options):
        return subprocess.Popen(words, env=environment(), **options)

    running = Server(root, "--listen", "127.0.0.1:0", start=start)
    text = PUPPET_CONF.format(name=NAME, port=running.port, root=root)
    (root / "puppet.conf").write_text(text)
    yield running
    running.end()


def gem(server: Server, action: str, *words: str) -> str:
    """Return the output of an action, which must succeed."""
    configuration = ("--config", str(server.root / "puppet.conf"))
    done = subprocess.run(
        ["puppetserver", "ca", action, *configuration, *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment(LC_ALL="C.UTF-8"),
    )
    assert done.returncode == 0, done.stdout + done.stderr + server.messages()
    return done.stdout


def test_generate_list_revoke_and_clean(server: Server) -> None:
    assert "Successfully saved certificate for web1" in gem(
        server, "generate", "--certname", "web1.example.test"
    )
    path = Path(server.root / "etc/ssl/certs/web1.example.test.pem")
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    assert certificate.subject.rfc4514_string() == "CN=web1.example.test"
    assert "web1.example.test" in gem(server, "list", "--all")
    assert "Certificate for web1.example.test has been revoked" in gem(
        server, "revoke", "--certname", "web1.example.test"
    )
    assert "Cleaned files related to web1.example.test" in gem(
        server, "clean", "--certname", "web1.example.test"
    )
