"""Queries as data: both parsers produce them, and the SQL generator reads them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bunraku.base.records import record
from bunraku.puppetdb.json_values import Json

Ordering = Literal["=", "<", ">", "<=", ">="]
Aggregate = Literal["count", "sum", "avg", "min", "max", "to_string", "jsonb_typeof"]
State = Literal["active", "inactive", "any"]

# -- operands ----------------------------------------------------------------------------------------


@record(frozen=True)
class Pattern:
    """A step ``match("…")`` of a field with dots."""

    text: str


Step: TypeAlias = "str | int | Pattern"


@record(frozen=True)
class FieldName:
    """``certname``, ``facts.os.family``, ``facts.processors.models[0]``."""

    text: str
    name: str
    steps: tuple[Step, ...] = ()


@record(frozen=True)
class ParameterName:
    """``["parameter", name]``: a parameter of a resource."""

    name: str


@record(frozen=True)
class FactName:
    """``["fact", name]``: a fact of a node."""

    name: str


@record(frozen=True)
class FunctionCall:
    """``["function", name, field, argument…]``."""

    function: Aggregate
    field: FieldName | None
    arguments: tuple[str, ...] = ()


Operand: TypeAlias = "FieldName | ParameterName | FactName | FunctionCall"

# -- conditions --------------------------------------------------------------------------------------


@record(frozen=True)
class And:
    """``["and", …]``: all conditions hold."""

    conditions: tuple[Condition, ...]


@record(frozen=True)
class Or:
    """``["or", …]``: one of the conditions holds."""

    conditions: tuple[Condition, ...]


@record(frozen=True)
class Not:
    """``["not", …]``: the condition does not hold."""

    condition: Condition


@record(frozen=True)
class Comparison:
    """``["=", field, value]``, and the same with ``<``, ``>``, ``<=`` and ``>=``."""

    operator: Ordering
    operand: Operand
    value: Json


@record(frozen=True)
class PatternMatch:
    """``["~", field, regular expression]``."""

    operand: Operand
    pattern: Json


@record(frozen=True)
class PathMatch:
    """``["~>", field, [regular expression or index, …]]``."""

    field: FieldName
    patterns: tuple[str | int, ...]


@record(frozen=True)
class IsNull:
    """``["null?", field, whether it is null]``."""

    field: FieldName
    null: bool


@record(frozen=True)
class InArray:
    """``["in", field, ["array", […]]]``."""

    operand: Operand
    values: tuple[Json, ...]


@record(frozen=True)
class InQuery:
    """``["in", fields, query]``: the fields are a row of the query."""

    fields: tuple[FieldName, ...]
    query: Query


@record(frozen=True)
class Subquery:
    """``["subquery", entity, condition]``: a related row of the entity exists."""

    entity: str
    condition: Condition | None


@record(frozen=True)
class NodeState:
    """``["=", "node_state", state]``."""

    state: State


@record(frozen=True)
class NewestOfResource:
    """The parameter ``distinct_resources``: of each property, its newest event in a period."""

    start: int
    end: int


Condition: TypeAlias = (
    "And | Or | Not | Comparison | PatternMatch | PathMatch | IsNull | InArray | InQuery | Subquery"
    " | NodeState | NewestOfResource"
)

# -- queries -----------------------------------------------------------------------------------------


@record(frozen=True)
class Order:
    """A field that rows are sorted by."""

    field: str
    descending: bool = False


@record(frozen=True)
class Paging:
    """Which of the rows are answered, and in which order."""

    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None


@record(frozen=True)
class Query:
    """Rows of an entity: fields and aggregates of those that meet a condition.

    An empty ``projection`` means all fields.
    """

    entity: str
    projection: tuple[FieldName | FunctionCall, ...] = ()
    condition: Condition | None = None
    groups: tuple[FieldName | FunctionCall, ...] = ()
    paging: Paging = Paging()
