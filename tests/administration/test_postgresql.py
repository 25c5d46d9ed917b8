"""A site with its database in PostgreSQL: made, served, backed up and restored as one with a file."""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
import stat
import subprocess
from contextlib import closing
from urllib.parse import quote

import pytest

from bunraku.administration.files import postgresql_of
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from support.postgresql_server import running_server
from support.puppetdb_commands import facts
from support.run_site import (
    BUNRAKU,
    call,
    init_words,
    nodes_in,
    ports_of,
    printed_commands,
    service,
)

pytestmark = pytest.mark.skipif(shutil.which("pg_dump") is None, reason="needs pg_dump")
NODES = Statement("SELECT certname FROM nodes ORDER BY certname")
PASSWORD = "correct horse: 50% of a \\ battery"


@pytest.fixture(scope="module")
def url():
    """The URL of an empty database, whose user needs the password."""
    with running_server() as server:
        yield server.create_database(f"whole_site_{os.getpid()}", PASSWORD)


def with_password(url: str) -> str:
    """Return a URL with the password."""
    return f"{url}&password={quote(PASSWORD)}"


def store(url: str, certname: str) -> None:
    """Store the facts of a node."""
    with closing(open_database(with_password(url))) as database:
        now = dt.datetime.now(dt.UTC).isoformat()
        data = {**facts(certname, os="Debian"), "producer_timestamp": now}
        process(database, Command("replace facts", 5, certname, json.dumps(data).encode(), 0))


def names(url: str) -> list[str]:
    """Return the nodes of a database."""
    with closing(open_database(with_password(url))) as database:
        return [row[0] for row in database.rows(NODES, 30)]


def test_a_site_is_restored_with_its_database(url, tmp_path, capsys):
    root, moved, backup = tmp_path / "site", tmp_path / "moved", tmp_path / "backup.tar.gz"
    words = [*BUNRAKU, *init_words(root, "--database", url)]
    made = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PGPASSWORD": PASSWORD},
    )
    assert made.returncode == 0, made.stderr
    settings = root / "etc/puppetdb/puppetdb.ini"
    assert f"password = {PASSWORD}\n" in settings.read_text()
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert PASSWORD not in made.stdout + made.stderr
    assert not list((root / "data").rglob("*.sqlite"))
    puppetdb = printed_commands(made.stdout)[0]
    store(url, "one")
    with service(puppetdb, tmp_path / "log"):
        assert nodes_in(ports_of(root)[1]) == {"one"}
        assert call("site", "backup", backup, "--site", root) == 0
        store(url, "two")

    content = backup.read_bytes()
    backup.write_bytes(content[:-100])
    assert call("site", "restore", backup, moved) == 1
    assert "SITE_BACKUP_DAMAGED" in capsys.readouterr().err
    assert (names(url), moved.exists()) == (["one", "two"], False)

    backup.write_bytes(content)
    assert call("site", "restore", backup, moved) == 0
    assert names(url) == ["one"]
    assert not list(moved.rglob("*.dump"))
    with service([word.replace(str(root), str(moved)) for word in puppetdb], tmp_path / "log"):
        assert nodes_in(ports_of(moved)[1]) == {"one"}


def test_an_unreachable_database_leaves_no_site(tmp_path, capsys):
    words = init_words(tmp_path / "site", "--database", f"postgresql:///none?host={tmp_path}")
    assert call(*words) == 1
    assert "error: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "variable", "password"),
    [
        ("postgresql://p@db/puppetdb", "", ""),
        ("postgresql://p@db/puppetdb", "a%3A", "a%3A"),
        ("postgresql://p:a%3A@db/puppetdb", "other", "a:"),
    ],
)
def test_the_password_of_the_url_counts_before_that_of_the_variable(url, variable, password):
    assert postgresql_of(url, variable).password == password
