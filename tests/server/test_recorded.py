"""The recorded requests to a real puppetserver are answered as it answered them."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest

from bunraku.server.authorization.defaults import DEFAULT_RULES
from bunraku.server.authorization.reading import read_rules
from bunraku.server.interface import answer
from support.server import COMPRESSED, recorded
from support.server import site as copy_site
from support.server_service import content, form, request, site_service

OF_THE_RIG = """
authorization: { version: 1, rules: [ {
  match-request: {
    path: "^/(puppet-admin-api/|puppet/v4/catalog|puppet/v3/environment_(classes|modules|transports)|puppet/v3/(status|resource_type)|metrics)"
    type: regex, method: [get, head, post, put, delete] }
  allow: "rig-admin", sort-order: 400, name: "rig admin" } ] }
"""
"""The rule of the recording server beside the default ones."""
OTHER_ROOMS = ("/puppet-ca/", "/puppet/v3/file_", "/puppet/v3/static_file_content")
"""Paths whose records other tests replay."""
HEADERS = ("content-type", "cache-control", "allow")
RUBY = "the recorded text is that of an exception in Ruby, Clojure or Java"
WORDS = "bunraku words this error differently, with the same place"
EXCEPTIONS = {}
"""Label of a record → why the answer is another one."""
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
VERSION = re.compile(r'("?version"?: ?)\d{9,10}')
CUT = re.compile(r"… \(\d+ characters\)\Z")
FACTS = {"demo_fact": "from pluginsync", "demo_external": "external"}
"""The facts in requests of agents that matter, where the record has only the beginning."""


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    """The server of the recorded site, and its folder."""
    folder = tmp_path_factory.mktemp("rig")
    copy_site(folder)
    code_id = folder / "code_id"
    code_id.write_text("#!/bin/sh\necho rig-code-1\n")
    code_id.chmod(0o755)
    rules = (*read_rules(OF_THE_RIG, "auth.conf"), *DEFAULT_RULES)
    with ExitStack() as stack:
        service = stack.enter_context(
            site_service(folder, rules=rules, code_id_command=str(code_id))
        )
        yield service, folder


def plain(text, folder):
    """Return a text without what differs from run to run."""
    text = text.removeprefix(COMPRESSED).replace(str(folder), "$RIG")
    return UUID.sub("UUID", VERSION.sub(r"\g<1>0", text))


def records(name):
    """Yield the records of a file that this server answers."""
    for one in recorded(name):
        target = one["target"]
        if "response_headers" in one and not target.startswith(OTHER_ROOMS):
            yield pytest.param(one, id=one["label"].replace("/", "-"))


def replayed(service, one):
    """Return the response to a recorded request."""
    body = one.get("request_body") or ""
    if CUT.search(body) and "/catalog/" in one["target"]:
        environment = re.search(r"environment=(\w+)", one["target"])[1]
        data = form(one["client"], FACTS, environment=environment, static_catalog="true")
    elif CUT.search(body):
        pytest.skip("the record has only the beginning of the body")
    else:
        data = body.encode()
    target = one["target"]
    if CUT.search(target):
        target = CUT.sub("y" * 20_000, target)
    return answer(
        service, request(one["method"], target, one["request_headers"], data, one["client"])
    )


@pytest.mark.parametrize(
    "one", [*records("probes-server"), *records("agent-7"), *records("agent-openvox8")]
)
def test_a_recorded_request_is_answered_as_recorded(rig, one):
    service, folder = rig
    response = replayed(service, one)
    found = plain(content(response).decode("utf-8", "surrogateescape"), folder)
    wanted = plain(one.get("response_body") or "", folder)
    cut = CUT.search(wanted)
    if cut:
        wanted, found = wanted[: cut.start()], found[: cut.start()]
    headers = {name.lower(): value for name, value in one["response_headers"].items()}
    shown = {name: headers[name] for name in HEADERS if name in headers}
    assert response.status == one["status"], found
    assert {name: response.headers.get(name) for name in shown} == shown
    assert ("x-puppet-version" in response.headers) == ("x-puppet-version" in headers)
    if "response_hex" not in one:
        assert found == wanted
