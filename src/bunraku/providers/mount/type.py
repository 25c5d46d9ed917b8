"""The resource type ``mount``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import ABSENT, Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mount.parsed import MountTable
from bunraku.providers.parsed_file import LineType, present_if_managed
from bunraku.providers.reading import boolean, check_text, munging, one_text
from bunraku.providers.resource_type import Reference
from bunraku.types.ruby_semantics.values import inspect, to_s


def read_type(value: Any) -> str:
    """Return the type of a file system."""
    if isinstance(value, int | float):
        check_text("fstype", value, "empty?")
    return read_word("fstype", value)


def read_word(name: str, value: Any) -> str:
    """Return a text that is not empty and has no whitespace."""
    text = to_s(value)
    if re.search(r"\s", text):
        raise InvalidValue(f"{name} must not contain whitespace: {text}")
    if not text:
        raise InvalidValue(f"{name} must not be an empty string")
    return text


class AtBoot(Property):
    """Whether a file system is mounted at boot."""

    def refusal(self, value: Any) -> str:
        """Return Puppet's message for a value that is not accepted."""
        return str(munging(self.name, value, "expected a boolean value"))


def read_dump(value: Any) -> Any:
    """Return 0 or 1."""
    if not re.search("[01]", to_s(value)):
        raise InvalidValue(f"Invalid value {inspect(value)}. Valid values match /(0|1)/.")
    return value


def zero_if_managed(resource: ManagedResource) -> int | None:
    """Return the default 0 for a resource with a managed property."""
    return 0 if present_if_managed(resource) else None


def table_of(resource: ManagedResource) -> MountTable:
    """Return the provider of a resource."""
    provider = resource.provider
    assert isinstance(provider, MountTable)
    return provider


class MountState(Property):
    """Whether a file system is in the table of file systems, and whether it is mounted."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the state is the wanted one; ``defined`` accepts mounted and unmounted."""
        wanted = resource["ensure"]
        return bool(
            current == wanted or (wanted == "defined" and current in ("mounted", "unmounted"))
        )

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Add the file system to the table, remove it, mount it or unmount it."""
        table = table_of(resource)
        current = table.get(resource, "ensure")
        if wanted == "defined":
            table.create(resource)
        elif wanted == ABSENT:
            if table.is_mounted(resource):
                table.unmount(resource)
            if current != "ghost":
                table.destroy(resource)
        elif wanted == "mounted":
            mounted = table.is_mounted(resource)
            if current in (ABSENT, "ghost"):
                table.create(resource)
            self.change_others(resource)
            if not mounted:
                table.waiting.add(resource)
        else:
            self.change_to_unmounted(resource, current)

    def change_to_unmounted(self, resource: ManagedResource, current: Any) -> None:
        """Add the file system to the table or unmount it."""
        table = table_of(resource)
        if current == "ghost":
            table.create(resource)
            table.flush(resource)
            table.unmount(resource)
        elif current == ABSENT:
            table.create(resource)
        elif current == "mounted":
            table.unmount(resource)
            self.change_others(resource)
        else:
            raise ResourceFailure(f"Unexpected change from {current} to unmounted")

    def change_others(self, resource: ManagedResource) -> None:
        """Change the other properties too so that the file system is mounted with them."""
        changed = False
        for attribute in resource.properties():
            wanted = resource[attribute.name]
            if attribute.name == "ensure" or wanted is None:
                continue
            if not attribute.in_sync(resource, attribute.retrieve(resource)):
                attribute.change(resource, wanted)
                changed = True
        if changed:
            resource.provider.flush(resource)

    def event_name(self, resource: ManagedResource, wanted: Any) -> str:
        """Return the name of the event."""
        return {"mounted": "mount_mounted", ABSENT: "mount_deleted"}.get(wanted, "mount_changed")


ATTRIBUTES = (
    MountState(
        "ensure",
        words=("defined", "unmounted", ABSENT, "mounted"),
        aliases={"present": "defined"},
        about="Whether the entry exists in the table and whether it is mounted.",
    ),
    Property("device", about="The mounted device, label or remote path."),
    Property(
        "blockdevice",
        read=lambda value: read_word("blockdevice", value),
        about="The device to check at boot, on systems that need it.",
    ),
    Property(
        "fstype",
        read=read_type,
        about="The type of the file system.",
    ),
    Property(
        "options",
        read=lambda value: read_word("options", one_text("options")(value)),
        about="The mount options, separated by commas.",
    ),
    Property(
        "pass",
        default=zero_if_managed,
        about="The order in which file systems are checked at boot; 0 means no check.",
    ),
    AtBoot(
        "atboot",
        words=("yes", "no"),
        aliases={"true": "yes", "false": "no"},
        about="Whether the file system is mounted at boot.",
    ),
    Property(
        "dump",
        read=read_dump,
        default=zero_if_managed,
        about="Whether `dump` saves the file system.",
    ),
    Property("target", text=True, default="/etc/fstab", about="The file that holds the table."),
    Parameter(
        "name",
        read=lambda value: re.sub(r"^(.+?)/*$", r"\1", to_s(value)),
        about="The directory on which the file system is mounted.",
    ),
    boolean(
        "remounts",
        default=True,
        about="Whether a refresh uses the option `remount` instead of unmounting first.",
    ),
)


class Mount(LineType):
    """File systems in ``/etc/fstab``. A refresh remounts a mounted file system."""

    name = "mount"
    module = "puppetlabs-mount_core 1.0"
    providers = ("parsed",)
    refreshable = True
    refreshes_itself = True
    attributes = ATTRIBUTES

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the mount points above."""
        above = resource.name.rpartition("/")[0]
        while above:
            yield "mount", above
            above = above.rpartition("/")[0]
        if resource.name != "/":
            yield "mount", "/"

    def precedes(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the files below the mount point."""
        prefix = resource.name.rstrip("/") + "/"
        for file in self.run.of_type("file"):
            if file.name.startswith(prefix) and file.name != prefix:
                yield "file", file.title

    def refresh(self, resource: ManagedResource) -> None:
        """Remount the file system if it is mounted."""
        if resource["fstype"] != "swap" and table_of(resource).is_mounted(resource):
            table_of(resource).remount(resource)


resource_type = Mount
