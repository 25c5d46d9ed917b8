"""What the types have in common whose resources are nodes of files that a lens reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, cast

from bunraku.providers.attributes import ABSENT, Ensure
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import munging
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import implicit_class
from bunraku.types.ruby_semantics.values import inspect, to_s

ABOUT_COMMENT = "A comment directly above the entry. The name of the resource is put before it."


class LensType(ResourceType):
    """A type with the parameter ``target``."""

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file."""
        if resource["target"]:
            yield "file", resource["target"]


def conditions(value: Any) -> dict[str, Any]:
    """Read a hash, or a text of keys and values.

    >>> conditions("Host example.net User root")
    {'Host': 'example.net', 'User': 'root'}
    """
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        raise munging("condition", value, f"undefined method `split' for {inspect(value)}")
    words = to_s(value).split()
    if len(words) % 2:
        raise munging("condition", value, "odd number of arguments for Hash")
    return dict(zip(words[::2], words[1::2], strict=True))


def setting_texts(value: Any) -> list[str]:
    """Return the texts that a setting gets; ResourceFailure for other values, as in Ruby's binding."""
    if not isinstance(value, list):
        raise ResourceFailure("undefined method `shift' for nil:NilClass")
    for one in value:
        if not isinstance(one, str):
            raise ResourceFailure(f"no implicit conversion of {implicit_class(one)} into String")
    return list(value)


class PlacedEntries(Protocol):
    """A provider of entries whose order matters."""

    def in_position(self, resource: ManagedResource) -> bool:
        """Return whether an entry is where ``position`` says."""

    def reposition(self, resource: ManagedResource) -> None:
        """Move an entry to where ``position`` says."""


class PositionedEnsure(Ensure):
    """Whether an entry exists, or also is where ``position`` says."""

    def __init__(self, about: str) -> None:
        words = ("present", ABSENT, "positioned")
        super().__init__(words, default=present_if_managed, about=about)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the state is the wanted one."""
        if resource["ensure"] == "positioned" and current == "present":
            return cast(PlacedEntries, resource.provider).in_position(resource)
        return super().in_sync(resource, current)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Create, move or remove the entry."""
        if wanted == "positioned" and resource.provider.exists(resource):
            cast(PlacedEntries, resource.provider).reposition(resource)
        else:
            super().change(resource, wanted)
