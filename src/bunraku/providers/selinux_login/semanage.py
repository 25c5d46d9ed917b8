"""Logins of SELinux: read by the library of semanage, changed by the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.selinux import PythonSemanage, is_purged, source_of
from bunraku.types.ruby_semantics.values import to_s

PARTS = ("selinux_user", "selinux_login_name", "selinux_mlsrange")


class Logins(PythonSemanage):
    """Finds a resource by its title, which must be the name of the login."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the logins; local records win over those of the policy."""
        found: dict[str, State] = {}
        for name, (login, user, mls) in self.records("seuser_list", "seuser_list_local"):
            found[login] = {
                "ensure": "present",
                "selinux_login_name": login,
                "selinux_user": user,
                "selinux_mlsrange": mls,
                "source": source_of(name),
            }
        return found

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all logins and the ranges of the users; logins of the policy are never removed."""
        ranges = {user: mls for _, (user, mls) in self.records("user_list")}
        super().prefetch(resources)
        by_parts = {tuple(resource[name] for name in PARTS): resource for resource in resources}
        named = {resource.name: resource for resource in resources}
        for name, state in (self.states or {}).items():
            resource = named.get(name)
            other = by_parts.get(tuple(state[part] for part in PARTS))
            if resource is not None:
                complete(resource, ranges, state)
            elif other is not None:
                text = f"title does not match its login ('{name}' != '{other.name}')"
                raise ResourceFailure(f"Selinux_login['{other.name}']: {text}")

    def create(self, resource: ManagedResource) -> None:
        """Map a login to a user of SELinux."""
        self.write("-a", resource)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the mapping of a login."""
        if name != "selinux_login_name":
            self.write("-m", resource)

    def write(self, option: str, resource: ManagedResource) -> None:
        """Write the mapping of a login with an option of semanage."""
        words = ("-s", resource["selinux_user"], "-r", resource["selinux_mlsrange"])
        self.semanage("login", option, *words, resource["selinux_login_name"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the mapping of a login."""
        self.semanage("login", "-d", self.get(resource, "selinux_login_name"))


def complete(resource: ManagedResource, ranges: Mapping[str, str], state: State) -> None:
    """Complete the values of a resource whose login exists; ResourceFailure if it is another login."""
    purged = is_purged(resource)
    login = resource["selinux_login_name"]
    if login != state["selinux_login_name"] and not purged:
        text = "title does not match its login, and a conflicting resource exists"
        raise ResourceFailure(f"Selinux_login['{resource.name}']: {text}")
    if resource["selinux_mlsrange"] is None and not purged:
        user = to_s(resource["selinux_user"])
        if user not in ranges:
            raise ResourceFailure("Got nil value for selinux_mlsrange")
        resource.values["selinux_mlsrange"] = [ranges[user]]
    if state["source"] == "policy":
        resource.values["ensure"] = ["present"]


provider = Logins
