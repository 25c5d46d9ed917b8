"""What every database does: transactions, errors of the driver, names."""

from __future__ import annotations

import os
import threading

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.dialect import SQLITE
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request

INSERT = "INSERT INTO producers (name) VALUES (?)"
NAMES = Statement("SELECT name FROM producers ORDER BY name")


def names(database):
    return [name for (name,) in database.rows(NAMES, 10)]


def fail_after(connection, name):
    connection.execute(INSERT, (name,))
    raise ZeroDivisionError


def test_write_returns_the_result_of_the_function(database):
    def change(connection):
        cursor = connection.execute(f"{INSERT} RETURNING name", ("a",))
        return cursor.fetchall()

    assert database.write(change) == [("a",)]
    assert names(database) == ["a"]


def test_an_exception_undoes_the_transaction(database):
    with pytest.raises(ZeroDivisionError), database.transaction() as connection:
        fail_after(connection, "a")
    assert names(database) == []


def test_a_savepoint_is_undone_alone(database):
    with database.transaction() as connection:
        connection.execute(INSERT, ("a",))
        with pytest.raises(ZeroDivisionError), connection.savepoint():
            fail_after(connection, "b")
        with connection.savepoint():
            connection.execute(INSERT, ("c",))
    assert names(database) == ["a", "c"]


def test_a_refused_row_is_an_error_with_the_name_of_the_database(database):
    with pytest.raises(PuppetError) as failure, database.transaction() as connection:
        connection.executemany(INSERT, [("a",), ("a",)])
    assert failure.value.code == "PUPPETDB_DATABASE_REFUSED"
    assert database.name in failure.value.message
    assert names(database) == []


def test_rows_can_be_left_in_the_middle(database):
    with database.transaction() as connection:
        connection.executemany(INSERT, [(f"{number:04}",) for number in range(1000)])
    for _ in range(20):
        rows = database.rows(NAMES, 10)
        assert next(rows) == ("0000",)
        rows.close()


def test_values_may_have_the_characters_of_placeholders(database):
    odd = ["?", "%s", "%", "'", '"', "$1", ":name", "a\nb", "ü🎭", "\\"]
    with database.transaction() as connection:
        connection.executemany(INSERT, [(name,) for name in odd])
    assert sorted(names(database)) == sorted(odd)
    text = "SELECT name, '?', '%s' AS \"?\" FROM producers WHERE name = ? AND '%' <> '?'"
    assert list(database.rows(Statement(text, ("%s",)), 10)) == [("%s", "?", "%s")]


def test_threads_write_one_after_the_other(database):
    def add(connection):
        ((count,),) = connection.execute("SELECT count(*) FROM producers")
        connection.execute(INSERT, (str(count),))

    threads = [
        threading.Thread(target=lambda: [database.write(add) for _ in range(20)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(database)) == 80


def test_the_schema_is_made_once_if_several_start_at_once(database_name):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(open_database(database_name)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [names(one) for one in found] == [[]] * 6
    for one in found:
        one.close()


class Unavailable:
    """A database whose server is down."""

    dialect = SQLITE

    def rows(self, *arguments):
        raise issues.DATABASE_UNAVAILABLE(name="x", reason="down")


def test_a_query_of_an_unavailable_database_can_be_asked_again():
    response = answer(Service(Unavailable()), Request("GET", "/pdb/query/v4/nodes"))
    assert (response.status, "".join(response.body)) == (503, "Cannot use the database x: down")


@pytest.mark.parametrize("name", ["mysql://host/name", "http://host", "sqlite://x"])
def test_an_unknown_scheme_is_refused(name):
    with pytest.raises(PuppetError, match="Unknown scheme"):
        open_database(name)


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    path = tmp_path / "text"
    path.write_text("hello " * 200)
    with pytest.raises(PuppetError, match="not a database"):
        open_database(str(path))


def test_a_folder_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(PuppetError) as failure:
        open_database(str(tmp_path / "missing" / "file"))
    assert failure.value.code == "PUPPETDB_DATABASE_UNAVAILABLE"


def test_a_new_file_is_private(tmp_path):
    """Catalogs and facts hold secrets, and umask may let others read new files."""
    mask = os.umask(0)
    try:
        database = SqliteDatabase(str(tmp_path / "site.db"))
        with database.transaction() as connection:
            connection.execute("INSERT INTO environments (name) VALUES ('production')")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        database.close()
    finally:
        os.umask(mask)
    assert modes.keys() >= {"site.db", "site.db-wal"}
    assert set(modes.values()) == {0o600}
