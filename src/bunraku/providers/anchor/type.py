"""The resource type ``anchor``."""

from __future__ import annotations

from bunraku.providers.attributes import Parameter
from bunraku.providers.resource_type import ResourceType


class Anchor(ResourceType):
    """Points in the order of resources. An anchor does nothing and passes refreshes on."""

    name = "anchor"
    refreshable = True
    attributes = (Parameter("name", about="A name of the resource."),)


resource_type = Anchor
