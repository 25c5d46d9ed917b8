"""The resource type ``tcp_conn_validator``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.reading import ruby_integer
from bunraku.providers.resource_type import ResourceType

Value = Any


def read_host(value: Value) -> Value:
    """Return a host, the first one of an array."""
    return (value[0] if value else None) if isinstance(value, list) else value


class TcpConnValidator(ResourceType):
    """Connections over TCP that must be possible before later resources are applied."""

    name = "tcp_conn_validator"
    module = "puppet-healthcheck 2.1"
    providers = ("tcp_port",)
    attributes = (
        Ensure(default="present", about="Whether a connection is possible; it must be."),
        Parameter(
            "name",
            about="The name of the resource. A name of the form `HOST` or `HOST:PORT` that is the name of a host is used instead of `host` and `port`.",
        ),
        Parameter(
            "host",
            read=read_host,
            about="The name or address of the server; of an array, the first.",
        ),
        Parameter("port", about="The port of the server."),
        Parameter(
            "try_sleep", read=ruby_integer, default=1, about="The seconds between two attempts."
        ),
        Parameter(
            "timeout", read=ruby_integer, default=60, about="The seconds after which it gives up."
        ),
    )


resource_type = TcpConnValidator
