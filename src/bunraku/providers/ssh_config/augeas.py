"""Settings of the client of OpenSSH."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bunraku.providers.lens_file import label, present
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.ssh_settings import SshSettings, ssh_key_name
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree


class ClientSettings(SshSettings):
    """Changes the file of the client through Augeas."""

    lens = "Ssh.lns"
    default_target: ClassVar[str | None] = "/etc/ssh/ssh_config"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the settings of all blocks ``Host``, by their names."""
        tree = self.tree(self.lens).open(str(self.default_target))
        names = map(label, tree.match("$target/Host/*"))
        return present(one for one in names if not one.startswith("#"))

    def base(self, resource: ManagedResource) -> str:
        """Return the path of the block ``Host``."""
        return f"$target/Host[.='{to_s(resource['host'])}']"

    def comment_name(self, resource: ManagedResource) -> str:
        """Return the name of the resource, which need not be that of the setting."""
        return resource.name

    def create(self, resource: ManagedResource) -> None:
        """Add the setting, and its block."""
        tree, base = self.change(resource), self.base(resource)
        tree.set(base, to_s(resource["host"]))
        self.set_value(tree, resource, f"{base}/{ssh_key_name(resource)}", resource["value"])
        if resource["comment"]:
            self.set_comment(tree, resource, resource["comment"])

    def set_entries(
        self, tree: AugeasTree, resource: ManagedResource, path: str, value: list[str]
    ) -> None:
        """Set each value in an entry of its own."""
        super().set_entries(tree, resource, path, value)
        tree.define_variable("resource", path)


provider = ClientSettings
