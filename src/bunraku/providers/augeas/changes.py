"""The commands of Augeas that change its tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bunraku.providers.augeas.commands import Command, shown
from bunraku.providers.errors import ResourceFailure
from bunraku.world.augeas import AugeasError, AugeasTree

Change = Callable[[AugeasTree, Sequence[str]], bool]


def touch(tree: AugeasTree, arguments: Sequence[str]) -> bool:
    """Create a node without value unless it exists."""
    return bool(tree.match(arguments[0])) or tree.set(arguments[0], None)


def insert(tree: AugeasTree, arguments: Sequence[str]) -> bool:
    """Create a node before or after another one."""
    label, where, path = arguments
    if where not in ("before", "after"):
        raise ResourceFailure(f"Invalid value '{where}' for where param")
    return tree.insert(path, label, before=where == "before")


CHANGES: Mapping[str, Change] = {
    "set": lambda tree, given: tree.set(given[0], given[1]),
    "setm": lambda tree, given: tree.set_many(given[0], given[1], given[2]),
    "rm": lambda tree, given: tree.remove(given[0]),
    "remove": lambda tree, given: tree.remove(given[0]),
    "clear": lambda tree, given: tree.set(given[0], None),
    "clearm": lambda tree, given: tree.set_many(given[0], given[1], None),
    "touch": touch,
    "mv": lambda tree, given: tree.move(given[0], given[1]),
    "move": lambda tree, given: tree.move(given[0], given[1]),
    "rename": lambda tree, given: tree.relabel(given[0], given[1]),
    "insert": insert,
    "ins": insert,
    "defvar": lambda tree, given: tree.define_variable(given[0], given[1]),
    "defnode": lambda tree, given: tree.define_node(given[0], given[1], given[2]),
}
TOLERATED = frozenset(["set", "clearm", "rename"])
"""The commands whose failures do not fail the resource, as with Debian's ruby-augeas 0.5."""


def perform(
    tree: AugeasTree, command: Command, log: Callable[[str, str], None], *, secret: bool
) -> None:
    """Change the tree with a command; raise ResourceFailure on failure.

    ``log`` is called with a level and a text. The arguments of a ``secret`` command are not shown.
    """
    name, arguments = command
    params = "[redacted]" if secret else shown(arguments)
    log("debug", f"sending command '{name}' with params {params}")
    failure = f"Error sending command '{name}' with params {params}"
    if name not in CHANGES:
        raise ResourceFailure(f"{failure}/Command '{name}' is not supported")
    try:
        done = CHANGES[name](tree, arguments)
    except (AugeasError, ResourceFailure) as error:
        raise ResourceFailure(failure if secret else f"{failure}/{error}") from None
    if done:
        return
    if name not in TOLERATED:
        raise ResourceFailure(f"{failure}/{failure}")
    reason = "" if secret else f": {tree.reason()}"
    log("warning", f"The command '{name}' with params {params} changed nothing{reason}")
