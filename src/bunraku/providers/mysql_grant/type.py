"""The resource type ``mysql_grant``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_grant.privileges import ALL, PROXY, wanted_privileges
from bunraku.providers.mysql_names import client_version, read_user
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import to_s

PREFIX = "mysql_grant: "
PROXY_USER = re.compile(r"^[0-9a-zA-Z$_]*@[\w%.:\-/]*$", re.MULTILINE)
FIRST_WITH_PROXY = (5, 5, 0)


def read_privilege(value: Any, resource: ManagedResource) -> Any:
    """Check a privilege; old servers have no proxies."""
    if "proxy" in value.lower():
        version = client_version(resource)
        if version is not None and version < FIRST_WITH_PROXY:
            shown = ".".join(map(str, version))
            raise InvalidValue(
                f"{PREFIX}PROXY user not supported on mysql versions < 5.5.0. Current version {shown}."
            )
    return value


def read_table(value: Any, resource: ManagedResource) -> str:
    """Check a table; a proxy names a user instead."""
    if PROXY in resource.accepted("privileges") and PROXY_USER.search(value) is None:
        raise InvalidValue(
            f"{PREFIX}`table` `property` for PROXY should be specified as proxy_user@proxy_host."
        )
    return to_s(value).replace("`", "")


def without_quotes(value: Any) -> str:
    """Return a name without single quotes."""
    return to_s(value).replace("'", "")


class MysqlGrant(ResourceType):
    """Privileges of users of a MySQL or MariaDB server, with the name `user@host/table`.

    The privileges are the whole list: others on the same table are revoked.
    """

    name = "mysql_grant"
    module = "puppetlabs-mysql 16.3"
    providers = ("mysql",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the user has privileges on the table."),
        Parameter("name", read=without_quotes, about="The user, the host and the table."),
        Property(
            "privileges",
            many=True,
            read_for=read_privilege,
            about="The privileges, such as `SELECT`, `SELECT (column)`, `ALL` or `PROXY`.",
        ),
        Property(
            "table",
            read_for=read_table,
            about="The table, such as `db.*`, `PROCEDURE db.name`, or the user of `PROXY`.",
        ),
        Property(
            "user", read_for=partial(read_user, prefix=PREFIX), about="The user and the host."
        ),
        Property(
            "options", many=True, about="`GRANT` lets the user grant the privileges to others."
        ),
    )

    def canonical_name(self, name: str) -> str:
        """Return the name without single quotes."""
        return without_quotes(name)

    def check(self, resource: ManagedResource) -> None:
        """Check what belongs together, then bring the privileges to the form of the server."""
        present, privileges = resource["ensure"] == "present", resource.accepted("privileges")
        self.require(resource, "privileges")
        if len(privileges) > 1 and PROXY in privileges:
            raise InvalidValue(
                f"{PREFIX}`privileges` `parameter`: PROXY can only be specified by itself."
            )
        self.require(resource, "table")
        self.require(resource, "user")
        user, table = resource["user"], resource["table"]
        if None not in (user, table) and resource.name != f"{user}/{table}":
            raise InvalidValue(f"{PREFIX}`name` `parameter` must match user@host/table format.")
        if present and len(privileges) > 1 and any(ALL in one for one in privileges):
            privileges = [ALL]
        resource.values["privileges"] = wanted_privileges(privileges)

    def require(self, resource: ManagedResource, name: str) -> None:
        """Raise InvalidValue if a present grant lacks an attribute."""
        if resource["ensure"] == "present" and resource[name] is None:
            raise InvalidValue(f"{PREFIX}`{name}` `parameter` is required.")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file with root's password and the user."""
        yield "file", "/root/.my.cnf"
        if resource["user"] is not None:
            yield "mysql_user", resource["user"]


resource_type = MysqlGrant
