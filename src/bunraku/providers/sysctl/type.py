"""The resource type ``sysctl``, of two modules: augeasproviders_sysctl and duritong's sysctl."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.provider import Provider
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.sysctl.augeas import KernelSettings
from bunraku.providers.sysctl.parsed import CONFIGURATION
from bunraku.types.ruby_semantics.values import to_s

MODULE = "augeasproviders_sysctl"
ONLY_OF_MODULE = frozenset({"value", "comment", "apply", "persist", "silent"})
"""The attributes that only the module augeasproviders_sysctl has."""
BLANKS = re.compile(r"\s+")


def is_lines(resource: ManagedResource) -> bool:
    """Return whether a resource is that of duritong's module: lines of a file, without live values."""
    return resource.has_provider and resource.provider.name == "parsed"


def as_text(value: Any, resource: ManagedResource) -> Any:
    """Return a value as text; duritong's module does not convert it."""
    return value if is_lines(resource) else to_s(value)


def same_value(first: Any, second: Any) -> bool:
    """Return whether two values are the same, apart from the kind of blanks; absent ones are not."""
    if first is None or second is None:
        return False
    return BLANKS.sub(" ", str(first)) == BLANKS.sub(" ", str(second))


class SysctlValue(Property):
    """A value in the file and in the kernel, as the resource's ``persist`` and ``apply`` say."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the file and the kernel have the value."""
        provider = resource.provider
        if not isinstance(provider, KernelSettings):
            return super().in_sync(resource, current)
        wanted = resource[self.name]
        if not provider.is_known(resource):
            return True
        if resource.is_true("apply") and not same_value(wanted, provider.live_value(resource)):
            return False
        return not resource.is_true("persist") or same_value(wanted, current)

    def described(self, resource: ManagedResource, current: Any, wanted: Any) -> str:
        """Return the message of a change, which says where the value changed."""
        if not isinstance(resource.provider, KernelSettings):
            return super().described(resource, current, wanted)
        live = resource.provider.live.get(resource.name)
        in_file = f"configuration value from '{current or ''}' to '{wanted}'"
        in_kernel = f"live value from '{live or ''}' to '{wanted}'"
        if not resource.is_true("apply"):
            return f"changed {in_file}"
        if same_value(current, wanted):
            return f"changed {in_kernel}"
        if same_value(live, wanted):
            return f"changed {in_file}"
        return (
            f"changed {in_file} and {in_kernel}"
            if resource.is_true("persist")
            else f"changed {in_kernel}"
        )


class SysctlComment(Property):
    """The comment; without ``persist``, it is not managed."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the comment is the wanted one."""
        return not resource.is_true("persist") or super().in_sync(resource, current)


class SysctlTarget(Property):
    """The file. Only duritong's module moves lines to another one."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return the file that has the line."""
        return super().retrieve(resource) if is_lines(resource) else resource["target"]


def default_target(resource: ManagedResource) -> str | None:
    """Return the file of duritong's module."""
    return CONFIGURATION if is_lines(resource) else None


class Sysctl(ResourceType):
    """Settings of the kernel, in files such as `/etc/sysctl.conf`.

    The type serves two modules. A resource with `value`, `comment`, `apply`, `persist` or `silent`
    is that of augeasproviders_sysctl, and so are all resources if this module is installed: the
    provider `augeas` changes the file and the running kernel. Any other resource is that of
    duritong's module: the provider `parsed` changes the file only.
    """

    name = "sysctl"
    module = "puppet-augeasproviders_sysctl 4.0 or duritong-sysctl 0.0.12"
    providers = ("augeas", "parsed")
    attributes = (
        Ensure(default=present_if_managed, about="Whether the file has the setting."),
        SysctlValue("val", read_for=as_text, about="The value."),
        SysctlValue("value", read_for=as_text, about="The value. Blanks separate several values."),
        SysctlTarget(
            "target", default=default_target, about="The file. Default: `/etc/sysctl.conf`."
        ),
        SysctlComment("comment", about="A comment above the setting, which starts with its name."),
        Parameter("name", about="The setting, such as `net.ipv4.ip_forward`."),
        Parameter(
            "apply",
            words=("true", "false"),
            default="true",
            about="Whether the running kernel gets the value.",
        ),
        Parameter(
            "persist",
            words=("true", "false"),
            default="true",
            about="Whether the file gets the value.",
        ),
        Parameter(
            "silent",
            words=("true", "false"),
            default="false",
            about="Whether settings that the kernel lacks are left alone instead of failing.",
        ),
        Parameter("provider"),
    )

    def provider_for(self, resource: ManagedResource) -> Provider | None:
        """Return the provider of the module whose resource it is."""
        if ONLY_OF_MODULE.isdisjoint(resource.original):
            return self.default_provider()
        provider = self.provider_named("augeas")
        return provider if provider.suitable() else None

    def default_provider(self) -> Provider | None:
        """Return the provider of the installed module; None if it does not work on this machine."""
        provider = self.provider_named("augeas" if self.has_module() else "parsed")
        return provider if provider.suitable() else None

    def has_module(self) -> bool:
        """Return whether the module augeasproviders_sysctl is installed."""
        folders = [f"{directory}/{MODULE}" for directory in self.run.modules]
        plugins = [f"{library}/puppet/provider/sysctl/augeas.rb" for library in self.run.libraries]
        return any(map(self.host.is_directory, folders)) or any(map(self.host.is_file, plugins))

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for attributes that the named provider does not have."""
        wrong = sorted(ONLY_OF_MODULE.intersection(resource.original))
        if wrong and is_lines(resource):
            raise InvalidValue(f"the provider parsed does not have the attribute {wrong[0]}")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file."""
        if not is_lines(resource) and resource["target"]:
            yield "file", resource["target"]


resource_type = Sysctl
