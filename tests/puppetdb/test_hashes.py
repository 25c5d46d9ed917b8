"""The hashes of documents are those of PuppetDB: its own tests have the expected values."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunraku.demonstration import synthetic_site
from bunraku.demonstration.stored_site import load_demonstration
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.documents import Edge, Factset, Package, StoredResource
from bunraku.puppetdb.hashes import (
    catalog_hash,
    edge_json,
    factset_hash,
    resource_identity,
    resource_json,
    set_order,
    sha1_text,
    sorted_edges,
    sorted_json,
    sorted_resources,
)
from support.puppetdb import ask

STRUCTURED = {
    "a": 1,
    "b": 3.14,
    "c": ["a", "b", "c"],
    "d": {"n": ""},
    "e": "1",
    "f": None,
}
PACKAGES = (
    Package("package1", "1.2.3", "provider1"),
    Package("package2", "3.2.1", "provider1"),
    Package("package3", "5", "provider2"),
)
FOO1 = {
    "my_structured_fact": STRUCTURED,
    "domain": "testing.com",
    "uptime_seconds": "4000",
    "test#~delimiter": "foo",
}
FOO2 = {
    "my_structured_fact": {name: value for name, value in STRUCTURED.items() if name != "f"},
    "domain": "testing.com",
    "uptime_seconds": "6000",
}
FOO3 = {
    "my_structured_fact": {**STRUCTURED, "": "g?"},
    "domain": "testing.com",
    "operatingsystem": "Darwin",
}
PLAIN = {
    "domain": "mydomain.com",
    "fqdn": "myhost.mydomain.com",
    "hostname": "myhost",
    "kernel": "Linux",
    "operatingsystem": "Debian",
}


@pytest.mark.parametrize(
    ("certname", "environment", "values", "packages", "expected"),
    [
        ("foo.com", None, PLAIN, None, "d132145bbef13a1e6d615a6d8db22fbfe870ecf2"),
        ("foo.com", None, PLAIN, (), "d132145bbef13a1e6d615a6d8db22fbfe870ecf2"),
        ("foo1", "DEV", FOO1, PACKAGES, "e9e19bca48ab42c44687822415df77b47fa41e64"),
        ("foo1", "DEV", FOO1, PACKAGES[::-1], "e9e19bca48ab42c44687822415df77b47fa41e64"),
        ("foo2", "DEV", FOO2, PACKAGES, "39ad058afe565c797e925a862394d1bf457cf592"),
        ("foo3", "PROD", FOO3, PACKAGES, "f78da40ed4ad5f8009bf1e9e2963e44a86cfef00"),
    ],
)
def test_facts(certname, environment, values, packages, expected):
    assert factset_hash(Factset(certname, environment, "p", 1, values, packages)) == expected


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda one: st.lists(one) | st.dictionaries(st.text(), one),
)


@given(st.dictionaries(st.text(), VALUES), st.none() | st.text())
def test_the_hash_of_facts_is_that_of_the_whole_document(values, environment):
    whole = {"certname": "a", "environment": environment, "values": values}
    found = factset_hash(Factset("a", environment, None, 1, values, None))
    assert found == sha1_text(sorted_json(whole))


def test_a_resource():
    nested = {
        "z": "asdf",
        "k": ["z", {"z": ["a", {"a": [1, 2], "b": 2}], "a": 1}, "c"],
        "a": {"m": "asdf", "b": "asdf"},
    }
    one = StoredResource(
        "Type", "title", True, ("x",), "/f", 7, {"foo": {"b": "asdf", "a": nested}}
    )
    assert resource_identity(one).hex() == "c62dab030cfe8c25a4832c5c6302b7f0041264ba"


def test_a_catalog():
    """The resource of PuppetDB's own test has no key ``exported``, which real catalogs always have."""
    parameters = {"a": 1, "c": 3, "b": {"z": 26, "c": 3}}
    one = StoredResource("Type", "foo", False, ("foo", "bar"), "/tmp", 3, parameters)
    own_test = resource_json(one).replace('"exported":false,', "")
    edge = '{"source":{"title":"foo","type":"Type"},"target":{"title":"/tmp","type":"File"}}'
    assert catalog_hash("foobar.baz", [own_test], [edge]) == (
        "1be8cab0657f2d9d703fb48529d008cbe6955803"
    )


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (2, "247c17dbbab326cd8f82f1661dd401123b31ee34"),
        (7, "be30566cca0cdc8d6af496338df9f6fef6654dc5"),
        (12, "fcb2c18e84a04b860ba2b14e6cc96f1c3e26a942"),
    ],
)
def test_a_catalog_of_the_synthetic_site(number, expected):
    """The hashes that PuppetDB 7.12.1 gave to catalogs of benchmarks/puppetdb.py."""
    payload = synthetic_site.catalog(number, 2, 200)
    name = synthetic_site.certname(number)
    for one in payload["resources"][-2:]:
        one["parameters"]["content"] = f"changed on {name}\n"
    resources = [
        StoredResource(
            one["type"],
            one["title"],
            one["exported"],
            tuple(one["tags"]),
            one["file"],
            one["line"],
            one["parameters"],
        )
        for one in payload["resources"]
    ]
    edges = [
        Edge(
            (one["source"]["type"], one["source"]["title"]),
            (one["target"]["type"], one["target"]["title"]),
            one["relationship"],
        )
        for one in payload["edges"]
    ]
    parts = [resource_json(one) for one in sorted_resources(resources)]
    texts = dict.fromkeys(edge_json(one) for one in sorted_edges(edges))
    assert catalog_hash(name, parts, [*texts]) == expected


