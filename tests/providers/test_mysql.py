"""The types of MySQL: statements for each kind of server, and secrets that stay out of arguments."""

from __future__ import annotations

import pytest

from bunraku.catalog.catalog import Catalog
from bunraku.providers.mysql_client import ServerVersion, failed_statement
from bunraku.providers.mysql_grant.privileges import DYNAMIC, STATIC, merged, read_grant
from bunraku.world.host import Finished
from support.applying import Applied, apply
from support.host import Expected, MemoryHost

PROGRAMS = ("mysql", "mysqld")
CLIENT = ("/usr/bin/mysql", "-NB")
SYSTEM = ("/usr/bin/mysql", "--database=mysql", "-NB")
HASH = "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19"
MYSQL_8 = "mysqld  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)"
MARIADB_5 = "mysqld  Ver 5.5.68-MariaDB for Linux on x86_64 (MariaDB Server)"
ROW = "old@%\t0\t0\t0\t0\t\t\t\t\t{}\tmysql_native_password\n"


def applied(host: MemoryHost, type_: str, title: str, **parameters: object) -> Applied:
    """Apply one resource."""
    resource = {"type": type_, "title": title, "parameters": parameters}
    return apply(host, Catalog({"name": "node", "resources": [resource], "edges": []}))


def server(version: str, *commands: Expected) -> MemoryHost:
    """Return a machine with a server."""
    asked = Expected(("/usr/bin/mysqld", "--no-defaults", "-V"), version)
    return MemoryHost(installed=PROGRAMS, commands=[asked, *commands])


def test_statements_are_on_standard_input() -> None:
    host = server(MYSQL_8, Expected(CLIENT), Expected(SYSTEM))
    run = applied(host, "Mysql_user", "o'brien@LOCALHOST", ensure="present", password_hash=HASH)
    assert run.changes == ["Mysql_user[o'brien@LOCALHOST]/ensure: created"]
    assert not any(HASH in word for command in host.ran for word in command.words)
    assert host.ran[-1].content.decode().splitlines() == [
        (
            "CREATE USER IF NOT EXISTS 'o''brien'@'localhost' IDENTIFIED WITH "
            f"'mysql_native_password' AS '{HASH}';"
        ),
        (
            "ALTER USER IF EXISTS 'o''brien'@'localhost' WITH MAX_USER_CONNECTIONS 0 "
            "MAX_CONNECTIONS_PER_HOUR 0 MAX_QUERIES_PER_HOUR 0 MAX_UPDATES_PER_HOUR 0;"
        ),
        "ALTER USER 'o''brien'@'localhost' REQUIRE NONE;",
    ]


def test_hashes_are_in_no_message() -> None:
    host = server(
        MYSQL_8,
        Expected(CLIENT, ROW.format("*OLDOLDOLD")),
        Expected(SYSTEM, code=1, errors=f"ERROR 1396 (HY000) at line 1: near '{HASH}'"),
    )
    run = applied(host, "Mysql_user", "old@%", ensure="present", password_hash=HASH)
    text = "\n".join(run.lines)
    assert "change from [redacted] to [redacted] failed" in text
    assert HASH not in text
    assert "*OLDOLDOLD" not in text


def test_old_servers_get_their_own_statements() -> None:
    host = server(MARIADB_5, Expected(CLIENT, ROW.format(HASH)), Expected(SYSTEM))
    applied(host, "Mysql_user", "old@%", ensure="present", max_user_connections=5)
    assert host.ran[-1].content == (
        b"GRANT USAGE ON *.* TO 'old'@'%' WITH MAX_USER_CONNECTIONS 5;\n"
    )


@pytest.mark.parametrize(("line", "shown"), [(1, "one"), (2, "two\nlines"), (3, "two\nlines")])
def test_a_failure_names_its_statement(line: int, shown: str) -> None:
    text = failed_statement(
        "mysql", ["one", "two\nlines"], Finished(1, "", f"ERROR 1 at line {line}: no")
    )
    number = 1 if line < 3 else 2
    assert text == f"Execution of 'mysql -e {shown}' returned 1: ERROR 1 at line {number}: no"


def test_a_list_of_all_privileges_is_all() -> None:
    words = ", ".join(sorted(STATIC))
    grants = [f"GRANT {words} ON *.* TO `u`@`h`", "GRANT SELECT ON *.* TO `v`@`h`"]
    version = ServerVersion.of(MYSQL_8)
    assert version is not None
    found = merged(filter(None, map(read_grant, grants)), version)
    assert [grant.privileges for grant in found] == [["ALL"], ["SELECT"]]


def test_dynamic_privileges_beside_all_are_all() -> None:
    words = ", ".join(sorted(DYNAMIC - {"ALL"}))
    grants = ["GRANT ALL PRIVILEGES ON *.* TO 'u'@'h'", f"GRANT {words} ON *.* TO 'u'@'h'"]
    version = ServerVersion.of(MARIADB_5)
    assert version is not None
    found = list(merged(filter(None, map(read_grant, grants)), version))
    assert [(grant.name, grant.privileges) for grant in found] == [("u@h/*.*", ["ALL"])]


def test_mysql_initializes_its_directory() -> None:
    words = (
        "/usr/bin/mysqld",
        *("--basedir=/usr", "--datadir=/srv/mysql", "--user=mysql"),
        *("--log-error=/var/tmp/mysqld_initialize.log", "--initialize-insecure"),
    )
    host = server(MYSQL_8, Expected(words))
    run = applied(host, "Mysql_datadir", "/srv/mysql", ensure="present", basedir="/usr")
    assert run.changes == ["Mysql_datadir[/srv/mysql]/ensure: created"]
