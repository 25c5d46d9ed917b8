"""The resource type ``puppetdb_conn_validator``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.reading import ruby_integer
from bunraku.providers.resource_type import ResourceType


class PuppetdbConnValidator(ResourceType):
    """Connections to a PuppetDB that must be possible before later resources are applied.

    Any answer counts. With `use_ssl`, the certificates are those of the agent.
    """

    name = "puppetdb_conn_validator"
    module = "puppetlabs-puppetdb 8.1"
    providers = ("puppet_https",)
    attributes = (
        Ensure(default="present", about="Whether the server answers; it must."),
        Parameter("name", about="The name of the resource, for messages."),
        Parameter("puppetdb_server", about="The name or address of the server."),
        Parameter("puppetdb_port", about="The port of the server."),
        Parameter("use_ssl", default=True, about="Whether to connect with TLS."),
        Parameter("test_url", about="The path to request."),
        Parameter(
            "timeout", read=ruby_integer, default=15, about="The seconds after which it gives up."
        ),
    )


resource_type = PuppetdbConnValidator