def test_the_parts_of_a_catalog():
    one = StoredResource("File", "/a", True, ("b", "a"), None, None, {"mode": "0644"})
    assert json.loads(resource_json(one)) == {
        "exported": True,
        "parameters": {"mode": "0644"},
        "tags": ["a", "b"],
        "title": "/a",
        "type": "File",
    }
    edges = [
        Edge(("b", "z"), ("a", "a"), "contains"),
        Edge(("a", "z"), ("c", "b"), "contains"),
        Edge(("a", "z"), ("b", "b"), "before"),
        Edge(("z", "a"), ("a", "a"), "contains"),
    ]
    assert sorted_edges(edges) == [edges[3], edges[2], edges[1], edges[0]]
    assert list(json.loads(edge_json(edges[0]))) == ["relationship", "source", "target"]
    resources = [
        StoredResource(t, n, False, (), None, None, {}) for t, n in ("zb", "az", "za", "aa")
    ]
    assert [one.type + one.title for one in sorted_resources(resources)] == ["aa", "za", "zb", "az"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ('\x01\x1f\x7f\b\t\n\f\r"\\/é', '"\\u0001\\u001F\x7f\\b\\t\\n\\f\\r\\"\\\\/é"'),
        (
            [1e-3, 9.99e-4, 1e7, 9999999.5, 123456789.5],
            "[0.001,9.99E-4,1.0E7,9999999.5,1.234567895E8]",
        ),
        ([1e300, -1e-300, 0.0, 1.0, 2.5], "[1.0E300,-1.0E-300,0.0,1.0,2.5]"),
        ("1e-05 0.0001 12345678.9", '"1e-05 0.0001 12345678.9"'),
        ({"\uffee": 1, "\U0001f3ad": 2}, '{"\U0001f3ad":2,"\uffee":1}'),
        ([1 << 70], "[1180591620717411303424]"),
    ],
)
def test_json_is_written_as_java_writes_it(value, text):
    assert sorted_json(value) == text


def answers(database, entity, *fields):
    item = {"method": "GET", "path": f"/pdb/query/v4/{entity}"}
    rows = json.loads("".join(ask(database, item).body))
    return sorted([[row[field] for field in fields] for row in rows])


def test_answers_have_the_hashes(database):
    load_demonstration(database, 2, 1_000_000_000_000)
    item = {"method": "GET", "path": "/pdb/query/v4/catalogs"}
    for catalog in json.loads("".join(ask(database, item).body)):
        for one in catalog["resources"]["data"]:
            text = sorted_json([one["type"], one["title"], one["parameters"]])
            assert one["resource"] == sha1_text(text)
        kept = ("exported", "file", "line", "parameters", "tags", "title", "type")
        parts = [
            {name: one[name] for name in kept if one[name] is not None}
            for one in catalog["resources"]["data"]
        ]
        for one in parts:
            one["tags"] = sorted(one["tags"], key=set_order)
        edges = [
            {
                "relationship": one["relationship"],
                "source": {"title": one["source_title"], "type": one["source_type"]},
                "target": {"title": one["target_title"], "type": one["target_type"]},
            }
            for one in catalog["edges"]["data"]
        ]
        parts.sort(key=lambda one: (one["title"], one["type"]))
        edges.sort(
            key=lambda one: (
                *one["source"].values(),
                *one["target"].values(),
                one["relationship"],
            )
        )
        document = {"certname": catalog["certname"], "edges": edges, "resources": parts}
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert catalog["hash"] == hashlib.sha1(text.encode()).hexdigest()


HASHED = {
    "resources": ("id", "hash", "identity"),
    "edges": ("id", "hash"),
    "catalogs": ("node_id", "hash"),
    "factsets": ("node_id", "hash"),
}


def hashes(database):
    return {
        (table, *fields): sorted(
            tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
            for row in database.rows(Statement(f"SELECT {', '.join(fields)} FROM {table}"), 60)
        )
        for table, fields in HASHED.items()
    }


def test_a_database_of_the_first_version_gets_the_hashes(database_name):
    database = open_database(database_name)
    load_demonstration(database, 3, 1_000_000_000_000)
    expected = hashes(database)
    with database.transaction() as connection:
        for table in ("resources", "edges"):
            rows = connection.execute(f"SELECT id FROM {table}").fetchall()
            connection.executemany(
                f"UPDATE {table} SET hash = ? WHERE id = ?",
                [(f"old {number}".encode(), number) for (number,) in rows],
            )
        connection.execute("UPDATE catalogs SET hash = 'old'")
        connection.execute("UPDATE factsets SET hash = 'old'")
        connection.execute("ALTER TABLE resources DROP COLUMN identity")
        connection.execute("DROP TABLE resource_counts")
        if isinstance(database, SqliteDatabase):
            connection.execute("PRAGMA user_version = 1")
        else:
            connection.execute("DELETE FROM schema_version WHERE version > 1")
    database.close()
    again = open_database(database_name)
    assert hashes(again) == expected
    again.close()
