"""The resource type ``group``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.accounts import account_attributes
from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import switch
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.default import DEFAULT

NUMBER = re.compile(r"-?\d+")


def read_gid(value: Any) -> Any:
    """Return the ID of a group."""
    if value is DEFAULT or (isinstance(value, str) and not NUMBER.fullmatch(value)):
        raise InvalidValue(f"Invalid GID {to_s(value)}")
    return int(value) if isinstance(value, str) else value


class Members(Property):
    """The members of a group: the whole list or a part of it."""

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the sorted members; current members stay unless the list is complete."""
        given = resource["members"]
        if given is None:
            return None
        kept = [] if resource.is_true("auth_membership") or current == ABSENT else current
        return sorted({*kept, *(str(name).strip() for name in given)})

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the group has the wanted members."""
        return bool(sorted(set(current)) == self.wanted(resource, current))

    def shown(self, resource: ManagedResource, value: Any) -> str:
        """Return the members, separated by commas."""
        return ",".join(value) if isinstance(value, list) else to_s(value)


class Group(ResourceType):
    """Groups of users, managed with the programs of the system. Members require libuser."""

    name = "group"
    providers = ("groupadd",)
    attributes = (
        Ensure(default="present", about="Whether the group exists."),
        Property("gid", read=read_gid, about="The ID of the group. Default: the next free ID."),
        Members(
            "members",
            many=True,
            feature="manages_members",
            about="The users in the group, for providers that manage members.",
        ),
        switch(
            "auth_membership",
            default=False,
            about="Whether `members` is the whole list or a part of it.",
        ),
        Parameter("name", about="The name of the group."),
        *account_attributes("group"),
    )


resource_type = Group
