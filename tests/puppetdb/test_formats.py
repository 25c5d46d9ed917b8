"""Wire formats: an example of each version, and what it becomes."""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.formats import read_catalog, read_report
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.commands.versions import newest
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.storage.reports import report_hash
from support.puppetdb_commands import catalog, changed, event, facts, report, resource, without

RECEIVED = 1_767_225_600_000
ARRIVAL = "2026-01-01T00:00:00.000Z"


def rows(database, text):
    return list(database.rows(Statement(text), 10))


def send(database, name, version, payload):
    body = json.dumps(payload).encode()
    process(database, Command(name, version, "x", body, RECEIVED))


def renamed(payload, **names):
    """Return an object with other names for some keys."""
    return {names.get(key, key): value for key, value in payload.items()}


def dashed(payload):
    return {key.replace("_", "-"): value for key, value in payload.items()}


RUN = catalog()["transaction_uuid"]
CATALOG_8 = without(catalog(), "producer", "job_id")
CATALOG_7 = without(CATALOG_8, "catalog_uuid")
CATALOG_6 = without(CATALOG_7, "code_id")
CATALOG_5 = {**dashed(renamed(CATALOG_6, certname="name")), "api_version": 1}
CATALOG_4 = without(CATALOG_5, "producer-timestamp")
CATALOGS = {9: catalog(), 8: CATALOG_8, 7: CATALOG_7, 6: CATALOG_6, 5: CATALOG_5, 4: CATALOG_4}


@pytest.mark.parametrize("version", CATALOGS)
def test_catalogs(database, version):
    send(database, "replace catalog", version, CATALOGS[version])
    query = (
        "SELECT certname, version, transaction_uuid, catalog_uuid, code_id, e.name, p.name,"
        " producer_timestamp FROM catalogs JOIN nodes ON nodes.id = node_id"
        " LEFT JOIN environments AS e ON e.id = environment_id"
        " LEFT JOIN producers AS p ON p.id = producer_id"
    )
    uuid = RUN if version < 8 else catalog()["catalog_uuid"]
    producer = "server" if version == 9 else None
    assert rows(database, query) == [("a", "1", RUN, uuid, None, "production", producer, RECEIVED)]
    assert rows(database, "SELECT title FROM resources") == [("/etc/motd",)]


FACTS_4 = without(facts(x=1), "producer")
FACTS_3 = renamed(FACTS_4, certname="name", producer_timestamp="producer-timestamp")
FACTS_2 = without(FACTS_3, "producer-timestamp")


@pytest.mark.parametrize(
    ("version", "payload"), [(5, facts(x=1)), (4, FACTS_4), (3, FACTS_3), (2, FACTS_2)]
)
def test_facts(database, version, payload):
    send(database, "replace facts", version, payload)
    query = (
        "SELECT certname, producer_timestamp, producer_id FROM factsets"
        " JOIN nodes ON nodes.id = node_id"
    )
    assert rows(database, query) == [("a", RECEIVED, None)]
    assert rows(database, "SELECT name, value FROM fact_values") == [("x", "1")]


def flat_events():
    """Return the events of a report as version 5 has them."""
    of_resource = without(changed(), "events", "skipped", "corrective_change")
    first = {**without(event(), "name", "corrective_change"), **of_resource}
    second = {**first, "property": "mode", "message": "changed"}
    skipped = {**first, "resource_title": "/skipped", "status": "skipped", "message": None}
    return [first, second, skipped]


def older_resources():
    events = [without(event(), "name", "corrective_change")]
    second = {**events[0], "property": "mode", "message": "changed"}
    own = without(changed(events=[*events, second]), "corrective_change")
    skipped = without(changed("/skipped", skipped=True), "corrective_change")
    return [own, {**skipped, "events": events}]


REPORT_7 = {
    **without(report(), "producer", "noop_pending", "corrective_change"),
    "transaction_uuid": RUN,
    "catalog_uuid": RUN,
    "resources": older_resources(),
}
REPORT_6 = without(REPORT_7, "catalog_uuid", "cached_catalog_status", "code_id")
REPORT_5 = {**without(REPORT_6, "resources"), "resource_events": flat_events()}
REPORT_4 = {
    **dashed(without(REPORT_5, "logs", "metrics", "noop", "producer_timestamp")),
    "resource-events": [dashed(item) for item in flat_events()],
}
REPORT_3 = without(REPORT_4, "status")
REPORTS = {
    8: {
        **report(transaction_uuid=RUN, catalog_uuid=RUN),
        "resources": [
            changed(events=[event(), event(property="mode", message="changed")]),
            changed("/skipped", skipped=True),
        ],
    },
    7: REPORT_7,
    6: REPORT_6,
    5: REPORT_5,
    4: REPORT_4,
    3: REPORT_3,
}


