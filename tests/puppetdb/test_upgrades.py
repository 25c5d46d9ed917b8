"""Databases that older versions of the program have written, and those that newer ones have.

``data/old_databases/`` has what the code of 9cf90ce7^ (schema 1) and a73461b4^ (schema 2) stored for two nodes of
its demonstration, as ``sqlite3 FILE .dump`` prints it.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bunraku.cli.main import main
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.schema import SQLITE_MIGRATIONS

RECORDED = sorted((Path(__file__).parents[1] / "data/old_databases").glob("*.sql"))
ENTITIES = ("nodes", "facts", "factsets", "resources", "catalogs", "edges", "reports", "events")
CHANGED = {"hash", "identity"}
"""Columns that migrations change."""


def tables(path: Path) -> dict[str, Counter[str]]:
    """Return the rows of all tables, without the columns that migrations change."""
    found = {}
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in names:
            rows = [dict(row) for row in connection.execute(f"SELECT * FROM {name}")]
            texts = [repr({k: v for k, v in row.items() if k not in CHANGED}) for row in rows]
            found[name] = Counter(texts)
    return found


@pytest.fixture(params=RECORDED, ids=lambda path: f"schema {path.stem}")
def old(request, tmp_path):
    """A database of an older version."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(request.param.read_text())
    return path


def test_every_older_schema_is_recorded():
    assert [int(path.stem) for path in RECORDED] == [*range(1, len(SQLITE_MIGRATIONS))]


def test_an_older_database_keeps_all_rows(old):
    before = tables(old)
    assert before["nodes"].total() == 2
    open_database(str(old)).close()
    after = tables(old)
    assert {name: after[name] for name in before} == before
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(SQLITE_MIGRATIONS),)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_queries_read_an_upgraded_database(old, capsys):
    open_database(str(old)).close()
    for entity in ENTITIES:
        query = f"{entity} {{}}"
        words = ["query", query, "--storedconfigs", str(old), "--format", "json"]
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out), entity


def test_an_upgraded_database_is_not_upgraded_again(old):
    open_database(str(old)).close()
    before = tables(old)
    open_database(str(old)).close()
    assert tables(old) == before


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(old):
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("CREATE TABLE resource_counts (a)")  # what the last migration makes
        connection.commit()
    before = tables(old)
    with pytest.raises(Exception, match="resource_counts"):
        open_database(str(old))
    assert tables(old) == before


@pytest.mark.parametrize(
    "words",
    [
        ["puppetdb", "--listen", "127.0.0.1:0", "--database"],
        ["puppetdb", "export", "site.tgz", "--database"],
        ["query", "nodes {}", "--storedconfigs"],
    ],
    ids=["serve", "export", "query"],
)
def test_a_newer_database_is_refused_with_a_sentence(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "newer.sqlite"
    open_database(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    content = path.read_bytes()
    assert main([*words, str(path)]) in {1, 2}
    text = capsys.readouterr().err
    assert "schema version 99; this release supports versions up to 3" in text
    assert "Traceback" not in text
    assert path.read_bytes() == content
