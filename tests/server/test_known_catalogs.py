"""Catalogs whose content the database has: only what is new of them is stored."""

from __future__ import annotations

import json
import os
from time import time

import pytest

from bunraku.base.records import replace
from bunraku.puppetdb.server.commands import PREFIX, answer_command
from bunraku.puppetdb.timestamps import to_text
from bunraku.server.catalogs import common, stored_result
from bunraku.server.compiling.jobs import Job
from bunraku.server.interface import answer
from bunraku.server.storage import HEADERS
from bunraku.web.http import Request
from support.server_service import form, request, rows, site_service

NODE = "web01.example.test"
SITE = """
file { '/motd': content => "on ${facts['site']}", require => Package['motd'] }
package { 'motd': ensure => installed, tag => 'resources' }
@@notify { '"resources":': }
"""
METADATA = ("catalog_uuid", "transaction_uuid", "job_id", "version", "environment")


@pytest.fixture
def service(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tmp_path.chmod(0o700)
    manifests = tmp_path / "code/environments/production/manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(SITE)
    with site_service(tmp_path) as found:
        yield found


class Agent:
    """A node that asks for its catalog; ``asked`` has the results of its jobs."""

    def __init__(self, service) -> None:
        self.service = service
        self.asked = []
        self.runs = 0

    def run(self, site: str = "a", **changes: object):
        """Ask for a catalog; return the result, and whether each compile process sent the content."""
        self.runs += 1
        job = Job(
            "catalog",
            NODE,
            "production",
            self.service.settings.given,
            facts={"site": site},
            trusted={"authenticated": "remote", "certname": NODE, "extensions": {}},
            formats=["rich_json"],
            transaction_uuid=f"00000000-0000-0000-0000-{self.runs:012}",
            job_id=str(self.runs),
            **common(self.service),
        )
        before = len(self.asked)
        result = stored_result(self.service, replace(job, **changes), self.ask)
        return result, [b'"edges"' in one.stored for one in self.asked[before:]]

    def ask(self, job: Job):
        found = self.service.result(job, lambda: False)
        assert found.status == 200, found.message
        self.asked.append(found)
        return found


def content(service):
    """What the database has of the catalog beside its metadata."""
    (found,) = rows(service, ["from", "catalogs"])
    return (found["hash"], found["resources"], found["edges"])


def metadata(service) -> dict[str, object]:
    (found,) = rows(service, ["from", "catalogs"])
    return {name: found[name] for name in METADATA} | {"time": found["producer_timestamp"]}


def expected(result) -> dict[str, object]:
    body, stored = json.loads(result.body), json.loads(result.stored)
    names = ("transaction_uuid", "job_id", "environment")
    return {
        "catalog_uuid": body["catalog_uuid"],
        "version": str(body["version"]),
        "time": stored["producer_timestamp"],
        **{name: stored[name] for name in names},
    }


@pytest.mark.parametrize("reuses", [True, False])
def test_an_unchanged_catalog_is_stored_without_its_content(service, reuses):
    agent = Agent(service)
    _, sent = agent.run(reuses=reuses)
    assert sent == [True]
    before = content(service)
    for _ in range(3):
        result, sent = agent.run(reuses=reuses)
        assert sent == [not reuses]
        assert content(service) == before
        assert metadata(service) == expected(result)
    counts = service.storage.intake.worker.counts.snapshot()["replace catalog 9"]
    assert (counts.received, counts.processed, counts.discarded) == (4, 4, 0)
    assert counts.size >= 4 * (len(agent.asked[0].stored) - 20)


def test_a_changed_catalog_is_stored_with_its_content(service):
    agent = Agent(service)
    found = []
    for site in ("a", "a", "b", "b", "a"):
        result, sent = agent.run(site)
        (resource,) = rows(service, ["from", "resources", ["=", "title", "/motd"]])
        found.append((sent, resource["parameters"]["content"]))
        assert metadata(service) == expected(result)
    assert found == [
        ([True], "on a"),
        ([False], "on a"),
        ([True], "on b"),
        ([False], "on b"),
        ([True], "on a"),
    ]


def other_catalog(service) -> None:
    """Let another program replace the catalog of the node."""
    payload = {
        **dict.fromkeys(["producer", "code_id", "job_id", "transaction_uuid", "catalog_uuid"]),
        "certname": NODE,
        "version": "1",
        "environment": "production",
        "producer_timestamp": to_text(int(time() * 1000)),
        "resources": [],
        "edges": [],
    }
    words = {"command": "replace_catalog", "version": "9", "certname": NODE}
    body = [json.dumps(payload).encode()]
    found = answer_command(service.storage.intake, Request("POST", PREFIX, words, HEADERS, body))
    assert found.status == 200


def test_the_content_is_sent_again_after_another_program_replaced_it(service):
    agent = Agent(service)
    agent.run()
    other_catalog(service)
    assert content(service)[1]["data"] is None
    result, sent = agent.run()
    assert sent == [False, True]
    assert metadata(service) == expected(result)
    assert len(content(service)[1]["data"]) > 2


def test_the_content_is_sent_while_another_catalog_waits(service):
    agent = Agent(service)
    agent.run()
    content(service)
    _, sent = agent.run()
    assert sent == [False]
    content(service)
    service.storage.intake.worker.stop()
    _, sent = agent.run()
    assert sent == [False]  # what waits has the same content
    _, sent = agent.run()
    assert sent == [False]
    other_catalog(service)
    _, sent = agent.run()
    assert sent == [False, True]


def test_the_content_is_sent_to_a_server_that_was_restarted(service, tmp_path):
    agent = Agent(service)
    agent.run()
    content(service)
    agent.run()
    service.storage.catalogs.known.clear()
    _, sent = agent.run()
    assert sent == [True]


def full(_descriptor: int) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("soft", "status"), [(False, 500), (True, 200)])
def test_facts_that_cannot_reach_the_disk_are_a_failure_of_the_request(
    service, monkeypatch, soft, status
):
    service = replace(service, settings=replace(service.settings, soft_write_failure=soft))
    body = form(NODE, {"site": "a"}, environment="production", facts_format="application/json")
    headers = {"accept": "application/json", "content-type": "application/x-www-form-urlencoded"}
    target = f"/puppet/v3/catalog/{NODE}?environment=production"
    asked = request("POST", target, headers, body, NODE)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", full)
        found = answer(service, asked)
    assert found.status == status
    assert any("No space left on device" in text for _, text in service.log.lines)
    assert service.storage.intake.queue.depth == 0
    assert answer(service, replace(asked, body=[body])).status == 200
    assert [one["certname"] for one in rows(service, ["from", "factsets"])] == [NODE]
