"""Hostile queries: each is answered or refused with a message; none reaches SQL, none runs long."""

from __future__ import annotations

import json
import random
import time
from urllib.parse import quote

import pytest

from bunraku.puppetdb.databases.dialect import SQLITE
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.entities import ENTITIES
from bunraku.puppetdb.queries.syntax import OPERATORS
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request
from support.puppetdb import load

CONTENT = ("nodes", "resources", "facts", "reports", "events")
HOSTILE_TEXTS = [
    "' OR 1=1 --",
    '" OR 1=1 --',
    "x'); DROP TABLE nodes; --",
    "{}",
    "{0}",
    "%s",
    "?",
    ":name",
    "\\",
    "a\nb",
    "ünï 🎭",
    "",
    "n.certname",
    "facts.",
    "facts..os",
    'facts."',
    "facts.a'b",
    'facts."x\'); DROP TABLE nodes; --"',
    'facts.match("(")',
    "parameters.a[99999999999999999999]",
    "facts.1.2.3.4.5.6.7",
]
TYPED = [
    "web04.example.test",
    "2026-01-12T04:04:00Z",
    0,
    -1,
    1.5,
    1e300,
    10**30,
    True,
    False,
    None,
    [],
    ["a", 1],
    [["a"]],
    {},
    {"a": [1]},
]
VALUES = [*HOSTILE_TEXTS, *TYPED]


@pytest.fixture(scope="module")
def database(new_name):
    found = open_database(new_name())
    load(found)
    yield found
    found.close()


def ask(database, entity, query, **parameters):
    path = f"/pdb/query/v4/{entity.replace('_', '-')}" if entity else "/pdb/query/v4"
    text = query if isinstance(query, str) else json.dumps(query)
    response = answer(Service(database), Request("GET", path, {"query": text, **parameters}))
    body = "".join(response.body)
    if response.status == 200:
        json.loads(body)
    else:
        assert response.status == 400
        assert body
    return response.status, body


def content(database):
    counts = ", ".join(f"(SELECT count(*) FROM {table})" for table in CONTENT)
    return list(database.rows(Statement(f"SELECT {counts}"), 10))


@pytest.fixture(autouse=True)
def unchanged(database):
    before = content(database)
    yield
    assert content(database) == before


@pytest.mark.parametrize("entity", ENTITIES)
def test_every_operator_on_every_field_with_every_value(database, entity):
    fields = [*ENTITIES[entity].fields, ["parameter", "x'y"], ["fact", "x'y"]]
    fields += ["facts.os.family", "trusted.certname", "parameters.ensure", "node_state"]
    fields.append(["function", "jsonb_typeof", "value"])
    generator = random.Random(entity)
    for operator in OPERATORS:
        for field in fields:
            for value in generator.sample(VALUES, 4 if database.dialect is SQLITE else 1):
                ask(database, entity, [operator, field, value])


@pytest.mark.parametrize("entity", ENTITIES)
def test_names_never_become_sql(database, entity):
    for text in HOSTILE_TEXTS:
        for query in (
            ["=", text, "x"],
            ["extract", text],
            ["extract", [text, ["function", "count", text]], ["group_by", text]],
            ["extract", [["function", text]]],
            ["extract", [["function", "to_string", "producer_timestamp", text]]],
            ["extract", [["function", "max", text]], ["group_by", ["function", text, "x"]]],
            ["in", text, ["array", [text]]],
            ["in", [text], ["extract", [text], [f"select_{text}", ["=", text, text]]]],
            ["in", "certname", ["from", text, ["extract", text]]],
            ["subquery", text, ["=", text, text]],
            [text, "certname", "x"],
        ):
            ask(database, entity, query)
        ask(database, entity, "", order_by=json.dumps([{"field": text, "order": "asc"}]))
        ask(database, entity, "", order_by=json.dumps([{"field": "certname", "order": text}]))
        ask(database, entity, "", limit=text, offset=text)


