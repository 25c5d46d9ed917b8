"""The resource type ``postgresql_conf``, of two generations of the module."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import AS_IN_RUBY, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.postgresql_conf.lines import number
from bunraku.providers.postgresql_conf.parsed import SettingLines
from bunraku.providers.provider import Provider
from bunraku.providers.reading import munging
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.ruby_semantics.numbers import has_to_i

VALUE = re.compile(r"^(\S.*)?$", AS_IN_RUBY)
TARGET = re.compile(r"^/\S+[a-z0-9(/)-]*\w+.conf$", AS_IN_RUBY)


def is_line(resource: ManagedResource) -> bool:
    """Return whether a resource is that of an old release: its name is the key."""
    return resource.has_provider and resource.provider.name == "parsed"


def matching_value(value: Any, pattern: re.Pattern[str]) -> Any:
    """Return a value that matches a pattern."""
    if pattern.search(to_s(value)) is None:
        raise InvalidValue(
            f"Invalid value {inspect(value)}. Valid values match /{shown(pattern)}/."
        )
    return value


def shown(pattern: re.Pattern[str]) -> str:
    """Return a pattern as Ruby shows it."""
    return pattern.pattern.replace("/", r"\/")


def read_value(value: Any, resource: ManagedResource) -> Any:
    """Check the value; numbers are compared by value."""
    if is_line(resource):
        return value
    value = matching_value(value, VALUE)
    if not has_to_i(value):
        raise munging("value", value, f"undefined method `to_i' for {inspect(value)}")
    return number(value) if isinstance(value, str) else value


def read_target(value: Any, resource: ManagedResource) -> Any:
    """Check the file. Only old releases of the module accept an array."""
    if is_line(resource):
        return value
    whole = resource.original.get("target")
    return matching_value(whole if isinstance(whole, list) else value, TARGET)


def default_target(resource: ManagedResource) -> str | None:
    """Return the default file in old releases of the module."""
    return SettingLines.default_target if is_line(resource) else None


class ConfTarget(Property):
    """The file. Only old releases move settings to another one."""

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue in a resource of a new release."""
        read_target([], resource)

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return the file that has the setting."""
        return super().retrieve(resource) if is_line(resource) else resource["target"]


class PostgresqlConf(ResourceType):
    """Settings in `postgresql.conf`.

    The type serves two generations of the module postgresql. A resource with `key` or `comment` has
    the provider `ruby` of releases since 10. Any other resource has the provider `parsed` of older
    releases, in which the name is the key.
    """

    name = "postgresql_conf"
    module = "puppetlabs-postgresql 10.6"
    providers = ("ruby", "parsed")
    attributes = (
        Ensure(default=present_if_managed, about="Whether the file has the setting."),
        Parameter("name", pattern=r"^[\w.]+$", about="A name; without `key`, the setting."),
        Parameter("key", pattern=r"^[\w.]+$", read=to_s, about="The setting."),
        Property("value", read_for=read_value, about="The value, without quotes."),
        Property("comment", pattern=r"^[\w\W]+$", about="The comment at the end of the line."),
        ConfTarget(
            "target", read_for=read_target, default=default_target, about="The path of the file."
        ),
    )

    def provider_for(self, resource: ManagedResource) -> Provider | None:
        """Return the provider of the release whose attributes a resource has."""
        of_new = any(resource.original.get(name) is not None for name in ("key", "comment"))
        return self.provider_named("ruby" if of_new else "parsed")


resource_type = PostgresqlConf
