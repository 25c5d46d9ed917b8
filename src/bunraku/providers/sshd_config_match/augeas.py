"""MatchBlocks ``Match`` of the server of OpenSSH."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lens_file import LensProvider, binary, label, present, without_name
from bunraku.providers.lens_type import conditions
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree

COMMENT = "$resource/Settings/#comment[1]"
NAMED_PLACES = {"first match": "Match[1]", "last match": "Match[last()]"}


def in_any_case(wanted: Mapping[str, Any]) -> str:
    """Return the path of a block with exactly some conditions, in any case."""
    each = "".join(f"[*[label()=~regexp('{key}', 'i')]='{value}']" for key, value in wanted.items())
    condition = f"*[label()=~regexp('condition', 'i') and count(*)={len(wanted)}]{each}"
    return f"$target/*[label()=~regexp('match', 'i') and {condition}]"


def conditions_at(tree: AugeasTree, path: str) -> str:
    """Return the conditions at a path, as a title has them."""
    found = (one for one in tree.match(f"{path}/*") if label(one)[0] != "#")
    return " ".join(f"{label(one)} {tree.get(one)}" for one in found)


def conditions_of(resource: ManagedResource) -> Mapping[str, Any]:
    """Return the conditions of a resource; ResourceFailure if it has none."""
    found: Mapping[str, Any] | None = resource["condition"]
    if found is None:
        raise ResourceFailure("undefined method `keys' for nil:NilClass")
    return found


class MatchBlocks(LensProvider):
    """Changes the file of the server through Augeas."""

    lens = "Sshd.lns"
    default_target: ClassVar[str | None] = "/etc/ssh/sshd_config"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all blocks, by their conditions and the file."""
        target = str(self.default_target)
        tree = self.tree(self.lens).open(target)
        blocks = tree.match(
            "$target/*[label()=~regexp('match', 'i')]/*[label()=~regexp('condition', 'i')]"
        )
        return present(f"{conditions_at(tree, path)} in {target}" for path in blocks)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the block."""
        return in_any_case(conditions_of(resource))

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the comment at the start of the block."""
        comment = self.open(resource).get(COMMENT)
        return binary(without_name(comment, resource.name, flags=re.IGNORECASE))

    def create(self, resource: ManagedResource) -> None:
        """Add the block; a comment is its first setting, because a block needs one."""
        tree, wanted = self.change(resource), conditions_of(resource)
        each = "".join(f"[Condition/{key}='{value}']" for key, value in wanted.items())
        tree.define_node("resource", f"$target/Match[count(Condition/*)={len(wanted)}]{each}", None)
        for key, value in wanted.items():
            tree.set(f"$resource/Condition/{key}", to_s(value))
        tree.set("$resource/Settings", None)
        if resource["position"] is not None and not is_placed(tree, resource):
            move_block(tree, resource)
        self.set(resource, "comment", resource["comment"])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the comment."""
        tree = self.change(resource)
        if not tree.match(COMMENT) and tree.match("$resource/Settings/*"):
            tree.insert("$resource/Settings/*[1]", "#comment", before=True)
        tree.set(COMMENT, f"{resource.name}: {to_s(resource['comment'])}")

    def in_position(self, resource: ManagedResource) -> bool:
        """Return whether the block is where ``position`` says."""
        return resource["position"] is not None and is_placed(self.open(resource), resource)

    def reposition(self, resource: ManagedResource) -> None:
        """Move the block to where ``position`` says."""
        move_block(self.change(resource), resource)
        self.set(resource, "comment", resource["comment"])


def place_path(resource: ManagedResource) -> str:
    """Return the path of the block before or after which the resource is."""
    if resource["position"] is None:
        raise ResourceFailure("undefined method `[]' for nil:NilClass")
    match = resource["position"].match
    return NAMED_PLACES[match] if match in NAMED_PLACES else in_any_case(conditions(match))


def is_placed(tree: AugeasTree, resource: ManagedResource) -> bool:
    """Return whether the block is before or after the other one."""
    sibling = "following" if resource["position"].before else "preceding"
    return bool(tree.match(f"$resource[{sibling}-sibling::{place_path(resource)}]"))


def move_block(tree: AugeasTree, resource: ManagedResource) -> None:
    """Move the block before or after the other one."""
    tree.insert(place_path(resource), "Match", before=resource["position"].before)
    tree.move("$resource", "$target/Match[count(*)=0]")


provider = MatchBlocks