def test_summaries_never_become_sql(database):
    for text in HOSTILE_TEXTS:
        ask(database, "event_counts", "", summarize_by=text)
        ask(database, "event_counts", "", summarize_by="certname", count_by=text)
        ask(database, "event_counts", "", summarize_by="certname", counts_filter=text)
        condition = json.dumps([">", text, 1])
        ask(database, "event_counts", "", summarize_by="resource", counts_filter=condition)
        ask(database, "aggregate_event_counts", "", summarize_by=f"certname,{text}")
        order = json.dumps([{"field": text}])
        ask(database, "event_counts", "", summarize_by="certname", order_by=order)


def test_parts_of_paths_never_become_sql(database):
    for text in HOSTILE_TEXTS:
        for path in ("nodes/{}", "nodes/{}/facts/{}", "facts/{}/{}", "resources/{}/{}"):
            filled = path.replace("{}", quote(text, safe=""))
            response = answer(Service(database), Request("GET", f"/pdb/query/v4/{filled}"))
            assert response.status in {200, 302, 400, 404}
            assert "".join(response.body) is not None


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_a_value_is_compared_as_it_is(database, text):
    status, body = ask(database, "nodes", ["=", "certname", text])
    assert (status, json.loads(body)) == (200, [])


HOSTILE_PATTERNS = [
    "(a+)+$",
    "(a|a)*b",
    "(x+x+)+y",
    "(.*)*z",
    "x*x*x*x*x*x*x*x*y",
    "(x{1,255}){1,255}y",
    "([x]+)*y",
    "(x+)\\1+y",
    "((((((((((x?)?)?)?)?)?)?)?)?)?)y",
]


@pytest.mark.parametrize("pattern", HOSTILE_PATTERNS)
def test_a_catastrophic_expression_ends(database, pattern):
    began = time.monotonic()
    ask(database, "facts", ["and", ["=", "name", "long"], ["~", "value", pattern]])
    ask(database, "fact_contents", ["~", "value", pattern])
    ask(database, "fact_paths", ["~>", "path", [pattern]])
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "[",
        "a{2,1}",
        "a{999}",
        "*a",
        "\\",
        "(?P<n>a)",
        "(?i",
        "[[:none:]]",
        "[b-a]",
        "\\q",
        "a**",
    ],
)
def test_an_invalid_expression_is_refused(database, pattern):
    status, body = ask(database, "nodes", ["~", "certname", pattern])
    assert status == 400
    assert "regular expression" in body


@pytest.mark.parametrize("depth", [90, 101, 2000, 100_000])
@pytest.mark.parametrize(
    ("before", "middle", "after"),
    [
        ('["not",', '["=","certname","x"]', "]"),
        ('["and",', '["=","certname","x"]', "]"),
        ('["or",["=","certname","y"],', '["=","certname","x"]', "]"),
        ('["in","certname",["extract","certname",["select_nodes",', '["=","certname","x"]', "]]]"),
        ('["subquery","facts",["subquery","nodes",', '["=","certname","x"]', "]]"),
        ("[", "", "]"),
    ],
)
def test_deep_nesting_in_json(database, before, middle, after, depth):
    status, _ = ask(database, "nodes", before * depth + middle + after * depth)
    assert status == 400 or depth == 90


@pytest.mark.parametrize("depth", [90, 101, 2000, 100_000])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(", ")"),
        ("!", ""),
        ("! ", ""),
        ("nodes {", "}"),
        ("certname in nodes[certname] {", "}"),
        ("certname = 'y' or (", ")"),
    ],
)
def test_deep_nesting_in_pql(database, before, after, depth):
    query = "nodes {" + before * depth + "certname = 'x'" + after * depth + "}"
    status, _ = ask(database, "", query)
    assert status == 400 or depth == 90


@pytest.mark.parametrize("empty", [[], {}, None, ""])
def test_an_empty_part_of_a_subselect_is_refused(database, empty):
    status, _ = ask(database, "nodes", ["in", "certname", ["extract", "certname", empty]])
    assert status == 400


def test_wide_queries(database):
    wide = ["or", *(["=", "certname", str(number)] for number in range(20_000))]
    assert ask(database, "nodes", wide) == (200, "[]")
    names = ["in", "certname", ["array", [str(number) for number in range(40_000)]]]
    assert ask(database, "nodes", names) == (200, "[]")


