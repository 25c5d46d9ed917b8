"""Documents that agents send: in msgpack, in the PSON and YAML of old agents, and hostile ones."""

from __future__ import annotations

import json
import sys
from urllib.parse import quote

import pytest

from bunraku.server.formats import MOST_MSGPACK
from bunraku.server.interface import answer
from bunraku.web.http import BodyTooLarge
from support.agent_reports import unchanged_report
from support.debian_modules import needs_stdlib
from support.server_service import content, request, rows

NODE = "formats.example.test"
FACTS = {"name": NODE, "values": {"kernel": "Linux", "processors": {"count": 4}}}
REPORT = unchanged_report(NODE)
RUBY_FACTS = f"""--- !ruby/object:Puppet::Node::Facts
name: {NODE}
values:
  kernel: Linux
  ? !ruby/sym processors
  : count: 4
timestamp: 2012-10-30 12:11:10.012345678 +01:00
expiration: 2012-10-30 12:41:10.012345678 +01:00
"""
MSGPACK = "application/x-msgpack"


@pytest.fixture
def packed():
    """The function that writes msgpack."""
    return pytest.importorskip("msgpack", reason="the package msgpack is not installed").packb


def put(service, what, body, kind, accept="application/json"):
    """Return status and body of the response to a document."""
    headers = {"Accept": accept, "Content-Type": kind}
    target = f"/puppet/v3/{what}/{NODE}?environment=production"
    response = answer(service, request("PUT", target, headers, body, NODE))
    return response.status, content(response)


def kept_facts(service):
    """Return the facts of the node in the database."""
    found = rows(service, ["from", "facts", ["=", "certname", NODE]])
    return {one["name"]: one["value"] for one in found if one["name"] != "trusted"}


def test_facts_in_msgpack_are_stored(service, packed):
    facts = {**FACTS, "values": {**FACTS["values"], "sent": "msgpack"}}
    assert put(service, "facts", packed(facts), MSGPACK)[0] == 200
    assert kept_facts(service) == facts["values"]


def test_a_report_in_msgpack_is_stored(service, packed):
    accept = f"{MSGPACK}, application/json, text/pson"
    found = put(service, "report", packed({**REPORT, "report_format": 9}), MSGPACK, accept)
    assert found == (200, b'["store","puppetdb"]')
    (kept,) = rows(service, ["from", "reports", ["=", "certname", NODE]])
    assert kept["report_format"] == 9


def test_a_response_is_json_for_an_agent_that_prefers_msgpack(service):
    headers = {"Accept": f"{MSGPACK}, application/json, text/pson"}
    target = f"/puppet/v3/node/{NODE}?environment=production"
    response = answer(service, request("GET", target, headers, client=NODE))
    assert response.headers["content-type"] == "application/json;charset=utf-8"
    assert json.loads(content(response))["name"] == NODE


def test_without_the_package_msgpack_is_refused_as_without_the_gem(service, packed, monkeypatch):
    body = packed(FACTS)
    monkeypatch.setitem(sys.modules, "msgpack", None)
    status, text = put(service, "facts", body, MSGPACK)
    assert status == 415
    assert json.loads(text) == {
        "message": "Unsupported Media Type: Client sent a mime-type (application/x-msgpack) that"
        " doesn't correspond to a format we support",
        "issue_kind": "UNSUPPORTED_MEDIA_TYPE",
    }


@pytest.mark.parametrize("body", [b"\x91" * 100_000, b"\x81\xa1a\xd6\xff\0\0\0\0", b"{}", b""])
def test_broken_msgpack_is_refused(service, packed, body):
    assert put(service, "facts", body, MSGPACK)[0] == 400


def test_too_much_msgpack_is_refused(service, packed):
    with pytest.raises(BodyTooLarge):
        put(service, "facts", b"\x90" * (MOST_MSGPACK + 1), MSGPACK)
    assert put(service, "facts", b"\x90" * MOST_MSGPACK, MSGPACK)[0] == 400


@needs_stdlib
def test_the_pson_of_puppet_3_is_unwrapped(service):
    text = json.dumps({"document_type": "Facts", "data": {**FACTS, "values": {"sent": "pson 3"}}})
    assert put(service, "facts", text.encode(), "text/pson")[0] == 200
    assert kept_facts(service) == {"sent": "pson 3"}
    form = f"facts_format=pson&facts={quote(quote(text, safe=''), safe='')}&environment=production"
    headers = {"Accept": "text/pson", "Content-Type": "application/x-www-form-urlencoded"}
    target = f"/puppet/v3/catalog/{NODE}?environment=production"
    response = answer(service, request("POST", target, headers, form.encode(), NODE))
    assert response.status == 200


def test_the_yaml_of_puppets_own_classes_is_read(service):
    assert put(service, "facts", RUBY_FACTS.encode(), "text/yaml")[0] == 200
    assert kept_facts(service) == FACTS["values"]


@pytest.mark.parametrize(
    "text",
    [
        f"--- !ruby/object:Gem::Installer\nname: {NODE}\nvalues: {{}}\n",
        f"--- !ruby/hash:ActionDispatch::Routing\nname: {NODE}\nvalues: {{}}\n",
        f"name: {NODE}\nvalues: {{a: !ruby/object:Gem::Requirement {{requirements: []}}}}\n",
        f"name: {NODE}\nvalues: {{a: !ruby/class 'Kernel'}}\n",
        f"name: {NODE}\nvalues: {{a: !ruby/regexp '/x/'}}\n",
        f"name: {NODE}\nvalues: {'[' * 5000}{']' * 5000}\n",
        "&a [*a]\n",
        f"name: {NODE}\nvalues: {{\n",
    ],
)
def test_hostile_yaml_is_refused(service, text):
    before = kept_facts(service)
    status, answered = put(service, "facts", text.encode(), "text/yaml")
    assert status == 400
    assert b"The request body is invalid" in answered
    assert kept_facts(service) == before


def test_yaml_whose_aliases_expand_is_refused(service):
    levels = [
        f"l{number}: &l{number} [{', '.join([f'*l{number - 1}'] * 9)}]" for number in range(1, 9)
    ]
    text = "\n".join(["l0: &l0 [x, x]", *levels, f"name: {NODE}", "values: {}"])
    assert put(service, "facts", text.encode(), "text/yaml")[0] == 400
