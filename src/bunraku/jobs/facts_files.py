"""Facts that options name: data, or files with them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base import system
from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.facts.documents import facts_in
from bunraku.world.protocol import World


def facts_in_option(given: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """Return the facts that an option gives: data, or the path of a file; none for None.

    ``{"name": …, "values": {…}}`` is understood too. Raises UsageError for a file that cannot be used.
    """
    if not given:
        return {}
    if not isinstance(given, str):
        return dict(given)
    try:
        return facts_in(read_whole(given), given)
    except OSError as error:
        raise UsageError(f"cannot read {given}: {error.strerror or error}") from error
    except PuppetError as error:
        raise InvalidInput(error) from error


def facts_file(folder: str | None, node: str | None) -> str | None:
    """Return the facts file of a node in a directory, if there is one."""
    if folder is None or node is None:
        return None
    paths = (os.path.join(folder, node + extension) for extension in (".json", ".yaml", ".yml"))
    return next((path for path in paths if os.path.isfile(path)), None)


def node_name(facts: Mapping[str, Any]) -> str:
    """Return the certname as Puppet finds it: from the facts, else this machine's name.

    >>> node_name({"networking": {"fqdn": "web.example.com"}})
    'web.example.com'
    """
    networking = facts.get("networking")
    fqdn = networking.get("fqdn") if isinstance(networking, dict) else None
    return str(
        facts.get("clientcert") or fqdn or facts.get("fqdn") or system.network_name()
    ).lower()


def machine_name(world: World, *, with_external: bool = True) -> str:
    """Return the certname that this machine has by default; ``with_external`` also by external facts."""
    from bunraku.facts.collect import OF_NODE_NAME, MachineFacts
    from bunraku.facts.external import FOLDERS

    facts = MachineFacts(world, lambda _finding: None, FOLDERS if with_external else [])
    return node_name(facts.facts(OF_NODE_NAME))


def facts_on(
    systems: Sequence[str], facterdb: str | None, node: str | None, environment: str | None
) -> dict[str, Any]:
    """Return the facts of the one of some operating systems, with the names of a node; none without one.

    The node is the machine of the fact set by default. Raises UsageError for several, for an unknown one, and
    for a ``facterdb`` alone.
    """
    if not systems:
        if facterdb is not None:
            raise UsageError("--facterdb requires --os NAME")
        return {}
    if len(systems) > 1:
        raise UsageError("give one --os NAME for one node")
    from bunraku.facts.facterdb import fact_set
    from bunraku.facts.made_up import facts_on_system

    try:
        found = fact_set(facterdb, systems[0]).facts()
    except PuppetError as error:
        raise InvalidInput(error) from error
    facts: dict[str, Any] = facts_on_system(node or node_name(found), found, environment)
    return facts