def rows_of(database, query):
    """The rows of a query about nodes; their order is not defined."""
    status, body = ask(database, "nodes", query)
    assert status == 200
    return tuple(sorted(json.dumps(row) for row in json.loads(body)))


FIELDS = ["certname", ["fact", "kernel"], "facts_environment", ["fact", "number"]]


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("negated", [False, True])
def test_many_comparisons_are_those_of_few(database, field, negated):
    """Long chains of comparisons become lists and chains of chains."""
    values = [f"x{number}" for number in range(1_200)]
    present = ["", "Linux", "web01", "production", "1"]
    for value in ("none", *present):
        few = ["or", ["=", field, value], ["=", field, "x1"]]
        many = ["or", *(["=", field, one] for one in (*values, value)), ["=", field, "x1"]]
        queries = [["not", one] if negated else one for one in (few, many)]
        assert len({rows_of(database, query) for query in queries}) == 1
        conjunction = ["and", *([["not", ["=", field, one]] for one in (*values, value)])]
        expected = ["and", ["not", ["=", field, value]], ["not", ["=", field, "x1"]]]
        queries = [["not", one] if negated else one for one in (expected, conjunction)]
        assert len({rows_of(database, query) for query in queries}) == 1


def test_a_request_can_ask_for_less_time(database):
    slow = [
        "in",
        "certname",
        ["from", "fact_contents", ["extract", "certname", ["~", "value", "q"]]],
    ]
    status, body = ask(database, "resources", slow, timeout="0.000001")
    assert (status, "timeout" in body) == (400, True)
    assert ask(database, "resources", slow, timeout="0")[0] == 200
    assert ask(database, "nodes", "", timeout="5.5")[0] == 200
    for text in ("", "-1", "soon", "1e9", *HOSTILE_TEXTS[:4]):
        assert ask(database, "nodes", "", timeout=text)[0] == 400


def test_random_queries(database):
    generator = random.Random(15)
    for _ in range(600):
        entity = generator.choice(list(ENTITIES))
        ask(database, entity, random_query(generator, entity, 3))


def random_query(generator, entity, depth):
    choice = generator.random()
    if depth and choice < 0.4:
        count = generator.randint(0, 3)
        inner = [random_query(generator, entity, depth - 1) for _ in range(count)]
        return [generator.choice(["and", "or", "not"]), *inner]
    fields = [*ENTITIES[entity].fields, "facts.os.family", "parameters.ensure", "nothing"]
    if choice < 0.5:
        columns = generator.sample(fields, generator.randint(0, 3))
        function = ["function", generator.choice(["count", "max", "avg"]), generator.choice(fields)]
        return ["extract", [*columns, function][: generator.randint(0, 4)], ["group_by", *columns]]
    if depth and choice < 0.7:
        other = generator.choice(list(ENTITIES))
        inner = random_query(generator, other, depth - 1)
        field = generator.choice(fields)
        return generator.choice(
            [
                ["subquery", other, inner],
                ["in", field, ["extract", field, [f"select_{other}", inner]]],
                ["in", field, ["from", other, ["extract", [field], inner]]],
            ]
        )
    return [generator.choice(list(OPERATORS)), generator.choice(fields), generator.choice(VALUES)]


def test_random_pql(database):
    generator = random.Random(16)
    pieces = [
        "nodes",
        "facts",
        "resources",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "certname",
        "value",
        "=",
        "!=",
        "~",
        "!~",
        ">",
        "in",
        "'x'",
        '"y"',
        "5",
        "true",
        "!",
        "and",
        "or",
        "group",
        "by",
        "limit",
        "order",
        "by",
        ",",
        "count()",
        ".",
        "is",
        "null",
        "facts.os",
    ]
    for _ in range(600):
        text = " ".join(generator.choices(pieces, k=generator.randint(1, 12)))
        ask(database, "", f"nodes {{ {text} }}" if generator.random() < 0.5 else text)
