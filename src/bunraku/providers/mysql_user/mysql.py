"""Users in the tables of the server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_client import MysqlProvider, ServerVersion, account, text_literal
from bunraku.providers.provider import State

LIMITS = {
    "max_user_connections": "MAX_USER_CONNECTIONS",
    "max_connections_per_hour": "MAX_CONNECTIONS_PER_HOUR",
    "max_queries_per_hour": "MAX_QUERIES_PER_HOUR",
    "max_updates_per_hour": "MAX_UPDATES_PER_HOUR",
}
COLUMNS = (
    "CONCAT(User, '@', Host), MAX_USER_CONNECTIONS, MAX_CONNECTIONS, MAX_QUESTIONS, MAX_UPDATES, "
    "SSL_TYPE, SSL_CIPHER, X509_ISSUER, X509_SUBJECT"
)
SELECT, FROM = "SELECT", "FROM mysql.user WHERE HOST IS NOT NULL AND HOST != ''"
UPDATE = "UPDATE mysql.user SET"
FIRST_OF_PASSWORD = 9
"""The index of the first column that depends on the version."""
NATIVE = "mysql_native_password"
HASH_FORM = f"*ABCD...{'X' * 3}"
"""How messages of the module show a hash."""
ED25519 = "ed25519"
ED25519_LENGTH = 43
NATIVE_HASH = re.compile(r"^(\*|$)", re.MULTILINE)


class Users(MysqlProvider):
    """Reads all users with one query, and changes a user with as few calls as possible."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the users; those without a host are roles."""
        server = self.server
        columns = f"{COLUMNS}, {password_columns(server)}"
        lines = self.rows(f"{SELECT} {columns} {FROM}")
        return dict(user_of(line.split("\t"), server) for line in lines)

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a user with its authentication, its limits and the required encryption."""
        name, server = account(resource.name), self.server
        limits = " ".join(f"{word} {resource[key] or 0}" for key, word in LIMITS.items())
        tls = " AND ".join(resource["tls_options"] or ["NONE"])
        altered = server.since(mysql="5.7.6")
        self.change(
            creation(name, resource["plugin"], resource["password_hash"], server),
            f"ALTER USER IF EXISTS {name} WITH {limits}"
            if altered
            else usage(name, f"WITH {limits}"),
            required(name, tls, server),
        )

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a user."""
        condition = "IF EXISTS " if self.server.since(mysql="5.7.0", mariadb="10.1.3") else ""
        self.change(f"DROP USER {condition}{account(resource.name)}")

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change a property."""
        user, server = account(resource.name), self.server
        if name == "tls_options":
            self.change(required(user, " AND ".join(value), server))
        elif name == "plugin":
            self.change(plugin_change(resource, value, server))
        elif name == "password_hash":
            self.change(password_change(resource, value, server))
        else:
            limit = f"WITH {LIMITS[name]} {value}"
            self.change(
                f"ALTER USER {user} {limit}" if server.has_alter_user else usage(user, limit)
            )


# -- reading ---------------------------------------------------------------------------------------


def password_columns(server: ServerVersion) -> str:
    """Return the columns with the hash and the plugin."""
    if server.since(mysql="5.7.6"):
        return "AUTHENTICATION_STRING, PLUGIN"
    if server.since(mariadb="10.1.21"):
        return "PASSWORD, PLUGIN, AUTHENTICATION_STRING"
    return "PASSWORD /*!50508 , PLUGIN */"


def user_of(row: list[str], server: ServerVersion) -> tuple[str, State]:
    """Return the name and the state of a user; empty columns at the end of a row count as absent."""
    while row and not row[-1]:
        row.pop()
    row += [""] * (FIRST_OF_PASSWORD - len(row))
    limits, (kind, cipher, issuer, subject) = row[1:5], row[5:9]
    password, plugin, string = (*row[FIRST_OF_PASSWORD:], None, None, None)[:3]
    if stores_string(server, plugin):
        password = string
    state: State = {"ensure": "present", **dict(zip(LIMITS, limits, strict=True))}
    state["tls_options"] = tls_options(kind, cipher, issuer, subject)
    found = {"password_hash": password, "plugin": plugin}
    return row[0], state | {key: value for key, value in found.items() if value is not None}


def stores_string(server: ServerVersion, plugin: str | None) -> bool:
    """Return whether the hash is in the column of the authentication string (MDEV-16238, MDEV-16774)."""
    if not server.since(mariadb="10.1.21"):
        return False
    moved = (10, 2, 16) <= server.version < (10, 2, 19) or (10, 3, 8) <= server.version < (
        10,
        3,
        11,
    )
    return moved or plugin in {ED25519, NATIVE}


def tls_options(kind: str, cipher: str, issuer: str, subject: str) -> list[str]:
    """Return what a user's connections require.

    >>> tls_options("SPECIFIED", "", "/CN=a", ""), tls_options("ANY", "", "", "")
    (["ISSUER '/CN=a'"], ['SSL'])
    """
    if kind == "SPECIFIED":
        values = {"CIPHER": cipher, "ISSUER": issuer, "SUBJECT": subject}
        return [f"{word} '{value}'" for word, value in values.items() if value]
    return {"ANY": ["SSL"], "X509": ["X509"]}.get(kind, ["NONE"])


# -- statements ------------------------------------------------------------------------------------


def usage(name: str, what: str) -> str:
    """Return the statement with which old servers change what is not a privilege."""
    return f"GRANT USAGE ON *.* TO {name} {what}"


def required(name: str, tls: str, server: ServerVersion) -> str:
    """Return the statement for the encryption that a user's connections require."""
    what = f"REQUIRE {tls}"
    return f"ALTER USER {name} {what}" if server.has_alter_user else usage(name, what)


