"""Passwords, and resources under other names than their titles."""

import re

import pytest


def test_server(compile):
    catalog = compile("mysql::server")
    assert catalog.compiles()
    assert catalog.contains("Package[mysql-server]", name="mariadb-server")
    assert catalog.contains("Service[mysqld]", name="mariadb").that_requires(
        "Package[mysql-server]"
    )


def test_options_are_merged(compile):
    options = {"mysqld": {"bind-address": "0.0.0.0", "port": 3307}}
    catalog = compile("mysql::server", params={"override_options": options})
    config = re.compile(r"^bind-address = 0\.0\.0\.0$", re.MULTILINE)
    assert catalog.contains("File[mysql-config-file]", content=config)


def test_root_password(compile):
    catalog = compile(
        "mysql::server", params={"root_password": "s3cret"}, facts={"root_home": "/root"}
    )
    hashed = "*B865CAE8F340F6CE1485A06F4492BB49718DF1EC"
    assert catalog.contains("Mysql_user[root@localhost]", password_hash=hashed)
    assert catalog.contains("File[/root/.my.cnf]", owner="root", mode="0600")


def test_client(compile):
    catalog = compile("mysql::client")
    assert catalog.contains("Package[mysql_client]", name="mariadb-client")
    assert catalog.lacks("Class[mysql::server]")


@pytest.mark.puppet(
    "mysql::server::backup",
    pre="include mysql::server",
    params={"backupuser": "backup", "backuppassword": "p", "backupdir": "/srv/backup"},
)
def test_backup(catalog):
    assert catalog.contains("Mysql_user[backup@localhost]")
    assert catalog.contains("File[mysqlbackup.sh]", mode="0700", owner="root")
    assert catalog.contains("Cron[mysql-backup]").that_requires("File[mysqlbackup.sh]")


def test_database(compile):
    catalog = compile(
        define="mysql::db",
        title="shop",
        params={"user": "shop", "password": "p", "grant": ["SELECT"]},
        pre="include mysql::server",
    )
    assert catalog.contains("Mysql_grant[shop@localhost/shop.*]", privileges=["SELECT"])
    assert catalog.contains("Mysql_database[shop]").that_comes_before(
        "Mysql_grant[shop@localhost/shop.*]"
    )
