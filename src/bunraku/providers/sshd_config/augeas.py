"""Settings of the server of OpenSSH."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bunraku.providers.lens_file import label, present
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.ssh_settings import SshSettings, ssh_key_name
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree


def block(resource: ManagedResource) -> str:
    """Return the path of the block ``Match`` with exactly the conditions of a resource."""
    wanted = resource["condition"]
    each = "".join(f'[Condition/{key}="{value}"]' for key, value in wanted.items())
    return f"$target/Match[count(Condition/*)={len(wanted)}]{each}"


class ServerSettings(SshSettings):
    """Changes the file of the server through Augeas."""

    lens = "Sshd.lns"
    default_target: ClassVar[str | None] = "/etc/ssh/sshd_config"
    any_case = True
    finds_end = True

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all settings, also those in blocks ``Match``, by their names."""
        tree = self.tree(self.lens).open(str(self.default_target))
        paths = [
            *tree.match("$target/*[label()!='Match']"),
            *tree.match("$target/Match/Settings/*"),
        ]
        names = map(label, paths)
        return present(one for one in names if one[0] not in "#@" and one.lower() != "subsystem")

    def base(self, resource: ManagedResource) -> str:
        """Return the path of the file, or of the settings of a block ``Match``."""
        return "$target" if resource["condition"] is None else f"{block(resource)}/Settings"

    def create(self, resource: ManagedResource) -> None:
        """Add the setting, and its block."""
        tree, base, key = self.change(resource), self.base(resource), ssh_key_name(resource)
        if resource["condition"] is not None and not tree.match(block(resource)):
            tree.insert("$target/*[last()]", "Match", before=False)
            for name, value in resource["condition"].items():
                tree.set(f"$target/Match[last()]/Condition/{name}", to_s(value))
        insert_in_order(tree, base, key)
        self.set_value(tree, resource, f"{base}/{key}", resource["value"])
        if resource["comment"] is not None:
            self.set_comment(tree, resource, resource["comment"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the setting, and blocks without settings."""
        super().destroy(resource)
        self.change(resource).remove("$target/Match[count(Settings/*)=0]")

    def commented_node(self, resource: ManagedResource) -> str:
        """Return the path of the setting as it is spelled in the resource."""
        return f"{self.base(resource)}/{ssh_key_name(resource)}"


def insert_in_order(tree: AugeasTree, base: str, key: str) -> None:
    """Make the node of a setting that must be before or after another one."""
    addresses, family = f"{base}/ListenAddress", f"{base}/AddressFamily"
    word = key.lower()
    if word == "port" and tree.match(addresses):
        tree.insert(f"{addresses}[1]", key, before=True)
    if word == "listenaddress" and tree.match(family):
        tree.insert(family, key, before=False)
    if word == "addressfamily" and tree.match(addresses):
        tree.insert(addresses, key, before=True)


provider = ServerSettings
