"""pypuppetdb, the client of Puppetboard and of many scripts: each of its methods on our server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bunraku.demonstration import synthetic_site as site
from bunraku.demonstration.stored_site import RESOURCES, RUNS

pypuppetdb = pytest.importorskip("pypuppetdb", reason="pypuppetdb is not installed")
Build = pytest.importorskip("pypuppetdb.QueryBuilder")
types = pytest.importorskip("pypuppetdb.types")

# pypuppetdb 3.2.0 calls a method that Python 3.12 deprecates.
pytestmark = pytest.mark.filterwarnings(r"ignore:datetime\.datetime\.utcnow:DeprecationWarning")
ROOT = Path(__file__).parents[2]
NODES = 12
LAST = RUNS - 1
READY = re.compile(r"PuppetDB on http://([\d.]+):(\d+)")
PATIENCE = 120
ONE = 3
NAME = site.certname(ONE)
ROLE = f"Role::{site.role(ONE).capitalize()}"
NAMES = sorted(map(site.certname, range(NODES)))
VALUES = site.facts(ONE, LAST)["values"]
TYPES = Counter(one["type"] for one in site.catalog(ONE, LAST, RESOURCES)["resources"])


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The host and port of a server with the synthetic site."""
    database = tmp_path_factory.mktemp("pypuppetdb") / "demo.db"
    words = [sys.executable, "-m", "bunraku", "puppetdb", "demo", "--no-project"]
    options = ["--database", str(database), "--nodes", str(NODES), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        [*words, *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    try:
        found = next(filter(None, map(READY.search, process.stdout)))
        yield found[1], int(found[2])
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


@pytest.fixture
def client(address):
    host, port = address
    with pypuppetdb.connect(host=host, port=port, timeout=60) as found:
        yield found


def is_a(kind, items):
    found = list(items)
    assert found
    assert all(isinstance(one, kind) for one in found)
    return found


def check_nodes(client):
    assert sorted(one.name for one in is_a(types.Node, client.nodes())) == NAMES
    found = is_a(types.Node, client.nodes(with_status=True, unreported=24 * 365 * 100))
    outcomes = {one.name: one.status for one in found}
    for number in range(NODES):
        report = site.report(number, LAST)
        expected = "noop" if report["noop_pending"] else report["status"]
        assert outcomes[site.certname(number)] == expected
    changed = next(one for one in found if one.status == "changed")
    assert changed.events["successes"] == site.EVENTS
    query = Build.AndOperator()
    query.add(Build.RegexOperator("certname", "^web-"))
    query.add(Build.EqualsOperator("report_environment", "production"))
    expected = [name for name in NAMES if name.startswith("web-") and name != site.certname(0)]
    assert sorted(one.name for one in client.nodes(query=query)) == expected
    page = client.nodes(order_by='[{"field": "certname"}]', limit=2, offset=1, include_total=True)
    assert [one.name for one in page] == NAMES[1:3]
    assert client.total == NODES


def check_node(client):
    node = client.node(NAME)
    assert (node.name, node.report_environment) == (NAME, site.environment(ONE))
    assert {one.name: one.value for one in node.facts()} == VALUES
    assert node.fact("kernel").value == "Linux"
    assert Counter(one.type_ for one in node.resources()) == TYPES
    assert len(list(node.resources("File"))) == TYPES["File"]
    assert node.resource("Class", ROLE).sourceline == 1
    assert len(is_a(types.Report, node.reports())) == RUNS


def check_edges(client):
    found = is_a(types.Edge, client.edges(query=Build.EqualsOperator("certname", NAME)))
    assert len(found) == RESOURCES - 1
    assert {one.relationship for one in found} == {"contains"}


def check_environments(client):
    assert sorted(one["name"] for one in client.environments()) == ["production", "staging"]


def check_facts(client):
    found = is_a(types.Fact, client.facts("kernel"))
    assert sorted((one.node, one.value) for one in found) == [(name, "Linux") for name in NAMES]
    debian = [site.certname(n) for n in range(NODES) if n % len(site.FAMILIES) == 0]
    assert sorted(one.node for one in client.facts("operatingsystem", "Debian")) == sorted(debian)


def check_factsets(client):
    found = {one["certname"]: one for one in client.factsets()}
    assert sorted(found) == NAMES
    data = found[NAME]["facts"]["data"]
    assert {one["name"]: one["value"] for one in data} == VALUES


def check_fact_contents(client):
    query = Build.AndOperator()
    query.add(Build.EqualsOperator("path", ["os", "family"]))
    query.add(Build.EqualsOperator("certname", NAME))
    ((found),) = client.fact_contents(query=query)
    assert (found["value"], found["name"]) == (VALUES["os"]["family"], "os")


def check_fact_paths(client):
    found = client.fact_paths(query=Build.EqualsOperator("path", ["processors", "count"]))
    assert [(one["path"], one["type"]) for one in found] == [(["processors", "count"], "integer")]


def check_fact_names(client):
    assert sorted(client.fact_names()) == sorted(VALUES)


def check_resources(client):
    found = is_a(types.Resource, client.resources("Stage", "main"))
    assert sorted(one.node for one in found) == NAMES
    (one,) = client.resources("Class", query=Build.EqualsOperator("certname", NAME))
    assert one.name == ROLE
    query = Build.EqualsOperator("title", "/srv/file-0000")
    assert {one.parameters["mode"] for one in client.resources("File", query=query)} == {"0644"}


def check_catalog(client):
    found = client.catalog(NAME)
    assert isinstance(found, types.Catalog)
    assert len(list(found.get_resources())) == RESOURCES
    assert len(list(found.get_edges())) == RESOURCES - 1
    assert found.get_resource("Stage", "main").name == "main"


def check_catalogs(client):
    found = is_a(types.Catalog, client.catalogs())
    assert sorted(one.node for one in found) == NAMES


def check_events(client):
    found = is_a(types.Event, client.events(query=Build.EqualsOperator("certname", NAME)))
    expected = [event for run in range(RUNS) for event in events_of(ONE, run)]
    assert Counter(one.status for one in found) == Counter(expected)
    assert {one.item["property"] for one in found} == {"content"}


def events_of(number, run):
    """Return the outcomes of the events of a run."""
    resources = site.report(number, run)["resources"]
    return [event["status"] for one in resources for event in one["events"]]


def check_event_counts(client):
    query = Build.EqualsOperator("latest_report?", True)
    found = {
        one["subject"]["title"]: one
        for one in client.event_counts(summarize_by="certname", query=query)
    }
    for number in range(NODES):
        expected = Counter(events_of(number, LAST))
        one = found.get(site.certname(number), {})
        assert one.get("successes", 0) == expected["success"]
        assert one.get("failures", 0) == expected["failure"]
        assert one.get("noops", 0) == expected["noop"]


def check_aggregate_event_counts(client):
    query = Build.RegexOperator("certname", ".*")
    (found,) = client.aggregate_event_counts("certname", query=query, count_by="resource")
    assert found["summarize_by"] == "certname"
    assert found["total"] == NODES
    assert found["failures"] == counted_nodes("failure")
    assert found["successes"] == counted_nodes("success")


def counted_nodes(status):
    """Return how many nodes ever had an event with a status."""
    return len(
        {
            number
            for number in range(NODES)
            for run in range(RUNS)
            for one in site.report(number, run)["resources"]
            if status in [event["status"] for event in one["events"]]
        }
    )


def check_reports(client):
    query = Build.EqualsOperator("certname", NAME)
    found = is_a(types.Report, client.reports(query=query, order_by='[{"field": "end_time"}]'))
    assert [one.status for one in found] == [
        "noop" if report["noop_pending"] else report["status"]
        for report in (site.report(ONE, run) for run in range(RUNS))
    ]
    report = next(one for one in found if one.status in {"changed", "failed"})
    assert len(is_a(types.Event, report.events())) == site.EVENTS
    assert len(report.logs) == 10
    assert timedelta() < report.run_time < timedelta(hours=1)


def check_inventory(client):
    query = Build.EqualsOperator("facts.os.family", VALUES["os"]["family"])
    found = {one.node: one for one in is_a(types.Inventory, client.inventory(query=query))}
    assert found[NAME].facts == VALUES
    assert found[NAME].trusted == VALUES["trusted"]


def check_pql(client):
    text = f'nodes {{ certname = "{NAME}" }}'
    assert [one.name for one in is_a(types.Node, client.pql(text))] == [NAME]
    assert len(is_a(types.Fact, client.pql(f'facts {{ certname = "{NAME}" }}'))) == len(VALUES)
    counted = list(client.pql("resources[type, count()] { type = 'Class' group by type }"))
    assert counted == [{"type": "Class", "count": NODES}]


def check_command(client):
    name = "new.example.com"
    head = {"certname": name, "environment": "production", "producer": site.PRODUCER}
    times = {"producer_timestamp": datetime.now(UTC).isoformat()}
    found = client.command("replace facts", {**head, **times, "values": {"kernel": "Linux"}})
    assert len(found["uuid"]) == 36
    wait_until(lambda: sorted(one.name for one in client.nodes()) != NAMES)
    assert client.node(name).fact("kernel").value == "Linux"
    client.command("deactivate node", {"certname": name, **times})
    wait_until(lambda: sorted(one.name for one in client.nodes()) == NAMES)


def wait_until(happened):
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def check_current_version(client):
    assert re.fullmatch(r"\d+\.\d+\.\d+", client.current_version())


def check_status(client):
    assert client.status()["state"] == "running"


def check_metric(client):
    found = client.metric("puppetlabs.puppetdb.population:name=num-nodes")
    assert found["Value"] == NODES
    assert "puppetlabs.puppetdb.population" in client.metric()


CHECKS = {name[6:]: value for name, value in globals().items() if name.startswith("check_")}
WITHOUT_REQUEST = {"disconnect", "version", "base_url", "total"}
"""What the client answers by itself."""


BROKEN = {"server_time"}
"""pypuppetdb 3.2.0 reads an attribute here that it does not have, whatever the server answers."""


@pytest.mark.parametrize("method", CHECKS)
def test_each_method(client, method):
    CHECKS[method](client)


def test_no_method_is_missing():
    public = {name for name in dir(pypuppetdb.api.API) if not name.startswith("_")}
    assert public - WITHOUT_REQUEST - BROKEN == CHECKS.keys()
