"""The resource type ``sshd_config``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property, without_encoding
from bunraku.providers.lens_type import ABOUT_COMMENT, LensType, conditions
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import Reference
from bunraku.types.ruby_semantics.values import to_s


def united(current: Any, wanted: list[str]) -> list[str]:
    """Return the current values with the wanted ones that are missing."""
    found = without_encoding(current) if isinstance(current, list) else []
    return list(dict.fromkeys([*found, *wanted]))


class SshdValues(Property):
    """The values; with ``array_append``, others may exist besides them."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the values are the wanted ones."""
        wanted = resource["value"]
        if resource.is_true("array_append"):
            return set(wanted) <= set(current if isinstance(current, list) else [current])
        return bool(wanted == current)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Set the values."""
        if resource.is_true("array_append"):
            wanted = united(self.retrieve(resource), wanted)
        super().change(resource, wanted)

    def shown_wanted(self, resource: ManagedResource, value: Any) -> str:
        """Format the values that the setting gets."""
        if resource.is_true("array_append"):
            value = united(self.retrieve(resource), value)
        return super().shown_wanted(resource, value)


class SshdConfig(LensType):
    """Settings of the server of OpenSSH, except subsystems."""

    name = "sshd_config"
    module = "puppet-augeasproviders_ssh 7.0"
    providers = ("augeas",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the setting is in the file."),
        SshdValues(
            "value",
            many=True,
            read=to_s,
            about="The value. Lists such as `AllowUsers` take an array; of other settings such as "
            "`Port`, each value is an entry.",
        ),
        Property("comment", about=ABOUT_COMMENT),
        Parameter("name", about="The setting, or any name together with `key`."),
        Parameter("key", about="The setting if the resource has another name."),
        Parameter(
            "array_append",
            words=("false", "true"),
            default="false",
            about="Whether the values are added to those that the setting has.",
        ),
        Parameter("target", about="The file. Default: `/etc/ssh/sshd_config`."),
        Parameter(
            "condition",
            read=conditions,
            about="The conditions of the block `Match` that has the setting, such as "
            "`Host example.net User root`, or a hash.",
        ),
        Parameter("provider"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file, and the block of the conditions."""
        yield from super().requires(resource)
        for order in permutations((resource["condition"] or {}).items()):
            title = " ".join(f"{name} {value}" for name, value in order)
            yield "sshd_config_match", title
            yield "sshd_config_match", f"{title} in {resource['target'] or ''}"


resource_type = SshdConfig
