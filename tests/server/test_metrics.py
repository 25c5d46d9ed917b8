"""Metrics of the server: by Jolokia's protocol, for Prometheus, and in the status."""

from __future__ import annotations

import json

import pytest

from bunraku.base.records import replace
from bunraku.server.authorization.reading import read_access
from bunraku.server.counts import Counts
from bunraku.server.interface import answer
from support.server_service import EVERYTHING, content, request, site_service

NODE = "web.example.test"
CATALOGS = "puppetserver:name=puppetlabs.localhost.http.puppet-v3-catalog-/*/-requests"
TOTAL = "puppetserver:name=puppetlabs.localhost.http.total-requests"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server of an empty site."""
    folder = tmp_path_factory.mktemp("metrics")
    (folder / "code/environments/production").mkdir(parents=True)
    with site_service(folder, rules=read_access(EVERYTHING, "auth.conf").rules) as found:
        yield found


@pytest.fixture
def service(running):
    """The server after three requests: a node, and two catalogs of which one is refused."""
    found = replace(running, counts=Counts())
    assert ask(found, f"/puppet/v3/node/{NODE}?environment=production").status == 200
    assert ask(found, f"/puppet/v3/catalog/{NODE}?environment=production").status == 200
    assert ask(found, f"/puppet/v3/catalog/{NODE}").status == 400
    return found


def ask(service, target, method="GET", body=b""):
    """Return the response to a request."""
    return answer(service, request(method, target, {"Accept": "application/json"}, body, NODE))


def document(service, target, *more):
    """Return the JSON document of a response."""
    response = ask(service, target, *more)
    assert response.status == 200
    return json.loads(content(response))


def test_a_metric_is_read(service):
    found = document(service, f"/metrics/v2/read/{TOTAL}/Count")
    assert found["value"] == 3
    assert found["status"] == 200
    assert found["request"] == {"type": "read", "mbean": TOTAL, "attribute": "Count"}
    memory = document(service, "/metrics/v2/read/java.lang:type=Memory/HeapMemoryUsage")["value"]
    assert memory["used"] > 1_000_000


def test_a_slash_in_the_name_of_a_metric_is_escaped(service):
    escaped = CATALOGS.replace("/", "!/").replace("*", "%2A")
    found = document(service, f"/metrics/v2/read/{escaped}")
    assert found["request"]["mbean"] == CATALOGS
    assert found["value"][CATALOGS]["Count"] == 2


def test_metrics_are_read_by_a_list_of_requests(service):
    asked = [{"type": "read", "mbean": name, "attribute": "Count"} for name in (TOTAL, "a:b=c")]
    found = document(service, "/metrics/v2", "POST", json.dumps(asked).encode())
    assert [one["status"] for one in found] == [200, 404]
    assert found[0]["value"] == 3


def test_metrics_are_listed_and_searched(service):
    listed = document(service, "/metrics/v2/list")["value"]
    assert set(listed) == {"puppetserver", "java.lang"}
    assert CATALOGS.partition(":")[2] in listed["puppetserver"]
    found = document(service, "/metrics/v2/search/puppetserver:name=*.http.*")["value"]
    assert TOTAL in found


def test_an_unknown_metric_has_its_own_status(service):
    found = document(service, "/metrics/v2/read/puppetserver:name=none")
    assert found["status"] == 404
    assert found["error_type"] == "javax.management.InstanceNotFoundException"
    assert document(service, "/metrics/v2/exec/java.lang:type=Memory/gc")["status"] == 400


def test_nobody_reads_metrics_without_a_rule(running):
    closed = replace(running, rules=())
    assert ask(closed, "/metrics/v2/list").status == 403
    assert ask(closed, "/metrics").status == 403


def test_the_status_has_the_requests_of_each_route(service):
    for level, expected in (("info", {}), ("debug", None)):
        found = document(service, f"/status/v1/services/server?level={level}")
        assert expected is None or found["status"] == expected
    routes = found["status"]["experimental"]["http-metrics"]
    assert [(one["route-id"], one["count"]) for one in routes] == [
        ("total", 3),
        ("puppet-v3-catalog-/*/", 2),
        ("puppet-v3-node-/*/", 1),
    ]
    assert all(one["aggregate"] >= one["mean"] >= 0 for one in routes)


def test_prometheus_gets_the_requests_by_status(service):
    response = ask(service, "/metrics")
    assert response.headers["content-type"].startswith("text/plain;version=0.0.4")
    lines = content(response).decode().splitlines()
    name = "puppetserver_requests_total"
    catalog = 'method="GET",route="/puppet/v3/catalog"'
    assert f"# TYPE {name} counter" in lines
    assert f'{name}{{{catalog},status="200"}} 1' in lines
    assert f'{name}{{{catalog},status="400"}} 1' in lines
    assert "puppetserver_active_requests 1" in lines
