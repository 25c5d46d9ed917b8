"""``bunraku server`` behind a proxy that ends TLS: an address without TLS, and its headers."""

from __future__ import annotations

import http.client
import re
import signal
import ssl
import subprocess
import sys
import time

import pytest

from bunraku.cli.main import main

pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
COMMAND = (sys.executable, "-m", "bunraku")
NODE = "web.example.test"
HEADERS = {"X-Client-Verify": "SUCCESS", "X-Client-DN": f"CN={NODE}", "Accept": "application/json"}
TARGET = f"/puppet/v3/node/{NODE}?environment=production"
AUTH = """authorization: { version: 1, allow-header-cert-info: ALLOWED, rules: [ {
  match-request: { path: "^/puppet/v3/node/([^/]+)$", type: regex }
  allow: "$1", sort-order: 1, name: "node" } ] }"""
PATIENCE = 60


def options_of(folder):
    """Return the options of a server and its authority in a folder."""
    directories = ("--confdir", str(folder / "etc"), "--cadir", str(folder / "ca"))
    return ["--no-project", "--certname", "localhost", *directories]


@pytest.fixture
def server(tmp_path):
    """A server with an address for TLS and one for its proxy: its folder, process and ports."""
    folder = tmp_path / "plain"
    (folder / "environments/production").mkdir(parents=True)
    auth = folder / "auth.conf"
    auth.write_text(AUTH.replace("ALLOWED", "true"))
    subprocess.run([*COMMAND, "ca", "setup", *options_of(folder)], check=True, capture_output=True)
    words = [
        *(*COMMAND, "server", *options_of(folder), "--puppetdb", "none"),
        *("--vardir", str(folder / "var"), "--environmentpath", str(folder / "environments")),
        *("--max-active-instances", "1"),
        *("--listen", "127.0.0.1:0", "--listen-plain", "127.0.0.1:0", "--auth-conf", str(auth)),
    ]
    log = folder / "log"
    with log.open("wb") as stream:
        program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=stream, text=True)
    line = program.stdout.readline()
    found = re.search(r" on https://127.0.0.1:(\d+) and http://127.0.0.1:(\d+)$", line)
    try:
        assert found, line + log.read_text()
        yield folder, program, int(found[1]), int(found[2])
    finally:
        program.send_signal(signal.SIGTERM)
        program.communicate()
    assert program.returncode == 0


def ask(connection, headers=HEADERS):
    """Return the status of the response to a request on a connection, which is then closed."""
    try:
        connection.request("GET", TARGET, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def plain(server):
    """Return a connection to the address of the proxy."""
    return http.client.HTTPConnection("127.0.0.1", server[3], timeout=PATIENCE)


def encrypted(server):
    """Return a connection with TLS, without a certificate."""
    context = ssl.create_default_context(cafile=str(server[0] / "etc/ssl/certs/ca.pem"))
    return http.client.HTTPSConnection("localhost", server[2], context=context, timeout=PATIENCE)


def wait_for_line(folder, text):
    """Wait until the log has a line."""
    end = time.monotonic() + PATIENCE
    while text not in (folder / "log").read_text():
        assert time.monotonic() < end, f"not in the log: {text}"
        time.sleep(0.05)


def test_the_headers_of_the_proxy_count_on_its_address_alone(server):
    assert ask(plain(server)) == 200
    assert ask(plain(server), {"Accept": "application/json"}) == 403
    assert ask(encrypted(server)) == 403


def test_a_reload_can_forbid_the_headers(server):
    folder, program, _, _ = server
    (folder / "auth.conf").write_text(AUTH.replace("ALLOWED", "false"))
    program.send_signal(signal.SIGHUP)
    wait_for_line(folder, "the configuration is reloaded")
    assert ask(plain(server)) == 403
    wait_for_line(
        folder, "The HTTP header x-client-dn was specified but the allow-header-cert-info"
    )


def test_an_address_that_others_can_reach_must_be_allowed(tmp_path, capsys):
    assert main(["server", *options_of(tmp_path), "--listen-plain", "0.0.0.0:0"]) != 0
    assert "--listen-plain: other machines can reach 0.0.0.0" in capsys.readouterr().err
