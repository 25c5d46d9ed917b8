"""Nodes that stand for the roles of a control repository, where no facts of real nodes are known."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence

from bunraku.base.records import record
from bunraku.facts.facterdb import FactSet
from bunraku.modules.names import is_module_name, is_qualified_name
from bunraku.project.reading import names_in
from bunraku.world.protocol import World

ROLE_MODULES = ("role", "roles")
"""The usual names of the module with the roles."""


@record(frozen=True)
class RoleNode:
    """A node with one class and the facts of one operating system."""

    name: str
    role: str
    facts_file: str


def role_nodes(roles: Sequence[str], fact_sets: Sequence[FactSet]) -> list[RoleNode]:
    """Return a node for each role on each operating system.

    >>> fact_set = FactSet("debian-12-x86_64", "4.5", "/facts/debian-12-x86_64.facts")
    >>> role_nodes(["role::web::front"], [fact_set])[0].name
    'role.web.front.debian-12-x86_64'
    """
    return [
        RoleNode(f"{role.replace('::', '.')}.{one.name}", role, one.path)
        for role in roles
        for one in fact_sets
    ]


def roles_of(modulepath: Sequence[str], world: World) -> list[str]:
    """Return the classes of the modules ``role`` and ``roles`` by the names of their files, sorted.

    The first directory of the modulepath that has a module counts. The class of ``init.pp`` is a role
    only if it is the only one: it usually has what all roles share.
    """
    found: dict[str, list[str]] = {}
    for directory in modulepath:
        for module in ROLE_MODULES:
            path = os.path.join(directory, module, "manifests")
            if module not in found and world.is_directory(path):
                found[module] = sorted(classes_below(path, module, world))
    return [
        role
        for module, names in found.items()
        for role in names
        if role != module or names == [module]
    ]


def classes_of(modulepath: Sequence[str], left_out: Collection[str], world: World) -> list[str]:
    """Return the classes and defined types of all modules by the names of their files, sorted.

    ``left_out`` are directories of modules that do not count, such as those of a Puppetfile.
    """
    found: set[str] = set()
    for directory in modulepath:
        for module in names_in(world, directory):
            path = os.path.join(directory, module)
            if path not in left_out and is_module_name(module):
                found.update(classes_below(os.path.join(path, "manifests"), module, world))
    return sorted(found)


def classes_below(directory: str, prefix: str, world: World) -> Iterator[str]:
    """Yield the names that Puppet expects in the manifests of a directory."""
    for name in names_in(world, directory):
        path = os.path.join(directory, name)
        stem, extension = os.path.splitext(name)
        if world.is_directory(path):
            yield from classes_below(path, f"{prefix}::{name}", world)
        elif extension == ".pp":
            full = prefix if name == "init.pp" else f"{prefix}::{stem}"
            if is_qualified_name(full):
                yield full
