"""Entries of the table of file systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import BinaryText
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lens_file import LensProvider, binary, next_number
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.world.augeas import AugeasTree

Value = Any
NODES = {
    "device": "spec",
    "blockdevice": "fsck",
    "fstype": "vfstype",
    "dump": "dump",
    "pass": "passno",
}
"""Property → the label of its node."""
NO_OPTIONS = ("", "defaults")


class MountEntries(LensProvider):
    """Changes the table through Augeas."""

    lens = "Fstab.lns"
    default_target: ClassVar[str | None] = "/etc/fstab"

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the entry of a mount point."""
        return f"$target/*[file = '{resource.name}']"

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all entries of the usual table."""
        tree = self.tree(self.lens).open(str(self.default_target))
        names = (tree.get(f"{path}/file") for path in tree.match("$target/*"))
        return {name: {"ensure": "present"} for name in names if name is not None}

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property. What the table lacks counts as in the wanted state."""
        if name in ("atboot", "target"):
            return resource[name]
        tree = self.open(resource)
        if name == "options":
            return wanted_if_none(resource, options_of(tree))
        found = binary(tree.get(f"$resource/{NODES[name]}"))
        return "-" if name == "blockdevice" and found is None else found

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the entry."""
        tree = self.change(resource)
        tree.define_node("resource", f"$target/{next_number(tree)}", None)
        tree.set("$resource/spec", text_or_none(resource["device"]))
        tree.set("$resource/file", resource.name)
        tree.set("$resource/vfstype", text_or_none(resource["fstype"]))
        set_options(tree, resource)
        for name in ("dump", "pass"):
            tree.set(f"$resource/{NODES[name]}", text_or_none(resource[name]) or "")

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change a property."""
        if name == "atboot":
            return
        tree = self.change(resource)
        if name == "options":
            set_options(tree, resource)
            return
        if name == "blockdevice" and value == "-":
            tree.remove("$resource/fsck")
            return
        if name == "blockdevice" and not tree.match("$resource/fsck"):
            tree.insert("$resource/spec", "fsck", before=False)
        if name in ("dump", "pass") and not tree.match("$resource/opt"):
            tree.set("$resource/opt", "defaults")
        if name == "pass" and not tree.match("$resource/dump"):
            tree.set("$resource/dump", "0")
        tree.set(f"$resource/{NODES[name]}", to_s(value))


def text_or_none(value: Value) -> str | None:
    """Return the text of a value."""
    return None if value is None else to_s(value)


def options_of(tree: AugeasTree) -> list[str]:
    """Return the options of ``$resource``."""
    found: list[str] = []
    for path in tree.match("$resource/opt"):
        value = tree.get(f"{path}/value")
        text = tree.get(path) or ""
        found.append(BinaryText(text if value is None else f"{text}={value}"))
    return found


def wanted_if_none(resource: ManagedResource, options: list[str]) -> list[str]:
    """Return options; if there are none, as the resource writes that."""
    wanted = resource["options"]
    if wanted is not None and ",".join(options) in NO_OPTIONS and ",".join(wanted) in NO_OPTIONS:
        return list(wanted)
    return options


def set_options(tree: AugeasTree, resource: ManagedResource) -> None:
    """Replace the options of ``$resource`` in the order of the catalog."""
    tree.remove("$resource/opt")
    before = "vfstype"
    wanted = resource["options"]
    for option in ["defaults"] if wanted in (None, [], [""]) else wanted:
        if not isinstance(option, str):
            reason = f"undefined method `split' for {inspect(option)}:{ruby_class(option)}"
            raise ResourceFailure(reason)
        key, separator, value = option.partition("=")
        tree.insert(f"$resource/{before}", "opt", before=False)
        tree.set("$resource/opt[last()]", key)
        if separator:
            tree.set("$resource/opt[last()]/value", value)
        before = "opt[last()]"


provider = MountEntries
