"""One SQL statement from a query: values are bound, names come from the tables of entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.base.records import record
from bunraku.puppetdb.databases.dialect import Dialect
from bunraku.puppetdb.databases.statement import Statement, bound, compose, joined
from bunraku.puppetdb.entities import Entity, Field, Kind
from bunraku.puppetdb.queries.comparisons import LARGEST
from bunraku.puppetdb.queries.conditions import condition_sql, mentions
from bunraku.puppetdb.queries.counted import counted_entity
from bunraku.puppetdb.queries.documents import projected_part
from bunraku.puppetdb.queries.expressions import (
    Aggregate,
    And,
    Comparison,
    Condition,
    FieldName,
    FunctionCall,
    Order,
    Query,
)
from bunraku.puppetdb.queries.scope import QueryScope, entity_named
from bunraku.puppetdb.query_failure import bad_query, listing

TYPE = FieldName("type", "type")
LONGEST_NAME = 63
"""Characters in the name of a projected field: PostgreSQL's limit."""


@record(frozen=True)
class Column:
    """A column of an answer: its name, and how its values become JSON."""

    name: str
    kind: Kind


@record(frozen=True)
class Selection:
    """The SQL of a query without paging, its columns, and the paging."""

    rows: Statement
    columns: tuple[Column, ...]
    paging: Statement

    @property
    def statement(self) -> Statement:
        """The whole statement."""
        return compose("{}{}", self.rows, self.paging)

    @property
    def count(self) -> Statement:
        """The statement that counts the rows of all pages."""
        return compose("SELECT count(*) FROM ({}) AS counted", self.rows)


@record(frozen=True)
class Output:
    """A column with its SQL; ``groupable`` if it is the same in all rows of a group."""

    column: Column
    sql: Statement
    aggregate: bool = False


def selection(query: Query, dialect: Dialect, entity: Entity | None = None) -> Selection:
    """Return the SQL of a query for a database; PuppetError if it is invalid.

    ``entity`` replaces that of the query by one with other fields.
    """
    found = entity or counted_entity(query) or entity_named(query.entity)
    scope = QueryScope(found, dialect)
    outputs = [output(scope, item) for item in projection(scope.entity, query)]
    check_groups(outputs, query)
    condition = with_agent_reports(scope.entity, query.condition)
    where = where_sql(scope, condition)
    groups = group_sql(scope, query, outputs)
    paging = paging_sql(scope, query, aggregated=any(one.aggregate for one in outputs))
    columns = joined(", ", [one.sql for one in outputs])
    rows = compose("SELECT {} FROM {}{}{}", columns, scope.source(), where, groups)
    return Selection(rows, tuple([one.column for one in outputs]), paging)


def where_sql(scope: QueryScope, condition: Condition | None) -> Statement:
    """Return the SQL of a condition with its ``WHERE``."""
    if condition is None:
        return Statement("")

    def subselect(query: Query) -> Statement:
        return selection(query, scope.dialect).statement

    return compose(" WHERE {}", condition_sql(scope, condition, subselect))


def with_agent_reports(entity: Entity, condition: Condition | None) -> Condition | None:
    """Return the condition with the default of reports: those of agents only."""
    if not entity.agent_reports or mentions(condition, "type"):
        return without_any_type(condition)
    agent = Comparison("=", TYPE, "agent")
    return agent if condition is None else And((condition, agent))


def without_any_type(condition: Condition | None) -> Condition | None:
    """Return the condition without ``["=", "type", "any"]``, which is always true."""
    any_type = Comparison("=", TYPE, "any")
    if condition == any_type:
        return None
    if isinstance(condition, And) and any_type in condition.conditions:
        others = tuple([one for one in condition.conditions if one != any_type])
        return And(others) if others else None
    return condition


# -- columns -----------------------------------------------------------------------------------------


