"""The resource type ``mysql_user``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property, SecretProperty
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_names import lower_host, read_user
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import to_s

ALONE = frozenset({"NONE", "SSL", "X509"})
TLS_OPTION = re.compile(r"^(CIPHER|ISSUER|SUBJECT)", re.IGNORECASE | re.MULTILINE)


class TlsOptions(Property):
    """What connections require; the order does not matter."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the wanted options are required."""
        return isinstance(current, list) and sorted(current) == sorted(resource.accepted(self.name))


def read_tls_option(value: Any) -> Any:
    """Check one option."""
    if value not in ALONE and TLS_OPTION.search(to_s(value)) is None:
        raise InvalidValue("Invalid tls option .")
    return value


def limit(name: str, what: str) -> Property:
    """Return a property of a number of something."""
    about = f"The greatest number of {what}; 0 is no limit, or that of the server."
    return Property(name, pattern=r"\d+", about=about)


class MysqlUser(ResourceType):
    """Users of a MySQL or MariaDB server, with the name `user@host`.

    The client `mysql` connects as root, with the file `.my.cnf` or `.mylogin.cnf` of root's home.
    Hashes are passed to it on standard input, and all users are read with one query.
    """

    name = "mysql_user"
    module = "puppetlabs-mysql 16.3"
    providers = ("mysql",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the user exists."),
        Parameter("name", read_for=read_user, about="The user and the host, with `@` between."),
        SecretProperty(
            "password_hash",
            pattern=r"\w*",
            about="The hash of the password; the function `mysql::password` makes one. Use a `Sensitive` value.",
        ),
        Property("plugin", pattern=r"\w+", about="The authentication plugin."),
        limit("max_user_connections", "simultaneous connections"),
        limit("max_connections_per_hour", "connections in an hour"),
        limit("max_queries_per_hour", "queries in an hour"),
        limit("max_updates_per_hour", "updates in an hour"),
        TlsOptions(
            "tls_options",
            many=True,
            read=read_tls_option,
            about="What connections require: `NONE`, `SSL`, `X509`, or `CIPHER`, `ISSUER` and `SUBJECT` with values.",
        ),
    )

    def canonical_name(self, name: str) -> str:
        """Return the name with its host in lower case."""
        return lower_host(name)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file with root's password."""
        yield "file", "/root/.my.cnf"


resource_type = MysqlUser
