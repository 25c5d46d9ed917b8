"""Search of node definitions in Puppet 3, and their names in the catalog."""

from __future__ import annotations

from bunraku.runtime import node_names as puppet_8
from bunraku.runtime.state import Compilation


def node_name(kind: str, text: str) -> str:
    """Return the name that a node definition has in the catalog of Puppet 3.

    >>> node_name("regexp", "(?<!a)sync")
    'async'
    """
    return puppet_8.plain_pattern(text) if kind == "regexp" else puppet_8.node_name(kind, text)


def node_names(compilation: Compilation) -> list[str]:
    """Return the names under which a node is looked up: its own, then always one segment less.

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
            compilation.messages.warn("MISSING_HOSTNAME", text)
    if full_name:
        names += shorter_names(str(full_name))
    by_certificate = compilation.settings.get("node_name", "cert") == "cert"
    names.insert(0, name if by_certificate else str(facts.get("hostname", "")))
    return list(dict.fromkeys(item.lower() for item in names))


def shorter_names(name: str) -> list[str]:
    """Return a name and its prefixes without the last segment, the last two segments, …

    >>> shorter_names("web1.example.com")
    ['web1.example.com', 'web1.example', 'web1']
    """
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