def projection(entity: Entity, query: Query) -> Sequence[FieldName | FunctionCall]:
    """Return the projection of a query, or all fields."""
    if query.projection:
        return distinct(query.projection)
    return [FieldName(name, name) for name in entity.projectable]


def distinct(items: Sequence[FieldName | FunctionCall]) -> list[FieldName | FunctionCall]:
    """Return the items that have different names in an answer; the last of each name counts."""
    return list({shown_name(item): item for item in items}.values())


def shown_name(item: FieldName | FunctionCall) -> str:
    """Return the name of a field or call in an answer."""
    return item.text if isinstance(item, FieldName) else item.function


def output(scope: QueryScope, item: FieldName | FunctionCall) -> Output:
    """Return a projected field or call."""
    if len(shown_name(item)) > LONGEST_NAME:
        raise bad_query(
            f"Projected field name '{shown_name(item)}' exceeds current maximum length of"
            f" {LONGEST_NAME} characters"
        )
    if isinstance(item, FunctionCall):
        return call_output(scope, item)
    field = projected_field(scope.entity, item)
    if item.steps:
        return Output(Column(item.text, "json"), projected_part(scope, field, item))
    return Output(Column(item.text, field.kind), scope.shown(field))


def projected_field(entity: Entity, name: FieldName) -> Field:
    """Return the field of a projection; PuppetError if there is none."""
    field = entity.field(name.name)
    if field is None or not field.projectable or (name.steps and field.kind != "document"):
        raise bad_query(
            f"Can't extract unknown '{entity.name}' field '{name.text}'."
            f" Acceptable fields are {listing(entity.projectable)}"
        )
    return field


def call_output(scope: QueryScope, call: FunctionCall) -> Output:
    """Return a projected call."""
    if call.field is None:
        return Output(
            Column(call.function, "number"), Statement(scope.entity.count), aggregate=True
        )
    field = scope.entity.field(call.field.name)
    if field is None or call.field.steps:
        return unknown_argument(call)
    if call.function in PLAIN_FUNCTIONS:
        return plain_call(scope, call, field)
    kinds = AGGREGATED[call.function]
    if field.kind not in kinds:
        raise bad_query(f"The function '{call.function}' does not accept the field '{field.name}'")
    column = scope.column(field)
    if field.kind == "fact":
        column = compose("{}.number", column)
    kind = field.kind if call.function in {"min", "max"} and field.kind != "fact" else "number"
    sql = compose(f"{call.function}({{}})", column)
    return Output(Column(call.function, kind), sql, aggregate=True)


AGGREGATED: Mapping[Aggregate, frozenset[Kind]] = {
    "count": frozenset(["text", "number", "boolean", "timestamp", "fact", "serialized"]),
    "sum": frozenset(["number", "fact"]),
    "avg": frozenset(["number", "fact"]),
    "min": frozenset(["text", "number", "timestamp", "fact"]),
    "max": frozenset(["text", "number", "timestamp", "fact"]),
}
PLAIN_FUNCTIONS = ("to_string", "jsonb_typeof")


def unknown_argument(call: FunctionCall) -> Output:
    """Return a call whose argument is not a field: PuppetDB takes it for null."""
    if call.function not in {"count", "min", "max"}:
        text = call.field.text if call.field else ""
        raise bad_query(f"The function '{call.function}' does not accept '{text}'")
    sql = Statement(f"{call.function}(NULL)")
    return Output(Column(call.function, "number"), sql, aggregate=True)


def plain_call(scope: QueryScope, call: FunctionCall, field: Field) -> Output:
    """Return a projected call that does not aggregate."""
    if call.function == "jsonb_typeof" or field.kind not in {"timestamp", "number", "fact"}:
        raise bad_query(f"The function '{call.function}' does not accept the field '{field.name}'")
    column = scope.column(field)
    if field.kind == "fact":
        column = compose("{}.number", column)
    (pattern,) = call.arguments
    if field.kind == "timestamp":
        sql = scope.dialect.time_text(column, pattern)
    else:
        sql = scope.dialect.number_text(column, pattern)
    return Output(Column(call.function, "text"), sql)


