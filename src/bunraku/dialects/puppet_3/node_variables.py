"""The variables that Puppet 3 sets for a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.modules.node import RESERVED, Node, agent_facts, server_facts, trusted_data
from bunraku.world.protocol import World

Value = Any
LATER_TRUSTED_DATA = frozenset({"hostname", "domain", "external"})
"""Keys of ``$trusted`` that later versions added."""


def top_variables(
    node: Node,
    settings: Mapping[str, Any],
    _warn: Callable[[Diagnostic], None],
) -> dict[str, Value]:
    """Return the variables of top scope; ``$trusted`` and ``$facts`` with ``trusted_node_data`` only."""
    facts = node.clean_facts(as_text=bool(settings.get("stringify_facts")))
    variables = {**node.all_server_facts(), **facts, **node.parameters}
    node.check_names({name: value for name, value in variables.items() if name not in RESERVED})
    if settings.get("trusted_node_data"):
        data = trusted_data(node.name, node.trusted)
        for name in LATER_TRUSTED_DATA - set(node.trusted or {}):
            del data[name]
        if data["authenticated"] is False:
            data["certname"] = ""  # Puppet 3.8 manual, facts and built-in variables
        variables["trusted"] = data
        variables["facts"] = facts
    return variables


def outer_variables(name: str, version: str, world: World) -> dict[str, Value]:
    """Return the variables of agent and server, unless facts, the request or the code set them.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> outer_variables("web1", "3.8.7", DictionaryWorld({}))["clientversion"]
    '3.8.7'
    """
    found = {**agent_facts(name), "clientnoop": "false", **server_facts(world)}
    return {**found, "clientversion": version, "serverversion": version}
