"""The resource type ``postgresql_psql``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.postgresql_psql.ruby import Psql
from bunraku.providers.reading import boolean, qualified
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import to_s

NOT_RUN = "notrun"
DIRECTORY = "/tmp"  # noqa: S108 (the default of the module)
NUMBER = re.compile(r"\s*[+-]?\d+")
SETTING = re.compile(r"\w+=")


def read_psql_environment(value: Any) -> Any:
    """Check settings of variables."""
    for one in value if isinstance(value, list) else [value]:
        if SETTING.search(to_s(one)) is None:
            raise InvalidValue(f"Invalid environment setting '{to_s(one)}'")
    return value


class SqlCommand(Property):
    """The SQL; its state is ``notrun`` if it must run."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``notrun`` if the conditions allow the SQL to run."""
        return NOT_RUN if may_run(resource) else resource["command"]

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Run the SQL."""
        done = psql_of(resource).run_sql(resource, to_s(wanted), "command")
        if done.code != 0:
            text = f"Error executing SQL; psql returned {done.code}: '{done.output}'"
            raise ResourceFailure(text)


def psql_of(resource: ManagedResource) -> Psql:
    """Return the provider of a resource."""
    assert isinstance(resource.provider, Psql)
    return resource.provider


def may_run(resource: ManagedResource, *, refreshing: bool = False) -> bool:
    """Return whether all conditions hold; a refresh ignores ``refreshonly``."""
    for name, wanted in (("onlyif", True), ("unless", False)):
        if resource[name] is not None and has_rows(resource, name) is not wanted:
            return False
    return refreshing or not resource.is_true("refreshonly")


def has_rows(resource: ManagedResource, name: str) -> bool:
    """Return whether the query of a condition finds rows; ResourceFailure if it fails."""
    done = psql_of(resource).count(resource, to_s(resource[name]), name)
    if done.code != 0:
        text = f"Error evaluating '{name}' clause, returned {done.code}: '{done.output}'"
        raise ResourceFailure(text)
    match = NUMBER.match(done.output)
    rows = int(match[0]) if match else 0
    resource.log("debug", f"Found {rows} row(s) executing '{name}' clause", name)
    return rows > 0


class PostgresqlPsql(ResourceType):
    """SQL that `psql` runs on a PostgreSQL server if its conditions hold.

    SQL that is secret or mentions a password is passed to `psql` on standard input.
    """

    name = "postgresql_psql"
    module = "puppetlabs-postgresql 10.6"
    providers = ("ruby",)
    refreshable = True
    attributes = (
        Parameter("name", about="A name for messages."),
        SqlCommand(
            "command",
            default=lambda resource: resource.name,
            about="The SQL; the default is the name.",
        ),
        Parameter("unless", about="A query; if it finds rows, the SQL does not run."),
        Parameter("onlyif", about="A query; if it finds no rows, the SQL does not run."),
        Parameter("connect_settings", about="Variables for the connection, such as `PGHOST`."),
        Parameter("db", about="The database; it overrides `PGDATABASE`."),
        Parameter("port", about="The port of the server; it overrides `PGPORT`."),
        Parameter("search_path", about="The schemas in which names are found."),
        Parameter("psql_path", default="psql", about="The program."),
        Parameter("psql_user", default="postgres", about="The user that runs the program."),
        Parameter("psql_group", default="postgres", about="The group that runs the program."),
        Parameter("cwd", read=qualified("cwd"), default=DIRECTORY, about="The working directory."),
        Parameter(
            "environment", read=read_psql_environment, about="Further variables, `NAME=value`."
        ),
        boolean("refreshonly", default=False, about="Whether the SQL runs only for a refresh."),
        Parameter("instance", default="main", about="The instance of the module's classes."),
        boolean("sensitive", default=False, about="Whether the SQL is kept out of logs."),
    )

    def check(self, resource: ManagedResource) -> None:
        """Hide the SQL of a resource with ``sensitive``."""
        if resource.is_true("sensitive"):
            resource.hide(
                name for name in ("command", "unless", "onlyif") if name in resource.original
            )

    def refresh(self, resource: ManagedResource) -> None:
        """Run the SQL if its conditions hold."""
        if may_run(resource, refreshing=True):
            command = self.by_name["command"]
            assert isinstance(command, SqlCommand)
            command.change(resource, resource["command"])

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the anchor after the server, and what older releases of the module use instead."""
        yield "anchor", f"postgresql::server::service::end::{resource['instance']}"
        yield "anchor", "postgresql::server::service::begin"
        yield "service", "postgresqld"


resource_type = PostgresqlPsql
