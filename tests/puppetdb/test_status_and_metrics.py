"""Status and metrics of a server, in process."""

from __future__ import annotations

import json

import pytest

from bunraku.demonstration.stored_site import load_demonstration
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request

NODES = 3
POPULATION = "puppetlabs.puppetdb.population:name="


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    database = SqliteDatabase(str(tmp_path_factory.mktemp("puppetdb") / "site.db"))
    load_demonstration(database, NODES, 1_800_000_000_000)
    yield Service(database)
    database.close()


def get(service, path, **parameters):
    response = answer(service, Request("GET", path, parameters))
    text = "".join(response.body)
    return response.status, json.loads(text) if text.startswith(("{", "[")) else text


def test_the_status_of_all_services(service):
    status, found = get(service, "/status/v1/services")
    assert status == 200
    assert found["status-service"]["status"] == {}
    assert found["puppetdb-status"] == {
        "service_version": "7.12.1",
        "service_status_version": 1,
        "detail_level": "info",
        "state": "running",
        "status": {
            "maintenance_mode?": False,
            "queue_depth": 0,
            "read_db_up?": True,
            "write_db_up?": True,
            "write_dbs_up?": True,
            "write_db": {"default": {"up?": True}},
        },
        "active_alerts": [],
    }


def test_the_status_of_one_service(service):
    status, found = get(service, "/status/v1/services/puppetdb-status", level="critical")
    assert (status, found["service_name"], found["status"]) == (200, "puppetdb-status", {})
    assert get(service, "/status/v1/services/nothing") == (
        404,
        {"kind": "service-not-found", "msg": "No status information found for service nothing"},
    )
    assert get(service, "/status/v1/services", level="nonsense") == (
        400,
        {"kind": "data-invalid", "msg": "Invalid level: :nonsense"},
    )
    assert get(service, "/status/v1/simple") == (200, "running")
    assert get(service, "/status/v1/simple/nothing") == (404, "not found: nothing")
    assert get(service, "/status/v2")[0] == 404


def test_a_database_that_does_not_answer_is_down(tmp_path):
    database = SqliteDatabase(str(tmp_path / "site.db"))
    with database.transaction() as connection:
        connection.execute("DROP TABLE events")
    database.rows = lambda *_: (_ for _ in [(0,)])
    status, found = get(Service(database), "/status/v1/services/puppetdb-status")
    assert (status, found["state"], found["status"]["read_db_up?"]) == (503, "error", False)
    assert get(Service(database), "/status/v1/simple") == (503, "error")
    database.close()


def test_metrics_are_listed_and_read(service):
    _, listed = get(service, "/metrics/v2/list")
    names = [f"{domain}:{key}" for domain, keys in listed["value"].items() for key in keys]
    assert f"{POPULATION}num-nodes" in names
    for name in names:
        status, found = get(service, f"/metrics/v2/read/{name}")
        assert (status, found["status"], found["request"]["mbean"]) == (200, 200, name)
        assert found["value"]
    assert get(service, f"/metrics/v2/read/{POPULATION}num-nodes")[1]["value"] == {"Value": NODES}
    assert get(service, f"/metrics/v2/read/{POPULATION}num-nodes/Value")[1]["value"] == NODES
    assert get(service, "/metrics/v2/read/java.lang:type=Memory/HeapMemoryUsage/used")[1]["value"]


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("read/a:name=b", 404, "javax.management.InstanceNotFoundException"),
        (f"read/{POPULATION}num-nodes/x", 404, "javax.management.AttributeNotFoundException"),
        ("exec/a:name=b", 400, "java.lang.IllegalArgumentException"),
    ],
)
def test_metrics_that_do_not_exist_are_refused(service, path, status, kind):
    code, found = get(service, f"/metrics/v2/{path}")
    assert (code, found["status"], found["error_type"]) == (200, status, kind)
    assert found["error"].startswith(kind)


def test_many_metrics_are_read_at_once(service):
    requests = [
        {"type": "search", "mbean": f"{POPULATION}num-*"},
        {"type": "read", "mbean": f"{POPULATION}num-nodes", "attribute": ["Value"]},
        {"type": "version"},
    ]
    body = [json.dumps(requests).encode()]
    response = answer(service, Request("POST", "/metrics/v2", body=body))
    searched, read, version = json.loads("".join(response.body))
    assert f"{POPULATION}num-resources" in searched["value"]
    assert read["value"] == {"Value": NODES}
    assert version["value"]["protocol"]


def test_metrics_for_prometheus(service):
    status, text = get(service, "/metrics")
    lines = text.splitlines()
    assert status == 200
    assert f'puppetdb_nodes{{state="active"}} {NODES}' in lines
    assert 'puppetdb_nodes{state="inactive"} 0' in lines
    named = {line.split("{")[0].split(" ")[0] for line in lines if not line.startswith("#")}
    described = {line.split(" ")[2] for line in lines if line.startswith("# HELP")}
    assert named <= described
