"""Stored catalogs and facts: collecting from them, and queries.

``data/exported.json`` is what Puppet 7.23 compiled with the same two catalogs behind a terminus of
the kind that PuppetDB brings.
"""

from __future__ import annotations

import json
import sqlite3
import tarfile
from io import BytesIO
from pathlib import Path
from uuid import UUID

import pytest

from bunraku.base.errors import PuppetError
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.demonstration.stored_site import load_demonstration
from bunraku.demonstration.synthetic_site import certname
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.request import Request
from bunraku.puppetdb.archive import VERSIONS, exported_pieces
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.queries.pql import ENTITIES, parse_pql
from bunraku.puppetdb.queries.reading import checked, read_any_query
from bunraku.puppetdb.queries.root import answer_to
from bunraku.puppetdb.site.documents import Documents
from bunraku.puppetdb.site.files import FileData, read_files
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.disk import Disk

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "exported.json").read_text())
LEFT_OUT = {"Stage[main]", "Class[Settings]", "Class[main]"}
FILES = {f"/store/{one['name']}.json": json.dumps(one).encode() for one in RECORDED["store"]}


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["code"][70:130])
def test_collects_as_puppet_does(case):
    request = Request(
        code=case["code"],
        node="testnode.example.com",
        storedconfigs="/store",
        cycles=False,
        world=DictionaryWorld(FILES),
    )
    try:
        data = catalog_to_data(compile_catalog(request, lambda entry: None))
    except PuppetError:
        assert case["status"] == "eval_error"
        return
    assert case["status"] == "ok"
    found = [
        {
            "type": one["type"],
            "title": one["title"],
            "parameters": one.get("parameters", {}),
            "tags": sorted(one["tags"]),
            "exported": one["exported"],
        }
        for one in data["resources"]
        if f"{one['type']}[{one['title']}]" not in LEFT_OUT
    ]
    expected = [
        one for one in case["resources"] if f"{one['type']}[{one['title']}]" not in LEFT_OUT
    ]
    for one in expected:
        one["parameters"] = one["parameters"] or {}
    assert found == expected


def test_a_node_does_not_collect_its_own_of_the_last_time():
    request = Request(
        code="User <<| |>>", node="db2", storedconfigs="/store", world=DictionaryWorld(FILES)
    )
    catalog = compile_catalog(request, lambda entry: None)
    assert [one.title for one in catalog.resources if one.type == "User"] == ["db1"]


# -- reading ---------------------------------------------------------------------------------------

RESOURCE = {"type": "User", "title": "a", "exported": True, "tags": ["x"], "parameters": {"uid": 1}}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("c.json", {"name": "n", "resources": [RESOURCE]}),
        ("c.yaml", {"certname": "n", "resources": [RESOURCE]}),
        ("c.json", {"certname": "n", "resources": {"href": "/x", "data": [RESOURCE]}}),
        ("c.json", {"document_type": "Catalog", "data": {"name": "n", "resources": [RESOURCE]}}),
        ("c.json", [{"certname": "n", **RESOURCE}]),
        ("deep/er/c.json", [[{"name": "n", "resources": [RESOURCE]}]]),
    ],
)
def test_forms_of_catalogs(name, data):
    data = read_files("/s", DictionaryWorld({f"/s/{name}": json.dumps(data).encode()}))
    (resource,) = data.exported("User", None)
    assert (resource["certname"], resource["title"], resource["parameters"]) == (
        "n",
        "a",
        {"uid": 1},
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", '{"name": "n", "values": {"os": {"a": 1}}}'),
        ("n.yaml", "os: {a: 1}\n"),
        ("x.yaml", "--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues: {os: {a: 1}}\n"),
        ("x.json", '{"certname": "n", "facts": {"os": {"a": 1}}}'),
        ("x.json", '{"certname": "n", "facts": {"data": [{"name": "os", "value": {"a": 1}}]}}'),
        ("x.json", '[{"certname": "n", "name": "os", "value": {"a": 1}}]'),
    ],
)
def test_forms_of_facts(name, text):
    data = read_files("/s", DictionaryWorld({f"/s/{name}": text.encode()}))
    assert (data.nodes(), data.facts("n")) == (["n"], {"os": {"a": 1}})


