"""A query stops when the client that waits for its rows has left."""

from __future__ import annotations

import time

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement

ENDLESS = Statement(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
)


def test_an_endless_query_stops(tmp_path):
    database = SqliteDatabase(str(tmp_path / "site.db"))
    begin = time.monotonic()
    with pytest.raises(PuppetError):
        list(database.rows(ENDLESS, 600, lambda: time.monotonic() > begin + 0.2))
    assert time.monotonic() - begin < 20
    assert list(database.rows(Statement("SELECT 1"), 600)) == [(1,)]
    database.close()
