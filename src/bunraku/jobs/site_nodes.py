"""The nodes of an environment, with the facts that a PuppetDB has of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.engine.nodes import StandIn
from bunraku.engine.request import shown_source
from bunraku.jobs.nodes import matches
from bunraku.modules.names import check_node_name
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.site.opening import open_site
from bunraku.world.machine import Machine

AT_ONCE = 500
"""Nodes whose facts one query asks for."""
Query = Callable[[Json], list[Json]]


@record()
class SiteNodes:
    """Nodes with their facts by name; ``note`` says where they are not the nodes of the environment."""

    nodes: Mapping[str, StandIn] = field(default_factory=dict)
    note: str = ""


def nodes_of_environment(
    source: str, environment: str, settings: Mapping[str, Any], match: Sequence[str]
) -> SiteNodes:
    """Return the nodes whose last catalog is one of an environment; all nodes if there is none.

    Raise UsageError if the source has no nodes that match, or cannot be read.
    """
    try:
        query = open_site(source, Machine(), settings).query
        known = environments_of_nodes(query)
        chosen = [name for name, own in known.items() if own == environment]
        note = "" if chosen else f"no node has a catalog of {environment}; all nodes are compiled"
        names = [name for name in chosen or known if matches(name, match)]
        if not names:
            which = f" that match {' or '.join(match)}" if match else ""
            raise UsageError(f"no nodes{which} in {shown_source(source)}")
        for name in names:
            check_node_name(name)
        return SiteNodes(dict(sorted(nodes_with_facts(query, names))), note)
    except PuppetError as error:
        raise InvalidInput(error) from error


def environments_of_nodes(query: Query) -> dict[str, str]:
    """Return the environment of the last catalog of each active node; without one, of its facts."""
    fields: list[Json] = ["certname", "catalog_environment", "facts_environment"]
    rows = query(["from", "nodes", ["extract", fields]])
    return {
        str(row["certname"]): str(row["catalog_environment"] or row["facts_environment"] or "")
        for row in rows
        if isinstance(row, dict)
    }


def nodes_with_facts(query: Query, names: Sequence[str]) -> Iterator[tuple[str, StandIn]]:
    """Yield the nodes that have facts, with these and their trusted data."""
    fields: list[Json] = ["certname", "facts", "trusted"]
    for start in range(0, len(names), AT_ONCE):
        some: list[Json] = [*names[start : start + AT_ONCE]]
        condition: Json = ["in", "certname", ["array", some]]
        for row in query(["from", "inventory", ["extract", fields, condition]]):
            if isinstance(row, dict) and isinstance(row["facts"], dict):
                facts = dict(row["facts"])
                trusted = facts.pop("trusted", row["trusted"])
                yield (
                    str(row["certname"]),
                    StandIn(facts, None, trusted if isinstance(trusted, dict) else None),
                )
