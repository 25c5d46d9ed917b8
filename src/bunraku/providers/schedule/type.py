"""The resource type ``schedule``."""

from __future__ import annotations

from bunraku.providers.base import Parameter, ResourceType


class Schedule(ResourceType):
    """The times at which the resources that name it are applied."""

    name = "schedule"
    attributes = (Parameter("name"),)


resource_type = Schedule
