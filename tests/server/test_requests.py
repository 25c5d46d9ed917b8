"""Requests that are refused before any part of the server sees them, and what the log has."""

from __future__ import annotations

import json

import pytest

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.records import replace
from bunraku.server.authorization.reading import read_access
from bunraku.server.compiling.jobs import Job
from bunraku.server.compiling.work import answer_job
from bunraku.server.interface import answer
from rigs.server_trials.served_site import report_request
from support.server import needs_modules
from support.server_service import EVERYTHING, content, request

JSON = {"Accept": "application/json"}
SEGMENTS = ["..", ".", "%2e%2e", "%2E%2e", ".%2e", "%2e"]
NAMES = ["a%2fb", "..%2f..%2fetc", "a%00b", "a%0ab", "%c3%bc.test", "a%5cb", "WEB.example.test"]


class Recorder:
    """Compile processes whose jobs are kept."""

    def __init__(self, compilers):
        self.compilers, self.jobs = compilers, []

    def ask(self, job, gone):
        """Return the answer to a job."""
        self.jobs.append(Job.decoded(job))
        return self.compilers.ask(job, gone)


def flushes_of_the_next_job(service):
    """Return the order to empty the caches that the next compile gets."""
    recorder = Recorder(service.compilers)
    target = "/puppet/v3/tasks?environment=production"
    recorded = replace(service, compilers=recorder)
    assert answer(recorded, request("GET", target, JSON, client="web.example.test")).status == 200
    return recorder.jobs[0].flushes


@pytest.mark.parametrize("segment", SEGMENTS)
@pytest.mark.parametrize("route", ["node", "catalog", "file_content/modules", "report"])
def test_relative_segments_are_refused_everywhere(service, route, segment):
    target = f"/puppet/v3/{route}/{segment}/x?environment=production"
    response = answer(service, request("GET", target, JSON, client="web.example.test"))
    assert response.status == 400
    assert content(response).startswith(b"Invalid relative path (.. or .) in: /puppet/v3/")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("route", ["node", "catalog", "facts", "report"])
def test_other_names_of_nodes_are_refused(service, route, name):
    method = "GET" if route in {"node", "catalog"} else "PUT"
    target = f"/puppet/v3/{route}/{name}?environment=production"
    response = answer(service, request(method, target, JSON, client="web.example.test"))
    assert response.status in {400, 403}


def test_a_long_target_is_refused(service):
    target = f"/puppet/v3/node/web.example.test?environment=production&x={'y' * 20_000}"
    assert answer(service, request("GET", target, JSON, client="web.example.test")).status == 414


@pytest.mark.parametrize(("depth", "status"), [(50, 200), (100_000, 400)])
def test_a_deep_body_is_refused(service, depth, status):
    headers = {**JSON, "Content-Type": "application/json"}
    target = "/puppet/v3/facts/web.example.test?environment=production"
    value = b"[" * depth + b"]" * depth
    body = b'{"name":"web.example.test","values":{"a":' + value + b"}}"
    response = answer(service, request("PUT", target, headers, body, "web.example.test"))
    assert response.status == status
    assert (b"Could not intern from json: unexpected token" in content(response)) == (status == 400)


@needs_modules
def test_the_log_has_no_secrets(service):
    target = "/puppet/v3/catalog/secret.example.test?environment=production"
    response = answer(service, request("GET", target, JSON, client="secret.example.test"))
    assert b"s3cret" in content(response)
    assert "s3cret" not in json.dumps(service.log.lines)


def test_only_callers_that_a_rule_allows_empty_the_caches(service):
    target = "/puppet-admin-api/v1/environment-cache"
    before = flushes_of_the_next_job(service)
    assert answer(service, request("DELETE", target, client="web.example.test")).status == 403
    assert flushes_of_the_next_job(service) == before
    open_service = replace(service, rules=read_access(EVERYTHING, "auth.conf").rules)
    assert answer(open_service, request("GET", target, client="web.example.test")).status == 405
    assert flushes_of_the_next_job(service) == before
    assert answer(open_service, request("DELETE", target, client="web.example.test")).status == 204
    assert flushes_of_the_next_job(service) != before


def test_a_compile_process_empties_its_caches_once_for_an_order():
    cache = BoundedCache("test of the server's flushes", 2)
    found = []
    for flushes in (7, 7, 8, 8):
        cache.keep("a", flushes)
        answer_job(Job("tasks", "localhost", "none", {}, flushes=flushes).encoded())
        found.append(cache.get("a"))
    assert found == [None, 7, None, 8]


@pytest.mark.parametrize(
    "change",
    [
        {"metrics": {"a": {"b": []}}},
        {"metrics": {"a": 1}},
        {"metrics": {"time": {"values": [["total", 1]]}}},
        {"logs": [1]},
        {"resource_statuses": {"a": 1}},
        {"resource_statuses": {"a": {"events": ["x"]}}},
        {"time": "yesterday"},
        {"time": "2026-13-45T00:00:00Z"},
    ],
)
def test_a_malformed_report_is_refused(service, change):
    node = "web.example.test"
    _, target, body, headers = report_request(node, 1)
    content_ = json.dumps({**json.loads(body), **change}).encode()
    response = answer(service, request("PUT", target, headers, content_, node))
    assert response.status == 400
    assert b"Could not intern from json" in content(response)


@pytest.mark.parametrize("total", [1e300, -5, "x", None, 10**400])
def test_a_report_at_the_end_of_time_is_stored(service, total):
    node = "web.example.test"
    _, target, body, headers = report_request(node, 1)
    report = {**json.loads(body), "time": "9999-12-31T23:59:59Z"}
    report["metrics"] = {"time": {"name": "time", "values": [["total", "Total", total]]}}
    response = answer(service, request("PUT", target, headers, json.dumps(report).encode(), node))
    assert response.status == 200
    assert not [line for line in service.log.lines if "failed for" in line[1]]
