"""Zones and policies of firewalld, and the removal of what the catalog lacks in them."""

from __future__ import annotations

from typing import Any, ClassVar

from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.firewalld import LONGEST_NAME, FirewallCommand, split_arguments
from bunraku.providers.firewalld_rich_rule.text import rule_text
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

Value = Any
PURGED = {
    "purge_rich_rules": "rich-rules",
    "purge_services": "services",
    "purge_ports": "ports",
}
"""Property → the option that lists what it removes."""
SWITCHES = {
    "masquerade": "masquerade",
    "icmp_block_inversion": "icmp-block-inversion",
}
"""Property → the name of an option that is on or off."""


IN_ORDER = ("interfaces", "ingress_zones", "egress_zones")
"""The lists whose state has the order of firewalld."""


class Places(FirewallCommand):
    """Reads and changes zones or policies."""

    kind: ClassVar[str]
    plural: ClassVar[str]
    lists: ClassVar[dict[str, str]]
    """Property → the name of the option for its elements, and in the plural for all."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.removed: set[tuple[str, str]] = set()
        """Names and purging properties for which something was removed."""

    def place(self, resource: ManagedResource) -> list[str]:
        """Return the option that names a zone or a policy."""
        return [f"--{self.kind}", resource.name]

    # -- reading ---------------------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the zone or policy exists."""
        return resource.name in self.output(f"--get-{self.plural}").split()

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property."""
        place = self.place(resource)
        if name in self.lists:
            found = self.output(f"--list-{self.lists[name]}s", place=place).split()
            return found if name in IN_ORDER else sorted(found)
        if name in SWITCHES:
            done = self.query(f"--query-{SWITCHES[name]}", place=place)
            return "true" if done.output.strip() == "yes" else "false"
        if name in PURGED:
            if resource[name] == "false":
                return "false"
            return "purgable" if (resource.name, name) in self.removed else "true"
        value = self.output(f"--get-{name}", place=place).rstrip("\n")
        wanted = to_s(resource[name])
        return wanted if name == "target" and wanted.replace("%", "") == value else value

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a zone or policy with its properties; masquerading is for the next run."""
        self.change(f"--new-{self.kind}", resource.name)
        for name in self.properties_of_new():
            if resource[name] is not None:
                self.set(resource, name, resource[name])
        for name in ("description", "short"):
            if resource[name] is not None:
                words = (f"--set-{name}", to_s(resource[name]))
                self.attempt(tuple(self.command(words, self.place(resource), permanent=True)))

    def properties_of_new(self) -> tuple[str, ...]:
        """Return the properties that a new zone or policy gets at once, in order."""
        return ()

    def destroy(self, resource: ManagedResource) -> None:
        """Delete a zone or policy."""
        self.change(f"--delete-{self.kind}", resource.name)

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change one property."""
        place = self.place(resource)
        if name in self.lists:
            if name == "icmp_blocks":
                self.check_types(value)
            self.difference(self.lists[name], self.get(resource, name), value, place)
        elif name in SWITCHES:
            self.change(f"--{'add' if value == 'true' else 'remove'}-{SWITCHES[name]}", place=place)
        elif name not in PURGED:
            self.change(f"--set-{name}", to_s(value), place=place)

    def check_types(self, wanted: list[str]) -> None:
        """Raise ResourceFailure for types of ICMP messages that firewalld does not know."""
        known = self.output("--get-icmptypes").split()
        wrong = [one for one in wanted if one not in known]
        if wrong:
            raise ResourceFailure(
                f"Invalid ICMP types: '{', '.join(wrong)}'! Valid types are: '{', '.join(known)}'"
            )

    def flush(self, resource: ManagedResource) -> None:
        """Let the running service read its settings again."""
        self.reload()

    # -- purging ---------------------------------------------------------------------------------

    def purge(self, resource: ManagedResource) -> None:
        """Remove the rules, services and ports of a zone or policy that the catalog lacks."""
        if not self.is_available():
            return
        for name, option in PURGED.items():
            if resource[name] == "true" and self.exists(resource):
                known = set(self.declared(resource, name))
                for one in self.found(resource, option):
                    if one not in known:
                        self.removed.add((resource.name, name))
                        self.remove(resource, name, one)

    def found(self, resource: ManagedResource, option: str) -> list[str]:
        """Return what the permanent and the running settings have."""
        lines: list[str] = []
        for permanent in (True, False):
            text = self.output(f"--list-{option}", place=self.place(resource), permanent=permanent)
            lines += text.splitlines() if option == "rich-rules" else text.split()
        return [one for one in dict.fromkeys(lines) if one]

    def declared(self, resource: ManagedResource, name: str) -> list[str]:
        """Return what the catalog has of the kind that a property removes."""
        kind = {
            "purge_rich_rules": "firewalld_rich_rule",
            "purge_services": "firewalld_service",
            "purge_ports": "firewalld_port",
        }[name]
        mine = [one for one in self.run.of_type(kind) if one[self.kind] == resource.name]
        if name == "purge_rich_rules":
            return [rule_text(one) for one in mine]
        if name == "purge_services":
            return [str(one["service"]) for one in mine]
        return [f"{one['port']}/{one['protocol']}" for one in mine]

    def remove(self, resource: ManagedResource, name: str, one: str) -> None:
        """Remove a rule, a service or a port from the permanent settings, unless in a noop run."""
        if self.run.settings["noop"] or resource.noop:
            return
        place = self.place(resource)
        if name == "purge_services":
            if one in self.output("--list-services", place=place).split():
                self.change(self.service_removal(), one, place=place)
                self.reload()
            return
        option = "rich-rule" if name == "purge_rich_rules" else "port"
        if self.query(f"--query-{option}", one, place=place).code == 0:
            self.change(f"--remove-{option}", one, place=place)

    def service_removal(self) -> str:
        """Return the option that removes a service."""
        return "--remove-service" if self.is_online() else "--remove-service-from-zone"


def check_name(resource: ManagedResource, kind: str) -> None:
    """Raise InvalidValue for a name that is too long for firewalld."""
    for name in (kind, "name"):
        value = resource[name]
        if value is not None and len(to_s(value)) > LONGEST_NAME:
            raise InvalidValue(
                f"{kind.capitalize()} identifier '{name}' must be less than 18 characters long"
            )


def direct_words(resource: ManagedResource) -> list[str]:
    """Return the words of a direct chain, rule or passthrough, as firewalld lists it."""
    names: tuple[str, ...]
    match resource.type.name:
        case "firewalld_direct_chain":
            names = ("inet_protocol", "table", "name")
        case "firewalld_direct_rule":
            names = ("inet_protocol", "table", "chain", "priority")
        case _:
            names = ("inet_protocol",)
    words = ["" if resource[name] is None else to_s(resource[name]) for name in names]
    if resource.type.name == "firewalld_direct_chain":
        return words
    return [*words, *split_arguments(resource["args"])]
