"""Administration by HTTP, in process."""

from __future__ import annotations

import io
import json
import tarfile

import pytest

from bunraku.demonstration.stored_site import load_demonstration
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.server.commands import Intake
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.puppetdb.storage.cleaner import Cleaner
from bunraku.web.http import Request


@pytest.fixture
def service(tmp_path):
    database = SqliteDatabase(str(tmp_path / "site.db"))
    load_demonstration(database, 2, 1_000_000_000_000)
    yield Service(database, cleaner=Cleaner(database, PuppetDBSettings(), lambda _: None))
    database.close()


def command(service, value):
    body = [value if isinstance(value, bytes) else json.dumps(value).encode()]
    response = answer(service, Request("POST", "/pdb/admin/v1/cmd", body=body))
    return response.status, json.loads("".join(response.body))


def nodes(service):
    response = answer(service, Request("GET", "/pdb/query/v4/nodes"))
    return [row["certname"] for row in json.loads("".join(response.body))]


def test_nodes_are_deleted(service):
    first, second = nodes(service)
    delete = {"command": "delete", "version": 1, "payload": {"certname": first}}
    assert command(service, delete) == (200, {"deleted": first})
    assert nodes(service) == [second]


def test_old_nodes_expire(service):
    assert len(nodes(service)) == 2
    clean = {"command": "clean", "version": 1, "payload": ["expire_nodes"]}
    assert command(service, clean) == (200, {"ok": True})
    assert nodes(service) == []


def test_one_cleaning_runs_at_a_time(service):
    clean = {"command": "clean", "version": 1, "payload": []}
    with service.cleaner.one_at_a_time:
        status, found = command(service, clean)
    assert (status, found["kind"]) == (409, "conflict")


@pytest.mark.parametrize(
    "value",
    [
        b"nonsense",
        [],
        {"command": "nothing", "version": 1, "payload": []},
        {"command": "clean", "version": 1, "payload": ["nothing"]},
        {"command": "clean", "version": 1, "payload": "purge_nodes"},
        {"command": "delete", "version": 1, "payload": {}},
    ],
)
def test_other_commands_are_refused(service, value):
    status, found = command(service, value)
    assert (status, list(found)) == (400, ["error"])


def test_an_unknown_command_is_refused_as_recorded(service):
    body = b'{"command": "nothing", "version": 1, "payload": []}'
    assert command(service, body)[1]["error"] == (
        r'Invalid command "{\"command\": \"nothing\", \"version\": 1, \"payload\": []}":'
        " Valid commands types are: 'clean' and 'delete'"
    )


def test_an_archive_is_downloaded(service):
    response = answer(service, Request("GET", "/pdb/admin/v1/archive"))
    content = b"".join(response.body)
    assert response.headers["content-type"] == "application/octet-stream"
    assert "filename=puppetdb-export-" in response.headers["content-disposition"]
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        folders = {name.split("/")[1] for name in archive.getnames()}
    assert folders == {"export-metadata.json", "catalogs", "facts", "reports"}


def test_figures_of_the_data_have_the_shape_of_the_real_ones(database):
    load_demonstration(database, 3, 1_000_000_000_000)
    response = answer(Service(database), Request("GET", "/pdb/admin/v1/summary-stats"))
    found = json.loads("".join(response.body))
    assert found.keys() == {
        "table_usage",
        "index_usage",
        "database_usage",
        "node_activity",
        "fact_path_counts_by_depth",
        "report_metric_size_dist",
        "report_log_size_dist",
        "num_resources_per_node",
        "num_resources_per_file",
        "file_resources_per_catalog",
        "file_resources_per_catalog_with_source",
        "num_distinct_edges_source_target",
        "version",
    }
    assert found["node_activity"] == [{"count": 3, "active": True}]
    (resources,) = found["num_resources_per_node"]
    assert len(resources["quantiles"]) == 21
    assert resources["quantiles"] == sorted(resources["quantiles"])
    assert "nodes" in [table["relname"] for table in found["table_usage"]]
    assert "current_time" in found["database_usage"][0]


def test_figures_of_an_empty_database(database):
    response = answer(Service(database), Request("GET", "/pdb/admin/v1/summary-stats"))
    found = json.loads("".join(response.body))
    assert found["num_resources_per_node"] == [{"quantiles": None}]


@pytest.fixture
def empty(tmp_path):
    database = SqliteDatabase(str(tmp_path / "empty.db"))
    queue = Queue(str(tmp_path / "queue"), str(tmp_path / "discarded"))
    yield Service(database, intake=Intake(queue, Worker(database, queue, lambda _: None)))
    queue.close()
    database.close()


def upload(service, content, size=1000):
    head = (
        b'--x\r\nContent-Disposition: form-data; name="archive"; filename="a.tgz"\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head + content + b"\r\n--x--\r\n"
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    headers = {"content-type": "multipart/form-data; boundary=x"}
    request = Request("POST", "/pdb/admin/v1/archive", headers=headers, body=pieces)
    response = answer(service, request)
    return response.status, json.loads("".join(response.body))


@pytest.mark.parametrize("size", [1, 77, 10**6])
def test_an_archive_is_uploaded(service, empty, size):
    content = b"".join(answer(service, Request("GET", "/pdb/admin/v1/archive")).body)
    assert upload(empty, content, size) == (200, {"ok": True})
    commands = [entry.metadata.command for entry in empty.intake.queue.take(1000)]
    assert sorted(set(commands)) == ["replace catalog", "replace facts", "store report"]
    assert len(commands) == 2 * (1 + 1 + 6)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x1f\x8b\x08\x00"])
def test_another_upload_is_refused(empty, content):
    status, found = upload(empty, content)
    assert (status, "Cannot read the archive" in found["error"]) == (400, True)
