"""The resource type ``group``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.base import (
    ABSENT,
    Ensure,
    ManagedResource,
    Parameter,
    Property,
    ResourceType,
)
from bunraku.providers.errors import InvalidValue
from bunraku.providers.reading import switch

NUMBER = re.compile(r"-?\d+")


def read_gid(value: Any) -> Any:
    """Return the number of a group."""
    if isinstance(value, str) and value != ABSENT:
        if not NUMBER.fullmatch(value):
            raise InvalidValue(f"Invalid GID {value}")
        return int(value)
    return value


class Members(Property):
    """The members of a group: the whole list, or a part of it."""

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the sorted members; those that are there stay unless the list is complete."""
        given = resource["members"]
        if given is None:
            return None
        kept = [] if resource.is_true("auth_membership") or current == ABSENT else current
        return sorted({*kept, *(str(name).strip() for name in given)})

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the group has the members."""
        return bool(sorted(set(current)) == self.wanted(resource, current))

    def shown(self, resource: ManagedResource, value: Any) -> str:
        """Return the members with commas between them."""
        return ",".join(value) if isinstance(value, list) else str(value)


class Group(ResourceType):
    """Groups of users, by the programs of the system; members only where libuser is installed."""

    name = "group"
    providers = ("groupadd",)
    attributes = (
        Ensure(default="present"),
        Property("gid", read=read_gid),
        Members("members", many=True, feature="manages_members"),
        switch("auth_membership", default=False),
        Parameter("name"),
        switch("allowdupe", default=False),
        Parameter("ia_load_module", feature="manages_aix_lam"),
        Property("attributes", many=True, feature="manages_aix_lam"),
        Parameter("attribute_membership", words=("inclusive", "minimum"), default="minimum"),
        switch("system", default=False),
        Parameter(
            "forcelocal",
            words=("true", "false"),
            default="false",
            feature="manages_local_users_and_groups",
        ),
    )


resource_type = Group
