"""A PostgreSQL database of a site is copied out and in, whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import stat
from contextlib import closing

import pytest

from bunraku.administration.files import postgresql_of
from bunraku.administration.postgresql import connection, dump, load
from bunraku.administration.site import DATABASE_CONF
from bunraku.base.errors import PuppetError
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from support.puppetdb_commands import facts

pytestmark = pytest.mark.skipif(shutil.which("pg_dump") is None, reason="needs pg_dump")
NODES = Statement("SELECT certname FROM nodes ORDER BY certname")


def write_configuration(root, url):
    """Write the configuration of the database of a site."""
    database = postgresql_of(url)
    path = root / DATABASE_CONF
    path.parent.mkdir(parents=True)
    lines = [f"{name} = {getattr(database, name)}" for name in ("subname", "username", "password")]
    path.write_text("[database]\n" + "".join(f"{line}\n" for line in lines))


@pytest.fixture
def site(postgresql_server, tmp_path):
    """The directory of a site with one node in its database, and the URL."""
    name = f"copied_{tmp_path.name}_{os.getpid()}".replace("-", "_")
    url = postgresql_server.create_database(name[-60:])
    write_configuration(tmp_path, url)
    with closing(open_database(url)) as database:
        content = json.dumps(facts(x=1)).encode()
        process(database, Command("replace facts", 5, "a", content, 0))
    return tmp_path, url


def test_a_database_is_as_it_was_when_it_was_copied(site):
    root, url = site
    dump(str(root), str(root / "dump"))
    with closing(open_database(url)) as database:
        before = list(database.rows(NODES, 30))
        with database.transaction() as writing:
            writing.execute("DELETE FROM nodes")
        assert list(database.rows(NODES, 30)) == []
    load(str(root), str(root / "dump"))
    with closing(open_database(url)) as database:
        assert list(database.rows(NODES, 30)) == before != []


def test_a_damaged_copy_changes_nothing(site):
    root, url = site
    dump(str(root), str(root / "dump"))
    content = (root / "dump").read_bytes()
    (root / "dump").write_bytes(content[: len(content) // 2])
    with pytest.raises(PuppetError, match="pg_restore"):
        load(str(root), str(root / "dump"))
    with closing(open_database(url)) as database:
        assert len(list(database.rows(NODES, 30))) == 1


def test_a_password_is_in_no_argument(tmp_path):
    write_configuration(tmp_path, "postgresql://me:se%2Fcr%3Aet@db.example.com/site")
    with connection(str(tmp_path)) as (url, variables):
        assert url == "postgresql://me@db.example.com/site"
        with open(variables["PGPASSFILE"], encoding="utf-8") as file:
            assert file.read() == "*:*:*:*:se/cr\\:et\n"
            assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