def creation(name: str, plugin: str | None, password: str | None, server: ServerVersion) -> str:
    """Return the statement that creates a user."""
    as_hash = f" AS {text_literal(password or '')}"
    if plugin is not None:
        identified = f"IDENTIFIED WITH {text_literal(plugin)}"
        return f"CREATE USER {name} {identified}{'' if password is None else as_hash}"
    if server.since(mysql="5.7.6", mariadb="10.1.3"):
        return f"CREATE USER IF NOT EXISTS {name} IDENTIFIED WITH '{NATIVE}'{as_hash}"
    return f"CREATE USER {name} IDENTIFIED BY PASSWORD {text_literal(password or '')}"


def password_change(resource: ManagedResource, password: str, server: ServerVersion) -> str:
    """Return the statement that changes the hash of a password; ResourceFailure for another kind of hash."""
    name, literal = account(resource.name), text_literal(password)
    if server.since(mariadb="10.1.21") and resource["plugin"] == ED25519:
        if len(password) != ED25519_LENGTH:
            raise ResourceFailure("ed25519 hash should be 43 bytes long.")
        if server.has_alter_user:
            return f"ALTER USER {name} IDENTIFIED WITH {ED25519} AS {literal}"
        return old_ed25519(resource.name, literal)
    if not server.has_alter_user:
        return f"SET PASSWORD FOR {name} = {literal}"
    if not NATIVE_HASH.search(password):
        raise ResourceFailure(f"Only mysql_native_password ({HASH_FORM}) hashes are supported.")
    return f"ALTER USER {name} IDENTIFIED WITH {NATIVE} AS {literal}"


def plugin_change(resource: ManagedResource, plugin: str, server: ServerVersion) -> str:
    """Return the statement that changes the plugin of a user."""
    password = text_literal(resource["password_hash"] or "")
    is_ed25519 = server.since(mariadb="10.1.21") and plugin == ED25519
    if server.has_alter_user:
        with_hash = f" AS {password}" if is_ed25519 or plugin == NATIVE else ""
        return (
            f"ALTER USER {account(resource.name)} IDENTIFIED WITH {text_literal(plugin)}{with_hash}"
        )
    if is_ed25519:
        return old_ed25519(resource.name, password)
    stored = password if plugin == NATIVE else "''"
    settings = f"plugin = {text_literal(plugin)}, password = {stored}"
    return f"{UPDATE} {settings} WHERE {is_user(resource.name)}"


def old_ed25519(name: str, password: str) -> str:
    """Return the statements for a hash of ed25519 on servers without ``ALTER USER``."""
    settings = f"password = '', plugin = '{ED25519}', authentication_string = {password}"
    return f"{UPDATE} {settings} where {is_user(name)}; FLUSH PRIVILEGES"


def is_user(name: str) -> str:
    """Return the condition for the row of a user."""
    return f"CONCAT(user, '@', host) = {text_literal(name)}"


provider = Users
