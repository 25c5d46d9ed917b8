"""The types of MySQL: statements for each kind of server, and secrets that stay out of arguments."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bunraku.catalog.catalog import Catalog
from bunraku.providers.mysql_client import ServerVersion, failed_statement
from bunraku.providers.mysql_grant.privileges import DYNAMIC, STATIC, merged, read_grant
from bunraku.world.host import Finished
from support.applying import Applied, apply
from support.host import Expected, MemoryHost, Scripted

PROGRAMS = ("mysql", "mysqld")
CLIENT = ("/usr/bin/mysql", "-NB")
SYSTEM = ("/usr/bin/mysql", "--database=mysql", "-NB")
SESSION = ("/usr/bin/mysql", "--database=mysql", "--force", "--unbuffered", "-NB")
HASH = "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19"
MYSQL_8 = "mysqld  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)"
MARIADB_5 = "mysqld  Ver 5.5.68-MariaDB for Linux on x86_64 (MariaDB Server)"
ROW = "old@%\t0\t0\t0\t0\t\t\t\t\t{}\tmysql_native_password\n"


class Client(Scripted):
    """A client that prints the answers to statements, in order; None is its end."""

    def __init__(self, *answers: str | None) -> None:
        super().__init__()
        self.answers = ["root@localhost", *answers]

    def send(self, line: bytes) -> None:
        """See :class:`Dialogue`."""
        statement, _, mark = line.decode().rpartition("\n")
        answer = self.answers.pop(0) if self.answers else ""
        self.sent.append(statement)
        done = [] if answer is None else [mark.removeprefix("SELECT '").removesuffix("';")]
        self.lines += [*(answer or "").splitlines(), *done]

    def receive(self, timeout: float) -> bytes | None:
        """See :class:`Dialogue`."""
        return self.lines.pop(0).encode() if self.lines else None


def applied(host: MemoryHost, type_: str, title: str, **parameters: object) -> Applied:
    """Apply one resource."""
    resource = {"type": type_, "title": title, "parameters": parameters}
    return apply(host, Catalog({"name": "node", "resources": [resource], "edges": []}))


def server(version: str, *commands: Expected, clients: Sequence[Client] = ()) -> MemoryHost:
    """Return a machine with a server."""
    asked = Expected(("/usr/bin/mysqld", "--no-defaults", "-V"), version)
    return MemoryHost(installed=PROGRAMS, commands=[asked, *commands], dialogues=clients)


def test_statements_are_on_standard_input() -> None:
    client = Client()
    host = server(MYSQL_8, Expected(CLIENT), clients=[client])
    run = applied(host, "Mysql_user", "o'brien@LOCALHOST", ensure="present", password_hash=HASH)
    assert run.changes == ["Mysql_user[o'brien@LOCALHOST]/ensure: created"]
    assert host.started == [SESSION]
    assert client.has_ended
    assert client.sent[1:] == [
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
        clients=[Client(f"ERROR 1396 (HY000) at line 1: near '{HASH}'")],
    )
    run = applied(host, "Mysql_user", "old@%", ensure="present", password_hash=HASH)
    text = "\n".join(run.lines)
    assert "change from [redacted] to [redacted] failed" in text
    assert HASH not in text
    assert "*OLDOLDOLD" not in text


def test_old_servers_get_their_own_statements() -> None:
    client = Client()
    host = server(MARIADB_5, Expected(CLIENT, ROW.format(HASH)), clients=[client])
    applied(host, "Mysql_user", "old@%", ensure="present", max_user_connections=5)
    assert client.sent[1:] == ["GRANT USAGE ON *.* TO 'old'@'%' WITH MAX_USER_CONNECTIONS 5;"]


def removed(*names: str) -> Catalog:
    """Return a catalog that removes users."""
    resources = [
        {"type": "Mysql_user", "title": name, "parameters": {"ensure": "absent"}} for name in names
    ]
    return Catalog({"name": "node", "resources": resources, "edges": []})


def test_one_client_serves_successive_resources_and_fails_for_one_of_them() -> None:
    client = Client("ERROR 1396 (HY000) at line 3: no", "")
    rows = "".join(ROW.format(HASH).replace("old", name) for name in ("a", "b"))
    host = server(MYSQL_8, Expected(CLIENT, rows), clients=[client])
    run = apply(host, removed("a@%", "b@%"))
    command = "/usr/bin/mysql --database=mysql"
    assert run.changes == [
        (
            "Mysql_user[a@%]/ensure: change from 'present' to 'absent' failed: Execution of "
            f"'{command} -e DROP USER IF EXISTS 'a'@'%'' returned 1: ERROR 1396 (HY000) at line 1: no"
        ),
        "Mysql_user[b@%]/ensure: removed",
    ]
    assert client.sent[1:] == ["DROP USER IF EXISTS 'a'@'%';", "DROP USER IF EXISTS 'b'@'%';"]


def test_changes_of_the_own_user_end_the_client() -> None:
    clients = Client(), Client()
    rows = "".join(ROW.format(HASH).replace("old", name) for name in ("root", "b"))
    host = server(MYSQL_8, Expected(CLIENT, rows), clients=clients)
    apply(host, removed("root@%", "b@%"))
    assert [client.sent[1:] for client in clients] == [
        ["DROP USER IF EXISTS 'root'@'%';"],
        ["DROP USER IF EXISTS 'b'@'%';"],
    ]


def test_a_client_that_cannot_connect_fails_the_resource() -> None:
    client = Client()
    client.answers = [None]
    client.lines = ["ERROR 2002 (HY000): Can't connect"]
    host = server(MYSQL_8, Expected(CLIENT, ROW.format(HASH)), clients=[client])
    run = apply(host, removed("old@%"))
    assert run.changes[0].endswith("returned 1: ERROR 2002 (HY000): Can't connect")


def test_a_statement_with_an_open_quote_gets_its_own_client() -> None:
    host = server(
        MYSQL_8,
        Expected((*CLIENT[:1], "--raw", "-NB")),
        Expected((*CLIENT[:1], "--force", "-NB")),
        Expected(SYSTEM),
    )
    applied(
        host,
        "Mysql_grant",
        "u@h/d.*",
        user="u@h",
        table="d.*",
        privileges=["SELECT ('a)"],
    )
    assert host.ran[-1].content.startswith(b"GRANT SELECT ('a)")


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
