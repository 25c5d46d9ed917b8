"""Tests of PuppetDB run on every database."""

from __future__ import annotations

from itertools import count

import pytest

from bunraku.puppetdb.databases.opening import open_database
from support.postgresql_server import running_server

NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgresql_server():
    """The PostgreSQL server of this test run."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def new_name(request, tmp_path_factory):
    """A function that returns the name of an empty database: the path of a file or a URL."""
    if request.param == "sqlite":
        return lambda: str(tmp_path_factory.mktemp("puppetdb") / "database.sqlite")
    server = request.getfixturevalue("postgresql_server")
    worker = getattr(request.config, "workerinput", {}).get("workerid", "gw0")
    return lambda: server.create(f"{worker}_{next(NUMBERS)}")


@pytest.fixture
def database_name(new_name):
    """The name of an empty database."""
    return new_name()


@pytest.fixture
def database(database_name):
    """An empty database."""
    found = open_database(database_name)
    yield found
    found.close()
