"""The resource type ``selinux_port`` of the module selinux."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.reading import ruby_integer
from bunraku.providers.selinux import ReadOnlySource, SemanageType

LAST = 65535


def read_port(value: Any) -> Any:
    """Return the number of a port, which may be text; the value stays as it is."""
    number = ruby_integer(value)
    if not 1 <= number <= LAST:
        raise InvalidValue(f"Illegal port value '{number}'")
    return value


class SelinuxPort(SemanageType):
    """Types that the policy of SELinux gives to network ports."""

    name = "selinux_port"
    module = "puppet-selinux 5.0"
    namevar = "title"
    attributes = (
        Ensure(about="Whether the ports have a type."),
        Property("low_port", read=read_port, about="The first port of the range."),
        Property("high_port", read=read_port, about="The last port of the range."),
        Property("protocol", words=("tcp", "udp"), about="The protocol."),
        Property("seltype", about="The type of the ports."),
        ReadOnlySource(),
        Parameter("title", about="The protocol and the range, as in `tcp_8080-8089`."),
        Parameter("provider"),
    )


resource_type = SelinuxPort
