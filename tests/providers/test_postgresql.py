"""The types of PostgreSQL: SQL with secrets is on psql's standard input, passwords in its environment."""

from __future__ import annotations

from bunraku.catalog.catalog import Catalog
from support.applying import Applied, apply
from support.host import Expected, MemoryHost

PSQL = ("psql", "-d", "shop", "-t", "-X")
INPUT = ("-v", "ON_ERROR_STOP=1")


def applied(host: MemoryHost, type_: str, **parameters: object) -> Applied:
    """Apply one resource."""
    resource = {"type": type_, "title": "a", "parameters": parameters}
    return apply(host, Catalog({"name": "node", "resources": [resource], "edges": []}))


def test_sql_with_a_password_is_on_standard_input() -> None:
    sql = "ALTER ROLE a PASSWORD 's3cret-text'"
    failed = Expected((*PSQL, *INPUT), "psql:<stdin>:2: ERROR:  no\nLINE 1: x 's3cret-text'\n", 3)
    host = MemoryHost(commands=[failed])
    run = applied(host, "Postgresql_psql", command=sql, db="shop", sensitive=True)
    content = host.ran[-1].content.decode()
    quote = content.removeprefix("SELECT ").partition("ALTER")[0]
    assert content == f"SELECT {quote}{sql}{quote}\n\\gexec\n"
    assert "psql returned 1: 'ERROR:  no" in "\n".join(run.lines)
    assert "s3cret-text" not in "\n".join(run.lines)


def test_passwords_are_found_without_a_mark() -> None:
    host = MemoryHost(commands=[Expected((*PSQL, *INPUT))])
    run = applied(host, "Postgresql_psql", command="CREATE ROLE a password 'x'", db="shop")
    assert len(run.changes) == 1


def test_conditions_count_rows() -> None:
    query = "SELECT COUNT(*) FROM (SELECT 1) count"
    host = MemoryHost(commands=[Expected((*PSQL, "-c", query), "     1\n\n")])
    run = applied(host, "Postgresql_psql", command="SELECT 2", unless="SELECT 1", db="shop")
    assert run.changes == []
    assert (host.ran[0].user, host.ran[0].group, host.ran[0].directory) == (
        *("postgres", "postgres"),
        "/tmp",
    )


def test_the_password_of_a_connection_is_a_variable() -> None:
    words = ("/usr/bin/psql", "--tuples-only", "--quiet", "--no-psqlrc", "--port", "5432")
    command = Expected((*words, "--command", "SELECT 1"), "1\n")
    host = MemoryHost(commands=[Expected(command.words), command])
    parameters = {"psql_path": "/usr/bin/psql", "port": "5432", "db_password": "s3cret-text"}
    run = applied(host, "Postgresql_conn_validator", sleep=3, **parameters)
    assert run.changes == []
    assert host.slept == [3]
    assert host.ran[0].environment["PGPASSWORD"] == "s3cret-text"


def test_the_attributes_choose_the_release_of_a_setting() -> None:
    path = "/etc/pg/postgresql.conf"
    host = MemoryHost({path: "Port = 1 # why\n"})
    run = applied(host, "Postgresql_conf", name="port", value="2", target=path)
    assert run.changes == ["Postgresql_conf[a]/value: value changed '1' to '2'"]
    assert host.text(path).endswith("\nport = 2 # why\n")
    run = applied(host, "Postgresql_conf", key="port", value="3", target=path)
    assert run.changes == ["Postgresql_conf[a]/value: value changed 2 to 3"]
    assert host.text(path).endswith("\nport = 3\n")
