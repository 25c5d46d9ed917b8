"""The resource type ``mounttab``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property, Read
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s

Value = Any


def without_spaces(name: str) -> Read:
    """Return a reader of a text without whitespace."""

    def read(value: Value) -> Value:
        if isinstance(value, str) and re.search(r"\s", value):
            raise InvalidValue(f"{name} must not contain whitespace: {value}")
        return value

    return read


def read_mount_point(value: Value) -> Value:
    """Check a mount point."""
    without_spaces("mount name")(value)
    if isinstance(value, str) and re.search("./$", value, re.MULTILINE):
        text = f"mount should be specified without a trailing slash: {value}"
        raise InvalidValue(text)
    return value


def read_mount_option(value: Value) -> Value:
    """Check one option."""
    if isinstance(value, str) and "," in value:
        text = "multiple options have to be specified as an array not a comma separated list"
        raise InvalidValue(text)
    return without_spaces("option")(value)


class MountOptions(Property):
    """Options whose order does not count."""

    def wanted(self, resource: ManagedResource, current: Value) -> Value:
        """Return the sorted options, separated by commas."""
        given = resource[self.name]
        return None if given is None else ",".join(sorted(map(to_s, given)))

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the options are the wanted ones."""
        found = ",".join(sorted(current)) if isinstance(current, list) else ""
        return bool(found == self.wanted(resource, current))

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Return options, separated by commas."""
        return ",".join(value) if isinstance(value, list) else super().shown(resource, value)


def zero_if_present(resource: ManagedResource) -> int | None:
    """Return the default 0 for a resource with a managed property."""
    return None if present_if_managed(resource) is None else 0


class Mounttab(ResourceType):
    """Entries of `/etc/fstab`, whose other lines and spaces remain as they are."""

    name = "mounttab"
    module = "puppetlabs-mount_providers 2.0"
    providers = ("augeas",)
    other_providers = ("parsed",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the table has the entry."),
        Property("device", read=without_spaces("device"), about="The device to mount."),
        Property(
            "blockdevice",
            read=without_spaces("blockdevice"),
            about="The device to check, which only Solaris has in the table.",
        ),
        Property("fstype", read=without_spaces("fstype"), about="The type of the file system."),
        MountOptions("options", many=True, read=read_mount_option, about="The options."),
        Property(
            "pass",
            default=zero_if_present,
            about="The order in which file systems are checked at boot; 0 means no check.",
        ),
        Property(
            "atboot",
            words=("yes", "no"),
            aliases={"true": "yes", "false": "no"},
            default=lambda resource: present_if_managed(resource) and "yes",
            about="Whether the file system is mounted at boot, which only Solaris has in the table.",
        ),
        Property(
            "dump",
            pattern="(0|1)",
            default=zero_if_present,
            about="Whether `dump` saves the file system.",
        ),
        Property("target", about="The table; by default `/etc/fstab`."),
        Parameter("name", read=read_mount_point, about="The mount point."),
        Parameter("provider"),
    )


resource_type = Mounttab
