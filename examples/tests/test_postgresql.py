"""Another class that must come first."""

import hashlib

import pytest

GLOBALS = "class { 'postgresql::globals': version => '13' }"
pytestmark = pytest.mark.puppet(pre=GLOBALS)


@pytest.mark.puppet("postgresql::server")
def test_server(catalog):
    assert catalog.contains("Package[postgresql-server]", name="postgresql-13")
    assert catalog.contains("Class[postgresql::server::service]").that_requires(
        "Class[postgresql::server::install]"
    )


@pytest.mark.puppet("postgresql::client")
def test_client(catalog):
    assert catalog.contains("Package[postgresql-client]", name="postgresql-client-13")
    assert catalog.lacks("Class[postgresql::server]")


def test_database(compile):
    pre = "include postgresql::server"
    catalog = compile(
        define="postgresql::server::db",
        title="shop",
        params={"user": "shop", "password": "md5abc"},
        pre=pre,
    )
    assert catalog.contains("Postgresql::Server::Role[shop]")
    assert catalog.contains("Postgresql::Server::Database[shop]").that_requires(
        "Postgresql::Server::Role[shop]"
    )


def test_hash_of_a_password(compile):
    found = compile.call("postgresql::postgresql_password", "shop", "secret")
    assert found == "md5" + hashlib.md5(b"secretshop").hexdigest()