# -- groups, order, limits ---------------------------------------------------------------------------


def check_groups(outputs: Sequence[Output], query: Query) -> None:
    """Refuse fields that differ within a group."""
    if not query.groups and not any(one.aggregate for one in outputs):
        return
    grouped = {shown_name(item) for item in query.groups}
    for one in outputs:
        if not one.aggregate and one.column.name not in grouped:
            raise bad_query(
                f"The field '{one.column.name}' must be in 'group_by' or in an aggregate function"
            )


def group_sql(scope: QueryScope, query: Query, outputs: Sequence[Output]) -> Statement:
    """Return the SQL of the groups of a query."""
    if not query.groups:
        return Statement("")
    return compose(
        " GROUP BY {}", joined(", ", [grouped(scope, item, outputs) for item in query.groups])
    )


def grouped(
    scope: QueryScope, item: FieldName | FunctionCall, outputs: Sequence[Output]
) -> Statement:
    """Return the SQL of a group: the number of its column where the answer has it.

    Two expressions with values are not the same for PostgreSQL, even if the values are equal.
    """
    if isinstance(item, FieldName):
        field = scope.entity.field(item.name)
        if field is None or (item.steps and field.kind != "document"):
            raise bad_query(f'"{item.text}" is niether a valid column name nor function name')
    for number, one in enumerate(outputs, 1):
        if one.column.name == shown_name(item) and not one.aggregate:
            return Statement(str(number))
    found = output(scope, item)
    if found.aggregate:
        raise bad_query(f"'{shown_name(item)}' is not a group")
    return found.sql


def paging_sql(scope: QueryScope, query: Query, *, aggregated: bool) -> Statement:
    """Return the SQL of order, limit and offset; aggregates do not have the entity's own order."""
    paging = query.paging
    own = scope.entity.order if not aggregated else None
    order = paging.order or ((Order(own),) if own else ())
    pieces = []
    if order:
        pieces.append(
            compose(" ORDER BY {}", joined(", ", [order_sql(scope, one) for one in order]))
        )
    if paging.limit is not None or paging.offset is not None:
        limit = LARGEST - 1 if paging.limit is None else paging.limit
        pieces.append(compose(" LIMIT {} OFFSET {}", bound(limit), bound(paging.offset or 0)))
    return joined("", pieces) if pieces else Statement("")


ORDERED_VALUE = """
    CASE {} WHEN 'null' THEN 0 WHEN 'string' THEN 1 WHEN 'number' THEN 2 WHEN 'boolean' THEN 3
        WHEN 'array' THEN 4 ELSE 5 END @,
    CASE {} WHEN 'number' THEN CAST({} AS NUMERIC) END @,
    {} @"""
"""The order of JSON values, as that of ``jsonb``: by type, numbers by size."""


def order_sql(scope: QueryScope, order: Order) -> Statement:
    """Return the SQL of one field of the order; nulls are the greatest, as in PostgreSQL."""
    field = scope.entity.field(order.field)
    if field is None or not field.queryable or not field.projectable:
        known = "', '".join(name for name in scope.entity.queryable)
        raise bad_query(
            f"Unrecognized column '{order.field}' specified in :order_by;"
            f" Supported columns are '{known}'"
        )
    column = scope.column(field)
    if field.kind == "path":
        column = compose("{}.encoded", column)
    direction = "DESC" if order.descending else "ASC"
    if field.kind == "fact":
        value = scope.shown(field)
        kind = scope.dialect.kind(value)
        return compose(ORDERED_VALUE.replace("@", direction), kind, kind, value, value)
    nulls = "" if not field.nullable else f" NULLS {'FIRST' if order.descending else 'LAST'}"
    return compose(f"{{}} {direction}{nulls}", column)