@pytest.mark.parametrize(
    ("files", "code", "line"),
    [
        ({}, "STORED_NOT_FOUND", None),
        ({"/s/a.json": '{\n"name": oops}'}, "STORED_BROKEN", 2),
        ({"/s/a.yaml": "a: 1\nb: ["}, "STORED_BROKEN", None),
        ({"/s/a.json": "7"}, "STORED_UNKNOWN", None),
        ({"/s/a.json": '{"resources": []}'}, "STORED_UNKNOWN", None),
    ],
)
def test_what_cannot_be_read(files, code, line):
    world = DictionaryWorld({path: text.encode() for path, text in files.items()})
    with pytest.raises(PuppetError) as caught:
        read_files("/s", world)
    found = caught.value.diagnostic
    assert found.code == code
    if files:
        assert found.file in files
    assert line is None or found.line == line


# -- other sources ---------------------------------------------------------------------------------


def compiled(source, node="web9"):
    """Return what a node collects from a source, and what it finds in queries."""
    code = "User <<| tag == 'x' |>> puppetdb_query('facts[certname] { name = \"os\" }')"
    request = Request(code=code, node=node, storedconfigs=str(source))
    catalog = compile_catalog(request, lambda entry: None)
    users = [one.title for one in catalog.resources if one.type == "User"]
    return users, evaluate_code(request, lambda entry: None)


def wire_catalog():
    return {
        "certname": "n",
        "version": "1",
        "environment": "production",
        "producer_timestamp": "2026-01-01T00:00:00Z",
        "resources": [{**RESOURCE, "file": None, "line": None}],
        "edges": [],
        **dict.fromkeys(("producer", "code_id", "catalog_uuid", "transaction_uuid", "job_id")),
    }


def wire_facts():
    return {
        "certname": "n",
        "environment": "production",
        "producer": None,
        "producer_timestamp": "2026-01-01T00:00:00Z",
        "values": {"os": {"a": 1}},
    }


def fill(path):
    """Return an open database with a catalog and facts."""
    database = SqliteDatabase(str(path))
    for name, version, payload in (
        ("replace catalog", 9, wire_catalog()),
        ("replace facts", 5, wire_facts()),
    ):
        process(database, Command(name, version, "n", json.dumps(payload).encode(), 0))
    return database


def test_a_database_file_is_read_and_not_changed(tmp_path):
    path = tmp_path / "site.db"
    database = fill(path)
    expected = ["a"], [{"certname": "n"}]
    assert compiled(path) == expected  # while the server runs
    database.close()
    before = path.read_bytes()
    assert compiled(path) == expected
    assert path.read_bytes() == before
    assert compiled(path, "n") == ([], [{"certname": "n"}])


@pytest.mark.parametrize(
    ("version", "code"), [(0, "PUPPETDB_OLDER_SCHEMA"), (99, "PUPPETDB_NEWER_SCHEMA")]
)
def test_a_database_of_another_version_is_refused(tmp_path, version, code):
    path = tmp_path / "site.db"
    connection = sqlite3.connect(path)
    connection.executescript(f"CREATE TABLE a (b); PRAGMA user_version = {version};")
    connection.close()
    with pytest.raises(PuppetError) as caught:
        compiled(path)
    assert caught.value.code == code


