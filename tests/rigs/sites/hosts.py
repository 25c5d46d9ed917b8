"""The nodes of a site: its node definitions, the machines with data of their own, its roles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bunraku.syntax import nodes
from rigs.sites.definitions import Definitions
from rigs.sites.layout import Site
from rigs.sites.samples import generated
from rigs.sites.uses import plain

ROLE_MODULES = ("role", "roles", "profile", "profiles", "roles_profiles")
PROFILE_MODULES = ("profile", "profiles")
FEW = 12
DECLARED = re.compile(
    r"^\s*(?:include|contain|require)\b(.*)$|\bclass\s*\{\s*['\"]([\w:]+)['\"]", re.MULTILINE
)
HOST_FACT = re.compile(
    r"%\{(?:::|facts\.|trusted\.)*"
    r"(?:networking\.)?(hostname|fqdn|certname|clientcert)\}"
)


@dataclass(frozen=True)
class Host:
    """A node to compile: its name, facts beside the usual ones, what a classifier says of it, and its data."""

    label: str
    name: str
    code: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)
    classified: Mapping[str, Any] = field(default_factory=dict, hash=False)
    systems: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)


def hosts(
    site: Site,
    found: Definitions,
    domain: str,
    scope: str,
    owner: Mapping[str, Any],
    limit: int = 0,
) -> list[Host]:
    """Return the nodes of a site, each body of a node definition once; with a limit, a sample.

    Node definitions, machines with data and roles are nodes. Where these are fewer than the limit, profiles that no other class
    declares fill the sample, then other classes of the site. ``scope`` is ``roles`` or ``classes`` (all classes
    of the site's own modules). The owner may list nodes, what is not a node, and the modules whose classes are roles.
    """
    listed = [*by_owner(owner, domain)]
    if "nodes" not in owner or owner.get("more_nodes"):
        listed += defined(found, domain)
        listed += with_data(site, domain) if owner.get("machines", True) else []
    own = own_classes(site, found)
    modules = owner.get("roles", ROLE_MODULES)
    chosen = [one for one in own if one.partition("::")[0] in modules]
    alone = undeclared(own, found)
    roles = [one for one in chosen if one.partition("::")[0] not in PROFILE_MODULES]
    profiles = [one for one in chosen if one not in roles and one in alone]
    rest = [one for one in own if one not in chosen and one in alone]
    few = len(roles) + len(profiles) + len(listed) < FEW and "roles" not in owner
    kinds = [listed, with_classes(roles, found, site, domain)]
    kinds += [with_classes(profiles, found, site, domain)]
    if scope == "classes" or few:
        kinds += [with_classes(rest, found, site, domain)]
    left_out = owner.get("not_nodes", ())
    sample: dict[str, Host] = {}
    for kind in kinds:
        fresh = [one for one in kind if one.name not in sample and one.label not in left_out]
        room = limit - len(sample) if limit else len(fresh)
        sample |= {one.name: one for one in spread(fresh, room)}
    return list(sample.values())


def spread(found: list[Host], limit: int) -> list[Host]:
    """Return some nodes, at equal distances in the list.

    >>> spread([1, 2, 3, 4, 5, 6], 3)
    [1, 3, 5]
    """
    step = max(len(found) / limit, 1) if limit else 1
    return [found[int(at * step)] for at in range(min(limit, len(found)))]


def undeclared(own: list[str], found: Definitions) -> set[str]:
    """Return the classes of a site that none of its other classes declares."""
    declared = set()
    for name in own:
        text = found.classes[name].read_text("utf-8", "replace")
        words = " ".join(first + second for first, second in DECLARED.findall(text))
        declared |= {plain(one) for one in re.findall(r"[\w:]+", words)} - {name}
    return set(own) - declared


def with_classes(names: list[str], found: Definitions, site: Site, domain: str) -> list[Host]:
    """Return a node for each class."""
    return [with_class(name, found, site, domain) for name in names]


def by_owner(owner: Mapping[str, Any], domain: str) -> Iterator[Host]:
    """Yield the nodes that the owner lists."""
    for name, entry in owner.get("nodes", {}).items():
        classified = {key: entry[key] for key in ("classes", "parameters") if key in entry}
        systems = tuple(entry.get("systems", ()))
        full = full_name(name, domain)
        facts, data = entry.get("facts", {}), entry.get("data", {})
        yield Host(f"node {full}", full, "", facts, classified, systems, data)


def own_classes(site: Site, found: Definitions) -> list[str]:
    """Return the classes of the modules that are part of the site, in the order of their names."""
    return sorted(
        name
        for name, path in found.classes.items()
        if path.is_relative_to(site.root) and name.partition("::")[0] not in site.fetched
    )


def defined(found: Definitions, domain: str) -> Iterator[Host]:
    """A node for each node definition, of those with equal bodies for the first."""
    seen = set()
    for definition, source in found.hosts:
        body = source.text[definition.body.start : definition.body.end]
        names = [name for name in (host_name(one, domain) for one in definition.matches) if name]
        if body not in seen and names:
            seen.add(body)
            yield Host(f"node {names[0]}", names[0])


def host_name(match: nodes.Expression, domain: str) -> str | None:
    """A full name that a node definition is for."""
    match match:
        case nodes.Regexp():
            found = generated(match.pattern)
            if found is None or match.pattern.endswith("$"):
                return found
            return full_name(found, domain)
        case nodes.String() | nodes.Name():
            return match.value
        case nodes.Default():
            return f"default.{domain}"
    return None


def full_name(host: str, domain: str) -> str:
    """A name with a domain.

    >>> full_name("db1.eqiad.", "example.org"), full_name("db1", "example.org")
    ('db1.eqiad.example.org', 'db1.example.org')
    """
    if host.endswith("."):
        return host + domain
    return host if "." in host else f"{host}.{domain}"


def with_data(site: Site, domain: str) -> Iterator[Host]:
    """The machines that a level of the hierarchy has data for, of those with equal data the first."""
    seen = set()
    for level in site.levels():
        paths = [level.get("path"), *(level.get("paths") or [])]
        for path in filter(None, paths):
            if not HOST_FACT.search(path):
                continue
            pattern = re.escape(path).replace(r"%\{", "%{").replace(r"\}", "}")
            pattern = re.sub(r"%\{[^}]*\}", "(.+)", pattern)
            for file in sorted(Path(level["datadir"]).rglob("*.yaml")):
                matched = re.fullmatch(pattern, str(file.relative_to(level["datadir"])))
                if matched and (path, file.read_bytes()) not in seen:
                    seen.add((path, file.read_bytes()))
                    yield Host(f"host {matched[1]}", full_name(matched[1], domain))


def with_class(name: str, found: Definitions, site: Site, domain: str) -> Host:
    """A node with a class, given as the site gives it: with its function for roles, or ``include``."""
    host = f"{name.replace('::', '-').replace('_', '-')}.{domain}"
    module, _, rest = name.partition("::")
    statement = f"include {name}"
    if module in {"role", "roles"} and rest and has_function(site, found, module.rstrip("s")):
        statement = f"{module.rstrip('s')}('{rest}')"
    if found.hosts:
        return Host(name, host, f"node '{host}' {{ {statement} }}")
    return Host(name, host, classified={"classes": {name: {}}})


def has_function(site: Site, found: Definitions, name: str) -> bool:
    """Whether one of the site's modules brings a function."""
    return name in found.functions or any(
        (path / "lib/puppet" / folder / f"{name}.rb").exists()
        for path in site.modules().values()
        for folder in ("functions", "parser/functions")
    )
