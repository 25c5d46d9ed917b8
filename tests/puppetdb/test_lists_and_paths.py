"""Lists of values of other types than the field's, and regular expressions for paths into facts."""

from __future__ import annotations

import json

import pytest

from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.queries.root import answer_to
from support.puppetdb_commands import facts

NODES = ("5", "x", "y", "true", "[1 nil]")


@pytest.fixture
def site(database):
    for name in NODES:
        payload = facts(name, 1, os={"family": "Debian", "list": [1, {"2": 3}]}, sda="x")
        line = json.dumps(payload).encode()
        process(database, Command("replace facts", 5, name, line, 1))
    return database


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["x", 5], ["5", "x"]),
        ([True, None, 1.5], ["true"]),
        ([[1, None]], ["[1 nil]"]),
        ([], []),
    ],
)
def test_a_field_of_texts_takes_values_of_all_types_as_text(site, values, expected):
    query = ["from", "nodes", ["extract", ["certname"], ["in", "certname", ["array", values]]]]
    assert sorted(row["certname"] for row in answer_to(site, query)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("os#~l", [["os", "list", 0], ["os", "list", 1, "2"]]),
        ('#~"2"$', [["os", "list", 1, "2"]]),
        ("^sd[a-z]$", [["sda"]]),
        ("absent", []),
    ],
)
@pytest.mark.parametrize("entity", ["fact_paths", "fact_contents"])
def test_a_path_matches_a_regular_expression_as_text(site, entity, pattern, expected):
    query = ["from", entity, ["extract", ["path"], ["~", "path", pattern]]]
    found = {json.dumps(row["path"]) for row in answer_to(site, query)}
    assert sorted(map(json.loads, found), key=str) == expected
