"""The resource types that are not written in Puppet: built in, of modules in Ruby, of agent packages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from bunraku.catalog.schema.builtin import (
    builtin_resource_type,
    builtin_resource_type_names,
    vendored_resource_type,
)
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.engine.request import ResolvedRequest
from bunraku.modules.vendored import vendored_types

if TYPE_CHECKING:
    from bunraku.engine.ruby_types import RubyTypes


class ResourceTypes:
    """The resource types of one resolved request."""

    def __init__(self, resolved: ResolvedRequest) -> None:
        self.resolved = resolved

    def find(self, name: str) -> ResourceTypeSchema | None:
        """Return the schema of a resource type; PuppetError if its file cannot be read as Ruby."""
        builtin = builtin_resource_type(name, self.resolved.rules.resource_types)
        if builtin is not None:
            return builtin
        found = self.resolved.autoloader.resource_type(name)
        if found is None:
            return vendored_resource_type(name) if name in self.vendored() else None
        return self.ruby.find(name, found.path)

    @cached_property
    def ruby(self) -> RubyTypes:
        """The types of modules in Ruby; most catalogs of small sites have none."""
        from bunraku.engine.ruby_types import RubyTypes

        return RubyTypes(self.resolved)

    def names(self) -> Iterator[str]:
        """Yield the names of the types that no file of the environment defines."""
        yield from builtin_resource_type_names(self.resolved.rules.resource_types)
        yield from self.vendored()

    def vendored(self) -> frozenset[str]:
        """Return the types of agent packages' modules that exist without such a module."""
        if not self.resolved.rules.vendored_types:
            return frozenset()
        request = self.resolved.request
        in_environment = "environmentpath" in request.settings
        in_environment = in_environment or request.environment_directory is not None
        is_project = in_environment or bool(request.modules)
        known = vendored_types(self.resolved.environment, request.settings, is_project=is_project)
        return known - self.resolved.rules.removed_types
