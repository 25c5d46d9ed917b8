"""Who may do what, over real TLS: each row of the table in ``docs/server.md``, and ways around it."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
import ssl
from pathlib import Path

import pytest

from bunraku.ca.authority import Authority
from rigs.server_trials.served_site import (
    ALL_NODES,
    ServedSite,
    asked_once,
    catalog_request,
    one_key,
    report_request,
)
from support.certificates import SERVER, enrol, signing_request
from support.certificates import Authority as Stranger
from support.hostile import exchanged
from support.server_process import ROOT

NODE, OTHER = f"node0{ALL_NODES}", f"node1{ALL_NODES}"
NEVER = "in-a-file-that-nobody-may-read"
DIGEST = "0" * 64
Q = "?environment=production"
ROWS = {
    "catalog, node, report, facts of a node": (
        {NODE},
        [
            ("GET", f"/puppet/v3/catalog/{NODE}{Q}"),
            ("POST", f"/puppet/v3/catalog/{NODE}{Q}"),
            ("GET", f"/puppet/v3/node/{NODE}{Q}"),
            ("PUT", f"/puppet/v3/report/{NODE}{Q}"),
            ("PUT", f"/puppet/v3/facts/{NODE}{Q}"),
        ],
    ),
    "files, static files, environments, tasks": (
        {NODE, OTHER, SERVER},
        [
            ("GET", f"/puppet/v3/file_content/modules/site/tree/one{Q}"),
            ("GET", f"/puppet/v3/file_metadata/modules/site/tree/one{Q}"),
            ("GET", f"/puppet/v3/file_metadatas/plugins{Q}"),
            ("GET", f"/puppet/v3/static_file_content/modules/site/files/x{Q}&code_id=1"),
            ("GET", "/puppet/v3/environments"),
            ("GET", f"/puppet/v3/tasks{Q}"),
        ],
    ),
    "write to the filebucket": (
        {NODE, OTHER, SERVER},
        [("PUT", f"/puppet/v3/file_bucket_file/sha256/{DIGEST}{Q}")],
    ),
    "read from the filebucket; sign, revoke and clean certificates": (
        {SERVER},
        [
            ("GET", f"/puppet/v3/file_bucket_file/sha256/{DIGEST}{Q}"),
            ("GET", f"/puppet-ca/v1/certificate_status/{NODE}"),
            ("PUT", "/puppet-ca/v1/certificate_status/nobody"),
            ("DELETE", "/puppet-ca/v1/certificate_status/nobody"),
            ("GET", "/puppet-ca/v1/certificate_statuses/any"),
            ("PUT", "/puppet-ca/v1/clean"),
            ("POST", "/puppet-ca/v1/sign"),
        ],
    ),
    "request a certificate, read certificates and the revocation list": (
        {None, NODE, OTHER, SERVER},
        [
            ("PUT", "/puppet-ca/v1/certificate_request/x"),
            ("GET", f"/puppet-ca/v1/certificate/{NODE}"),
            ("GET", "/puppet-ca/v1/certificate/ca"),
            ("GET", "/puppet-ca/v1/certificate_revocation_list/ca"),
        ],
    ),
    "status": (
        {None, NODE, OTHER, SERVER},
        [("GET", "/status/v1/services"), ("GET", "/status/v1/simple")],
    ),
    "`/puppet/v4/catalog`, `environment_classes`, `environment_modules`, `environment_transports`, "
    "`puppet-admin-api`, `/metrics`": (
        set(),
        [
            ("POST", "/puppet/v4/catalog"),
            ("GET", f"/puppet/v3/environment_classes{Q}"),
            ("GET", f"/puppet/v3/environment_modules{Q}"),
            ("GET", f"/puppet/v3/environment_transports{Q}"),
            ("DELETE", "/puppet-admin-api/v1/environment-cache"),
            ("GET", "/metrics"),
            ("GET", "/metrics/v2/list"),
            ("POST", "/metrics/v2"),
        ],
    ),
}
"""Request in the table → who is allowed to, and requests."""
REFUSED = {
    "stranger": "UNKNOWN_CA",
    "old": "CERTIFICATE_EXPIRED",
    "early": "BAD_CERTIFICATE",
    "revoked": "CERTIFICATE_REVOKED",
}
"""Client whose certificate is refused → the alert."""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A site with its server; afterwards no secret may be in what it has written."""
    site = ServedSite(tmp_path_factory.mktemp("secure"), 2)
    (site.root / "environments/production/secret.txt").write_text(NEVER)
    Stranger(site.root).sign("stranger")
    for name, days in (("old", -10 * 366), ("early", 10), ("revoked", 0)):
        clock = lambda days=days: dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
        enrol(Authority(site.authority.settings, clock=clock), site.root, name)
    site.authority.revoke(["revoked"])
    server = site.start()
    yield site, server
    assert server.stop() == 0
    logs = server.reported() + (site.root / "log/access").read_text(errors="backslashreplace")
    assert "Traceback" not in logs
    assert "internal error" not in logs
    assert_no_secret(site, logs.encode())


