"""Read queries in their JSON form: nested arrays whose first item is an operator."""

# ruff: noqa: ARG001 - functions of one table have one signature

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.json_values import Json, canonical_json
from bunraku.puppetdb.queries.expressions import (
    Aggregate,
    And,
    Comparison,
    Condition,
    FactName,
    FieldName,
    FunctionCall,
    InArray,
    InQuery,
    IsNull,
    NodeState,
    Not,
    Operand,
    Or,
    Order,
    Ordering,
    Paging,
    ParameterName,
    PathMatch,
    PatternMatch,
    Query,
    State,
    Subquery,
)
from bunraku.puppetdb.queries.field_names import field_name
from bunraku.puppetdb.query_failure import bad_query

MOST_LEVELS = 100
"""How deeply operators may be nested; SQLite's parser takes not many more."""

AGGREGATES: Mapping[str, Aggregate] = {name: name for name in get_args(Aggregate)}
STATES: Mapping[str, State] = {name: name for name in get_args(State)}
PAGING = ("limit", "offset", "order_by")
NEEDS_FROM = (
    'Your initial query must be of the form: ["from",<entity>,(<optional-query>)].'
    " Check your query and try again."
)
ONLY_A_QUERY = "`from` only accepts a query as an optional second argument."
EMPTY = "[] is not well-formed: queries must contain at least one operator"

# -- queries -----------------------------------------------------------------------------------------


def read_from(value: Json, level: int = 0) -> Query:
    """Return the query ``["from", entity, condition or extract, paging…]``."""
    if not isinstance(value, list) or len(value) < 2 or value[0] != "from":
        raise bad_query(NEEDS_FROM)
    _, entity, *rest = value
    if not isinstance(entity, str):
        raise bad_query(NEEDS_FROM)
    content: Json = None
    if rest and not is_paging(rest[0]):
        content, *rest = rest
    if not all(map(is_paging, rest)):
        raise bad_query(ONLY_A_QUERY)
    return read_query(entity.replace("-", "_"), content, read_paging(rest), level)


def read_query(entity: str, value: Json, paging: Paging | None = None, level: int = 0) -> Query:
    """Return the query of an entity by a condition or ``["extract", fields, condition, groups]``."""
    paging = paging or Paging()
    if value is None:
        return Query(entity, paging=paging)
    items = as_array(value)
    if operator_of(items) != "extract":
        return Query(entity, (), read_condition(value, level + 1), paging=paging)
    if len(items) < 2:
        raise bad_query("'extract' requires fields")
    projection = read_projection(items[1])
    condition, groups = read_extract_rest(items[2:], level)
    return Query(entity, projection, condition, groups, paging)


def read_extract_rest(
    rest: Sequence[Json], level: int
) -> tuple[Condition | None, tuple[FieldName | FunctionCall, ...]]:
    """Return the condition and the groups of an ``extract``."""
    groups: tuple[FieldName | FunctionCall, ...] = ()
    conditions = list(rest)
    if conditions and operator_of(as_array(conditions[-1])) == "group_by":
        groups = read_projection(as_array(conditions.pop())[1:])
    if len(conditions) > 1:
        shown = canonical_json(conditions[1])
        raise bad_query(f'{shown} is not a valid expression for "extract"')
    return (read_condition(conditions[0], level + 1) if conditions else None), groups


def read_projection(value: Json) -> tuple[FieldName | FunctionCall, ...]:
    """Return the fields and calls of an ``extract``: one field, or an array."""
    items = value if isinstance(value, list) else [value]
    if items and items[0] == "function":
        items = [value]
    return tuple(map(read_projected, items))


def read_projected(value: Json) -> FieldName | FunctionCall:
    """Return a field or a call."""
    if isinstance(value, str):
        return field_name(value)
    operand = read_operand(value)
    if not isinstance(operand, FunctionCall):
        raise bad_query(f"Can't extract {canonical_json(value)}")
    return operand


def is_paging(value: Json) -> bool:
    """Return whether an item of ``from`` selects or sorts rows."""
    return isinstance(value, list) and bool(value) and value[0] in PAGING


def read_paging(clauses: Sequence[Json]) -> Paging:
    """Return the paging of the clauses ``limit``, ``offset`` and ``order_by``."""
    found: dict[str, Json] = {}
    for clause in map(as_array, clauses):
        name = str(clause[0])
        if name in found:
            raise bad_query(f"Multiple '{name}' clauses are not permitted")
        if len(clause) < 2 or clause[1] is None:
            raise bad_query(f"Received '{name}' clause without an argument")
        found[name] = clause[1]
    return Paging(
        tuple(map(read_order, as_array(found.get("order_by", [])))),
        read_count("limit", found.get("limit")),
        read_count("offset", found.get("offset")),
    )


