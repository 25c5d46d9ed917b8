"""The routes of queries: their paths, the condition that each path implies, and their answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal
from urllib.parse import unquote

from bunraku.base.records import record

Parent = Literal["node", "catalog", "factset", "report", "environment", "producer"]
Form = Literal["rows", "single", "metrics", "logs", "counts", "aggregate", "root"]

FIELDS: Mapping[str, str] = {
    "node": "certname",
    "fact": "name",
    "value": "value",
    "type": "type",
    "title": "title",
    "environment": "environment",
    "producer": "producer",
    "hash": "report",
}
"""Which field a part of a path restricts."""
IDENTITIES: Mapping[Parent, tuple[str, str]] = {
    "node": ("nodes", "certname"),
    "catalog": ("catalogs", "certname"),
    "factset": ("factsets", "certname"),
    "report": ("reports", "hash"),
    "environment": ("environments", "name"),
    "producer": ("producers", "name"),
}
"""The entity and the field by which a parent is found."""
PART = re.compile(r"[\w%.~:-]*", re.ASCII)


@record(frozen=True)
class Route:
    """A route: ``template`` has its path below ``/pdb/query/v4``, with ``{name}`` for variable parts.

    ``parent`` must exist, and is named by the first variable part. ``all_nodes``: inactive nodes are
    answered, too.
    """

    template: str
    entity: str
    form: Form = "rows"
    parent: Parent | None = None
    all_nodes: bool = False


@record(frozen=True)
class FoundRoute:
    """A route with the values of the variable parts of a path."""

    route: Route
    values: Mapping[str, str]


def with_parts(prefix: str, entity: str, parent: Parent | None) -> list[Route]:
    """Return the routes of facts or resources, which a path can restrict further."""
    parts = {"facts": ("{fact}", "{value}"), "resources": ("{type}", "{title}")}[entity]
    paths = [f"{prefix}{entity}"]
    for part in parts:
        paths.append(f"{paths[-1]}/{part}")
    return [Route(path, entity, parent=parent) for path in paths]


ENTITY_ROUTES = (
    "nodes",
    "environments",
    "producers",
    "fact_names",
    "fact_paths",
    "fact_contents",
    "factsets",
    "inventory",
    "catalogs",
    "edges",
    "catalog_inputs",
    "catalog_input_contents",
    "packages",
    "package_inventory",
    "reports",
    "events",
)
ROUTES: tuple[Route, ...] = (
    Route("", "", "root"),
    *(Route(name.replace("_", "-"), name) for name in ENTITY_ROUTES),
    *with_parts("", "facts", None),
    *with_parts("", "resources", None),
    Route("nodes/{node}", "nodes", "single", "node"),
    *with_parts("nodes/{node}/", "facts", "node"),
    *with_parts("nodes/{node}/", "resources", "node"),
    Route("catalogs/{node}", "catalogs", "single", "catalog"),
    Route("catalogs/{node}/edges", "edges", parent="catalog"),
    *with_parts("catalogs/{node}/", "resources", "catalog"),
    Route("factsets/{node}", "factsets", "single", "factset"),
    Route("factsets/{node}/facts", "factsets", parent="factset", all_nodes=True),
    Route("package-inventory/{node}", "package_inventory", all_nodes=True),
    Route("environments/{environment}", "environments", "single", "environment"),
    *with_parts("environments/{environment}/", "facts", "environment"),
    *with_parts("environments/{environment}/", "resources", "environment"),
    Route("environments/{environment}/events", "events", parent="environment"),
    Route("environments/{environment}/reports", "reports", parent="environment"),
    Route("producers/{producer}", "producers", "single", "producer"),
    Route("producers/{producer}/factsets", "factsets", parent="producer"),
    Route("producers/{producer}/catalogs", "catalogs", parent="producer"),
    Route("producers/{producer}/reports", "reports", parent="producer"),
    Route("reports/{hash}/events", "events", parent="report"),
    Route("reports/{hash}/metrics", "reports", "metrics", "report"),
    Route("reports/{hash}/logs", "reports", "logs", "report"),
    Route("event-counts", "events", "counts"),
    Route("aggregate-event-counts", "events", "aggregate"),
)


def find_route(path: str, routes: Iterable[Route] = ROUTES) -> FoundRoute | None:
    """Return the route of a path below ``/pdb/query/v4``; None if there is none.

    >>> found = find_route("/nodes/web01/facts/os")
    >>> found.route.entity, found.values
    ('facts', {'node': 'web01', 'fact': 'os'})
    """
    parts = path.removeprefix("/").split("/")
    for route in routes:
        values = match(route.template.split("/"), parts)
        if values is not None:
            return FoundRoute(route, values)
    return None


def match(template: list[str], parts: list[str]) -> dict[str, str] | None:
    """Return the values of variable parts; None if the path is another one."""
    if len(template) != len(parts):
        return None
    values = {}
    for expected, part in zip(template, parts, strict=True):
        if expected.startswith("{") and part and PART.fullmatch(part):
            values[expected[1:-1]] = unquote(part)
        elif expected != part:
            return None
    return values
