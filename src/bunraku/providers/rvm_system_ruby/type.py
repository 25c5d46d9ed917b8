"""The resource type ``rvm_system_ruby`` of the module rvm."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import refused_by_check
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s

AUTOLIB_MODES = (
    *(0, "disable", "disabled", 1, "read", "read-only", 2, "fail", "read-fail"),
    *(3, "packages", "install-packages", 4, "enable", "enabled"),
)


def read_autolib_mode(value: Any) -> Any:
    """Return a mode of autolib, a number or a word."""
    if isinstance(value, bool) or value not in AUTOLIB_MODES:
        raise refused_by_check("autolib_mode", f"Invalid autolib mode: {to_s(value)}")
    return value


class DefaultUse(Property):
    """Whether the Ruby is the default one; False manages nothing, as in the module."""

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the wanted state; None for False."""
        return resource[self.name] or None


class RvmSystemRuby(ResourceType):
    """Rubies that RVM installs for all users."""

    name = "rvm_system_ruby"
    module = "maestrodev-rvm 1.13"
    providers = ("rvm",)
    named_only = True
    attributes = (
        Ensure(default=present_if_managed, about="Whether the Ruby is installed."),
        DefaultUse("default_use", about="Whether new shells use the Ruby."),
        Parameter("name", about="The name of the Ruby, such as `ruby-3.2.2`."),
        Parameter("build_opts", default="", about="Options for the build, a text or an array."),
        Parameter("proxy_url", default="", about="The proxy for downloads."),
        Parameter(
            "no_proxy", default="", about="The addresses that are reached without the proxy."
        ),
        Parameter(
            "autolib_mode",
            read=read_autolib_mode,
            about="What RVM does about missing libraries: 0 to 4, or a word of RVM.",
        ),
        Parameter("mount_from", about="An archive with the Ruby, which is mounted instead."),
    )


resource_type = RvmSystemRuby
