"""The resource type ``mysql_database``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import Reference, ResourceType


class MysqlDatabase(ResourceType):
    """Databases of a MySQL or MariaDB server, with their character sets."""

    name = "mysql_database"
    module = "puppetlabs-mysql 16.3"
    providers = ("mysql",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the database exists."),
        Parameter("name", about="The name of the database."),
        Property(
            "charset", pattern=r"^\S+$", default="utf8", about="The character set of new tables."
        ),
        Property(
            "collate",
            pattern=r"^\S+$",
            default="utf8_general_ci",
            about="The collation of new tables.",
        ),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file with root's password."""
        yield "file", "/root/.my.cnf"


resource_type = MysqlDatabase
