"""SQL of conditions: logic, subqueries, and the choice of the comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from bunraku.puppetdb.databases.regular_expressions import search
from bunraku.puppetdb.databases.statement import Statement, bound, chained, compose, joined
from bunraku.puppetdb.entities import Field
from bunraku.puppetdb.json_values import Json, canonical_json
from bunraku.puppetdb.queries.comparisons import (
    FALSE,
    TRUE,
    compared,
    matched,
    matched_path,
    one_of,
)
from bunraku.puppetdb.queries.documents import (
    compared_part,
    has_leaf_list,
    leaf_among,
    matched_part,
    negated_operand,
    null_part,
)
from bunraku.puppetdb.queries.expressions import (
    And,
    Comparison,
    Condition,
    FactName,
    FieldName,
    FunctionCall,
    InArray,
    InQuery,
    IsNull,
    NewestOfResource,
    NodeState,
    Not,
    Or,
    ParameterName,
    PathMatch,
    PatternMatch,
    Query,
    Subquery,
)
from bunraku.puppetdb.queries.scope import QueryScope
from bunraku.puppetdb.query_failure import bad_query, listing

Select = Callable[[Query], Statement]
"""Returns the SQL of a query within a condition."""

INACTIVE = "SELECT id FROM nodes WHERE deactivated IS NOT NULL OR expired IS NOT NULL"
NEWEST_EVENTS = """ev.id IN (
    SELECT id FROM (
        SELECT o.id, row_number() OVER (
            PARTITION BY rp.node_id, o.resource_type, o.resource_title, o.property
            ORDER BY o.timestamp DESC, o.id DESC) AS place
        FROM events AS o JOIN reports AS rp ON rp.id = o.report_id
        WHERE o.timestamp BETWEEN {} AND {}) AS placed
    WHERE place = 1)"""


def condition_sql(scope: QueryScope, condition: Condition, select: Select) -> Statement:
    """Return the SQL of a condition on the rows of a scope."""
    match condition:
        case And(conditions):
            return logical(scope, "AND", conditions, select)
        case Or(conditions):
            return logical(scope, "OR", conditions, select)
        case Not(inner):
            return negation(scope, inner, select)
        case Comparison():
            return comparison_sql(scope, condition, select)
        case PatternMatch():
            return match_sql(scope, condition, select)
        case PathMatch(name, patterns):
            return matched_path(scope, scope.queryable(name), name, patterns)
        case IsNull(name, null):
            return null_sql(scope, name, null=null)
        case InArray():
            return in_array(scope, condition, select)
        case InQuery(names, query):
            return in_query(scope, names, query, select)
        case Subquery():
            return subquery_sql(scope, condition, select)
        case NodeState(state):
            return state_sql(scope, state)
        case NewestOfResource(start, end):
            return compose(NEWEST_EVENTS, bound(start), bound(end))
        case _:
            assert_never(condition)


def negation(scope: QueryScope, condition: Condition, select: Select) -> Statement:
    """Return the SQL of ``not``."""
    test = compose("NOT ({})", condition_sql(scope.within_not(), condition, select))
    match condition:
        case Comparison(operand=FieldName() as name) | PatternMatch(operand=FieldName() as name):
            return negated_operand(scope, name, test)
        case _:
            return test


def logical(
    scope: QueryScope, operator: str, conditions: tuple[Condition, ...], select: Select
) -> Statement:
    """Return the SQL of conditions with ``AND`` or ``OR`` between them."""
    inner = scope.within_logic()
    if len(conditions) >= MANY:
        conditions = with_lists(scope, conditions, negated=operator == "AND")
    tests = [condition_sql(inner, one, select) for one in conditions]
    if operator == "AND" and len(tests) > MANY:
        others = chained(operator, tests[MANY:])
        tests = [*tests[:MANY], scope.dialect.unplanned(others)]
    return chained(operator, tests)


MANY = 100
"""Conditions from which on a list takes their place: SQLite needs the square of their number, or the cube."""


def with_lists(
    scope: QueryScope, conditions: tuple[Condition, ...], *, negated: bool
) -> tuple[Condition, ...]:
    """Return terms of ``or`` with a list for the values that one field, or one fact, is compared with.

    With ``negated``, they are terms of ``and``: the values are those that the field must not have, and the lists are
    last, since no index helps with them.
    """
    lists: dict[tuple[FieldName | FactName, type], list[Json]] = {}
    others: list[Condition] = []
    for one in conditions:
        match one.condition if negated and isinstance(one, Not) else one:
            case Comparison("=", FieldName() | FactName() as operand, value) if isinstance(
                one, Not
            ) == negated and is_listable(scope, operand, value, negated=negated):
                lists.setdefault((operand, type(value)), []).append(value)
            case _:
                others.append(one)
    found = [InArray(operand, tuple(values)) for (operand, _), values in lists.items()]
    if not negated:
        return (*found, *others)
    others.sort(key=lambda one: isinstance(one, Not))
    return (*others, *map(Not, found))


def is_listable(
    scope: QueryScope, operand: FieldName | FactName, value: Json, *, negated: bool
) -> bool:
    """Return whether a list of values means the same as several comparisons with ``=``."""
    if isinstance(operand, FactName):
        return isinstance(value, str) or type(value) is int
    field = scope.queryable(operand)
    if field.kind == "document":
        return not negated and has_leaf_list(scope, field, operand, [value])
    return field.kind == "timestamp" or (field.kind == "text" and isinstance(value, str))


def state_sql(scope: QueryScope, state: str) -> Statement:
    """Return the SQL of a row's node being active or not."""
    node = scope.node()
    if state == "any":
        return TRUE
    return compose(f"{{}} {'NOT IN' if state == 'active' else 'IN'} ({INACTIVE})", node)


