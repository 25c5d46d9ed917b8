"""The query of the whole interface: it names its entity itself, and is about active nodes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from bunraku.base.records import replace
from bunraku.puppetdb.databases.database import ReadableDatabase, staying
from bunraku.puppetdb.entities import ENTITIES
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.answers import objects, only_values
from bunraku.puppetdb.queries.conditions import parts
from bunraku.puppetdb.queries.expressions import And, Condition, NodeState, Paging, Query
from bunraku.puppetdb.queries.sql import Selection, selection
from bunraku.puppetdb.queries.syntax import read_from

SECONDS = 600.0
"""The time limit of a query that is not asked by HTTP."""
WITHOUT_NODES = frozenset(["fact_paths", "environments", "packages"])
"""Entities that are answered without regard to nodes."""
NO_PAGING = Paging()


def root_query(value: Json, paging: Paging = NO_PAGING) -> Query:
    """Return the query ``["from", entity, …]``; without a condition on it, nodes must be active."""
    query = with_paging(read_from(value), paging)
    if query.entity not in WITHOUT_NODES and not has_node_state(query):
        return restricted(query, [NodeState("active")])
    return query


def answer_to(database: ReadableDatabase, value: Json) -> list[Json]:
    """Return the rows of a query."""
    query = root_query(value)
    rows: list[Json] = json.loads(
        f"[{','.join(row_texts(database, query, selection(query, database.dialect)))}]"
    )
    return rows


def row_texts(
    database: ReadableDatabase,
    query: Query,
    found: Selection,
    seconds: float = SECONDS,
    gone: Callable[[], bool] = staying,
) -> Iterator[str]:
    """Yield the rows of a query as JSON."""
    write = only_values if ENTITIES[query.entity].values_only else objects
    return write(found.columns, database.rows(found.statement, seconds, gone))


def has_node_state(query: Query) -> bool:
    """Return whether a query says which nodes it is about."""
    return any(isinstance(one, NodeState) for one in parts(query.condition, nested=True))


def restricted(query: Query, conditions: list[Condition]) -> Query:
    """Return a query with more conditions."""
    own = [] if query.condition is None else [query.condition]
    found = (*own, *conditions)
    return replace(query, condition=And(found)) if found else query


def with_paging(query: Query, paging: Paging) -> Query:
    """Return a query with the paging of the request where it has none itself."""
    own = query.paging
    return replace(
        query,
        paging=Paging(
            own.order or paging.order,
            paging.limit if own.limit is None else own.limit,
            paging.offset if own.offset is None else own.offset,
        ),
    )
