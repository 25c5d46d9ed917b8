"""A PuppetDB on a server as the source of a compile: in process, and on a socket with TLS."""

from __future__ import annotations

import json
import ssl
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

import bunraku
from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.request import Request
from bunraku.puppetdb.client import Client, server_url
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.site.tls import tls_files
from bunraku.web.client import Answer
from bunraku.web.http import Request as WebRequest
from bunraku.web.requests import TlsFiles
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from support.certificates import Authority

BASE = "https://puppetdb.example.com:8081"
TIME = "2026-01-01T00:00:00Z"


def resource(title, **parameters):
    return {
        "type": "Notify",
        "title": title,
        "exported": True,
        "tags": ["notify", title[0]],
        "file": None,
        "line": None,
        "parameters": parameters,
    }


@pytest.fixture
def database():
    found = SqliteDatabase(":memory:")
    found.idle.append(found.writer)  # a database in memory has one connection
    for node in ("db1", "db2"):
        common = {
            "certname": node,
            "environment": "production",
            "producer": None,
            "producer_timestamp": TIME,
        }
        absent = dict.fromkeys(("code_id", "catalog_uuid", "transaction_uuid", "job_id"))
        resources = [resource(f"b {node}", message="up")]
        catalog = {"version": "1", "edges": [], "resources": resources, **absent}
        trusted = {"authenticated": "remote", "certname": node, "extensions": {"pp_role": "db"}}
        values = {"os": {"family": "Debian"}, "trusted": trusted}
        for name, version, own in (
            ("replace catalog", 9, catalog),
            ("replace facts", 5, {"values": values}),
        ):
            body = json.dumps({**common, **own}).encode()
            process(found, Command(name, version, node, body, 0))
    yield found
    found.idle.clear()
    found.close()


class Served(DictionaryWorld):
    """A machine in whose network our PuppetDB answers; it notes the queries."""

    @contextmanager
    def http(self, request):
        parts = urlsplit(request.url)
        self.queries.append(json.loads(request.body)["query"])
        response = answer(
            Service(self.database),
            WebRequest(request.method, parts.path, {}, request.headers, [request.body]),
        )
        body = "".join(response.body).encode()
        yield Answer(response.status, response.headers, lambda size=-1: body[: size % 1_000_000])


@pytest.fixture
def world(database):
    found = Served()
    found.database, found.queries = database, []
    return found


def test_exported_resources_are_collected_from_a_server(world):
    code = "Notify <<| tag == 'b' |>> Notify <<| title == 'b db2' |>>"
    request = Request(code=code, node="db1", storedconfigs=BASE, world=world)
    catalog = compile_catalog(request, lambda entry: None)
    assert [one.title for one in catalog.resources if one.type == "Notify"] == ["b db2"]
    assert len(world.queries) == 2  # each collector asks once, whatever the number of its rounds
    others = ["not", ["=", "certname", "db1"]]
    assert world.queries[0][2][2][3] == ["and", others, ["=", "tag", "b"]]


def test_queries_are_answered_by_a_server(world):
    code = "puppetdb_query('nodes[certname] { certname ~ \"2\" }')"
    request = Request(code=code, storedconfigs=f"{BASE}/pdb/query/v4", world=world)
    assert evaluate_code(request, lambda entry: None) == [{"certname": "db2"}]
    request = Request(code="puppetdb_query('nodes { x = 1 }')", storedconfigs=BASE, world=world)
    with pytest.raises(PuppetError) as caught:
        evaluate_code(request, lambda entry: None)
    assert caught.value.message.startswith("'x' is not a queryable object for nodes")


def test_facts_and_trusted_data_come_from_a_server(world):
    code = "[$facts['os']['family'], $trusted['extensions']['pp_role'], $facts['trusted']]"
    found = bunraku.evaluate(code, node="db1", facts_from=BASE, world=world)
    assert found == ["Debian", "db", None]
    found = bunraku.evaluate(
        code, node="db1", facts_from=BASE, world=world, trusted={"extensions": {}}
    )
    assert found == ["Debian", None, None]
    with pytest.raises(PuppetError) as caught:
        bunraku.evaluate("1", node="none", facts_from=BASE, world=world)
    assert caught.value.message == f"{BASE} has no facts of none"


def test_all_nodes_of_a_server_are_compiled(world):
    found = bunraku.compile_nodes(
        "notify { $facts['os']['family']: }", facts_from=BASE, world=world, jobs=1
    )
    assert [(one.node, one.ok) for one in found] == [("db1", True), ("db2", True)]


# -- a server on a socket ----------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    """Answers by the path: rows, or an error."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        status, kind, body = ANSWERS[self.path.removesuffix("/pdb/query/v4")]
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body) + (9 if self.path[1:6] == "short" else 0)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments):
        """Print nothing."""


