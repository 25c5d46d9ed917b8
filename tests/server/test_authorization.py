"""Rules of access: which rule decides, whom it allows, and mistakes in the file."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.server.authorization.reading import read_access
from bunraku.server.authorization.rules import Caller, allowed
from bunraku.server.interface import DEFAULT_RULES
from support.server_service import request

NODE = Caller("web.example.test")
CLI = Caller("puppet.example.test", {"pp_cli_auth": "true"})
NOBODY = Caller()


def rules(*bodies: str):
    """Return rules for the path ``/a``, each with a body."""
    texts = [
        f"{{ match-request: {{ path: '/a', type: path }}, sort-order: {number}, name: r{number}, {body} }}"
        for number, body in enumerate(bodies, 1)
    ]
    text = f"authorization: {{ version: 1, rules: [ {', '.join(texts)} ] }}".replace("'", '"')
    return read_access(text, "auth.conf").rules


def allows(found, caller, method="GET", target="/a"):
    asked = request(method, target)
    return allowed(found, asked, asked.path, caller)


@pytest.mark.parametrize(
    ("method", "path", "who"),
    [
        ("GET", "/puppet/v3/catalog/web.example.test", [NODE]),
        ("POST", "/puppet/v3/catalog/web.example.test", [NODE]),
        ("PUT", "/puppet/v3/catalog/web.example.test", []),
        ("POST", "/puppet/v4/catalog", []),
        ("GET", "/puppet/v3/node/web.example.test", [NODE]),
        ("PUT", "/puppet/v3/facts/web.example.test", [NODE]),
        ("PUT", "/puppet/v3/report/web.example.test", [NODE]),
        ("GET", "/puppet/v3/file_content/modules/a/b", [NODE, CLI]),
        ("GET", "/puppet/v3/file_metadatas/plugins", [NODE, CLI]),
        ("PUT", "/puppet/v3/file_bucket_file/sha256/0", [NODE, CLI]),
        ("GET", "/puppet/v3/file_bucket_file/sha256/0", [CLI]),
        ("DELETE", "/puppet/v3/file_bucket_file/sha256/0", []),
        ("GET", "/puppet/v3/static_file_content/modules/a/files/b", [NODE, CLI]),
        ("GET", "/puppet/v3/environments", [NODE, CLI]),
        ("GET", "/puppet/v3/environment_classes", []),
        ("GET", "/puppet/v3/environment_modules", []),
        ("GET", "/puppet/v3/tasks", [NODE, CLI]),
        ("GET", "/puppet-ca/v1/certificate/ca", [NOBODY, NODE, CLI]),
        ("GET", "/puppet-ca/v1/certificate_revocation_list/ca", [NOBODY, NODE, CLI]),
        ("PUT", "/puppet-ca/v1/certificate_request/web.example.test", [NOBODY, NODE, CLI]),
        ("DELETE", "/puppet-ca/v1/certificate_request/web.example.test", []),
        ("PUT", "/puppet-ca/v1/certificate_status/web.example.test", [CLI]),
        ("DELETE", "/puppet-ca/v1/certificate_status/web.example.test", [CLI]),
        ("GET", "/puppet-ca/v1/certificate_statuses/any", [CLI]),
        ("PUT", "/puppet-ca/v1/clean", [CLI]),
        ("POST", "/puppet-ca/v1/sign", [CLI]),
        ("POST", "/puppet-ca/v1/sign/all", [CLI]),
        ("POST", "/puppet-ca/v1/certificate_renewal", [NODE, CLI]),
        ("GET", "/puppet-ca/v1/expirations", [NODE, CLI]),
        ("GET", "/status/v1/services", [NOBODY, NODE, CLI]),
        ("GET", "/status/v1/simple", [NOBODY, NODE, CLI]),
        ("DELETE", "/puppet-admin-api/v1/environment-cache", []),
        ("GET", "/metrics", []),
        ("GET", "/", []),
    ],
)
def test_the_default_rules_allow(method, path, who):
    found = [one for one in (NOBODY, NODE, CLI) if allows(DEFAULT_RULES, one, method, path)]
    assert found == who


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ("'web.example.test'", ["web.example.test"]),
        ("'*.example.test'", ["web.example.test", "a.b.example.test"]),
        ("'*'", ["web.example.test", "a.b.example.test", "web.example.org"]),
        ("'/^web\\\\.example/'", ["web.example.test", "web.example.org"]),
        ("['web.example.org', 'a.b.example.test']", ["a.b.example.test", "web.example.org"]),
        ("{certname: 'web.example.org'}", ["web.example.org"]),
    ],
)
def test_names_of_an_entry(entry, names):
    found = rules(f"allow: {entry}")
    everyone = ["web.example.test", "a.b.example.test", "web.example.org"]
    assert [one for one in everyone if allows(found, Caller(one))] == names


def test_extensions_must_all_have_one_of_the_values():
    found = rules("allow: {extensions: {pp_role: [web, db], pp_env: prod}}")
    assert allows(found, Caller("a", {"pp_role": "db", "pp_env": "prod"}))
    assert not allows(found, Caller("a", {"pp_role": "db"}))
    assert not allows(found, Caller("a", {"pp_role": "mail", "pp_env": "prod"}))


def test_deny_wins_and_the_first_rule_decides():
    found = rules("allow: '*', deny: 'bad.test'", "allow-unauthenticated: true")
    assert allows(found, Caller("good.test"))
    assert not allows(found, Caller("bad.test"))
    assert not allows(found, NOBODY)


def test_parameters_of_the_query_and_methods_choose_the_rule():
    text = """authorization: { version: 1, rules: [ {
      match-request: { path: "/a", type: path, method: [get], query-params: {environment: [one, two]} }
      allow: "*", sort-order: 1, name: "x" } ] }"""
    found = read_access(text, "auth.conf").rules
    assert allows(found, NODE, "GET", "/a?environment=two")
    assert not allows(found, NODE, "GET", "/a?environment=three")
    assert not allows(found, NODE, "PUT", "/a?environment=two")


@pytest.mark.parametrize(
    ("body", "reason", "line"),
    [
        ("allow: '*', alow: 'x'", "unknown key 'alow' (did you mean 'allow'?)", 1),
        ("allow-unauthenticated: yes", "must be true or false", 1),
        ("", "requires 'allow'", 1),
        ("allow: '/(/'", "not a regular expression", 1),
        ("allow: 5", "must be a name or a hash", 1),
    ],
)
def test_a_mistake_is_reported_with_its_line(body, reason, line):
    with pytest.raises(PuppetError, match="Invalid rules of access") as failure:
        rules(body)
    assert reason in failure.value.message
    assert failure.value.place.line == line


def test_a_mistake_in_the_syntax_is_reported_with_its_line():
    with pytest.raises(PuppetError) as failure:
        read_access("authorization: {\n  version: 1\n  rules: [\n", "auth.conf")
    assert failure.value.place.file == "auth.conf"
    assert failure.value.place.line is not None
