"""The modules of an environment by directory, as ``puppet module list`` shows them, and what they lack."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.modules.environment import Environment, Module
from bunraku.modules.names import is_module_name
from bunraku.modules.requirements import (
    KINDS,
    MISMATCH,
    MISSING,
    NOT_SEMANTIC,
    Unmet,
    by_full_name,
    full_name,
    required,
    unmet,
)


@record()
class Branch:
    """A line of a tree with the lines below it."""

    text: str
    below: list[Branch] = field(default_factory=list)


def modules_in(environment: Environment, folder: str) -> list[Module]:
    """Return the modules of one directory, also those that an earlier directory hides."""
    names = sorted(name for name in environment.files.names(folder) if is_module_name(name))
    paths = [(name, f"{folder}/{name}") for name in names]
    return [Module(name, path, environment) for name, path in paths if os.path.isdir(path)]


class Listing:
    """The lines about modules, in the context of their environment."""

    def __init__(self, environment: Environment) -> None:
        self.installed = by_full_name(environment)
        modules = sorted(environment.modules.values(), key=lambda one: one.name)
        self.missed = [
            one
            for module in modules
            for one in sorted(unmet(module, self.installed), key=lambda one: one.name)
        ]
        self.outdated = {one.name for one in self.missed if one.kind == MISMATCH}

    def of_folder(self, folder: str, modules: list[Module], *, tree: bool) -> str:
        """Return the lines of a directory."""
        nothing = "" if modules else " (no modules installed)"
        if tree:
            seen: set[str] = set()
            ordered = sorted(modules, key=lambda one: len(self.requiring(one)))
            branches = [
                one for module in ordered if (one := self.branch(module, None, folder, seen, ()))
            ]
        else:
            ordered = sorted(modules, key=shown_name)
            branches = [Branch(self.line(one, folder, invalid_if=True)) for one in ordered]
        return f"{folder}{nothing}\n" + "".join(drawn(branches))

    def requiring(self, module: Module) -> list[str]:
        """Return the names of the modules that require a module."""
        name = full_name(module)
        return [one for one, other in self.installed.items() if name in dict(required(other))]

    def branch(
        self,
        module: Module,
        parent: Module | None,
        folder: str,
        seen: set[str],
        above: tuple[str, ...],
    ) -> Branch | None:
        """Return a module with those that it requires; None if the tree has it already."""
        name = shown_name(module)
        if name in seen:
            return None
        seen.add(name)
        branch = Branch(self.line(module, folder, invalid_if=self.is_outdated_for(name, parent)))
        if name in above:
            return branch
        branch.below = [
            Branch(f"UNMET DEPENDENCY {one.name} ({one.versions})")
            for one in unmet(module, self.installed)
            if one.kind == MISSING
        ]
        for wanted, _ in required(module):
            if wanted in self.installed:
                found = self.branch(self.installed[wanted], module, folder, seen, (*above, name))
                branch.below += [found] if found else []
        return branch

    def is_outdated_for(self, name: str, parent: Module | None) -> bool:
        """Return whether a module is not the version that the one above it requires."""
        kinds = {one.name: one.kind for one in unmet(parent, self.installed)} if parent else {}
        return kinds.get(name) == MISMATCH

    def line(self, module: Module, folder: str, *, invalid_if: bool) -> str:
        """Return the name and the version of a module, its directory if that is another one."""
        version = f"v{module.version}" if module.version else "???"
        where = os.path.dirname(module.path)
        elsewhere = "" if where == folder else f" [{where}]"
        invalid = "  invalid" if invalid_if and full_name(module) in self.outdated else ""
        return f"{shown_name(module)} ({version}){elsewhere}{invalid}"


def shown_name(module: Module) -> str:
    """Return the name with the author, or the name alone without metadata."""
    return full_name(module) or module.name


def drawn(branches: Sequence[Branch], indent: str = "") -> Iterable[str]:
    """Yield the lines of a tree.

    >>> list(drawn([Branch("a", [Branch("b")]), Branch("c")]))
    ['├─┬ a\\n', '│ └── b\\n', '└── c\\n']
    """
    for number, branch in enumerate(branches, 1):
        last = number == len(branches)
        yield f"{indent}{'└' if last else '├'}─{'┬' if branch.below else '─'} {branch.text}\n"
        yield from drawn(branch.below, indent + ("  " if last else "│ "))


def heading(one: Unmet) -> str:
    """Return the first line of a warning (Puppet 7.23, ``puppet module list``)."""
    if one.kind == MISMATCH:
        return f"Module '{one.name}' (v{one.installed}) fails to meet some dependencies:"
    if one.kind == NOT_SEMANTIC:
        return f"Non semantic version dependency {one.name} (v{one.installed}):"
    return f"Missing dependency '{one.name}':"


def requirement(one: Unmet) -> str:
    """Return which module requires which versions."""
    parent = one.required_by
    return f"'{full_name(parent)}' (v{parent.version}) requires '{one.name}' ({one.versions})"


def modules_as_data(
    environment: Environment, places: Mapping[str, list[Module]], missed: Sequence[Unmet]
) -> dict[str, Any]:
    """Return the modules by directory and the unmet requirements as ``--render-as json`` shows them."""
    return {
        "environment": environment.name,
        "modules_by_path": {
            path: [f"Module {one.name}({one.path})" for one in modules]
            for path, modules in places.items()
        },
        "unmet_dependencies": {kind: errors_of(kind, missed) for kind in KINDS},
    }


def errors_of(kind: str, missed: Sequence[Unmet]) -> dict[str, Any]:
    """Return the unmet requirements of a kind by the name of the required module."""
    found: dict[str, Any] = {}
    for one in missed:
        if one.kind == kind:
            name = one.name.replace("-", "/", 1)
            entry = found.setdefault(name, {"errors": [], "parent": None, "version": None})
            entry["errors"].append(requirement(one))
            parent = (full_name(one.required_by) or "").replace("-", "/", 1)
            entry["parent"] = {"name": parent, "version": f"v{one.required_by.version}"}
            entry["version"] = one.installed
    return found