def assert_no_secret(site, content: bytes):
    """Neither keys nor values of Sensitive parameters."""
    for secret in (b"PRIVATE KEY", b"hidden-", NEVER.encode()):
        assert secret not in content


def raw(running, name, content, complete=True):
    """The answer to bytes that a client with a certificate sends."""
    site, server = running
    context = site.context(name)
    secure = lambda plain: context.wrap_socket(plain, server_hostname="localhost")
    return exchanged(server.address, content, complete, secure)


def test_the_page_has_these_rows():
    text = (ROOT / "docs/server.md").read_text(encoding="utf-8")
    section = text.split("## Who may do what")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \|$", section, re.MULTILINE)
    assert rows[1:] == list(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_table(running, row):
    site, server = running
    allowed, requests = ROWS[row]
    for method, target in requests:
        for caller in (None, NODE, OTHER, SERVER):
            status, body = asked_once(site, server, caller, method, target, b"")
            refused = status == 403 and body.startswith(b"Forbidden request: ")
            assert refused == (caller not in allowed), (method, target, caller, status, body)


@pytest.mark.parametrize(("name", "alert"), REFUSED.items())
def test_a_refused_certificate_may_do_nothing(running, name, alert):
    site, server = running
    for target in ("/status/v1/simple", f"/puppet/v3/catalog/{NODE}{Q}"):
        with pytest.raises(ssl.SSLError, match=alert):
            asked_once(site, server, name, "GET", target)


# -- paths -----------------------------------------------------------------------------------------

PATHS = [
    f"catalog/{OTHER}",
    f"catalog/{NODE}/../{OTHER}",
    f"catalog/{NODE}/%2e%2e/{OTHER}",
    f"catalog/{NODE}/%2E./{OTHER}",
    f"catalog/{NODE}%2f..%2f{OTHER}",
    f"catalog/{NODE}%2F..%2F{OTHER}",
    f"catalog/{NODE}%252f..%252f{OTHER}",
    f"catalog/{NODE}/%252e%252e/{OTHER}",
    f"catalog/{NODE}%5c..%5c{OTHER}",
    f"catalog/{NODE}\\..\\{OTHER}",
    f"catalog/{NODE}/%c0%ae%c0%ae/{OTHER}",
    f"catalog/{NODE}%c0%af{OTHER}",
    f"catalog/{NODE}/%e0%80%ae%e0%80%ae/{OTHER}",
    f"catalog/{OTHER}%00",
    f"catalog/{OTHER}%00{NODE}",
    f"catalog/{NODE}%00{OTHER}",
    f"catalog/{OTHER};{NODE}",
    f"catalog/{OTHER}%3b/{NODE}",
    f"catalog/{OTHER}%20",
    f"catalog/{OTHER}%0a",
    f"catalog/{OTHER}/",
    f"catalog//{OTHER}",
    f"catalog/{OTHER.upper()}",
    f"catalog/%6eode1{ALL_NODES}",
    f"/catalog/{OTHER}",
    f"./catalog/{OTHER}",
    f"x/../catalog/{OTHER}",
    f"catalog/{NODE}?/../{OTHER}",
    f"node/{OTHER}",
    f"%63atalog/{OTHER}",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_to_another_node(running, path):
    site, _ = running
    _, _, body, headers = catalog_request(site, OTHER, 1)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"POST /puppet/v3/{path}{'&' if '?' in path else '?'}environment=production HTTP/1.1\r\n"
    head += f"Host: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{lines}\r\n"
    found = raw(running, NODE, head.encode() + body)
    assert re.match(rb"HTTP/1\.1 (400|403|404|500) ", found), found
    assert b'"resources"' not in found
    assert b"hidden-" not in found


@pytest.mark.parametrize(
    "query",
    [
        f"certname={OTHER}",
        f"node={OTHER}",
        f"environment=production&environment=../{OTHER}",
        "environment=..",
        "environment=production%00",
        "environment=%2e%2e%2fproduction",
        "environment=production/../..",
    ],
)
def test_no_query_leads_to_another_node_or_directory(running, query):
    site, server = running
    method, target, body, headers = catalog_request(site, NODE, 1)
    target = f"{target.partition('?')[0]}?{query}"
    status, found = asked_once(site, server, NODE, method, target, body, headers)
    if status == 200:
        assert json.loads(found)["name"] == NODE
    assert site.marker(OTHER).encode() not in found
    assert NEVER.encode() not in found


def test_facts_of_another_node_are_refused(running):
    site, server = running
    body = catalog_request(site, OTHER, 1)[2]
    method, target, _, headers = catalog_request(site, NODE, 1)
    status, found = asked_once(site, server, NODE, method, target, body, headers)
    assert status == 500
    assert b"was requested with fact definition for the wrong node" in found


CLIMBS = [
    "../../../secret.txt",
    "%2e%2e/%2e%2e/%2e%2e/secret.txt",
    "..%2f..%2f..%2fsecret.txt",
    "%252e%252e/%252e%252e/secret.txt",
    "..%5c..%5csecret.txt",
    "..\\..\\secret.txt",
    "%c0%ae%c0%ae/%c0%ae%c0%ae/secret.txt",
    "%e0%80%ae%e0%80%ae/secret.txt",
    "....//....//secret.txt",
    "..;/..;/secret.txt",
    "tree/one%00/../../secret.txt",
    "%00",
    "/etc/passwd",
    "%2fetc%2fpasswd",
]


@pytest.mark.parametrize("path", CLIMBS)
@pytest.mark.parametrize("mount", ["modules/site", "plugins"])
@pytest.mark.parametrize("route", ["file_content", "file_metadatas"])
def test_no_path_leads_out_of_a_mount(running, route, mount, path):
    head = f"GET /puppet/v3/{route}/{mount}/{path}{Q} HTTP/1.1\r\nHost: localhost\r\n"
    found = raw(running, NODE, f"{head}Accept: */*\r\nConnection: close\r\n\r\n".encode())
    if (route, mount) == ("file_metadatas", "plugins") and found.startswith(b"HTTP/1.1 200 "):
        # As in Puppet: a directory that no module has is described by an empty one.
        (entry,) = json.loads(found.partition(b"\r\n\r\n")[2])
        assert (entry["relative_path"], entry["type"]) == (".", "directory")
    else:
        assert re.match(rb"HTTP/1\.1 (400|404|500) ", found), found
    assert NEVER.encode() not in found
    assert b"root:" not in found


@pytest.mark.parametrize("path", CLIMBS)
def test_no_path_leads_out_of_the_authority(running, path):
    site, _ = running
    before = {one: one.read_bytes() for one in (site.root / "ca").rglob("*.pem")}
    pem = signing_request("x", key=one_key())
    for method, route in (
        ("GET", "certificate"),
        ("PUT", "certificate_request"),
        ("DELETE", "certificate_status"),
    ):
        head = f"{method} /puppet-ca/v1/{route}/{path} HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Connection: close\r\nContent-Length: {len(pem)}\r\n\r\n"
        found = raw(running, SERVER, head.encode() + pem)
        assert re.match(rb"HTTP/1\.1 4\d\d ", found), found
        assert b"PRIVATE KEY" not in found
    assert before == {one: one.read_bytes() for one in (site.root / "ca").rglob("*.pem")}


# -- headers ---------------------------------------------------------------------------------------

HEADERS = [
    f"X-Client-Verify: SUCCESS\r\nX-Client-DN: /CN={OTHER}\r\nX-Client-Cert: x\r\n",
    f"X-SSL-Subject: /CN={OTHER}\r\nX-Client-CN: {OTHER}\r\n",
    f"X-Authentication: {OTHER}\r\nAuthorization: Basic eDp4\r\n",
    f"X-Original-URL: /puppet/v3/catalog/{NODE}\r\nX-Rewrite-URL: /puppet/v3/catalog/{NODE}\r\n",
    "X-HTTP-Method-Override: GET\r\nX-Forwarded-For: 127.0.0.1\r\nX-Real-IP: 127.0.0.1\r\n",
    f"Forwarded: for={OTHER};proto=https\r\n",
]


@pytest.mark.parametrize("headers", HEADERS)
def test_no_header_makes_a_client_another_one(running, headers):
    head = f"GET /puppet/v3/catalog/{OTHER}{Q} HTTP/1.1\r\nHost: {OTHER}\r\nAccept: */*\r\n"
    found = raw(running, NODE, f"{head}{headers}Connection: close\r\n\r\n".encode())
    assert found.startswith(b"HTTP/1.1 403 ")


SMUGGLED = f"GET /puppet/v3/catalog/{OTHER}{Q} HTTP/1.1\r\nHost: a\r\n\r\n"
MALFORMED = [
    "Content-Length: 0\r\nContent-Length: 5\r\n",
    "Content-Length: 0, 5\r\n",
    "Content-Length: +0\r\n",
    "Content-Length: -1\r\n",
    "Content-Length: 0x0\r\n",
    "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding : chunked\r\n",
    "Transfer-Encoding:\x0bchunked\r\n",
    "Host: b\r\n",
    "X\x00: a\r\n",
    "X: a\x00b\r\n",
    "X: a\rb\r\n",
    "X Y: a\r\n",
    "\xff: a\r\n",
    ": a\r\n",
    "no colon\r\n",
    f"X: {'y' * 70_000}\r\n",
    "X: y\r\n" * 20_000,
]


@pytest.mark.parametrize("headers", MALFORMED, ids=lambda text: text[:30].encode().hex())
def test_a_request_with_odd_headers_is_refused_and_ends_the_connection(running, headers):
    head = "POST /status/v1/simple HTTP/1.1\r\nHost: localhost\r\n"
    content = f"{head}{headers}\r\n0\r\n\r\n{SMUGGLED}".encode("latin-1")
    try:
        found = raw(running, NODE, content)
    except (ConnectionResetError, ssl.SSLEOFError):
        return  # refused before all of it was read
    assert re.match(rb"HTTP/1\.1 4(00|31) ", found), found
    assert found.count(b"HTTP/1.1 ") == 1


# -- bodies ----------------------------------------------------------------------------------------


def test_a_target_that_is_too_long_is_refused(running):
    site, server = running
    for target in ("/status/v1/simple?x=" + "y" * 9000, f"/puppet/v3/node/{'x' * 9000}{Q}"):
        assert asked_once(site, server, NODE, "GET", target)[0] == 414


def test_a_body_that_is_too_large_is_refused(running):
    site, server = running
    target = "/puppet-ca/v1/certificate_request/large"
    assert asked_once(site, server, None, "PUT", target, b"x" * 200_000)[0] == 413


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 300 + b"]" * 300])
def test_a_deep_body_is_refused(running, text):
    site, server = running
    _, target, _, headers = report_request(NODE, 1)
    assert asked_once(site, server, NODE, "PUT", target, text, headers)[0] == 400
    facts = f"/puppet/v3/facts/{NODE}{Q}"
    for kind in ("application/json", "text/yaml", "text/pson"):
        headers = {"Content-Type": kind}
        assert asked_once(site, server, NODE, "PUT", facts, text, headers)[0] in {400, 500}
    names = "/puppet-ca/v1/clean"
    assert asked_once(site, server, SERVER, "PUT", names, text)[0] == 400


# -- secrets ---------------------------------------------------------------------------------------


def test_values_that_are_sensitive_are_in_no_log_and_no_database(running):
    site, server = running
    status, body = asked_once(site, server, NODE, *catalog_request(site, NODE, 1))
    assert status == 200
    assert f"hidden-{site.marker(NODE)}".encode() in body  # as in Puppet: the agent needs it
    bad = catalog_request(site, NODE, 2)[2].replace(b"facts=", b"facts=broken")
    method, target, _, headers = catalog_request(site, NODE, 2)
    _, answer = asked_once(site, server, NODE, method, target, bad, headers)
    assert_no_secret(site, answer)
    folder = Path(site.root / "var")
    for path in folder.rglob("*"):
        if path.is_file() and "bucket" not in path.parts:
            assert_no_secret(site, path.read_bytes())
    with sqlite3.connect(f"file:{folder}/bunraku/puppetdb.sqlite?mode=ro", uri=True) as database:
        dump = "\n".join(database.iterdump())
    database.close()
    assert_no_secret(site, dump.encode())