def write_archive(path, files, versions=VERSIONS):
    """Write an export of PuppetDB."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in {"export-metadata.json": {"command_versions": versions}, **files}.items():
            content = json.dumps(data).encode()
            member = tarfile.TarInfo(f"puppetdb-bak/{name}")
            member.size = len(content)
            archive.addfile(member, BytesIO(content))


def test_every_entity_of_an_archive_answers_as_the_database_that_wrote_it(tmp_path):
    database = open_database(str(tmp_path / "site.db"))
    load_demonstration(database, 4, 1_780_000_000_000)
    inputs = {"certname": certname(0), "producer_timestamp": "2026-01-01T00:00:00.000Z"}
    payload = {**inputs, "catalog_uuid": str(UUID(int=1)), "inputs": [["hiera", "a::b"]]}
    process(
        database,
        Command("replace catalog inputs", 1, certname(0), json.dumps(payload).encode(), 0),
    )
    path = tmp_path / "export.tar.gz"
    path.write_bytes(b"".join(exported_pieces(database)))
    archive = read_files(str(path), Disk())
    counted = {}
    for name in (*ENTITIES, "catalog_inputs", "catalog_input_contents"):
        query = ["from", name, ["extract", [["function", "count"]]]]
        expected = answer_to(database, query)
        assert archive.query(query) == expected, name
        counted[name] = expected[0]["count"]
    assert {name for name, count in counted.items() if not count} == {
        "package_inventory",
        "packages",
    }
    for query in QUERIES_OF_REPORTS:
        query = checked(read_any_query(query))
        assert archive.query(query) == answer_to(database, query)
    database.close()


QUERIES_OF_REPORTS = [
    "nodes[certname, latest_report_status, report_timestamp] { order by certname }",
    "reports[certname, status, end_time, logs, metrics] { order by certname, end_time }",
    'events[certname, message] { status = "failure" order by certname, message }',
    'nodes[certname] { reports { status = "failed" } order by certname }',
]


def test_an_invalid_report_in_an_archive_is_an_error_of_the_queries_that_read_it(tmp_path):
    path = tmp_path / "export.tar.gz"
    write_archive(path, {"facts/n.json": wire_facts(), "reports/n-1.json": {"certname": "n"}})
    archive = read_files(str(path), Disk())
    assert archive.query(["from", "facts", ["extract", ["certname"]]])
    with pytest.raises(PuppetError) as caught:
        archive.query(["from", "reports"])
    assert caught.value.code == "STORED_BROKEN"
    assert "store report of n" in caught.value.message


def test_an_export_of_puppetdb_is_read(tmp_path):
    path = tmp_path / "export.tar.gz"
    write_archive(path, {"catalogs/n-1.json": wire_catalog(), "facts/n.json": wire_facts()})
    assert compiled(path) == (["a"], [{"certname": "n"}])
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(PuppetError) as caught:
        compiled(path)
    assert caught.value.code == "STORED_BROKEN"


# -- queries ---------------------------------------------------------------------------------------

DOCUMENTS = Documents()
DOCUMENTS.add(
    {
        "name": "web1",
        "environment": "production",
        "version": 7,
        "resources": [
            {**RESOURCE, "title": "ada", "parameters": {"uid": 5, "shell": "/bin/sh"}},
            {**RESOURCE, "title": "bob", "exported": False, "parameters": {"uid": 9}},
            {"type": "Class", "title": "Nginx", "tags": ["nginx", "class"]},
        ],
    },
    "",
)
DOCUMENTS.add(
    {"name": "web1", "values": {"os": {"family": "Debian"}, "up": 10, "k.x": {"a.b": 1}}}, ""
)
DOCUMENTS.add(
    {"name": "db1", "values": {"os": {"family": "RedHat"}, "up": 3, "list": [1, [2]]}}, ""
)
DATA = FileData(DOCUMENTS)


def answer(query):
    """Return the rows of a query in either form."""
    return DATA.query(checked(read_any_query(query) if isinstance(query, str) else query))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("nodes[certname] { }", ["db1", "web1"]),
        ('nodes[certname] { certname ~ "^web" }', ["web1"]),
        ('nodes[certname] { certname !~ "^web" }', ["db1"]),
        ('nodes[certname] { !(certname = "db1") }', ["web1"]),
        ("nodes[certname] { certname != \"db1\" or certname = 'db1' limit 1 }", ["db1"]),
        ("nodes[certname] { order by certname desc }", ["web1", "db1"]),
        ("nodes[certname] { deactivated is null order by certname limit 1 offset 1 }", ["web1"]),
        ("nodes[certname] { deactivated is not null }", []),
        ('nodes[certname] { catalog_environment = "production" }', ["web1"]),
        ('inventory[certname] { facts.os.family = "RedHat" and facts.up < 5 }', ["db1"]),
        ("inventory[certname] { facts.up >= 3 and facts.up <= 3 }", ["db1"]),
        ('inventory[certname] { facts."k.x"."a.b" = 1 }', ["web1"]),
        ("inventory[certname] { facts.list.1.0 = 2 }", ["db1"]),
        ('inventory[certname] { resources { type = "Class" and title = "Nginx" } }', ["web1"]),
        ('facts[certname] { name = "up" and value > 5 }', ["web1"]),
        ('facts[value] { name = "up" order by value }', [3, 10]),
        ('facts[value] { name = "up" order by value desc }', [10, 3]),
        ('fact_contents[certname] { path ~> ["os", "fam.*"] and value = "Debian" }', ["web1"]),
        ('resources[title] { type = "User" and exported = true }', ["ada"]),
        ("resources[title] { parameters.uid > 5 }", ["bob"]),
        ('resources[title] { tag = "NGINX" }', ["Nginx"]),
        (
            "resources[title] { [type, title] in resources[type, title] { exported = true } }",
            ["ada"],
        ),
        ('resources[title] { title in ["bob", "eve"] }', ["bob"]),
        ("resources[count()] { }", [3]),
        ("resources[max(line)] { }", [None]),
        ('catalogs[version] { certname = "web1" }', ["7"]),
        (["from", "nodes", ["extract", "certname", ["=", ["fact", "up"], 3]]], ["db1"]),
        (["from", "resources", ["extract", ["title"], ["=", ["parameter", "uid"], 5]]], ["ada"]),
        (
            [
                "from",
                "nodes",
                [
                    "extract",
                    ["certname"],
                    [
                        "in",
                        "certname",
                        ["extract", "certname", ["select_facts", ["=", "value", 10]]],
                    ],
                ],
            ],
            ["web1"],
        ),
        (["from", "nodes", ["extract", [["function", "count"]]]], [2]),
        (
            [
                "from",
                "resources",
                ["extract", ["title"]],
                ["order_by", [["title", "desc"]]],
                ["limit", 1],
            ],
            ["bob"],
        ),
    ],
)
def test_queries(query, found):
    rows = answer(query)
    assert [next(iter(row.values())) for row in rows] == found


def test_groups():
    rows = answer("resources[type, count()] { group by type }")
    assert rows == [{"type": "Class", "count": 1}, {"type": "User", "count": 2}]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("nodes", "PQL parse error at line 1, column 6"),
        ("nodes { certname }", "PQL parse error at line 1, column 18"),
        ("nodes { certname = }", "PQL parse error at line 1, column 20"),
        ("nodes { certname = 'a' } more", "PQL parse error at line 1, column 25"),
        ("nodes { certname § }", "PQL parse error at line 1, column 18"),
        ("nodes { name = 'a' }", "'name' is not a queryable object for nodes. Known queryable"),
        (["and"], "Your initial query must be of the form"),
        (["from", "nodes", ["like", "certname", "a"]], "'like' is not an operator of queries"),
        (["from", "nodes", ["include_total", True]], "'include_total' is not an operator"),
        (["from", "nodes", ["in", "certname", 5]], "5 is not a query: expected an array"),
    ],
)
def test_what_cannot_be_asked(query, message):
    with pytest.raises(PuppetError) as caught:
        answer(query)
    assert caught.value.code == "PUPPETDB_BAD_QUERY"
    assert caught.value.message.startswith(message)


def test_reports_are_none():
    assert answer("reports { }") == []


def test_words_with_escapes():
    assert parse_pql(r'fact_contents { value = "a\"b" }') == [
        "from",
        "fact_contents",
        ["=", "value", 'a"b'],
    ]


def test_the_function(capfd, tmp_path):
    world = DictionaryWorld(FILES)
    request = Request(
        code="puppetdb_query('resources[title] { parameters.uid = 5 }')",
        storedconfigs="/store",
        world=world,
    )
    assert evaluate_code(request, lambda entry: None) == [{"title": "h2"}]
    assert main(["compile", "-e", "puppetdb_query('nodes {}')"]) == exits.FINDINGS
    assert "[NO_STORE]" in capfd.readouterr().err
    given = ["--storedconfigs", str(tmp_path / "none")]
    assert main(["compile", "-e", "User <<| |>>", *given]) == exits.FINDINGS
    assert "[STORED_NOT_FOUND]" in capfd.readouterr().err


def test_a_module_that_brings_the_function_wins(tmp_path):
    path = tmp_path / "m/lib/puppet/functions/puppetdb_query.rb"
    path.parent.mkdir(parents=True)
    path.write_text(
        "Puppet::Functions.create_function(:puppetdb_query) do\n"
        "  dispatch :answer do\n    param 'String', :query\n  end\n"
        "  def answer(query)\n    [query]\n  end\nend\n",
        encoding="utf-8",
    )
    request = Request(code="puppetdb_query('nodes {}')", modulepath=[str(tmp_path)])
    assert evaluate_code(request, lambda entry: None) == ["nodes {}"]
