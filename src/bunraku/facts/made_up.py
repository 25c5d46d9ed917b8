"""Facts of nodes that do not exist: those that follow from a name, as rspec-puppet gives them.

The versions (``clientversion``, ``serverversion``) and the name of the server are those of each
compile. Addresses are those that RFC 5737 and RFC 3849 reserve for examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Facts = dict[str, Any]
ADDRESS = "192.0.2.1"
ADDRESS_6 = "2001:db8::1"


def facts_of_name(name: str) -> Facts:
    """Return the facts that follow from a name; without a domain, the domain is an empty string.

    >>> facts_of_name("web1.example.com")["networking"]["domain"]
    'example.com'
    """
    hostname, _, domain = name.partition(".")
    names = {"hostname": hostname, "domain": domain, "fqdn": name}
    return {**names, "clientcert": name, "networking": dict(names)}


def made_up_facts(name: str, environment: str | None = None) -> Facts:
    """Return the facts of a node of which only the name is known.

    >>> facts = made_up_facts("web1.example.com")
    >>> facts["clientcert"], facts["environment"], facts["networking"]["ip"]
    ('web1.example.com', 'production', '192.0.2.1')
    """
    addresses = {"ip": ADDRESS, "ip6": ADDRESS_6}
    found = facts_of_name(name)
    return {
        **found,
        "ipaddress": ADDRESS,
        "ipaddress6": ADDRESS_6,
        "environment": environment or "production",
        "networking": {**found["networking"], **addresses},
    }


def facts_on_system(name: str, system: Mapping[str, Any], environment: str | None = None) -> Facts:
    """Return the facts of a node without facts, with those of an operating system, such as a fact set.

    The name wins over that of the machine with these facts.

    >>> system = {"fqdn": "foo.example.com", "kernel": "Linux", "networking": {"mtu": 1500}}
    >>> facts = facts_on_system("web1", system)
    >>> facts["fqdn"], facts["kernel"], facts["networking"]["mtu"]
    ('web1', 'Linux', 1500)
    """
    made_up, named = made_up_facts(name, environment), facts_of_name(name)
    networking = {**made_up["networking"], **(system.get("networking") or {})}
    return {
        **made_up,
        **system,
        **named,
        "networking": {**networking, **named["networking"]},
    }