@pytest.mark.parametrize("version", REPORTS)
def test_reports(database, version):
    send(database, "store report", version, REPORTS[version])
    query = "SELECT status, transaction_uuid, catalog_uuid, noop, producer_timestamp FROM reports"
    status = None if version == 3 else "unchanged"
    noop = None if version < 5 else 0
    assert rows(database, query) == [(status, RUN, RUN, noop, RECEIVED)]
    query = (
        "SELECT resource_title, status, property, message, containing_class FROM events ORDER BY id"
    )
    assert sorted(rows(database, query), key=str) == sorted(
        [
            ("/etc/motd", "success", "ensure", "created", "Motd"),
            ("/etc/motd", "success", "mode", "changed", "Motd"),
            ("/skipped", "skipped", None, None, "Motd"),
        ],
        key=str,
    )
    ((metrics, logs),) = rows(database, "SELECT metrics, logs FROM report_details")
    assert (metrics == "null", logs == "null") == (version < 5, version < 5)


@pytest.mark.parametrize(
    ("version", "payload"),
    [(3, {"certname": "a", "producer_timestamp": ARRIVAL}), (3, {"certname": "a"}), (2, "a"), (1, '"a"')],
)  # fmt: skip
def test_deactivations(database, version, payload):
    send(database, "deactivate node", version, payload)
    assert rows(database, "SELECT certname, deactivated FROM nodes") == [("a", RECEIVED)]


def test_expiration(database):
    payload = {"certname": "a", "expire": {"facts": False}, "producer_timestamp": ARRIVAL}
    send(database, "configure expiration", 1, payload)
    query = "SELECT certname, expires_facts, expires_facts_updated FROM nodes"
    assert rows(database, query) == [("a", 0, RECEIVED)]


def test_catalog_inputs(database):
    payload = {
        "certname": "a",
        "catalog_uuid": RUN.upper(),
        "producer_timestamp": ARRIVAL,
        "inputs": [["hiera", "b"], ["hiera", "a"], ["hiera", "a"]],
    }
    send(database, "replace catalog inputs", 1, payload)
    older = {**payload, "inputs": [["hiera", "old"]], "producer_timestamp": "2025-01-01T00:00:00Z"}
    send(database, "replace catalog inputs", 1, older)
    send(database, "replace catalog inputs", 1, {**payload, "inputs": []})
    assert rows(database, "SELECT type, name FROM catalog_inputs") == [
        ("hiera", "a"),
        ("hiera", "b"),
    ]
    query = "SELECT catalog_inputs_timestamp, catalog_inputs_uuid FROM nodes"
    assert rows(database, query) == [(RECEIVED, RUN)]
    newer = {**payload, "inputs": [["hiera", "b"]], "producer_timestamp": "2026-01-02T00:00:00Z"}
    send(database, "replace catalog inputs", 1, newer)
    assert rows(database, "SELECT name FROM catalog_inputs") == [("b",)]


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("replace catalog", 3),
        ("replace catalog", 10),
        ("replace facts", 1),
        ("store report", 9),
        ("deactivate node", 4),
        ("configure expiration", 2),
        ("replace catalog inputs", 2),
        ("replace everything", 1),
    ],
)
def test_unknown_versions(name, version):
    with pytest.raises(PuppetError, match=f"Unsupported command {name} version {version}"):
        newest(name, version, {}, RECEIVED)


@pytest.mark.parametrize("payload", [None, [], "x", 5, {"resource_events": 5}, {"resources": [1]}])
@pytest.mark.parametrize("version", range(3, 9))
def test_old_reports_of_the_wrong_shape(version, payload):
    with pytest.raises(PuppetError):
        read_report(newest("store report", version, payload, RECEIVED))


def test_the_hash_of_a_report_is_that_of_puppetdb():
    # SHA-1 of the JSON text with sorted keys; the algorithm was checked with values of PuppetDB's
    # own tests, whose times are in a form that commands cannot have.
    found = read_report(
        report("foobar.baz", puppet_version="3.2.1", report_format=1, configuration_version="asdffdsa")
    )  # fmt: skip
    assert report_hash(found) == "80bbe1ecb8608ee0453360f2e7b1ec85994b3bd8"


@pytest.mark.parametrize(
    "uuid",
    ["B5A2B7D1-5F0A-4D8C-9A9C-000000000001", "{b5a2b7d15f0a4d8c9a9c000000000001}"],
)
def test_forms_of_uuids(uuid):
    found = read_catalog(catalog(transaction_uuid=uuid))
    assert found.transaction_uuid == "b5a2b7d1-5f0a-4d8c-9a9c-000000000001"


@pytest.mark.parametrize("tags", [["a", "a"], ["grün", "日本", "x:y.z-1_"]])
def test_tags(tags):
    found = read_catalog(catalog(resources=[resource(tags=tags)]))
    assert found.resources[0].tags == tuple(dict.fromkeys(tags))


@pytest.mark.parametrize("tag", ["Upper", "-a", "", "a b", "Ä", "a\n", 5, None])
def test_tags_that_are_refused(tag):
    with pytest.raises(PuppetError):
        read_catalog(catalog(resources=[resource(tags=["ok", tag])]))