def read_count(name: str, value: Json) -> int | None:
    """Return the number of a ``limit`` or ``offset``."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 63:
        shown = canonical_json(value)
        raise bad_query(f"Illegal value '{shown}' for :{name}; expected a non-negative integer.")
    return value


def read_order(value: Json) -> Order:
    """Return a field to sort by: its name, or name and direction."""
    match value:
        case str():
            return Order(value)
        case [str(name)]:
            return Order(name)
        case [str(name), str(direction)] if direction.lower() in {"asc", "desc"}:
            return Order(name, direction.lower() == "desc")
    raise bad_query(f"Illegal value '{canonical_json(value)}' in 'order_by'")


# -- conditions --------------------------------------------------------------------------------------


def read_condition(value: Json, level: int = 0) -> Condition:
    """Return a condition; PuppetError if an operator is unknown or has the wrong arguments."""
    if level > MOST_LEVELS:
        raise bad_query(f"The query is nested more than {MOST_LEVELS} levels deep")
    items = as_array(value)
    operator = operator_of(items)
    read = OPERATORS.get(operator)
    if read is None:
        raise bad_query(f"'{operator}' is not an operator of queries")
    return read(operator, items[1:], level)


def as_array(value: Json) -> list[Json]:
    """Return a value that has to be an array."""
    if not isinstance(value, list):
        raise bad_query(f"{canonical_json(value)} is not a query: expected an array")
    return value


def operator_of(items: list[Json]) -> str:
    """Return the operator of an array."""
    if not items:
        raise bad_query(EMPTY)
    if not isinstance(items[0], str):
        raise bad_query(f"{canonical_json(items[0])} is not an operator of queries")
    return items[0]


def read_logical(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``and`` or ``or``."""
    if not arguments:
        raise bad_query(f"'{operator}' takes at least one argument, but none were supplied")
    conditions = tuple([read_condition(argument, level + 1) for argument in arguments])
    return And(conditions) if operator == "and" else Or(conditions)


