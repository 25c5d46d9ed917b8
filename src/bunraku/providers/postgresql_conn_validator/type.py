"""The resource type ``postgresql_conn_validator``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, SecretParameter
from bunraku.providers.reading import ruby_integer
from bunraku.providers.resource_type import ResourceType


class PostgresqlConnValidator(ResourceType):
    """Checks of the connection to a PostgreSQL server; other resources can require one.

    The password is passed to `psql` in the variable `PGPASSWORD`.
    """

    name = "postgresql_conn_validator"
    module = "puppetlabs-postgresql 10.6"
    providers = ("ruby",)
    attributes = (
        Ensure(default="present", about="`present`: the server answers."),
        Parameter("name", about="A name for messages."),
        Parameter("db_name", about="The database."),
        Parameter("db_username", about="The user of the database."),
        SecretParameter("db_password", about="The password of the user. Use a `Sensitive` value."),
        Parameter("host", about="The server, or the directory of its socket."),
        Parameter("port", read=ruby_integer, about="The port of the server."),
        Parameter("connect_settings", about="Variables for the connection, such as `PGHOST`."),
        Parameter("sleep", read=ruby_integer, default=2, about="The seconds between two tries."),
        Parameter("tries", read=ruby_integer, default=10, about="The number of tries."),
        Parameter("psql_path", about="The program `psql`."),
        Parameter("run_as", about="The user that runs the program."),
        Parameter("command", default="SELECT 1", about="The query."),
    )


resource_type = PostgresqlConnValidator
