"""``bunraku puppetdb`` as a process: addresses, TLS, limits, stops."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from support.certificates import Authority

COMMAND = [sys.executable, "-m", "bunraku", "puppetdb", "--no-project"]
READY = re.compile(r"PuppetDB on (.*), database ")


@contextmanager
def serving(tmp_path, *options):
    """Run a server; yield its process, and host and port of each address."""
    words = [*COMMAND, "--database", str(tmp_path / "site.db"), *options]
    process = subprocess.Popen(words, stdout=-1, stderr=-1, text=True)
    try:
        line = process.stdout.readline()
        assert READY.match(line), (line, process.stderr.read())
        found = re.findall(r"https?://([\d.]+):(\d+)", line)
        yield process, [(host, int(port)) for host, port in found]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def get(connection, path, method="GET", **headers):
    """Return status and text of a response on a connection that is closed afterwards."""
    with closing(connection):
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()


def test_a_server_answers_and_stops(tmp_path):
    log, pid = tmp_path / "access.log", tmp_path / "pid"
    options = ["--listen", "127.0.0.1:0", "--access-log", str(log), "--pid-file", str(pid)]
    with serving(tmp_path, *options) as (process, [(host, port)]):
        assert pid.read_text() == f"{process.pid}\n"
        connection = http.client.HTTPConnection(host, port, timeout=10)
        assert get(connection, "/pdb/query/v4/nodes") == (200, "[]")
        status, text = get(connection, "/pdb/meta/v1/version")
        assert (status, json.loads(text)) == (200, {"version": "7.12.1"})
        assert get(connection, "/pdb/query/v4/nodes", Accept="text/html")[0] == 406
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (exits.OK, "", "")
    assert not pid.exists()
    lines = log.read_text().splitlines()
    assert sorted(line.split('"')[1] for line in lines) == [  # threads write them
        "GET /pdb/meta/v1/version HTTP/1.1",
        "GET /pdb/query/v4/nodes HTTP/1.1",
        "GET /pdb/query/v4/nodes HTTP/1.1",
    ]


def test_the_demonstration_names_its_address(tmp_path):
    words = [*COMMAND, "demo", "--database", str(tmp_path / "site.db"), "--nodes", "2"]
    process = subprocess.Popen([*words, "--listen", "127.0.0.1:0"], stdout=-1, stderr=-1, text=True)
    try:
        text = ""
        while "PuppetDB on" not in text:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            text += line
        port = re.search(r"PuppetDB on http://127\.0\.0\.1:(\d+)", text)[1]
        assert f"PUPPETDB_HOST=127.0.0.1 PUPPETDB_PORT={port} " in text
    finally:
        process.kill()
        process.communicate()


def test_requests_that_are_not_http_are_refused(tmp_path):
    with serving(tmp_path, "--listen", "127.0.0.1:0") as (process, [address]):
        for content in (b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\nx: " + b"a" * 100_000):
            with socket.create_connection(address, timeout=10) as raw:
                raw.sendall(content + b"\r\n\r\n")
                assert raw.recv(100).startswith(b"HTTP/1.1 400 ")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == exits.OK


def test_commands_are_stored(tmp_path):
    payload = {
        "certname": "web01",
        "environment": "production",
        "producer": None,
        "producer_timestamp": "2099-01-01T00:00:00.000Z",
        "values": {"kernel": "Linux"},
    }
    target = "/pdb/cmd/v1?command=replace_facts&version=5&certname=web01"
    headers = {"Content-Type": "application/json"}
    with serving(tmp_path, "--listen", "127.0.0.1:0") as (process, [address]):
        with closing(http.client.HTTPConnection(*address, timeout=30)) as connection:
            for wait in ("", "&secondsToWaitForCompletion=20"):
                connection.request("POST", target + wait, json.dumps(payload), headers)
                response = connection.getresponse()
                assert (response.status, "uuid" in json.loads(response.read())) == (200, True)
        status, text = get(http.client.HTTPConnection(*address, timeout=10), "/pdb/query/v4/facts")
        assert (status, [fact["value"] for fact in json.loads(text)]) == (200, ["Linux"])
        status, text = get(http.client.HTTPConnection(*address, timeout=10), "/metrics")
        line = 'puppetdb_commands_total{command="replace facts",version="5",event="seen"} 2'
        assert line in text.splitlines()
        process.terminate()
        assert process.wait(timeout=20) == exits.OK
    assert os.listdir(tmp_path / "site.db.queue") == []


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    found = Authority(tmp_path_factory.mktemp("ssl"))
    for name in ("puppetdb", "server.example.test", "stranger.example.test"):
        found.sign(name)
    found.revoke([found.sign("revoked.example.test")])
    (found.folder / "allowed").write_text("server.example.test\n\nrevoked.example.test\n")
    return found


def tls_options(authority, *more):
    files = {
        "--ssl-cert": "puppetdb.pem",
        "--ssl-key": "puppetdb.key",
        "--ssl-ca-cert": "ca.pem",
        "--ssl-crl-path": "crl.pem",
        "--certificate-allowlist": "allowed",
    }
    words = [word for name, file in files.items() for word in (name, authority.path(file))]
    return ["--listen", "none", "--ssl-listen", "127.0.0.1:0", *words, *more]


def https(authority, address, certname=None):
    context = ssl.create_default_context(cafile=authority.path("ca.pem"))
    if certname is not None:
        context.load_cert_chain(
            authority.path(f"{certname}.pem"), authority.path(f"{certname}.key")
        )
    return http.client.HTTPSConnection(*address, timeout=10, context=context)


def test_certificates_of_clients_are_checked(tmp_path, authority):
    with serving(tmp_path, *tls_options(authority)) as (_, [address]):
        allowed = https(authority, address, "server.example.test")
        assert get(allowed, "/pdb/query/v4/nodes") == (200, "[]")
        denied = https(authority, address, "stranger.example.test")
        status, text = get(denied, "/pdb/query/v4/nodes")
        assert status == 403
        assert text.startswith(
            "Permission denied: The client certificate name stranger.example.test doesn't appear"
        )
        for certname in (None, "revoked.example.test"):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                get(https(authority, address, certname), "/pdb/query/v4/nodes")


def test_certificates_of_clients_can_be_optional(tmp_path, authority):
    options = tls_options(authority, "--client-auth", "want")
    with serving(tmp_path, *options) as (_, [address]):
        assert get(https(authority, address), "/pdb/query/v4/nodes")[0] == 403
        allowed = https(authority, address, "server.example.test")
        assert get(allowed, "/pdb/query/v4/nodes")[0] == 200


def test_a_client_that_keeps_its_connection_does_not_delay_the_stop(tmp_path, authority):
    with serving(tmp_path, *tls_options(authority)) as (process, [address]):
        connection = https(authority, address, "server.example.test")
        connection.request("GET", "/pdb/query/v4/nodes")
        assert connection.getresponse().read() == b"[]"
        process.terminate()
        # Less than the 30 seconds for which asyncio waits for the client.
        assert process.wait(timeout=20) == exits.OK
        connection.close()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--database FILE is required"),
        (["--database", "x.db", "--listen", "8080"], "--listen: invalid address '8080'"),
        (
            ["--database", "x.db", "--listen", "0.0.0.0:0"],
            "--listen: other machines can reach 0.0.0.0",
        ),
        (["--database", "x.db", "--listen", "none"], "--listen none requires --ssl-listen"),
        (
            ["--database", "x.db", "--listen", "none", "--ssl-listen", "127.0.0.1:0"],
            "--ssl-listen requires --ssl-cert and --ssl-key and --ssl-ca-cert",
        ),
        (["--database", "x.db", "--node-ttl", "7"], "--node-ttl: invalid duration '7'"),
        (
            ["--database", "x.db", "--listen", "127.0.0.1:0", "--pid-file", "/no/pid"],
            "--pid-file: cannot write /no/pid: the directory /no does not exist",
        ),
        (
            ["--database", "x.db", "--certificate-allowlist", "missing"],
            "cannot read missing: No such file or directory",
        ),
        (
            ["--database", "x.db", "--report-ttl", "1d", "--resource-events-ttl", "2d"],
            "--resource-events-ttl must not be longer than --report-ttl",
        ),
        (["--database", "x.db", "--max-command-size", "1 MB"], "invalid size '1 MB'"),
        (["--database", "x.db", "--query-timeout-max", "soon"], "invalid time limit 'soon'"),
        (
            ["--database", "x.db", "--facts-blocklist", "(", "--facts-blocklist-type", "regex"],
            "--facts-blocklist: ",
        ),
    ],
)
def test_wrong_usage_is_reported(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["puppetdb", "--no-project", *words]) == exits.TROUBLE
    assert message in capsys.readouterr().err


def test_an_address_in_use_is_reported(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ["--database", str(tmp_path / "x.db"), "--listen", f"127.0.0.1:{port}"]
        assert main(["puppetdb", "--no-project", *words]) == exits.TROUBLE
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in capsys.readouterr().err


def test_files_that_tls_cannot_use_are_reported(tmp_path, authority, capsys):
    words = ["--database", str(tmp_path / "x.db"), *tls_options(authority)]
    words[words.index("--ssl-key") + 1] = authority.path("stranger.example.test.key")
    assert main(["puppetdb", "--no-project", *words]) == exits.TROUBLE
    assert "key values mismatch" in capsys.readouterr().err
    assert not os.path.exists(tmp_path / "x.db")


def test_the_configuration_of_puppetdb_is_used(tmp_path):
    folder = tmp_path / "conf.d"
    folder.mkdir()
    (folder / "config.ini").write_text(f"[global]\nvardir = {tmp_path}\nlogging-config = x\n")
    (folder / "database.ini").write_text(
        f"[database]\nsubname = {tmp_path}/own.db\nnode-ttl = 30d\ngc-interval = 0\n"
    )
    (folder / "jetty.ini").write_text("[jetty]\nhost = 127.0.0.1\nport = 0\nmax-threads = 5\n")
    words = [*COMMAND, "--config", str(folder)]
    process = subprocess.Popen(words, stdout=-1, stderr=-1, text=True)
    try:
        line = process.stdout.readline()
        assert f"database {tmp_path}/own.db" in line
        process.terminate()
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (
        errors
        == f"warning: without effect in {folder}: [global] logging-config, [jetty] max-threads\n"
    )
    assert os.path.isdir(tmp_path / "bunraku-queue")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[database]\nnode_ttl = 1d\n", "unknown setting 'node_ttl' in [database] (did you mean"),
        ("[databse]\nx = 1\n", "unknown section [databse] (did you mean 'database'?)"),
        ("[database]\nnode-ttl = 1 week\n", "node-ttl: invalid duration '1 week'"),
        ("[jetty]\nport = x\n", "port: invalid address 'localhost:x'"),
        ("[jetty]\nclient-auth = x\n", "client-auth: use need, want, none"),
        ("[puppetdb]\nquery-timeout-max = x\n", "query-timeout-max: invalid time limit 'x'"),
        (
            "[command-processing]\nreject-large-commands = true\nmax-command-size = 1k\n",
            "max-command-size: invalid size '1k'",
        ),
        (
            "[database]\nfacts-blocklist-type = glob\n",
            "facts-blocklist-type: use literal, regex",
        ),
        ("nonsense", "Wrong configuration of PuppetDB: File contains no section headers."),
    ],
)
def test_a_wrong_configuration_is_reported(text, message, tmp_path, capsys):
    (tmp_path / "puppetdb.ini").write_text(text)
    words = ["puppetdb", "--no-project", "--config", str(tmp_path / "puppetdb.ini")]
    assert main(words) == exits.TROUBLE
    assert message in capsys.readouterr().err
