"""The resource type ``rvm_gem`` of the module rvm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import url
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.rvm_gem.gem import RvmGems
from bunraku.types.ruby_semantics.values import to_s


def gem_name(value: Any) -> str:
    """Return the name of a gem; a Ruby and a slash may come before it.

    >>> gem_name("ruby-3.2.2/bundler"), gem_name("bundler")
    ('bundler', 'bundler')
    """
    return to_s(value).rpartition("/")[2]


def ruby_in_title(resource: ManagedResource) -> str | None:
    """Return the Ruby in the title of a resource; None without one."""
    return resource.title.rpartition("/")[0] if "/" in resource.title else None


def gems_of(resource: ManagedResource) -> RvmGems:
    """Return the provider of a resource."""
    found = resource.provider
    assert isinstance(found, RvmGems)
    return found


class GemEnsure(Ensure):
    """Whether a gem is installed, or its version; the state is the list of installed versions."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return the installed versions."""
        return gems_of(resource).versions(resource, "--local") or ABSENT

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether a wanted version is installed."""
        wanted = resource[self.name]
        if wanted in ("present", ABSENT):
            return bool((current == ABSENT) == (wanted == ABSENT))
        if current == ABSENT:
            return False
        return (gems_of(resource).latest(resource) if wanted == "latest" else wanted) in current

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Install, update or remove the gem."""
        provider = gems_of(resource)
        if wanted == ABSENT:
            provider.destroy(resource)
        elif wanted == "present":
            provider.install(resource)
        else:
            try:
                provider.install(resource, None if wanted == "latest" else wanted)
            except ResourceFailure as failure:
                raise ResourceFailure(f"Could not update: {failure}") from None


class RvmGem(ResourceType):
    """Gems of a Ruby that RVM installed."""

    name = "rvm_gem"
    module = "maestrodev-rvm 1.13"
    named_by = ("name", "ruby_version")
    providers = ("gem",)
    named_only = True
    attributes = (
        GemEnsure(
            ("present", "absent", "latest"),
            aliases={"installed": "present"},
            pattern=".",
            default="present",
            about="Whether the gem is installed; or the version.",
        ),
        Parameter("name", read=gem_name, about="The name of the gem."),
        Parameter("withopts", about="Options for the build of the gem."),
        Parameter(
            "source",
            read_for=url,
            about="The URL of a repository of gems, or the path or `file` URL of a gem.",
        ),
        Parameter(
            "ruby_version",
            default=ruby_in_title,
            about="The Ruby, with a gem set if there is one, such as `ruby-3.2.2@site`. "
            "Default: the part of the title before the slash.",
        ),
        Parameter("proxy_url", read_for=url, default="", about="The proxy for downloads."),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a resource without a Ruby."""
        if resource["ruby_version"] is None:
            raise InvalidValue("Got nil value for ruby_version")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the Ruby."""
        yield "rvm_system_ruby", to_s(resource["ruby_version"]).partition("@")[0]


resource_type = RvmGem
