"""Report processors: files, the log, the PuppetDB, and posts to another server."""

from __future__ import annotations

import json
import ssl
import threading
from base64 import b64decode
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from bunraku.base.records import replace
from bunraku.server.interface import answer
from support.agent_reports import unchanged_report
from support.certificates import Authority
from support.server_service import content, request, rows, site_service

NODE = "web.example.test"
SERVER = "puppet.example.test"
REPORT = unchanged_report(
    NODE,
    status="changed",
    logs=[
        {
            "level": "notice",
            "message": "Grüße\n- !ruby/object:Evil {}",
            "source": "Puppet",
            "tags": ["notice"],
            "time": "2026-01-10T00:00:00.000000000+00:00",
            "file": None,
            "line": None,
        }
    ],
)


class Handler(BaseHTTPRequestHandler):
    """Keeps what is posted, with the name of the client; ``/refuse`` is refused."""

    def do_POST(self):
        length = int(self.headers["content-length"])
        certificate = self.connection.getpeercert() if self.server.tls else None
        client = dict(pair for (pair,) in certificate["subject"]) if certificate else {}
        posted = (self.path, dict(self.headers), self.rfile.read(length), client.get("commonName"))
        self.server.posted.append(posted)
        self.send_response(503 if self.path == "/refuse" else 200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_arguments):
        """Print nothing."""


@contextmanager
def receiver(context=None):
    """Run a server for reports; yield it with its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.posted, server.tls, server.daemon_threads = [], context is not None, True
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server, f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def context_of(authority, name):
    """Return the context of a server that requires certificates of an authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.path(f"{name}.pem"), authority.path(f"{name}.key"))
    context.load_verify_locations(authority.path("ca.pem"))
    context.verify_mode = ssl.CERT_REQUIRED
    return context


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A server of an empty site."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "code/environments/production").mkdir(parents=True)
    with site_service(folder) as found:
        yield found


@pytest.fixture
def authority(tmp_path):
    """An authority with certificates of this server and of two others."""
    found = Authority(tmp_path)
    for name in (SERVER, "reports.example.test"):
        found.sign(name)
    found.revoke([found.sign("revoked.example.test")])
    return found


def with_settings(service, authority=None, **values):
    """Return the server with other settings, and with the certificates of an authority."""
    if authority is not None:
        values["localcacert"] = authority.path("ca.pem")
        values["hostcert"] = authority.path(f"{SERVER}.pem")
        values["hostprivkey"] = authority.path(f"{SERVER}.key")
        values["hostcrl"] = authority.path("crl.pem")
    settings = service.settings
    return replace(service, settings=replace(settings, values={**settings.values, **values}))


def put(service, report=REPORT):
    """Send a report and return the names of the processors; the log begins with it."""
    service.log.lines.clear()
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    target = f"/puppet/v3/report/{NODE}?environment=production"
    body = json.dumps(report).encode()
    response = answer(service, request("PUT", target, headers, body, NODE))
    assert response.status == 200, content(response)
    return json.loads(content(response))


def read(text):
    """Return the data of Puppet's YAML, whose objects become hashes."""
    loader = type("Loader", (yaml.SafeLoader,), {})
    loader.add_multi_constructor(
        "!ruby/", lambda one, _tag, node: one.construct_mapping(node, True)
    )
    return yaml.load(text, loader)


def test_a_report_is_posted_in_puppets_yaml(service):
    with receiver() as (server, address):
        url = f"http://me:pass%40word@{address}/reports/upload?x=1"
        assert put(with_settings(service, reports="http", reporturl=url)) == ["http"]
    ((path, headers, body, _client),) = server.posted
    assert path == "/reports/upload?x=1"
    assert headers["content-type"] == "application/x-yaml"
    assert b64decode(headers["authorization"].removeprefix("Basic ")) == b"me:pass@word"
    assert headers["Host"] == address
    assert body.startswith(b"--- !ruby/object:Puppet::Transaction::Report\n")
    found = read(body.decode())
    assert found["host"] == NODE
    assert found["logs"][0]["message"] == REPORT["logs"][0]["message"]


def test_a_report_is_posted_with_the_certificate_of_the_server(service, authority):
    with receiver(context_of(authority, "reports.example.test")) as (server, address):
        url = f"https://{address}/upload"
        put(with_settings(service, authority, reports="http", reporturl=url))
    assert [one[3] for one in server.posted] == [SERVER]
    assert service.log.lines == []


def test_a_server_of_another_authority_gets_no_report(service, authority, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    foreign = Authority(other)
    foreign.sign("reports.example.test")
    with receiver(context_of(foreign, "reports.example.test")) as (server, address):
        url = f"https://{address}/upload"
        for system in (False, True):
            changed = with_settings(
                service,
                authority,
                reports="http",
                reporturl=url,
                report_include_system_store=system,
            )
            put(changed)
            (((level, text)),) = service.log.lines
            assert level == "err"
            assert "certificate verify failed" in text
    assert server.posted == []


def test_a_revoked_server_gets_no_report(service, authority):
    with receiver(context_of(authority, "revoked.example.test")) as (server, address):
        url = f"https://{address}/upload"
        put(with_settings(service, authority, reports="http", reporturl=url))
        assert server.posted == []
        assert "certificate revoked" in service.log.lines[0][1]
        unchecked = {"reports": "http", "reporturl": url, "certificate_revocation": False}
        put(with_settings(service, authority, **unchecked))
        assert len(server.posted) == 1


def test_a_failed_post_is_logged_without_the_password_and_stops_no_other(service):
    with receiver() as (_server, address):
        url = f"http://me:topsecret@{address}/refuse"
        names = put(with_settings(service, reports="http, log, store", reporturl=url))
    assert names == ["http", "log", "store"]
    failure = f"Unable to submit report to http://{address}/refuse [503]"
    expected = f"Report processor http failed for {NODE}: {failure}"
    assert service.log.lines[0] == ("err", expected)
    assert not any("topsecret" in text for _, text in service.log.lines)
    put(with_settings(service, reports="http", reporturl=f"http://me:topsecret@{address}/gone"))
    ((level, text),) = service.log.lines
    assert (level, "Connection refused" in text, "topsecret" in text) == ("err", True, False)


def test_a_report_is_stored_below_reportdir(service, tmp_path):
    put(with_settings(service, reports="store", reportdir=str(tmp_path / "kept")))
    (path,) = (tmp_path / "kept" / NODE).iterdir()
    assert path.suffix == ".yaml"
    assert path.stat().st_mode & 0o007 == 0
    assert read(path.read_text())["status"] == "changed"


def test_the_messages_of_a_report_are_logged(service):
    assert put(with_settings(service, reports="log")) == ["log"]
    message = REPORT["logs"][0]["message"]
    assert ("notice", f"{NODE} Puppet: {message}") in service.log.lines


def test_a_report_reaches_the_puppetdb(service):
    put(with_settings(service, reports="puppetdb"))
    (found,) = rows(service, ["from", "reports", ["=", "certname", NODE]])
    assert found["status"] == "changed"
    assert found["logs"]["data"][0]["message"] == REPORT["logs"][0]["message"]


def test_none_processes_no_report(service):
    assert put(with_settings(service, reports="none")) == []
