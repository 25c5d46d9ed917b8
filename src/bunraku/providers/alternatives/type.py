"""The resource type ``alternatives`` of the module alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.alternatives.provider import AlternativesProvider
from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.systems import is_red_hat
from bunraku.types.ruby_semantics.values import to_s


def read_path(value: Any, resource: ManagedResource) -> str:
    """Return an absolute path; on Red Hat also the name of a family."""
    text = to_s(value)
    if not text.startswith("/") and not is_red_hat(resource.run.host):
        raise InvalidValue("path must be a fully qualified path")
    return text


class Path(Property):
    """The path of the program that an alternative selects, or its family."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the selected program, or its family, is the wanted one."""
        wanted = resource[self.name]
        if wanted.startswith("/"):
            return bool(current == wanted)
        provider = resource.provider
        assert isinstance(provider, AlternativesProvider)
        return bool(provider.family(resource) == wanted)


class Alternatives(ResourceType):
    """Programs that symbolic links select among several, such as `editor`."""

    name = "alternatives"
    module = "puppet-alternatives 6.0"
    providers = ("dpkg", "chkconfig")
    attributes = (
        Path(
            "path",
            read_for=read_path,
            about="The program to select; on Red Hat also a family.",
        ),
        Property(
            "mode",
            words=("auto", "manual"),
            feature="mode",
            about="Whether the priorities (`auto`) or the administrator (`manual`) select.",
        ),
        Parameter("name", about="The name of the alternative."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a mode that contradicts the path."""
        if resource["mode"] == "auto" and resource["path"]:
            raise InvalidValue("Mode cannot be 'auto' if a path is given")
        if resource["mode"] == "manual" and not resource["path"]:
            raise InvalidValue("Mode cannot be 'manual' without a path")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the entry that makes the program selectable."""
        if resource["path"]:
            yield "alternative_entry", resource["path"]


resource_type = Alternatives
