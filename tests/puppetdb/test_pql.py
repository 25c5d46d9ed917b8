"""PQL: the place and the expectations of errors are those of a real PuppetDB."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.queries.pql import parse_pql
from support.puppetdb import recorded_queries

ERRORS = {
    item["id"]: (item["params"]["query"], item["answer"]["text"])
    for item in recorded_queries()
    if item["id"].startswith("pql") and item["answer"].get("text", "").startswith("PQL parse error")
}


def place_and_expected(text):
    place, _, expected = text.partition("\n\nExpected")
    return place, set(expected.partition(":")[2].split("\n"))


@pytest.mark.parametrize("name", ERRORS)
def test_errors_show_the_place_and_what_was_expected(name):
    query, expected = ERRORS[name]
    with pytest.raises(PuppetError) as caught:
        parse_pql(query)
    assert place_and_expected(caught.value.message) == place_and_expected(expected)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("nodes{}", ["from", "nodes"]),
        ("nodes[]{}", ["from", "nodes", ["extract", []]]),
        (
            "nodes[count()] { certname = 'a' or (certname = 'b' or certname = 'c') }",
            [
                "from",
                "nodes",
                [
                    "extract",
                    [["function", "count"]],
                    ["or", ["=", "certname", "a"], ["=", "certname", "b"], ["=", "certname", "c"]],
                ],
            ],
        ),
        (
            "facts[name, count()] { ! name ~ '^e' group by name }",
            [
                "from",
                "facts",
                [
                    "extract",
                    ["name", ["function", "count"]],
                    ["not", ["~", "name", "^e"]],
                    ["group_by", "name"],
                ],
            ],
        ),
        (
            "nodes { [certname, facts_environment] in facts[certname, environment] {} }",
            [
                "from",
                "nodes",
                [
                    "in",
                    ["certname", "facts_environment"],
                    ["from", "facts", ["extract", ["certname", "environment"]]],
                ],
            ],
        ),
        (
            'inventory { facts."a.b".match("x.*").c[0] >= -1.5e3 and trusted.x != true }',
            [
                "from",
                "inventory",
                [
                    "and",
                    [">=", 'facts."a.b".match("x.*").c[0]', -1500.0],
                    ["not", ["=", "trusted.x", True]],
                ],
            ],
        ),
        (
            "reports { order by end_time desc, certname limit 5 offset 2 }",
            [
                "from",
                "reports",
                ["order_by", [["end_time", "desc"], "certname"]],
                ["limit", 5],
                ["offset", 2],
            ],
        ),
        (
            r"""facts { name in ["a\n\"b", 'c\n\'d'] and value is not null }""",
            [
                "from",
                "facts",
                ["and", ["in", "name", ["array", ['a\n"b', "c\\n'd"]]], ["null?", "value", False]],
            ],
        ),
        (
            "fact_paths { path ~> ['os', '.*'] and path = ['os', 1] }",
            ["from", "fact_paths", ["and", ["~>", "path", ["os", ".*"]], ["=", "path", ["os", 1]]]],
        ),
        (
            "nodes { resources { type = 'A' } }",
            ["from", "nodes", ["subquery", "resources", ["=", "type", "A"]]],
        ),
    ],
)
def test_becomes_json(text, query):
    assert parse_pql(text) == query


def test_the_place_of_an_error_counts_lines():
    with pytest.raises(PuppetError, match="line 3, column 3") as caught:
        parse_pql("nodes {\n  certname = 'x'\n  certname\n}")
    assert "\n  certname\n  ^\n" in caught.value.message


@pytest.mark.parametrize("text", ['nodes { certname = "\\q" }', f"facts {{ value = {'9' * 400} }}"])
def test_invalid_values_are_refused(text):
    with pytest.raises(PuppetError):
        parse_pql(text)