ANSWERS = {
    "": (200, "application/json", b'[{"certname": "a"}]'),
    "/text": (200, "text/html", b"<html>"),
    "/object": (200, "application/json", b"{}"),
    "/short": (200, "application/json", b"[]"),
    "/bad": (400, "text/plain", b"not a query"),
    "/denied": (403, "text/plain", b"Permission denied"),
    "/none": (404, "text/html", b"<h1>"),
    "/broken": (500, "application/json", b'{"error": "x"}'),
}


@contextmanager
def serving(context=None):
    """Yield the port of a server that runs in a thread."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_arguments: None
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def failure(client):
    with pytest.raises(PuppetError) as caught:
        client.query(["from", "nodes"])
    return caught.value


def test_answers_and_errors_of_a_server():
    with serving() as port:
        base = f"http://127.0.0.1:{port}"
        assert Client(base, Machine()).query("nodes {}") == [{"certname": "a"}]
        for path, message in (
            ("/text", "it did not answer with JSON"),
            ("/object", "it did not answer with an array"),
            ("/short", "the answer is not HTTP or ends early (IncompleteRead)"),
            ("/denied", "it refused access (403)"),
            ("/none", "it has no PuppetDB at this path (404)"),
            ("/broken", "it answered with status 500"),
        ):
            found = failure(Client(base + path, Machine()))
            assert found.message == f"Cannot query the PuppetDB at {base}{path}: {message}"
        assert failure(Client(f"{base}/bad", Machine())).message == "not a query"
    found = failure(Client(base, Machine()))
    assert "Connection refused" in found.message
    assert "8081 for https" in found.diagnostic.hint


def test_both_sides_show_certificates(tmp_path):
    (tmp_path / "other").mkdir()
    authority, other = Authority(tmp_path), Authority(tmp_path / "other")
    for name in ("server", "client"):
        authority.sign(name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "server.pem", tmp_path / "server.key")
    context.load_verify_locations(tmp_path / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    known = str(tmp_path / "ca.pem")
    own = str(tmp_path / "client.pem"), str(tmp_path / "client.key")
    with serving(context) as port:
        base = f"https://127.0.0.1:{port}"
        assert Client(base, Machine(), TlsFiles(known, *own)).query("x") == [{"certname": "a"}]
        found = failure(Client(base, Machine(), TlsFiles(str(other.folder / "ca.pem"), *own)))
        assert "its certificate is not accepted" in found.message
        assert "hostprivkey" in found.diagnostic.hint
        found = failure(Client(base, Machine(), TlsFiles(known)))
        assert "TLS failed" in found.message or "Connection reset" in found.message
        found = failure(Client(base, Machine(), TlsFiles(str(tmp_path / "none"), *own)))
        assert f"cannot use {tmp_path / 'none'}: No such file" in found.message


def test_the_files_for_tls_are_those_of_the_settings_the_client_tools_or_the_agent():
    ssldir = "/etc/puppetlabs/puppet/ssl"
    agent = {
        f"{ssldir}/certs/ca.pem": b"",
        f"{ssldir}/certs/me.pem": b"",
        f"{ssldir}/private_keys/me.pem": b"",
        "/proc/sys/kernel/hostname": b"me\n",
    }
    expected = TlsFiles(*[path for path in agent if path.startswith(ssldir)])
    assert tls_files({}, DictionaryWorld(agent)) == expected
    assert tls_files({}, DictionaryWorld({})) == TlsFiles()
    assert tls_files({"localcacert": "/ca"}, DictionaryWorld(agent)).authority == "/ca"
    tools = {"/home/u/.puppetlabs/client-tools/puppetdb.conf": b'{"puppetdb": {"cacert": "/c"}}'}
    home = {"HOME": "/home/u"}
    assert tls_files({}, DictionaryWorld({**agent, **tools}, variables=home)) == TlsFiles("/c")
    wrong = dict.fromkeys(tools, b'{"puppetdb": {"cacert": 1}}')
    with pytest.raises(PuppetError, match=r"puppetdb\.cacert: expected a String"):
        tls_files({}, DictionaryWorld(wrong, variables=home))


@pytest.mark.parametrize(
    "text", ["http://", "http://me:secret@host", "http://host:x", "http://ho st", "http://h?a=b"]
)
def test_malformed_urls_are_refused_without_their_secrets(text):
    with pytest.raises(PuppetError) as caught:
        server_url(text)
    assert "secret" not in str(caught.value)


def test_other_schemes_are_refused():
    with pytest.raises(PuppetError) as caught:
        bunraku.compile("", storedconfigs="ftp://host/x")
    assert caught.value.code == "UNKNOWN_SOURCE"
