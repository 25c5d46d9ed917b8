"""Recorded requests to a real PuppetDB's routes, answered by the application in process.

Requests whose bodies the record shortens are left out unless their parameters alone are refused; so
are those that wait for a command that fails.
"""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from contextlib import suppress

import pytest

from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.server.commands import Intake
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.puppetdb.storage.cleaner import Cleaner
from bunraku.web.application import Application
from support.puppetdb import DATA, lines

KNOWN = tomllib.loads((DATA.parent / "known_request_differences.toml").read_text())
RECORDED = lines("requests.jsonl")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
DEPTH = re.compile(r'"queue_depth": \d+')


@pytest.fixture(scope="module")
def application(tmp_path_factory):
    folder = tmp_path_factory.mktemp("puppetdb")
    database = SqliteDatabase(str(folder / "site.db"))
    queue = Queue(str(folder / "queue"), str(folder / "discarded"))
    worker = Worker(database, queue, lambda _: None)
    worker.start()
    cleaner = Cleaner(database, PuppetDBSettings(), lambda _: None)
    service = Service(database, intake=Intake(queue, worker), cleaner=cleaner)
    found = Application(lambda request: answer(service, request))
    yield found
    found.close()
    worker.stop()
    queue.close()
    database.close()


def ask(application, item, target):
    """Return status, headers and text of a response; redirections are followed, as in the record."""
    path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "method": item["method"],
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [
            (name.lower().encode(), value.encode())
            for name, value in item["request_headers"].items()
        ],
    }
    sent = []

    async def run():
        given = [{"type": "http.request", "body": item["request_body"].encode()}]
        left = asyncio.Event()

        async def receive():
            if not given:
                await left.wait()
            return given.pop()

        async def send(message):
            sent.append(message)

        await application(scope, receive, send)

    asyncio.run(run())
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    if sent[0]["status"] == 302:
        return ask(application, item, headers["location"])
    return sent[0]["status"], headers, b"".join(one["body"] for one in sent[1:]).decode()


def normal(text):
    """Return a body without what differs from run to run."""
    with suppress(ValueError):
        text = json.dumps(json.loads(text), sort_keys=True)
    return DEPTH.sub("<depth>", TIME.sub("<time>", UUID.sub("<uuid>", text)))


def difference(application, item):
    """Return how the response differs from the recorded one; None if it agrees."""
    status, headers, text = ask(application, item, item["target"])
    if status != item["status"]:
        return f"status {status}, expected {item['status']}: {text[:200]}"
    expected = item["response_headers"]
    wrong = [name for name in expected if headers.get(name) != expected[name]]
    if wrong:
        return f"headers {wrong}: {headers}"
    if normal(text) != normal(item["response_body"]):
        return f"{normal(text)[:300]}, expected {normal(item['response_body'])[:300]}"
    return None


@pytest.mark.parametrize("item", RECORDED, ids=lambda item: item["note"])
def test_answers_as_the_real_one(application, item):
    found = difference(application, item)
    if item["note"] in KNOWN:
        assert found, "agrees now: remove it from known_request_differences.toml"
    else:
        assert found is None


def test_known_differences_are_recorded_requests():
    assert KNOWN.keys() <= {item["note"] for item in RECORDED}
