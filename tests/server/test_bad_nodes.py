"""A bad node stops only its own catalog, and no node sees the data of another."""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bunraku.server.interface import answer
from support.server_service import content, form, request, site_service

FORM = {
    "Accept": "application/vnd.puppet.rich+json",
    "Content-Type": "application/x-www-form-urlencoded",
}
NODE = re.compile(rb"node\d+\.example\.test")
MANIFEST = r"""
node loop { range(0, 5000).each |$a| { range(0, 5000).each |$b| { md5("${a}${b}") } } }
node hog { $a = range(0, 60).reduce('x') |$text, $n| { "${text}${text}" } }
node crash { generate('/bin/sh', '-c', 'kill -9 $PPID') }
node default { notify { "for ${trusted['certname']} with ${facts['own']}": } }
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A server whose site has bad nodes, and compiles that may take five seconds."""
    folder = tmp_path_factory.mktemp("bad")
    manifests = folder / "code" / "environments" / "production" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(MANIFEST)
    with site_service(folder, size=2, seconds=5.0) as found:
        yield found


@pytest.fixture(scope="module")
def patient_service(tmp_path_factory):
    """A server of the same site whose compiles end by their memory: the time is long enough."""
    folder = tmp_path_factory.mktemp("hog")
    manifests = folder / "code" / "environments" / "production" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(MANIFEST)
    with site_service(folder, seconds=300.0, memory=(1 << 28) + own_bytes()) as found:
        yield found


def own_bytes():
    """Return the address space of this process: the compile processes begin with as much."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def ask(service, node):
    """Return status and body of the response to a node."""
    body = form(node, {"own": f"fact of {node}"}, environment="production")
    target = f"/puppet/v3/catalog/{node}?environment=production"
    response = answer(service, request("POST", target, FORM, body, node))
    return response.status, content(response)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("loop", b"The time limit of 5 s was reached"),
        ("crash", b"The process that compiled the catalog ended unexpectedly"),
    ],
)
def test_a_bad_node_stops_only_its_own_catalog(service, node, message):
    status, body = ask(service, node)
    assert status == 500
    assert message in body
    assert ask(service, "good")[0] == 200


def test_a_node_that_wants_too_much_memory_stops_only_its_own_catalog(patient_service):
    status, body = ask(patient_service, "hog")
    assert status == 500
    assert b"Out of memory: the limit is " in body
    assert ask(patient_service, "good")[0] == 200


def test_no_node_gets_the_data_of_another(service):
    nodes = [f"node{number}.example.test" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda node: ask(service, node), nodes))
    for node, (status, body) in zip(nodes, answers, strict=True):
        assert status == 200
        resources = json.loads(body)["resources"]
        titles = [one["title"] for one in resources if one["type"] == "Notify"]
        assert titles == [f"for {node} with fact of {node}"]
        assert set(NODE.findall(body)) == {node.encode()}


def test_a_process_that_ended_is_replaced_and_logged(service):
    ask(service, "crash")
    ask(service, "good")
    assert ask(service, "good")[0] == 200
