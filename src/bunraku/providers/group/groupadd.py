"""Groups, with ``groupadd``, ``groupmod`` and ``groupdel`` or their variants for local groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.accounts import AccountProvider
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import AccountGroup


class GroupAdd(AccountProvider):
    """Manages groups with the programs of the shadow suite."""

    name = "groupadd"
    programs = ("groupadd", "groupdel", "groupmod")
    features = frozenset({"system_groups"})
    libuser_features = frozenset({"manages_local_users_and_groups", "manages_members"})

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all groups."""
        return {group.name: state_of(group) for group in self.host.groups()}

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read nothing in advance: earlier resources may create groups."""

    def state(self, resource: ManagedResource) -> State:
        """Return the current state of a group."""
        found = self.database.group(resource.name, local=resource.is_true("forcelocal"))
        return {} if found is None else state_of(found)

    def create(self, resource: ManagedResource) -> None:
        """Create a group."""
        words = [self.program(resource, "groupadd")]
        if resource["gid"] not in (None, "absent"):
            words += ["-g", to_s(resource["gid"])]
        words += self.duplicates(resource)
        if resource.is_true("system"):
            words.append("-r")
        try:
            self.change(resource, [*words, resource.name], secret=False)
        except ResourceFailure as failure:
            raise ResourceFailure(f"Could not create group {resource.name}: {failure}") from None
        if resource["members"]:
            self.set(resource, "members", resource["members"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a group."""
        try:
            self.change(resource, [self.program(resource, "groupdel"), resource.name], secret=False)
        except ResourceFailure as failure:
            raise ResourceFailure(f"Could not delete group {resource.name}: {failure}") from None

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the ID or the members of a group."""
        try:
            if name == "members":
                self.set_members(resource, value)
                return
            words = [self.program(resource, "groupmod"), "-g", to_s(value)]
            words += self.duplicates(resource)
            self.change(resource, [*words, resource.name], secret=False)
        except ResourceFailure as failure:
            text = f"Could not set {name} on group[{resource.name}]: {failure}"
            raise ResourceFailure(text) from None

    def set_members(self, resource: ManagedResource, members: Sequence[str]) -> None:
        """Set the members of a group, which must be users."""
        for member in members:
            if self.host.user(member) is None:
                raise ResourceFailure(f"can't find user for {member}")
        current = self.state(resource).get("members", [])
        if current and resource.is_true("auth_membership"):
            self.change(
                resource, ["lgroupmod", "-m", ",".join(current), resource.name], secret=False
            )
        self.change(resource, ["lgroupmod", "-M", ",".join(members), resource.name], secret=False)

    def duplicates(self, resource: ManagedResource) -> list[str]:
        """Return the option that allows a duplicate ID; libuser never checks IDs."""
        allowed, local = resource.is_true("allowdupe"), resource.is_true("forcelocal")
        if local and not allowed:
            for group in self.database.local_groups().values():
                if group.gid == resource["gid"]:
                    raise ResourceFailure(
                        f"GID {group.gid} already exists, use allowdupe to force group creation"
                    )
        return ["-o"] if allowed and not local else []


def state_of(group: AccountGroup) -> State:
    """Return the state of a group."""
    return {"ensure": "present", "gid": group.gid, "members": list(group.members)}


provider = GroupAdd
