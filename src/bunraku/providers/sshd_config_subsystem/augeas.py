"""Subsystems of the server of OpenSSH."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.lens_file import (
    LensProvider,
    binary,
    is_empty,
    label,
    present,
    set_all,
    without_name,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

ANY_CASE = "label()=~regexp('Subsystem', 'i')"


class Subsystems(LensProvider):
    """Changes the file of the server through Augeas."""

    lens = "Sshd.lns"
    default_target: ClassVar[str | None] = "/etc/ssh/sshd_config"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all subsystems."""
        tree = self.tree(self.lens).open(str(self.default_target))
        paths = tree.match("$target/Subsystem/*")
        return present(label(path) for path in paths if tree.get(path) is not None)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the command."""
        return f"$target/*[{ANY_CASE}]/{resource.name}"

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the command, or the comment."""
        tree = self.open(resource)
        if name == "command":
            return binary(tree.get("$resource"))
        comment = tree.get(comment_path(resource))
        return binary(without_name(comment, resource.name, flags=re.IGNORECASE))

    def create(self, resource: ManagedResource) -> None:
        """Add the subsystem, before all blocks ``Match``."""
        tree = self.change(resource)
        if tree.match("$target/Match"):
            tree.insert("$target/Match[1]", "Subsystem", before=True)
            tree.set(f"$target/Subsystem[last()]/{resource.name}", None)
        set_all(tree, f"$target/Subsystem/{resource.name}", resource["command"])
        if resource["comment"] is not None:
            self.set(resource, "comment", resource["comment"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the subsystem."""
        self.change(resource).remove(entry(resource))

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the command, or the comment."""
        tree, path = self.change(resource), comment_path(resource)
        if name == "command":
            set_all(tree, "$resource", value)
        elif is_empty(value):
            tree.remove(path)
        else:
            if not tree.match(path):
                tree.insert(entry(resource), "#comment", before=True)
            tree.set(path, f"{resource.name}: {to_s(value)}")


def entry(resource: ManagedResource) -> str:
    """Return the path of the entry with the subsystem."""
    return f"$target/*[{ANY_CASE} and {resource.name}]"


def comment_path(resource: ManagedResource) -> str:
    """Return the path of the comment above the entry."""
    return (
        "$target/#comment[following-sibling::*[1]"
        f"[label() =~ regexp('Subsystem', 'i') and {resource.name}]]"
    )


provider = Subsystems
