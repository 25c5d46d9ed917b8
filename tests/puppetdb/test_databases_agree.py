"""Random queries have the same answers on SQLite and on PostgreSQL."""

from __future__ import annotations

from bunraku.puppetdb.databases.opening import open_database
from puppetdb.random_queries import Queries, values_of
from support.puppetdb import ask, load, shown

SEED, COUNT = 15, 200


def answer_of(database, item):
    response = ask(database, item)
    return response.status, shown(item, response) if response.status == 200 else None


def test_random_queries_have_the_same_answers(postgresql_server, tmp_path):
    first = open_database(str(tmp_path / "database.sqlite"))
    second = open_database(postgresql_server.create("agreeing"))
    load(first)
    load(second)
    statuses = set()
    for item in Queries(SEED, values_of(first)).items(COUNT):
        status, expected = answer_of(first, item)
        assert answer_of(second, item) == (status, expected), item["params"]["query"]
        statuses.add(status)
    assert statuses == {200, 400}
    first.close()
    second.close()
