"""Metrics, status and logs of a server have neither values of ``Sensitive`` nor parts of keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rigs.server_trials.served_site import ServedSite, asked_once, catalog_request
from support.certificates import SERVER
from support.server_service import EVERYTHING

SECRET = "hidden-in-sensitive"
EXPRESSIONS = {
    "a resource": "file { '/a': content => $secret }",
    "a message": 'notify { "of ${secret}": message => $secret }',
    "a log entry": "notice($secret) warning([$secret]) err({ 'a' => $secret }) debug($secret)",
    "an interpolated log entry": 'warning("a ${secret} b")',
    "an error": "fail($secret)",
    "an interpolated error": 'fail("a ${secret} b")',
    "a wrong argument": "split($secret, 1)",
    "a wrong conversion": "notice(Integer($secret))",
    "a wrong type": "class { 'a': x => $secret }",
    "a wrong type within": "class { 'b': x => $secret }",
    "a wrong operand": "notice($secret + 1)",
    "an unknown key": "notice({ 'a' => 1 }[$secret]['b'])",
    "a wrong title": "file { $secret: }",
    "an unknown type": "notice(Resource[$secret])",
    "a wrong attribute": "file { '/b': ensure => $secret, mode => 12 }",
    "a failing lambda": "with($secret) |Integer $x| { }",
    "an assertion": "assert_type(Integer, $secret)",
    "a lookup": "lookup($secret)",
    "an unfinished path": "notice($secret.dig('a'))",
}
"""What a manifest does with a secret → the code."""
CLASSES = "class a(Integer $x) { }\nclass b(Sensitive[Integer] $x) { }\n"
IN_CATALOGS = {"a resource", "a message", "a wrong attribute"}
LOGGED = {"a log entry", "an interpolated log entry"}
"""Cases without an error."""
PAGES = (
    "/metrics",
    "/metrics/v2/list",
    "/metrics/v2/read/puppetserver:*",
    "/metrics/v2/read/java.lang:*",
    "/status/v1/services?level=debug",
    "/status/v1/simple",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The pages, logs and answers of a server after requests for all the catalogs, and its keys."""
    root = tmp_path_factory.mktemp("served")
    (root / "auth.conf").write_text(EVERYTHING)
    site = ServedSite(root, 1, ("--auth-conf", str(root / "auth.conf"), "--debug"))
    cases = "".join(
        f"    '{number}': {{ {code} }}\n" for number, code in enumerate(EXPRESSIONS.values())
    )
    (root / "environments/production/manifests/site.pp").write_text(
        f"{CLASSES}$secret = Sensitive('{SECRET}')\ncase $facts['stamp'] {{\n{cases}}}\n"
    )
    node = site.nodes[0]
    server = site.start()
    answers = [
        asked_once(site, server, node, *catalog_request(site, node, number))
        for number in range(len(EXPRESSIONS))
    ]
    pages = {page: asked_once(site, server, SERVER, "GET", page) for page in PAGES}
    assert server.stop() == 0
    logs = server.reported() + (root / "log/access").read_text(errors="backslashreplace")
    return root, dict(zip(EXPRESSIONS, answers, strict=True)), pages, logs


def test_pages_and_logs_have_no_secret(served):
    root, _answers, pages, logs = served
    assert {page: status for page, (status, _body) in pages.items()} == dict.fromkeys(PAGES, 200)
    assert b'route="/puppet/v3/catalog"' in pages["/metrics"][1]
    assert "/puppet/v3/catalog/" in logs
    assert "a Sensitive [value redacted] b" in logs, "what is logged reaches the log"
    secrets = [SECRET.encode(), *key_parts(root)]
    assert len(secrets) > 20
    for place, content in {
        **{page: body for page, (_, body) in pages.items()},
        "logs": logs.encode(),
    }.items():
        assert [secret for secret in secrets if secret in content] == [], place


@pytest.mark.parametrize("case", EXPRESSIONS)
def test_an_error_of_a_catalog_has_no_secret(served, case):
    status, body = served[1][case]
    assert (status == 200) == (case in IN_CATALOGS | LOGGED)
    assert (SECRET.encode() in body) == (case in IN_CATALOGS), "the agent needs the value"


def key_parts(root: Path) -> list[bytes]:
    """Return the lines of all keys below a folder."""
    found = []
    for path in root.rglob("*"):
        if path.is_file() and path.stat().st_size < 100_000:
            text = path.read_bytes()
            for key in re.findall(rb"PRIVATE KEY-----\n(.+?)-----END", text, re.DOTALL):
                found += [line for line in key.split() if len(line) > 20]
    return found
