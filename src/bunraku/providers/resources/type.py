"""The resource type ``resources``: removal of resources that the catalog does not contain."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import ABSENT, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource, truth
from bunraku.providers.provider import State
from bunraku.providers.reading import all_inherited, munging
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s

MINIMUM = re.compile(r"^\s*UID_MIN\s+(\d+)(?:\s*#.*)?$", re.MULTILINE)
NUMBER = re.compile(r"\s*[+-]?\d+\s*")
DEFAULT_LIMIT = 499
SPARED = frozenset({"root", "nobody", "bin", "noaccess", "daemon", "sys"})
"""The users that are never removed."""
FALSE = ("false", "undef", "no")


def read_purge(value: Any, resource: ManagedResource) -> bool:
    """Return whether to purge; the type must have instances that can be removed."""
    if not isinstance(value, bool) and to_s(value) not in ("true", "yes", "false", "no"):
        raise munging("purge", value, "expected a boolean value")
    if not truth(value):
        return False
    kind = resource.run.resource_type(resource.name)
    if kind is None:  # the name was rejected before
        return False
    if not isinstance(kind.by_name.get("ensure"), Property):
        raise InvalidValue("Purging is only supported on types that accept 'ensure'")
    return True


def read_name(value: Any, resource: ManagedResource) -> str:
    """Return the name of a type."""
    name = to_s(value)
    if resource.run.resource_type(name) is None:
        raise InvalidValue(f"Could not find resource type '{name}'")
    return name


def read_limit(value: Any, resource: ManagedResource) -> int | bool:
    """Return the highest ID of the users to keep, False for none."""
    text = to_s(value)
    if text.isdigit():
        return int(text)
    if text not in ("true", "false"):
        raise InvalidValue(
            f"Invalid value {inspect(value)}. Valid values are true, false. "
            r"Valid values match /^\d+$/."
        )
    return system_limit(resource) if text == "true" else False


def system_limit(resource: ManagedResource) -> int:
    """Return the highest ID of a system user."""
    try:
        text = resource.run.host.read("/etc/login.defs").decode("utf-8", "replace")
    except OSError:
        return DEFAULT_LIMIT
    match = MINIMUM.search(text)
    return DEFAULT_LIMIT if match is None else int(match[1]) - 1


def read_numbers(value: Any) -> list[int]:
    """Return the IDs of users to keep."""
    found = []
    for one in flattened(value if isinstance(value, list) else [value]):
        if isinstance(one, str) and not NUMBER.fullmatch(one):
            raise munging("unless_uid", value, f"invalid value for Integer(): {inspect(one)}")
        if isinstance(one, bool) or not isinstance(one, (str, int)):
            raise munging("unless_uid", value, f"Invalid value {inspect(one)}.")
        found.append(int(one))
    return found


def flattened(values: list[Any]) -> list[Any]:
    """Return the items of nested arrays."""
    found: list[Any] = []
    for one in values:
        found += flattened(one) if isinstance(one, list) else [one]
    return found


class Resources(ResourceType):
    """Remove the existing resources of a type that the catalog does not contain."""

    name = "resources"
    attributes = (
        Parameter("name", read_for=read_name, about="The name of a resource type."),
        Parameter(
            "purge",
            read_for=read_purge,
            default=False,
            about="Remove all resources of the type that are not in the catalog.",
        ),
        Parameter(
            "unless_system_user",
            read_for=read_limit,
            default=lambda resource: True if resource.name == "user" else None,
            about="Keep users of the system: `true`, or the largest ID that counts as one.",
        ),
        Parameter("unless_uid", read=read_numbers, about="Keep users with these IDs."),
    )

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources to remove."""
        resource.resolve_deferred()
        if not resource["purge"]:
            return []
        kind = self.run.resource_type(resource.name)
        assert kind is not None
        self.run.compute_names(kind.name)
        found = []
        known = {one.name for one in self.run.of_type(kind.name)}
        for title, provider, state in kind.instances():
            if title in known or self.run.find(kind.name, title) is not None:
                continue
            if state.get("ensure") == ABSENT or not self.may_go(resource, title, state):
                continue
            values: dict[str, Any] = {**kind.purged_values(state), **all_inherited(resource)}
            values |= {"ensure": ABSENT, "provider": provider}
            if kind.name == "user" and resource["unless_system_user"]:
                values["audit"] = "uid"
            found.append(ManagedResource(kind, title, values, path=resource.containers))
        return found

    def may_go(self, resource: ManagedResource, title: str, state: State) -> bool:
        """Return whether an instance may be removed; some users are kept."""
        limit = resource["unless_system_user"]
        if resource.name != "user" or not limit:
            return True
        uid = state["uid"]
        return title not in SPARED and uid not in (resource["unless_uid"] or ()) and uid > limit


resource_type = Resources
