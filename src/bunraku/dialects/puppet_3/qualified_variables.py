"""What all parsers of Puppet 3.8 share: the names of a node, and variables by qualified name."""

from __future__ import annotations

from typing import Any

from bunraku.runtime import issues
from bunraku.runtime.markers import MISSING
from bunraku.runtime.names import find_near, namespace
from bunraku.runtime.state import Compilation, Scope

Value = Any

# -- nodes -----------------------------------------------------------------------------------------


def node_names(compilation: Compilation) -> list[str]:
    """The names by which a node is looked for: its own, then always one segment less.

    Then the same with the name that its facts give it; Puppet 3 warns where they give none.
    """
    name, facts = compilation.node_name, compilation.facts
    if compilation.settings.get("strict_hostname_checking"):
        return [name.lower()]
    names = shorter_names(name) if "." in name else []
    full_name = facts.get("fqdn")
    if not full_name:
        host, domain = facts.get("hostname"), facts.get("domain")
        if host and domain:
            full_name = f"{host}.{domain}"
        else:
            text = f"Host is missing hostname and/or domain: {name}"
            compilation.warn("MISSING_HOSTNAME", text)
    if full_name:
        names += shorter_names(str(full_name))
    by_certificate = compilation.settings.get("node_name", "cert") == "cert"
    names.insert(0, name if by_certificate else str(facts.get("hostname", "")))
    return list(dict.fromkeys(item.lower() for item in names))


def shorter_names(name: str) -> list[str]:
    """A name, and what is left of it without its last segment, without the last two, …

    >>> shorter_names("web1.example.com")
    ['web1.example.com', 'web1.example', 'web1']
    """
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


# -- variables -------------------------------------------------------------------------------------


def find_qualified(scope: Scope, name: str) -> Value:
    """``a::b``: what code in the class sees under the last name, from there outward; or MISSING."""
    compilation = scope.compilation
    around, _, variable = name.rpartition("::")
    if not around:
        found = compilation.top_scope.find(f"${variable}")
        if found is MISSING and scope.resource is compilation.top_scope.resource:
            warn_unknown(compilation, name, "")
        return found
    definition = find_near(compilation, around, "class", namespace(scope))
    full_name = around.removeprefix("::") if definition is None else definition.name
    inside = compilation.class_scopes.get(full_name)
    if inside is not None:
        return inside.find(f"${variable}")
    if full_name == "settings":
        return compilation.settings.get(variable, MISSING)
    state = "could not be found" if definition is None else "has not been evaluated"
    warn_unknown(compilation, name, f"class {around} {state}")
    return MISSING


def warn_unknown(compilation: Compilation, name: str, reason: str) -> None:
    """Tell of a qualified variable that is not there; with ``strict_variables`` it is an error."""
    if not compilation.strict_variables:
        text = f"Could not look up qualified variable '{name}'; {reason}"
        compilation.warn(issues.UNKNOWN_VARIABLE.code, text)
