"""The recorded requests to a real puppetserver are answered as it answered them."""

from __future__ import annotations

import base64
import json
import re
import time
from contextlib import ExitStack, contextmanager

import pytest

from bunraku.server.authorization.reading import read_access
from bunraku.server.interface import DEFAULT_RULES, answer
from support.agent_reports import unchanged_report
from support.server import COMPRESSED, HAS_MODULES, recorded
from support.server import site as copy_site
from support.server_service import content, form, request, rows, site_service

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
OF_MODULES = re.compile("/v[34]/catalog|environment_(classes|modules)|v3/tasks")
"""Paths of requests whose answers depend on the modules of Debian that the rig served."""
HEADERS = ("content-type", "cache-control", "allow")
RUBY = "the recorded text is that of an exception in Ruby, Clojure or Java"
WORDS = "bunraku words this error differently, with the same place"
STATE = "the site was in another state when this was recorded"
ORDER = "bunraku sorts by name, puppetserver has no order"
EXCEPTIONS = {
    "probes-server 69 old ca route": "an unknown path; puppetserver's response has no body here",
    "probes-server 104 broken environment": WORDS,
    "probes-server 117 catalog of types8.auto.example.test": WORDS,
    "probes-server 131 v4, not json": RUBY,
    "probes-server 202 report, empty": RUBY,
    "probes-server 206 environment data": ORDER,
    "probes-server 207 environment data": ORDER,
    "probes-server 211 environment data": WORDS,
    "probes-server 217 environment data": ORDER,
    "probes-server 219 environment data": ORDER,
    "probes-server 236 status": "two services of the Java server do not exist here",
    "probes-server 237 status": "two services of the Java server do not exist here",
    "probes-server 252 thread dump": "there are no threads of JRuby",
    "probes-server 253 metrics": "the metrics of the Java process do not exist here",
    "probes-server 254 metrics read": "the metrics of the Java process do not exist here",
    "agent-7 67 05-static-environment": STATE,
    "agent-7 119 11-broken-environment": WORDS,
}
"""Label of a record → why the answer is another one."""
BASE64 = "<base64> "
WITHOUT_ROUTE = frozenset(
    [
        "probes-server 252 thread dump",
    ]
)
"""The exceptions whose status is 404 here."""
UUID = re.compile(r"'?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'?")  # YAML quotes some
VERSION = re.compile(r'("?version"?: ?)\d{9,10}')
CUT = re.compile(r"… \(\d+ characters\)\Z")
FACTS = {"demo_fact": "from pluginsync", "demo_external": "external"}
"""The facts in requests of agents that matter, where the record has only the beginning."""
PROBE_FACTS = {"hostname": "plain8", "os": {"family": "Debian"}}
PATIENCE = 60
REPORT = unchanged_report("plain8.auto.example.test")
SERVICE = {
    "certname": "plain8.auto.example.test",
    "persistence": {"facts": False, "catalog": False},
    "environment": "production",
    "facts": {"values": PROBE_FACTS},
    "trusted_facts": {"values": {"certname": "plain8.auto.example.test"}},
}


@contextmanager
def rig_in(folder):
    """Run the server of the recorded site in a folder; yield both."""
    copy_site(folder)
    code_id = folder / "code_id"
    code_id.write_text("#!/bin/sh\necho rig-code-1\n")
    code_id.chmod(0o755)
    rules = (*read_access(OF_THE_RIG, "auth.conf").rules, *DEFAULT_RULES)
    with ExitStack() as stack:
        service = stack.enter_context(
            site_service(
                folder,
                rules=rules,
                code_id_command=str(code_id),
                code_content_command="/bin/false",
            )
        )
        yield service, folder


@pytest.fixture(scope="module")
def shared_rig(tmp_path_factory):
    """The server for requests whose responses do not depend on others."""
    with rig_in(tmp_path_factory.mktemp("rig")) as found:
        yield found


@pytest.fixture
def rig(one, request, tmp_path):
    """The server for a request; for catalogs with exported resources, one that has seen those before it."""
    if not HAS_MODULES and OF_MODULES.search(one["target"]):
        pytest.skip("needs the modules of Debian that the rig served")
    if not collects(one):
        yield request.getfixturevalue("shared_rig")
        return
    with rig_in(tmp_path) as (service, folder):
        for other in recorded(one["label"].split()[0]):
            if other["label"] == one["label"]:
                break
            if collects(other):
                replayed(service, other)
                wait_until_stored(service, other["client"])
        yield service, folder


def wait_until_stored(service, certname):
    """Wait for the catalog of a node in the database, which the response does not wait for."""
    end = time.monotonic() + PATIENCE
    while not rows(service, ["from", "catalogs", ["=", "certname", certname]]):
        assert time.monotonic() < end, f"no catalog of {certname}"
        time.sleep(0.01)


def collects(one):
    """Return whether a record is a catalog of a node that exports and collects resources."""
    return "/v3/catalog/exports" in one["target"] and "response_headers" in one


def plain(text, folder):
    """Return a text without what differs from run to run."""
    text = text.removeprefix(COMPRESSED)
    if text.startswith(BASE64):
        whole = text.removeprefix(BASE64)
        found = base64.b64decode(whole[: len(whole) // 4 * 4])
        text = found.decode("utf-8", "surrogateescape") + "… (0 characters)"
    text = text.replace(str(folder), "$RIG")
    text = re.sub(r'"service_version":"[^"]+"', '"service_version":"0"', text)
    return UUID.sub("UUID", VERSION.sub(r"\g<1>0", text))


def records(name):
    """Yield the records of a file that this server answers."""
    for one in recorded(name):
        target = one["target"]
        if "response_headers" in one and not target.startswith(OTHER_ROOMS):
            yield pytest.param(one, id=one["label"].replace("/", "-"))


def body_of(one):
    """Return the body of a record; the beginning alone is recorded of long ones."""
    body = one.get("request_body") or ""
    note, target = one.get("note", ""), one["target"]
    if "/v3/catalog/" in target and "facts=%257B%2522" in body:
        environment = re.search(r"environment=(\w+)", target)[1]
        if note == "facts without format":
            return form("plain8.auto.example.test", {}).partition(b"&")[2]
        name = "other.example.test" if note == "facts of another" else one["client"]
        facts = FACTS if "step" in one else PROBE_FACTS
        return form(name, facts, environment=environment, static_catalog="true")
    if note.startswith("report") and body.startswith('{"host"'):
        return json.dumps(REPORT).encode()
    if note in {"v4", "v4, options"}:
        options = {"options": {"capture_logs": True}} if note == "v4, options" else {}
        return json.dumps({**SERVICE, **options}).encode()
    if CUT.search(body):
        pytest.skip("the record has only the beginning of the body")
    return body.encode()


def replayed(service, one):
    """Return the response to a recorded request."""
    target = one["target"]
    if one.get("note") == "very long":
        target += "y" * 20_000
    if one.get("note") == "catalog by GET":
        query = form(one["client"], PROBE_FACTS).decode()
        target = f"{target.partition('?')[0]}?environment=production&{query}"
    return answer(
        service,
        request(one["method"], target, one["request_headers"], body_of(one), one["client"]),
    )


@pytest.mark.parametrize(
    "one", [*records("probes-server"), *records("agent-7"), *records("agent-openvox8")]
)
def test_a_recorded_request_is_answered_as_recorded(rig, one):
    service, folder = rig
    response = replayed(service, one)
    if one["label"] in EXCEPTIONS:
        wanted = 404 if one["label"] in WITHOUT_ROUTE else one["status"]
        assert response.status == wanted
        return
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
