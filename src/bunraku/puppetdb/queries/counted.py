"""Queries that stored counts answer: how many resources of each type nodes have."""

from __future__ import annotations

from bunraku.puppetdb.entities import COUNTED, Entity
from bunraku.puppetdb.queries.conditions import condition_name, parts
from bunraku.puppetdb.queries.expressions import (
    And,
    Condition,
    FieldName,
    FunctionCall,
    InQuery,
    NodeState,
    Not,
    Or,
    Query,
    Subquery,
)


def counted_entity(query: Query) -> Entity | None:
    """Return the entity with stored counts that answers a query; None if it needs the rows.

    The query must count rows, or group them, and be about fields that the counts have.
    """
    entity = COUNTED.get(query.entity)
    if entity is None or not (query.groups or query.projection):
        return None
    counts = [item for item in query.projection if item == FunctionCall("count", None)]
    names = [item for item in (*query.projection, *query.groups) if item not in counts]
    orders = [order.field for order in query.paging.order]
    if not (query.groups or counts) or not entity.fields.keys() >= {*orders}:
        return None
    if not all(is_field(entity, item) for item in names):
        return None
    found = all(is_answered(entity, one) for one in parts(query.condition, nested=False))
    return entity if found else None


def is_field(entity: Entity, item: FieldName | FunctionCall) -> bool:
    """Return whether an item of a projection is a field of an entity."""
    return isinstance(item, FieldName) and not item.steps and item.name in entity.fields


def is_answered(entity: Entity, condition: Condition) -> bool:
    """Return whether a condition, without those in it, is about fields of an entity."""
    match condition:
        case And() | Or() | Not() | NodeState():
            return True
        case InQuery(fields, _):
            return all(is_field(entity, one) for one in fields)
        case Subquery(name, _):
            relation = entity.relations.get(name)
            return relation is not None and entity.fields.keys() >= {*relation.local}
    return condition_name(condition) in entity.fields
