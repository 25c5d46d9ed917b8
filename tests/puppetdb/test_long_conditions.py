"""Conditions with very many terms: they mean the same as short ones, and their cost is proportional."""

from __future__ import annotations

import json
import os
from random import Random
from time import process_time

import pytest

from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.queries.root import SECONDS, answer_to, root_query
from bunraku.puppetdb.queries.sql import selection
from support.puppetdb_commands import catalog, facts, resource, time_of

MANY = 120
"""Terms from which on lists take their place."""
LARGE = 1 << 53
NEVER = ["=", "certname", "absent"]


def send(database, name, version, payload):
    process(database, Command(name, version, payload["certname"], json.dumps(payload).encode(), 1))


def store_nodes(database):
    """Store nodes with facts of all types, catalogs of some, and a node without facts."""
    values = [1, 1.0, 1.5, LARGE + 1, "1", "x", True, None, ["x"], {"a": "x"}]
    for number, value in enumerate(values):
        named = {"one": value, "os": {"family": f"f{number % 3}", "list": [value]}}
        send(database, "replace facts", 5, facts(f"n{number}", number + 1, **named))
    for number in range(4):
        found = [resource(title=f"/{at}", line=at or None) for at in range(number + 1)]
        send(database, "replace catalog", 9, catalog(f"n{number}", number + 1, found))
    send(database, "replace catalog", 9, catalog("bare", 1))


def terms(random):
    """Yield comparisons of nodes that some meet, others do not, and others are null for."""
    values = [1, 1.0, 1.5, LARGE, LARGE + 1, "1", "x", True, "y"]
    while True:
        yield random.choice(
            [
                ["=", "certname", f"n{random.randrange(12)}"],
                ["=", "catalog_environment", random.choice(["production", "x"])],
                ["=", "facts_timestamp", random.choice([time_of(2), time_of(3)])],
                ["=", ["fact", "one"], random.choice(values)],
                ["<", ["fact", "one"], 2],
                ["~", "certname", f"[{random.randrange(9)}]$"],
                ["in", "certname", ["array", ["n1", "n2"]]],
                ["in", ["fact", "one"], ["array", [1, 2]]],
            ]
        )


def negated(random, term, share):
    return ["not", term] if random.random() < share else term


def names(database, entity, condition):
    rows = answer_to(database, ["from", entity, ["extract", ["certname"], condition]])
    return sorted(row["certname"] for row in rows)


@pytest.mark.parametrize("seed", [1])
def test_many_terms_mean_the_same_as_few(database, seed):
    store_nodes(database)
    random = Random(seed)
    found = set()
    for number in range(24):
        operator = random.choice(["and", "or"])
        share = 0.8 if operator == "and" else 0.2
        source = terms(random)
        few = [negated(random, next(source), share) for _ in range(4)]
        short, long = [operator, *few], [operator, *(few * (MANY // 4))]
        if number % 3 == 0:
            short, long = ["not", short], ["not", long]
        found.add(tuple(names(database, "nodes", short)))
        assert [*names(database, "nodes", long)] == names(database, "nodes", short), short
    assert len(found) > 5


@pytest.mark.parametrize(("entity", "field"), [("facts", "value"), ("inventory", "facts.one")])
def test_a_list_of_values_has_those_of_equal_type(database, entity, field):
    store_nodes(database)
    for values in ([1, 7], [1.0, "x"], [LARGE + 1, 1.5], ["1", True], [["x"], None], ["x"], []):
        several = ["or", *(["=", field, value] for value in values)] if values else ["or", NEVER]
        for one in (lambda condition: condition, lambda condition: ["not", condition]):
            found = names(database, entity, one(["in", field, ["array", values]]))
            assert found == names(database, entity, one(several)), values


def test_many_parts_of_facts_are_one_list(database):
    store_nodes(database)
    parts = [["=", "facts.os.family", f"f{number}"] for number in range(2, 2 + MANY)]
    assert names(database, "inventory", ["or", *parts]) == ["n2", "n5", "n8"]
    assert names(database, "inventory", ["not", ["or", *parts]]) == [
        f"n{number}" for number in (0, 1, 3, 4, 6, 7, 9)
    ]
    texts = [f"f{number}" for number in range(2, 2 + MANY)]
    found = ["in", "facts.os.family", ["array", texts]]
    assert names(database, "inventory", found) == ["n2", "n5", "n8"]


FORMS = {
    "`and` of `not`": lambda count: ["and", *(["not", ["=", "certname", f"{at}"]] for at in count)],
    "`or` of `~`": lambda count: ["or", *(["~", "certname", f"x{at}"] for at in count)],
    "`and` of `or`": lambda count: [
        "and",
        *(["or", ["=", "certname", f"{at}"], ["=", "certname", "n1"]] for at in count),
    ],
}


@pytest.mark.parametrize(
    ("form", "smallest"), [("`and` of `not`", 1000), ("`or` of `~`", 125), ("`and` of `or`", 125)]
)
def test_the_time_of_sqlite_is_proportional(tmp_path, form, smallest):
    database = open_database(str(tmp_path / "x.sqlite"))
    store_nodes(database)
    answer_to(database, ["from", "nodes"])
    times = []
    for size in (smallest, 8 * smallest):
        query = ["from", "nodes", FORMS[form](range(size))]
        started = process_time()
        answer_to(database, query)
        times.append(process_time() - started)
    database.close()
    assert times[1] < 20 * times[0], times


def test_the_planning_time_of_postgresql_is_proportional(postgresql_server):
    database = open_database(postgresql_server.create(f"long_conditions_{os.getpid()}"))
    times = []
    for size in (200, 1600):
        query = ["from", "nodes", FORMS["`and` of `or`"](range(size))]
        found = selection(root_query(query), database.dialect)
        statement = database.dialect.explain(found.statement)
        plans = [
            json.loads(str(row[0])) for _ in range(3) for row in database.rows(statement, SECONDS)
        ]
        times.append(min(plan["Planning Time"] for (plan,) in plans))
    database.close()
    assert times[1] < 20 * times[0], times
