"""The resource type ``selboolean``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.reading import boolean
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s

SWITCHED = {"true": "on", "false": "off"}


def on_or_off(value: Any) -> str:
    """Return ``on`` or ``off`` for one of the four words."""
    return SWITCHED.get(value, to_s(value))


class Selboolean(ResourceType):
    """Booleans of SELinux: switches of the policy."""

    name = "selboolean"
    module = "puppetlabs-selinux_core 2.0"
    providers = ("getsetsebool",)
    named_only = True
    attributes = (
        Property(
            "value",
            words=("on", "off", "true", "false"),
            read=on_or_off,
            about="Whether the boolean is on; `true` and `false` are the same as `on` and `off`.",
        ),
        Parameter("name", about="The name of the boolean."),
        boolean("persistent", default=False, about="Whether the value survives a reboot."),
        Parameter("provider"),
    )


resource_type = Selboolean
