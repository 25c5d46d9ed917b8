"""The resource type ``anchor``."""

from __future__ import annotations

from bunraku.providers.attributes import Parameter
from bunraku.providers.resource_type import ResourceType


class Anchor(ResourceType):
    """Points in the order of resources. An anchor does nothing and passes refreshes on."""

    name = "anchor"
    module = "puppetlabs-stdlib 8.5"
    refreshable = True
    attributes = (Parameter("name", about="A name of the resource."),)


resource_type = Anchor
