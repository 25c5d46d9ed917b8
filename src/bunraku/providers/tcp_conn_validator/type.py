"""The resource type ``tcp_conn_validator``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any


def read_seconds(value: Value) -> int:
    """Return a number of seconds; raise InvalidValue for text that is not a whole number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value)
    try:
        return int(value) if isinstance(value, str) else int(to_s(value))
    except ValueError:
        raise InvalidValue(f"invalid value for Integer(): {inspect(value)}") from None


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
            "try_sleep", read=read_seconds, default=1, about="The seconds between two attempts."
        ),
        Parameter(
            "timeout", read=read_seconds, default=60, about="The seconds after which it gives up."
        ),
    )


resource_type = TcpConnValidator
