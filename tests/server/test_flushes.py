"""``bunraku deploy --flush``: servers are flushed by the interface of puppetserver for its administration."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path

import pytest

from bunraku.base.usage import UsageError
from bunraku.jobs.flushing import check_server_urls
from support.deployment_site import Site
from support.git_remotes import VARIABLES
from support.own_server import COMMAND, NAME, Server, environment, write_site

RULES = """authorization: { version: 1, rules: [
  { name: all, sort-order: 1, allow: "*", match-request: { path: "/", type: path } } ] }
"""


def served(root: Path, *options: str) -> Server:
    """Start a server that keeps code until it is flushed."""
    write_site(root)

    def start(words, **more):
        return subprocess.Popen(words, env=environment(), **more)

    fixed = ("--listen", "127.0.0.1:0", "--environment_timeout", "unlimited", "--workers", "1")
    return Server(root, *fixed, *options, start=start)


@pytest.fixture
def server(tmp_path):
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    root = tmp_path / "server"
    root.mkdir()
    (root / "auth.conf").write_text(RULES)
    running = served(root, "--auth-conf", str(root / "auth.conf"))
    yield running
    running.end()


@pytest.fixture
def site(tmp_path, monkeypatch):
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return Site(tmp_path)


def deployed(site, server_port, ssl, *more):
    """Run ``bunraku deploy``; return exit code, output, errors."""
    files = (
        *("--cert", str(ssl / f"certs/{NAME}.pem"), "--key", str(ssl / f"private_keys/{NAME}.pem")),
        *("--cacert", str(ssl / "certs/ca.pem")),
    )
    words = [*COMMAND, "deploy", "environment", *more, "--config", site.configure()]
    words += ["--flush", f"https://localhost:{server_port}", *files]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment())
    return done.returncode, done.stdout, done.stderr


def write(server, word):
    manifest = server.root / "environments/production/manifests/site.pp"
    manifest.unlink()
    manifest.write_text(f"notify {{ '{word}': }}\n")


def test_an_environment_is_flushed_after_its_switch(server, site):
    ssl = server.root / "etc/ssl"
    assert "plain" in server.catalog()[1]
    write(server, "fresh")
    assert "plain" in server.catalog()[1], "the server keeps code"
    assert deployed(site, server.port, ssl)[0] == 0
    assert "fresh" in server.catalog()[1]
    write(server, "later")
    code, output, _errors = deployed(site, server.port, ssl)
    assert (code, "unchanged" in output) == (0, True)
    assert "fresh" in server.catalog()[1], "nothing was deployed, so nothing was flushed"


def test_a_removed_environment_is_flushed(server, site):
    site.control.branch("extra", {"x": "1"})
    ssl = server.root / "etc/ssl"
    assert deployed(site, server.port, ssl)[0] == 0
    site.control.delete("extra")
    assert deployed(site, server.port, ssl)[0] == 0
    requests = (server.root / "access.log").read_text()
    assert requests.count("environment-cache?environment=extra") == 2


def test_a_flush_that_fails_is_an_error_after_the_switch(server, site):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        code, output, errors = deployed(site, port, server.root / "etc/ssl")
    assert code == 1
    assert "1 deployed" in output
    assert (site.env / "production/manifests/site.pp").exists()
    text = f"its cache on https://localhost:{port} is not flushed: Connection refused"
    assert text in errors
    site.control.commit({"more": "1"})
    code, output, _errors = deployed(
        site, port, server.root / "etc/ssl", "production", "--format", "json"
    )
    found = json.loads(output)
    assert [one["code"] for one in found["errors"]] == ["FLUSH_FAILED"]
    assert found["environments"][0]["outcome"] == "deployed"


def test_a_server_that_does_not_allow_it_is_named(tmp_path, site):
    root = tmp_path / "server"
    root.mkdir()
    running = served(root)
    try:
        code, _output, errors = deployed(site, running.port, root / "etc/ssl")
        assert (code, "do not allow this certificate to do that (403)" in errors) == (1, True)
    finally:
        running.end()


@pytest.mark.parametrize(
    "url",
    ["puppet:8140", "ftp://puppet", "https://me:x@puppet", "https://puppet/x", "https://", "//x"],
)
def test_urls_that_are_not_of_a_server(url):
    with pytest.raises(UsageError, match="--flush needs the URL of a server"):
        check_server_urls([url])
