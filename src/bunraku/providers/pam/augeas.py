"""Entries of the files of PAM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lens_file import LensProvider, binary, next_number, set_all
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree


class PamEntries(LensProvider):
    """Changes files of PAM through Augeas."""

    lens = "pam.lns"
    default_target: ClassVar[str | None] = "/etc/pam.d/system-auth"

    def target(self, resource: ManagedResource) -> str:
        """Return the file of a resource."""
        if resource["target"] is None and resource["service"] is not None:
            return f"/etc/pam.d/{to_s(resource['service'])}".removesuffix("/")
        return super().target(resource)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the entry."""
        control = (
            f"and control='{to_s(resource['control'])}'"
            if resource.is_true("control_is_param")
            else ""
        )
        entry = f"type='{to_s(resource['type'])}' and module='{to_s(resource['module'])}' {control}"
        return f"$target/*[{entry}]"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return nothing for a file without entries; raise ResourceFailure as Puppet: entries have no names."""
        if (
            self.tree(self.lens)
            .open(str(self.default_target))
            .match("$target/*[label()!='#comment']")
        ):
            raise ResourceFailure("No resource and no name in property hash in augeas instance")
        return {}

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the state of a property. As in the module, ``optional`` is the opposite of the state."""
        tree = self.open(resource)
        if name == "optional":
            return "false" if tree.match("$resource/optional") else "true"
        if name == "arguments":
            return [binary(tree.get(path)) for path in tree.match("$resource/argument")]
        return binary(tree.get("$resource/control"))

    def create(self, resource: ManagedResource) -> None:
        """Add the entry."""
        tree = self.change(resource)
        number = next_number(tree)
        place, is_before = entry_beside(resource)
        tree.insert(f"$target/{place}", number, before=is_before)
        entry = f"$target/{number}"
        if resource["optional"] == "true" and not tree.match(f"{entry}/optional"):
            tree.set(f"{entry}/optional", None)
        tree.set(f"{entry}/type", to_s(resource["type"] or ""))
        set_all(tree, f"{entry}/control", resource["control"])
        set_all(tree, f"{entry}/module", resource["module"])
        for argument in resource["arguments"]:
            set_all(tree, f"{entry}/argument[last()+1]", argument)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change a property."""
        tree = self.change(resource)
        if name == "control":
            set_all(tree, "$resource/control", value)
        elif name == "arguments":
            set_arguments(tree, value)
        elif value == "false":
            tree.remove("$resource/optional")
        elif not tree.match("$resource/optional"):
            tree.set("$resource/optional", None)

    def in_position(self, resource: ManagedResource) -> bool:
        """Return whether the entry is where ``position`` says."""
        tree = self.open(resource)
        place, is_before = entry_beside(resource)
        sibling = "following" if is_before else "preceding"
        return bool(tree.match(f"{self.path(resource)}[{sibling}-sibling::{place}]"))

    def reposition(self, resource: ManagedResource) -> None:
        """Remove the entry and add it where ``position`` says."""
        self.destroy(resource)
        self.create(resource)


def set_arguments(tree: AugeasTree, arguments: list[str]) -> None:
    """Replace the arguments of an entry."""
    tree.remove("$resource/argument")
    for number, argument in enumerate(arguments, 1):
        set_all(tree, f"$resource/argument[{number}]", argument)


def entry_beside(resource: ManagedResource) -> tuple[str, bool]:
    """Return the path of the entry that ``position`` names, and whether the place is before it."""
    placement, *words = resource["position"].rstrip(" ").split(" ")
    kind = resource["type"] or ""
    ends = {"first": "[1]", "last": "[last()]"}
    identifier = words[0] if words else ""
    if len(words) > 1 and identifier in (*ends, "module"):
        field = "module" if identifier == "module" else "control"
        path = f"*[type='{kind}' and {field}='{words[1]}']{ends.get(identifier, '[1]')}"
    elif len(words) == 1 and identifier in ends:
        path = f"*[type='{kind}']{ends[identifier]}"
    else:
        path = " ".join(words)
    return path, placement == "before"


provider = PamEntries
