"""The resource type ``filebucket``."""

from __future__ import annotations

from bunraku.providers.base import Parameter, ResourceType


class Filebucket(ResourceType):
    """A place for the contents of files that are replaced."""

    name = "filebucket"
    attributes = (Parameter("name"),)


resource_type = Filebucket
