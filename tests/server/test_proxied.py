"""Callers behind a proxy that ends TLS: the headers that count, and those that never do."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.server.authorization.reading import read_access
from bunraku.server.interface import answer
from support.server_service import EXTENSIONS, certificate, content, request, site_service

NODE = "plain8.auto.example.test"
OTHER = "other.example.test"
AUTH = """authorization: {
  version: 1
  allow-header-cert-info: true
  rules: [
    { match-request: { path: "^/puppet/v3/(?:catalog|node)/([^/]+)$", type: regex }
      allow: "$1", sort-order: 500, name: "own" }
    { match-request: { path: "/puppet/v3/environments", type: path }
      allow: [{ extensions: { pp_role: "web" } }], sort-order: 500, name: "web" }
    { match-request: { path: "/status", type: path }
      allow-unauthenticated: true, sort-order: 500, name: "status" }
  ] }"""
MANIFEST = """
$role = $trusted['extensions']['pp_role']
notify { "${trusted['authenticated']} ${trusted['certname']} ${role}": }
"""
OWN = f"/puppet/v3/node/{NODE}?environment=production"


def pem(*names):
    """Return the header with the certificates of some names."""
    ders = [certificate(name, EXTENSIONS.get(name, ())) for name in names]
    texts = [x509.load_der_x509_certificate(der).public_bytes(Encoding.PEM) for der in ders]
    return quote(b"".join(texts).decode())


VERIFIED = {"X-Client-Verify": "SUCCESS", "X-Client-DN": f"CN={NODE}"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A server that believes the headers of its proxy."""
    folder = tmp_path_factory.mktemp("proxied")
    manifests = folder / "code/environments/production/manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(MANIFEST)
    access = read_access(AUTH, "auth.conf")
    assert access.header_cert_info is True
    with site_service(folder, rules=access.rules) as found:
        yield replace(found, header_cert_info=access.header_cert_info)


@pytest.fixture
def lines(service):
    """The log of the server from now on."""
    service.log.lines.clear()
    return service.log.lines


def ask(service, target, headers=(), client=None, *, secure=False):
    """Return the response to a request, without TLS unless ``secure``."""
    asked = request("GET", target, {"Accept": "application/json", **dict(headers)}, client=client)
    return answer(service, replace(asked, secure=secure))


@pytest.mark.parametrize(
    "name",
    [
        f"CN={NODE}",
        f"CN={NODE},O=Example\\, Inc.,emailAddress=a@example.test",
        f"O=a,CN={NODE}",
        f"/O=a/CN={NODE}",
        f"/CN={NODE}",
    ],
)
def test_a_verified_name_is_the_caller(service, name):
    assert ask(service, OWN, {**VERIFIED, "X-Client-DN": name}).status == 200
    other = f"/puppet/v3/node/{OTHER}?environment=production"
    assert ask(service, other, {**VERIFIED, "X-Client-DN": name}).status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Client-DN": f"CN={NODE}"},
        {"X-Client-Verify": "SUCCESS"},
        {"X-Client-Cert": pem(NODE)},
        {"X-Client-Cert": pem(NODE), "X-Client-Verify": "SUCCESS"},
        {**VERIFIED, "X-Client-Verify": "NONE"},
        {**VERIFIED, "X-Client-Verify": "success"},
        {**VERIFIED, "X-Client-Verify": "FAILED:unable to verify"},
        {**VERIFIED, "X-Client-Verify": "SUCCESS, SUCCESS"},
        {**VERIFIED, "X-Client-DN": ""},
        {**VERIFIED, "X-Client-DN": NODE},
        {**VERIFIED, "X-Client-DN": f"OU={NODE}"},
        {**VERIFIED, "X-Client-DN": "CN="},
        {**VERIFIED, "X-Client-DN": f"CN={OTHER}"},
        {**VERIFIED, "X-Client-DN": f"CN={NODE}+CN={OTHER}"},
        {**VERIFIED, "X-Client-DN": f"CN={NODE}, CN={OTHER}"},
        {**VERIFIED, "X-Client-DN": f"/CN={NODE}/CN={OTHER}"},
    ],
)
def test_all_other_callers_have_no_name(service, headers):
    assert ask(service, OWN, headers).status == 403
    assert ask(service, "/status/v1/simple", headers).status == 200


def test_a_name_that_is_not_verified_is_logged(service, lines):
    ask(service, OWN, {**VERIFIED, "X-Client-Verify": "NONE"})
    text = f"Client with CN '{NODE}' was not verified by 'x-client-verify' header: 'NONE'"
    assert ("err", text) in lines


def test_extensions_of_the_certificate_reach_the_rules_and_the_code(service):
    headers = {**VERIFIED, "X-Client-Cert": pem(NODE)}
    target = "/puppet/v3/environments"
    assert ask(service, target, headers).status == 200
    assert ask(service, target, VERIFIED).status == 403
    query = f"/puppet/v3/catalog/{NODE}?environment=production"
    for given, role in ((headers, "web"), (VERIFIED, "")):
        found = json.loads(content(ask(service, query, given)))
        titles = [one["title"] for one in found["resources"] if one["type"] == "Notify"]
        assert titles == [f"remote {NODE} {role}"]


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("x", "No certs found in PEM read from x-client-cert"),
        (pem(NODE, OTHER), "Only 1 PEM should be supplied for x-client-cert but 2 found"),
        (
            quote("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
            "Unable to parse x-client-cert into certificate: ",
        ),
        (pem(OTHER), "The certificate in x-client-cert is not that of the name in x-client-dn"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_refused(service, header, reason):
    response = ask(service, OWN, {**VERIFIED, "X-Client-Cert": header})
    assert response.status == 400
    assert content(response).decode().startswith(reason)


def test_headers_of_a_request_by_tls_never_count(service, lines):
    headers = {**VERIFIED, "X-Client-Cert": pem(NODE)}
    assert ask(service, OWN, headers, secure=True).status == 403
    assert ask(service, OWN, headers, OTHER, secure=True).status == 403
    assert ask(service, OWN, {}, NODE, secure=True).status == 200
    assert any("the request came by TLS" in text for _, text in lines)


@pytest.mark.parametrize("secure", [True, False])
def test_without_permission_headers_are_ignored_and_logged_once(service, lines, secure):
    wary = replace(service, header_cert_info=False, ignored_headers=type(service.ignored_headers)())
    headers = {**VERIFIED, "X-Client-Cert": pem(NODE)}
    for _ in range(3):
        assert ask(wary, OWN, headers, secure=secure).status == 403
    warnings = [text for level, text in lines if level == "warning"]
    assert warnings == [
        f"The HTTP header {name} was specified but the allow-header-cert-info was either not set, or"
        " was set to false. This header will be ignored."
        for name in ("x-client-cert", "x-client-dn", "x-client-verify")
    ]


def test_headers_do_not_count_by_default():
    assert (
        read_access(AUTH.replace("allow-header-cert-info: true", ""), "a").header_cert_info is False
    )
    with pytest.raises(PuppetError, match="'allow-header-cert-info' must be true or false"):
        read_access(AUTH.replace("info: true", "info: yes"), "a")
