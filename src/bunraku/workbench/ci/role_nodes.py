"""Nodes that stand for the classes of a control repository or a module, where no facts of real nodes are known."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record, replace
from bunraku.engine.nodes import StandIn
from bunraku.facts.facterdb import FactSet
from bunraku.facts.made_up import facts_on_system
from bunraku.modules.names import is_module_name, is_qualified_name
from bunraku.project.reading import names_in
from bunraku.world.protocol import World

ROLE_MODULES = ("role", "roles")
"""The usual names of the module with the roles."""
PROFILE_MODULES = ("profile", "profiles")
"""The usual names of the module with the profiles."""
DOMAIN = "example.com"
"""The domain of nodes that no site has; RFC 2606 reserves it."""
OTHER_THAN_HOST = lazy_pattern(r"[^A-Za-z0-9]+")


@record(frozen=True)
class Systems:
    """Operating systems with their facts, read once; nodes on them are in an environment."""

    facts: Mapping[str, Mapping[str, Any]]
    environment: str | None = None

    @classmethod
    def of(cls, fact_sets: Iterable[FactSet], environment: str | None = None) -> Systems:
        """Return the systems of fact sets; PuppetError for a file that cannot be read."""
        return cls({one.name: one.facts() for one in fact_sets}, environment)

    def with_classes(self, classes: Iterable[str]) -> dict[str, StandIn]:
        """Return a node for each class on each operating system.

        >>> list(Systems({"debian-12-x86_64": {}}).with_classes(["role::web::front"]))
        ['role.web.front.debian-12-x86_64']
        """
        return {
            name: self.made_up(name, facts, [one])
            for one in classes
            for system, facts in self.facts.items()
            for name in [f"{one.replace('::', '.')}.{system}"]
        }

    def with_values(self, variable: str, values: Iterable[str]) -> dict[str, StandIn]:
        """Return a node for each value of a variable of the hierarchy, on each operating system."""
        return {
            name: self.with_value(name, variable.split("."), value, facts)
            for value in values
            for system, facts in self.facts.items()
            for name in [f"{value.lower()}.{system}"]
        }

    def with_value(
        self, name: str, keys: Sequence[str], value: str, facts: Mapping[str, Any]
    ) -> StandIn:
        """Return a node whose fact, or entry of ``$trusted``, has a value."""
        data: Any = value
        for key in reversed(keys):
            data = {key: data}
        node = self.made_up(name, facts, None)
        if keys[0] == "trusted":
            return replace(node, trusted={**(node.trusted or {}), **data["trusted"]})
        return replace(node, facts={**node.facts, **data})

    def made_up(
        self, name: str, facts: Mapping[str, Any], classes: Sequence[str] | None
    ) -> StandIn:
        """Return a node with a name that no site has.

        The name can have characters that names of hosts cannot have, and no part of it is a domain: code
        that checks its domain, as ``Stdlib::Fqdn`` does, would refuse it.

        >>> node = Systems({}).made_up("role.web.debian-12-x86_64", {}, None)
        >>> node.facts["fqdn"], node.trusted
        ('role-web-debian-12-x86-64.example.com', {'hostname': 'role-web-debian-12-x86-64', 'domain': 'example.com'})
        """
        host = OTHER_THAN_HOST.sub("-", name)
        names = {"hostname": host, "domain": DOMAIN}
        own = facts_on_system(name, facts, self.environment)
        both = {**names, "fqdn": f"{host}.{DOMAIN}"}
        networking = {**own["networking"], **both}
        return StandIn({**own, **both, "networking": networking}, classes, names)

    def named(self, nodes: Iterable[str]) -> dict[str, StandIn]:
        """Return nodes with the facts of the first operating system."""
        facts = next(iter(self.facts.values()))
        return {one: StandIn(facts_on_system(one, facts, self.environment)) for one in nodes}

    def unnamed(self, classes: Sequence[str] | None) -> dict[str, StandIn]:
        """Return a node that no code names, on each operating system; see :class:`StandIn` for its classes."""
        return {
            name: self.made_up(name, facts, classes)
            for system, facts in self.facts.items()
            for name in [f"default.{system}"]
        }


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