def read_not(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``not``."""
    if len(arguments) != 1:
        message = f"'not' takes exactly one argument, but {len(arguments)} were supplied"
        raise bad_query(message)
    return Not(read_condition(arguments[0], level + 1))


def two_arguments(operator: str, arguments: list[Json]) -> tuple[Json, Json]:
    """Return the field and the value of a comparison."""
    if len(arguments) != 2:
        raise bad_query(f"{operator} requires exactly two arguments")
    return arguments[0], arguments[1]


def read_equality(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``=``, which null and some fields make special."""
    left, value = two_arguments(operator, arguments)
    if left in ("node_state", ["node", "active"]):
        return read_node_state(left, value)
    operand = read_operand(left)
    if value is None and isinstance(operand, FieldName):
        return IsNull(operand, null=True)
    return Comparison("=", operand, value)


def read_node_state(left: Json, value: Json) -> NodeState:
    """Return the condition on whether a node is active."""
    if left != "node_state":
        return NodeState("active" if truthy(value) else "inactive")
    state = STATES.get(value.lower()) if isinstance(value, str) else None
    if state is None:
        shown = value if isinstance(value, str) else canonical_json(value)
        raise bad_query(f"No matching clause: {shown}")
    return NodeState(state)


def read_ordering(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``<``, ``>``, ``<=`` or ``>=``."""
    left, value = two_arguments(operator, arguments)
    return Comparison(ORDERINGS[operator], read_operand(left), value)


ORDERINGS: Mapping[str, Ordering] = {name: name for name in get_args(Ordering)}


def read_match(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``~``."""
    left, pattern = two_arguments(operator, arguments)
    return PatternMatch(read_operand(left), pattern)


def read_path_match(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``~>``."""
    left, patterns = two_arguments(operator, arguments)
    return PathMatch(read_field(left), tuple(map(read_path_step, as_array(patterns))))


def read_path_step(value: Json) -> str | int:
    """Return a step of a path: a key or regular expression, or an index."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise bad_query(f"Path array element wasn't string or integer in {canonical_json(value)}")


def read_null(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``null?``; as in PuppetDB, only false and null mean false."""
    left, value = two_arguments(operator, arguments)
    return IsNull(read_field(left), truthy(value))


def truthy(value: Json) -> bool:
    """Return whether Clojure takes a value for true."""
    return value is not None and value is not False


def read_in(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``in``: an array of values, or a query."""
    left, right = two_arguments(operator, arguments)
    items = as_array(right)
    if operator_of(items) == "array":
        return InArray(read_operand(left), read_values(items[1:]))
    fields = left if isinstance(left, list) else [left]
    return InQuery(tuple(map(read_field, fields)), read_subselect(items, level + 1))


def read_values(arguments: list[Json]) -> tuple[Json, ...]:
    """Return the values of ``["array", […]]``."""
    if len(arguments) != 1 or not isinstance(arguments[0], list):
        raise bad_query("Operator 'array' requires a vector argument")
    return tuple(arguments[0])


def read_subselect(items: list[Json], level: int) -> Query:
    """Return the query of ``in``: a ``from``, or ``["extract", fields, ["select_…", condition]]``."""
    if level > MOST_LEVELS:
        raise bad_query(f"The query is nested more than {MOST_LEVELS} levels deep")
    if items[0] == "from":
        query = read_from(items, level)
        if not query.projection:
            raise bad_query("A query of 'in' must extract fields")
        return query
    if items[0] != "extract" or len(items) != 3:
        raise bad_query("'in' requires an array, a 'from' or an 'extract'")
    selected = as_array(items[2])
    if not selected:
        raise bad_query(EMPTY)
    name, *conditions = selected
    entity = selected_entity(name)
    if len(conditions) > 1:
        raise bad_query(f"'{name}' takes one condition")
    condition = read_condition(conditions[0], level + 1) if conditions else None
    return Query(entity, read_projection(items[1]), condition)


def selected_entity(name: Json) -> str:
    """Return the entity of ``select_ENTITY``."""
    text = name if isinstance(name, str) else canonical_json(name)
    if text.startswith("select_"):
        return text.removeprefix("select_")
    corrected = text.replace("-", "_")
    meant = f" - did you mean `{corrected}`?" if corrected.startswith("select_") else ""
    raise bad_query(f"Unsupported subquery `{text}`{meant}")


def read_subquery(operator: str, arguments: list[Json], level: int) -> Condition:
    """Return the condition of ``subquery``."""
    if not 1 <= len(arguments) <= 2 or not isinstance(arguments[0], str):
        raise bad_query("'subquery' requires an entity and a condition")
    conditions = [one for one in arguments[1:] if one is not None]
    condition = read_condition(conditions[0], level + 1) if conditions else None
    return Subquery(arguments[0], condition)


OPERATORS: Mapping[str, Callable[[str, list[Json], int], Condition]] = {
    "and": read_logical,
    "or": read_logical,
    "not": read_not,
    "=": read_equality,
    **dict.fromkeys(("<", ">", "<=", ">="), read_ordering),
    "~": read_match,
    "~>": read_path_match,
    "null?": read_null,
    "in": read_in,
    "subquery": read_subquery,
}

# -- operands ----------------------------------------------------------------------------------------


def read_operand(value: Json) -> Operand:
    """Return the left side of a comparison: a field, a parameter, a fact, or the result of a function."""
    match value:
        case str():
            return field_name(value)
        case ["parameter", str(name)]:
            return ParameterName(name)
        case ["fact", str(name)]:
            return FactName(name)
        case ["function", str(name), *arguments] if name in AGGREGATES:
            return read_call(AGGREGATES[name], arguments)
        case ["function", name, *_]:
            raise bad_query(f"{canonical_json(name)} is not a valid function")
    raise bad_query(f"{canonical_json(value)} is not a field")


def read_call(function: Aggregate, arguments: Sequence[Json]) -> FunctionCall:
    """Return the call of a function; its first argument is a field."""
    texts = [argument for argument in arguments if isinstance(argument, str)]
    most = 2 if function == "to_string" else 1
    if len(texts) != len(arguments) or len(texts) > most:
        raise wrong_arguments(function, arguments)
    if len(texts) < most and function != "count":
        raise wrong_arguments(function, arguments)
    field = field_name(texts[0]) if texts else None
    return FunctionCall(function, field, tuple(texts[1:]))


def wrong_arguments(function: str, arguments: Sequence[Json]) -> PuppetError:
    """Return the error of a call with the wrong number of arguments."""
    count = len(arguments)
    return bad_query(f"wrong number of arguments ({count}) provided for function {function}")


def read_field(value: Json) -> FieldName:
    """Return a field."""
    if not isinstance(value, str):
        raise bad_query(f"{canonical_json(value)} is not a field")
    return field_name(value)
