"""What the settings of the server and of the client of OpenSSH have in common, as in augeasproviders_ssh."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any

from bunraku.providers.lens_file import LensProvider, binary, is_empty, without_name
from bunraku.providers.lens_type import setting_texts
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree


def ssh_key_name(resource: ManagedResource) -> str:
    """Return the name of the setting."""
    return to_s(resource["key"] or resource.name)


class SshSettings(LensProvider, ABC):
    """Settings of a file or of a block in it. ``base`` is the path of the block."""

    any_case = False
    """Whether a comment that contains a setting is found in any case."""
    finds_end = False
    """Whether new settings are put before the first block ``Match``, or at the end."""

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.lists: dict[str, bool] = {}
        """Setting → whether the lens reads its value as a list."""

    @abstractmethod
    def base(self, resource: ManagedResource) -> str:
        """Return the path of the block."""

    def comment_name(self, resource: ManagedResource) -> str:
        """Return the name before the setting's comment."""
        return ssh_key_name(resource)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the setting, which may be in any case."""
        return f"{self.base(resource)}/*[label()=~regexp('{ssh_key_name(resource)}', 'i')]"

    # -- state -----------------------------------------------------------------------------------

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the values, or the comment."""
        tree = self.open(resource)
        if name == "value":
            return [binary(one) for one in setting_values(tree)]
        above = self.comment_name(resource)
        comment = tree.get(self.comment_path(resource))
        return binary(without_name(comment, above, flags=re.IGNORECASE))

    def before_setting(self, resource: ManagedResource) -> str:
        """Return the path of a comment directly above the setting."""
        name = self.comment_name(resource)
        following = f"[following-sibling::*[1][label() =~ regexp('{name}', 'i')]]"
        return f"{self.base(resource)}/#comment{following}"

    def comment_path(self, resource: ManagedResource) -> str:
        """Return the path of the setting's own comment."""
        name = self.comment_name(resource)
        return f"{self.before_setting(resource)}[. =~ regexp('{name}:.*', 'i')]"

    # -- changes ---------------------------------------------------------------------------------

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the values, or the comment."""
        tree = self.change(resource)
        if name == "value":
            self.set_value(tree, resource, self.path(resource), value)
        else:
            self.set_comment(tree, resource, value)

    def set_value(self, tree: AugeasTree, resource: ManagedResource, path: str, value: Any) -> None:
        """Give the setting at a path its values."""
        if self.is_list(tree, ssh_key_name(resource)):
            self.set_list(tree, resource, path, setting_texts(value))
        else:
            self.set_entries(tree, resource, path, setting_texts(value))

    def is_list(self, tree: AugeasTree, key: str) -> bool:
        """Return whether the lens reads the values of a setting as a list."""
        if key not in self.lists:
            parsed = tree.parse(self.lens, f"{key} FOO\n", "/parsed")
            self.lists[key] = parsed and bool(tree.match(f"/parsed/{key}/1"))
            tree.remove("/parsed")
        return self.lists[key]

    def set_list(
        self, tree: AugeasTree, resource: ManagedResource, path: str, value: list[str]
    ) -> None:
        """Set the items of the first entry and remove the others."""
        if self.finds_end:
            self.insert_at_end(tree, resource)
        tree.remove(f"{path}/*")
        tree.remove(f"{path}[position() != 1]")
        for number, one in enumerate(value, 1):
            tree.set(f"{path}/{number}", one)

    def set_entries(
        self, tree: AugeasTree, resource: ManagedResource, path: str, value: list[str]
    ) -> None:
        """Set each value in an entry of its own."""
        last = None
        waiting = list(value)
        for entry in tree.match(path):
            if waiting:
                tree.set(entry, waiting.pop(0))
                last = entry
            else:
                tree.remove(entry)
        for one in waiting:
            if last is not None:
                tree.insert(last, ssh_key_name(resource), before=False)
            else:
                self.insert_first(tree, resource)
            tree.set(f"{path}[last()]", one)
            last = next(iter(tree.match(f"{path}[last()]")), None)

    def insert_first(self, tree: AugeasTree, resource: ManagedResource) -> None:
        """Make a node for a new setting, preferably after a comment that contains it."""
        key, flag = ssh_key_name(resource), ", 'i'" if self.any_case else ""
        pattern = f"regexp('{key}([^a-z.].*)?'{flag})"
        commented = tree.match(f"{self.base(resource)}/#comment[.=~{pattern}]")
        if commented:
            tree.insert(commented[0], key, before=False)
        elif self.finds_end:
            self.insert_at_end(tree, resource)

    def insert_at_end(self, tree: AugeasTree, resource: ManagedResource) -> None:
        """Make a node before the first block ``Match``, or at the end."""
        base, key = self.base(resource), ssh_key_name(resource)
        if tree.match(f"{base}/Match"):
            tree.insert(f"{base}/Match[1]", key, before=True)
        else:
            tree.insert(f"{base}/*", key, before=False)

    def set_comment(self, tree: AugeasTree, resource: ManagedResource, value: Any) -> None:
        """Change or remove the comment above the setting."""
        path = self.comment_path(resource)
        if is_empty(value):
            tree.remove(path)
            return
        if not tree.match(path):
            tree.insert(self.commented_node(resource), "#comment", before=True)
        tree.set(self.before_setting(resource), f"{self.comment_name(resource)}: {to_s(value)}")

    def commented_node(self, resource: ManagedResource) -> str:
        """Return the path of the node that gets a comment."""
        return "$resource"


def setting_values(tree: AugeasTree) -> list[str | None]:
    """Return the values of all entries of the resource, and of the lists in them."""
    found: list[str | None] = []
    for entry in tree.match("$resource"):
        if tree.match(f"{entry}/*[label()=~regexp('[0-9]*')]"):
            found += [tree.get(item) for item in tree.match(f"{entry}/*")]
        else:
            found.append(tree.get(entry))
    return found
