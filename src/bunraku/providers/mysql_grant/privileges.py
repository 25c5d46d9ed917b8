"""Privileges: how the server prints them, how resources name them, and how statements do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bunraku.base.records import record
from bunraku.providers.mysql_client import ServerVersion

ALL, GRANT, PROXY = "ALL", "GRANT", "PROXY"
LINE = re.compile(r"^GRANT\s(.+)\sON\s(.+)\sTO\s(.*)@(.*?)(\s.*)?$")
QUOTES = str.maketrans("", "", "'`\"")
COMMAS = re.compile(r"\s*,\s*(?![^(]*\))")
"""The commas between privileges, but not those between columns."""
SEPARATOR = re.compile(r"\s*,\s*")
COLUMNS = re.compile(r"(\w+)\s*(.*)", re.DOTALL)
ROUTINE = re.compile(r"^(FUNCTION|PROCEDURE) (.*)(\..*)")
IN_DATABASE = re.compile(r"^(.*)(\..*)")

STATIC = frozenset(
    """ALTER,ALTER ROUTINE,CREATE,CREATE ROLE,CREATE ROUTINE,CREATE TABLESPACE,CREATE TEMPORARY TABLES,
    CREATE USER,CREATE VIEW,DELETE,DROP,DROP ROLE,EVENT,EXECUTE,FILE,INDEX,INSERT,LOCK TABLES,PROCESS,REFERENCES,
    RELOAD,REPLICATION CLIENT,REPLICATION SLAVE,SELECT,SHOW DATABASES,SHOW VIEW,SHUTDOWN,SUPER,TRIGGER,UPDATE
    """.replace("\n    ", "")
    .strip()
    .split(",")
)
"""The static privileges of MySQL 8, which it prints instead of ``ALL``."""
DYNAMIC = frozenset(
    """ALL,APPLICATION_PASSWORD_ADMIN,AUDIT_ABORT_EXEMPT,AUDIT_ADMIN,AUTHENTICATION_POLICY_ADMIN,BACKUP_ADMIN,
    BINLOG_ADMIN,BINLOG_ENCRYPTION_ADMIN,CLONE_ADMIN,CONNECTION_ADMIN,ENCRYPTION_KEY_ADMIN,FLUSH_OPTIMIZER_COSTS,
    FLUSH_STATUS,FLUSH_TABLES,FLUSH_USER_RESOURCES,GROUP_REPLICATION_ADMIN,GROUP_REPLICATION_STREAM,
    INNODB_REDO_LOG_ARCHIVE,INNODB_REDO_LOG_ENABLE,PASSWORDLESS_USER_ADMIN,PERSIST_RO_VARIABLES_ADMIN,
    REPLICATION_APPLIER,REPLICATION_SLAVE_ADMIN,RESOURCE_GROUP_ADMIN,RESOURCE_GROUP_USER,ROLE_ADMIN,
    SERVICE_CONNECTION_ADMIN,SESSION_VARIABLES_ADMIN,SET_USER_ID,SHOW_ROUTINE,SYSTEM_USER,SYSTEM_VARIABLES_ADMIN,
    TABLE_ENCRYPTION_ADMIN,XA_RECOVER_ADMIN
    """.replace("\n    ", "").split(",")
)
"""The dynamic privileges that some servers print beside ``ALL``."""
OBSERVER = frozenset({"SENSITIVE_VARIABLES_OBSERVER"})
CLUSTER = frozenset({"FIREWALL_EXEMPT", "NDB_STORED_USER"})
ALL_ANYWHERE = frozenset({DYNAMIC, DYNAMIC | OBSERVER})
ALL_OF_MYSQL_8 = frozenset({STATIC, DYNAMIC | OBSERVER | CLUSTER})


@record(slots=False)
class Grant:
    """What a user may do with a table, and whether it may grant that."""

    user: str
    table: str
    privileges: list[str]
    options: list[str]

    @property
    def name(self) -> str:
        """The name of the resource."""
        return f"{self.user}/{self.table}"


def read_grant(line: str) -> Grant | None:
    """Read a line of ``SHOW GRANTS``; None for a role.

    >>> read_grant("GRANT SELECT (b, a), ALL PRIVILEGES ON `d`.* TO `u`@`h` WITH GRANT OPTION")
    Grant(user='u@h', table='d.*', privileges=['SELECT (a, b)', 'ALL'], options=['GRANT'])
    """
    match = LINE.match(line.translate(QUOTES))
    if match is None:
        return None
    privileges, table, user, machine, rest = match.groups()
    options = [GRANT if re.search(r"WITH\sGRANT\sOPTION", rest or "") else "NONE"]
    words = [shown_privilege(one) for one in COMMAS.split(privileges.strip())]
    table = table.replace("\\\\", "\\").replace("\\\\", "\\")
    return Grant(f"{user}@{machine}", table, words, options)


def shown_privilege(text: str) -> str:
    """Return a privilege of the server in the form of a resource."""
    if "(" in text:
        return with_sorted_columns(text)
    return ALL if text == "ALL PRIVILEGES" else text.strip()


def with_sorted_columns(text: str) -> str:
    """Return a privilege on columns with its columns sorted."""
    match = COLUMNS.match(text.strip())
    word, columns = match.groups() if match else (text, "")
    names = sorted(SEPARATOR.split(columns[1:-1].strip()))
    return f"{word.upper()} ({', '.join(names)})"


def merged(grants: Iterable[Grant], server: ServerVersion) -> Iterator[Grant]:
    """Yield one grant for each user and table, with sorted privileges."""
    found: dict[str, Grant] = {}
    for grant in grants:
        before = found.get(grant.name)
        if before is not None:
            grant.privileges += before.privileges
            grant.options += before.options
        grant.privileges = shortened(sorted(set(grant.privileges)), server)
        grant.options = list(dict.fromkeys(grant.options))
        found[grant.name] = grant
    yield from found.values()


def shortened(privileges: list[str], server: ServerVersion) -> list[str]:
    """Return ``ALL`` for a list of all privileges that the server knows."""
    every = frozenset(privileges)
    is_mysql_8 = server.kind == "mysql" and server.since(mysql="8.0.0")
    if every in ALL_ANYWHERE or (is_mysql_8 and every in ALL_OF_MYSQL_8):
        return [ALL]
    return privileges


def wanted_privileges(values: Iterable[str]) -> list[str]:
    """Return the privileges of a resource in the form of the server.

    >>> wanted_privileges(["update", "Select(b,a)", "grant option", "UPDATE"])
    ['SELECT (a, b)', 'UPDATE']
    """
    words = (with_sorted_columns(one) if "(" in one else one.strip().upper() for one in values)
    return sorted(set(words) - {GRANT, "GRANT OPTION"})


# -- statements ------------------------------------------------------------------------------------


def sql_privileges(privileges: Sequence[str]) -> str:
    """Return privileges as in a statement."""
    return "ALL PRIVILEGES" if ALL in privileges else ", ".join(privileges)


def sql_table(table: str) -> str:
    """Return a table, a database or a routine as in a statement.

    >>> sql_table("d%.*"), sql_table("PROCEDURE d.p")
    ('`d%`.*', 'PROCEDURE `d`.p')
    """
    if table == "*.*":
        return table
    if table.startswith(("FUNCTION ", "PROCEDURE ")):
        return ROUTINE.sub(r"\1 `\2`\3", table)
    return IN_DATABASE.sub(r"`\1`\2", table)
