"""The resource type ``mysql_plugin``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import Reference, ResourceType


class MysqlPlugin(ResourceType):
    """Plugins of a MySQL or MariaDB server.

    As in the module, another `soname` of an installed plugin is reported as a change but not made.
    """

    name = "mysql_plugin"
    module = "puppetlabs-mysql 16.3"
    providers = ("mysql",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the plugin is installed."),
        Parameter("name", about="The name of the plugin."),
        Property(
            "soname",
            pattern=r"^\w+\.\w+$",
            about="The file of the library; the default is the name of the plugin with `.so`.",
        ),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file with root's password."""
        yield "file", "/root/.my.cnf"


resource_type = MysqlPlugin