# -- comparisons -------------------------------------------------------------------------------------


def comparison_sql(scope: QueryScope, condition: Comparison, select: Select) -> Statement:
    """Return the SQL of ``=``, ``<``, ``>``, ``<=`` or ``>=``."""
    operand = condition.operand
    match operand:
        case FieldName():
            field = scope.queryable(operand)
            if field.kind == "document":
                return compared_part(scope, field, operand, condition.operator, condition.value)
            return compared(scope, field, operand, condition)
        case ParameterName(name):
            if condition.operator != "=":
                raise bad_query("Parameters can be compared with = and ~ only")
            value = bound(canonical_json(condition.value))
            return compose("{} = {}", parameter_part(scope, name), value)
        case FactName(name):
            return fact_sql(scope, name, condition, select)
        case FunctionCall():
            return call_sql(scope, operand, condition)
        case _:
            assert_never(operand)


def parameter_part(scope: QueryScope, name: str) -> Statement:
    """Return the SQL of one parameter of a resource, as JSON text."""
    field = scope.entity.field("parameters")
    if field is None:
        raise scope.not_queryable("parameter")
    return scope.dialect.part(scope.column(field), [name])


def fact_sql(scope: QueryScope, name: str, condition: Comparison, select: Select) -> Statement:
    """Return the SQL of a test of one fact of a node."""
    value = condition.value
    if condition.operator != "=" and (
        isinstance(value, bool) or not isinstance(value, int | float)
    ):
        shown = value if isinstance(value, str) else canonical_json(value)
        raise bad_query(f"Operator '{condition.operator}' not allowed on value '{shown}'")
    return of_fact(scope, name, Comparison(condition.operator, VALUE, value), select)


VALUE, NAME, CERTNAME = (FieldName(name, name) for name in ("value", "name", "certname"))


def of_fact(scope: QueryScope, name: str, test: Condition, select: Select) -> Statement:
    """Return the SQL of a node having a fact that passes a test."""
    condition = And((Comparison("=", NAME, name), test))
    return in_query(scope, (CERTNAME,), Query("facts", (CERTNAME,), condition), select)


def call_sql(scope: QueryScope, call: FunctionCall, condition: Comparison) -> Statement:
    """Return the SQL of a comparison of the result of a function, of which one has a use here."""
    if call.function != "jsonb_typeof" or call.field is None or condition.operator != "=":
        raise bad_query(f"The function '{call.function}' is not supported in conditions")
    field = scope.queryable(call.field)
    if field.kind != "fact":
        raise bad_query(f"The field '{call.field.text}' of 'jsonb_typeof' must be a JSON value")
    if not isinstance(condition.value, str):
        raise bad_query("'jsonb_typeof' can be compared with the name of a type only")
    kind = scope.dialect.kind(compose("{}.value", scope.column(field)))
    return compose("{} = {}", kind, bound(condition.value))


def match_sql(scope: QueryScope, condition: PatternMatch, select: Select) -> Statement:
    """Return the SQL of ``~``."""
    operand, pattern = condition.operand, condition.pattern
    match operand:
        case FieldName():
            field = scope.queryable(operand)
            if field.kind == "document":
                return matched_part(scope, field, operand, pattern)
            return matched(scope, field, operand, condition)
        case ParameterName(name):
            return parameter_match(scope, name, pattern)
        case FactName(name):
            return of_fact(scope, name, PatternMatch(VALUE, pattern), select)
        case FunctionCall():
            raise bad_query("The result of a function cannot be matched")
        case _:
            assert_never(operand)


def parameter_match(scope: QueryScope, name: str, pattern: Json) -> Statement:
    """Return the SQL of a parameter matching a regular expression.

    As in PuppetDB the pattern, too, is serialized: it begins and ends with a quote.
    """
    if not isinstance(pattern, str):
        raise bad_query(f"{canonical_json(pattern)} is not a regular expression")
    serialized = canonical_json(pattern)
    search(serialized)
    return compose("matches({}, {})", bound(serialized), parameter_part(scope, name))


