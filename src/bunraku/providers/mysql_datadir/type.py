"""The resource type ``mysql_datadir``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class MysqlDatadir(ResourceType):
    """Data directories of MySQL or MariaDB, which are initialized once and never removed.

    MySQL and Percona since 5.7.6 run `mysqld --initialize-insecure`, all others `mysql_install_db`.
    """

    name = "mysql_datadir"
    module = "puppetlabs-mysql 16.3"
    namevar = "datadir"
    providers = ("mysql",)
    attributes = (
        Ensure(about="`present`; removing data is refused."),
        Parameter("datadir", about="The directory."),
        Parameter("basedir", pattern="^/", about="Where the server is installed, such as `/usr`."),
        Parameter("user", about="The owner of the files; the default is `mysql`."),
        Parameter(
            "defaults_extra_file",
            pattern=r"^/.*\.cnf$",
            about="A file of options, which must exist.",
        ),
        Parameter(
            "insecure",
            about="Whether root gets no password; as in the module, `false` is the same as `true`.",
        ),
        Parameter(
            "log_error",
            pattern="^/",
            about="The log of the initialization; MySQL and Percona only.",
        ),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the package of the server."""
        yield "package", "mysql-server"


resource_type = MysqlDatadir