def null_sql(scope: QueryScope, name: FieldName, *, null: bool) -> Statement:
    """Return the SQL of ``null?``; for JSON values it means JSON's null."""
    field = scope.queryable(name)
    if field.kind == "document":
        return null_part(scope, field, name, null=null)
    sign = "=" if null else "<>"
    if field.kind == "fact":
        return compose(f"{{}}.value {sign} 'null'", scope.column(field))
    if field.kind in {"path", "tag", "latest"}:
        return FALSE if null else TRUE
    return compose(f"{{}} IS {'' if null else 'NOT '}NULL", scope.column(field))


# -- lists and subqueries ----------------------------------------------------------------------------


def in_array(scope: QueryScope, condition: InArray, select: Select) -> Statement:
    """Return the SQL of ``in`` with values."""
    operand = condition.operand
    match operand:
        case FieldName():
            field = scope.queryable(operand)
            if field.kind == "document":
                return any_part(scope, field, operand, condition, select)
            return one_of(scope, field, operand, condition)
        case FactName(name):
            kinds = {type(value) for value in condition.values}
            if len(kinds) != 1:
                raise bad_query("All values in array must be the same type.")
            return of_fact(scope, name, InArray(VALUE, condition.values), select)
        case ParameterName() | FunctionCall():
            raise bad_query("'in' with an array requires a field or a fact")
        case _:
            assert_never(operand)


def any_part(
    scope: QueryScope, field: Field, name: FieldName, condition: InArray, select: Select
) -> Statement:
    """Return the SQL of a part of a document being one of some values."""
    if not condition.values:
        return FALSE
    if has_leaf_list(scope, field, name, condition.values):
        return leaf_among(scope, name, condition.values)
    tests = tuple([Comparison("=", name, value) for value in condition.values])
    return logical(scope, "OR", tests, select)


def in_query(
    scope: QueryScope, names: tuple[FieldName, ...], query: Query, select: Select
) -> Statement:
    """Return the SQL of fields being a row of a query.

    As in PuppetDB, the longer of the two lists of fields is cut.
    """
    unknown = [name.text for name in names if not is_queryable(scope, name)]
    if unknown:
        plural = "s" if len(unknown) > 1 else ""
        raise bad_query(
            f"Can't match on unknown '{scope.entity.name}' field{plural} {listing(unknown)}"
            f" for 'in'. Acceptable fields are {listing(scope.entity.queryable)}"
        )
    count = min(len(names), len(query.projection))
    columns = [scope.shown(scope.queryable(name)) for name in names[:count]]
    shortened = Query(
        query.entity, query.projection[:count], query.condition, query.groups, query.paging
    )
    return compose("({}) IN ({})", joined(", ", columns), select(shortened))


def is_queryable(scope: QueryScope, name: FieldName) -> bool:
    """Return whether a field can be compared with a row of a query."""
    field = scope.entity.field(name.name)
    return field is not None and field.queryable and not name.steps


def subquery_sql(scope: QueryScope, condition: Subquery, select: Select) -> Statement:
    """Return the SQL of a related row of another entity existing."""
    relation = scope.entity.relations.get(condition.entity)
    if relation is None:
        raise bad_query(f"No implicit relationship for entity '{condition.entity}'")
    local, foreign = (
        tuple([FieldName(name, name) for name in names])
        for names in (relation.local, relation.foreign)
    )
    return in_query(scope, local, Query(condition.entity, foreign, condition.condition), select)


# -- questions ---------------------------------------------------------------------------------------


def parts(condition: Condition | None, *, nested: bool) -> Iterator[Condition]:
    """Yield a condition and those in it; ``nested`` includes those of subqueries."""
    if condition is None:
        return
    yield condition
    inner: tuple[Condition | None, ...] = ()
    match condition:
        case And(conditions) | Or(conditions):
            inner = conditions
        case Not(one):
            inner = (one,)
        case InQuery(_, query) if nested:
            inner = (query.condition,)
        case Subquery(_, one) if nested:
            inner = (one,)
        case _:
            pass
    for one_of_them in inner:
        yield from parts(one_of_them, nested=nested)


def mentions(condition: Condition | None, name: str) -> bool:
    """Return whether a condition, without its subqueries, is about a field."""
    return any(condition_name(part) == name for part in parts(condition, nested=False))


def condition_name(condition: Condition) -> str | None:
    """Return the field that a condition is about."""
    match condition:
        case Comparison(operand=FieldName(text=text)) | PatternMatch(operand=FieldName(text=text)):
            return text
        case InArray(operand=FieldName(text=text)):
            return text
        case PathMatch(field=FieldName(text=text)) | IsNull(field=FieldName(text=text)):
            return text
        case _:
            return None
