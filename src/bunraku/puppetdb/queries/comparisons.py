"""SQL of comparisons, by the type of the field: the meaning and the operands of each operator."""

# ruff: noqa: ARG001 - functions of one table have one signature

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.databases.regular_expressions import search
from bunraku.puppetdb.databases.statement import (
    Statement,
    Value,
    bound,
    chained,
    compose,
    listed,
)
from bunraku.puppetdb.entities import Field, Kind
from bunraku.puppetdb.fact_paths import DELIMITER, path_text
from bunraku.puppetdb.hashes import float_json
from bunraku.puppetdb.json_values import Json, canonical_json
from bunraku.puppetdb.queries.expressions import (
    Comparison,
    FieldName,
    InArray,
    Ordering,
    PatternMatch,
)
from bunraku.puppetdb.queries.scope import QueryScope
from bunraku.puppetdb.query_failure import bad_query
from bunraku.puppetdb.timestamps import to_milliseconds

LARGEST = 1 << 63
TRUE, FALSE = Statement("TRUE"), Statement("FALSE")
SIGNS: Mapping[Ordering, str] = {
    "=": "{} = {}",
    "<": "{} < {}",
    ">": "{} > {}",
    "<=": "{} <= {}",
    ">=": "{} >= {}",
}

# -- values ------------------------------------------------------------------------------------------


def incompatible(operator: str, value: Json) -> PuppetError:
    """Return the error of a value that an operator does not accept."""
    shown = value if isinstance(value, str) else canonical_json(value)
    return bad_query(f'Argument "{shown}" and operator "{operator}" have incompatible types.')


def number_of(value: Json, operator: str) -> float | None:
    """Return a number that the database can hold, and None for other types."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise bad_query(f"The number {value} of '{operator}' is out of range")
    return value


def text_of(field: Field, operator: str, value: Json) -> Value:
    """Return the value that a field of texts is compared with."""
    if isinstance(value, str):
        return value
    raise incompatible(operator, value)


def number_value(field: Field, operator: str, value: Json) -> Value:
    """Return the value that a field of numbers is compared with."""
    number = number_of(value, operator)
    if number is None:
        shown = value if isinstance(value, str) else canonical_json(value)
        message = f'Argument "{shown}" is incompatible with numeric field "{field.name}".'
        raise bad_query(message)
    return number


def flag_value(field: Field, operator: str, value: Json) -> Value:
    """Return the value that a field of Booleans is compared with."""
    if isinstance(value, bool):
        return value
    raise incompatible(operator, value)


def time_value(field: Field, operator: str, value: Json) -> Value:
    """Return the value that a field of timestamps is compared with."""
    found = to_milliseconds(value)
    if found is None:
        shown = value if isinstance(value, str) else canonical_json(value)
        raise bad_query(f"'{shown}' is not a valid timestamp value")
    return found


def serialized_value(field: Field, operator: str, value: Json) -> Value:
    """Return the value that a field of JSON texts is compared with."""
    return canonical_json(value)


VALUES: Mapping[Kind, Callable[[Field, str, Json], Value]] = {
    "text": text_of,
    "number": number_value,
    "boolean": flag_value,
    "timestamp": time_value,
    "serialized": serialized_value,
}
ORDERED: frozenset[Kind] = frozenset(["number", "timestamp", "fact", "document"])

# -- fields ------------------------------------------------------------------------------------------


def compared(scope: QueryScope, field: Field, name: FieldName, condition: Comparison) -> Statement:
    """Return the SQL of a comparison of a field with a value."""
    operator, value = condition.operator, condition.value
    if operator != "=" and field.kind not in ORDERED:
        message = f"Query operators >,>=,<,<= are not allowed on field {name.text}"
        raise bad_query(message)
    special = COMPARED.get(field.kind)
    if special is not None:
        return special(scope, field, operator, value)
    read = VALUES.get(field.kind)
    if read is None:
        raise bad_query(f"The field '{name.text}' cannot be compared")
    return compose(SIGNS[operator], scope.column(field), bound(read(field, operator, value)))


def compared_fact(scope: QueryScope, field: Field, operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a comparison with the value of a fact or a leaf."""
    test = compared_scalar(scope.column(field), operator, value)
    # A value of another type is not equal, and not less or more: its negation is true.
    return compose("coalesce({}, {})", test, FALSE) if scope.negated else test


def compared_scalar(table: Statement, operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a comparison with ``value``, ``number`` and ``text`` of a table.

    Only values of the same type are equal; numbers are ordered, other types are not.
    """
    number = number_of(value, operator)
    if number is not None:
        return compose(SIGNS[operator], compose("{}.number", table), bound(number))
    if operator != "=":
        raise incompatible(operator, value)
    if isinstance(value, str):
        return compose("{}.text = {}", table, bound(value))
    return compose("{}.value = {}", table, bound(canonical_json(value)))


def compared_texts(scope: QueryScope, field: Field, operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a text being one of a list."""
    if not isinstance(value, str):
        raise incompatible(operator, value)
    items = scope.dialect.items(scope.column(field))
    return compose("EXISTS (SELECT 1 FROM {} WHERE item.value = {})", items, bound(value))


def compared_tag(scope: QueryScope, field: Field, operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a resource having a tag; case does not count."""
    if not isinstance(value, str):
        raise incompatible(operator, value)
    query = "{} IN (SELECT resource_id FROM resource_tags WHERE tag = {})"
    return compose(query, scope.column(field), bound(value.lower()))


def compared_path(scope: QueryScope, field: Field, operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a path being the one given."""
    return compose("{}.path = {}", scope.column(field), bound(path_text(query_path(value))))


def query_path(value: Json) -> tuple[str | int, ...]:
    """Return a path of a query."""
    items = value if isinstance(value, list) else [value]
    steps = [item for item in items if isinstance(item, str | int) and not isinstance(item, bool)]
    if not isinstance(value, list) or len(steps) != len(items):
        raise bad_query(f"Path array element wasn't string or integer in {canonical_json(value)}")
    return tuple(steps)


def compared_latest(scope: QueryScope, field: Field, operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a report being the latest of its node; only false and null mean false."""
    latest = "{} IN (SELECT latest_report_id FROM nodes WHERE latest_report_id IS NOT NULL)"
    other = "{} NOT IN (SELECT latest_report_id FROM nodes WHERE latest_report_id IS NOT NULL)"
    wanted = value is not None and value is not False
    return compose(latest if wanted else other, scope.column(field))


COMPARED: Mapping[Kind, Callable[[QueryScope, Field, Ordering, Json], Statement]] = {
    "fact": compared_fact,
    "texts": compared_texts,
    "tag": compared_tag,
    "path": compared_path,
    "latest": compared_latest,
}

# -- lists of values ---------------------------------------------------------------------------------


def one_of(scope: QueryScope, field: Field, name: FieldName, condition: InArray) -> Statement:
    """Return the SQL of a field being one of some values."""
    if field.kind in {"texts", "tag", "document", "json", "latest"}:
        raise bad_query("Operator 'in'...'array' is not supported on array types")
    if field.kind == "fact":
        return one_of_facts(scope, field, condition)
    if field.kind == "path":
        return any_equal(scope, field, name, condition.values)
    values = [listed_value(field, value) for value in condition.values]
    return compose("{} IN {}", scope.column(field), listed(values)) if values else FALSE


def listed_value(field: Field, value: Json) -> Value:
    """Return the value that a field is compared with; a field of texts takes all types as text."""
    if field.kind == "text":
        return value if isinstance(value, str) else inspected(value)
    return VALUES[field.kind](field, "in", value)


def inspected(value: Json) -> str:
    """Return the text of a value that is not a text, as PuppetDB writes it.

    >>> [inspected(one) for one in (5, 1e22, True, None, ["a", None, {"b": 1}])]
    ['5', '1.0E22', 'true', '', '["a" nil {"b" 1}]']
    """
    return "" if value is None else inspected_item(value)


def inspected_item(value: Json) -> str:
    """Return the text of a value within another one."""
    match value:
        case None:
            return "nil"
        case list():
            return f"[{' '.join(map(inspected_item, value))}]"
        case dict():
            pairs = [f"{inspected_item(key)} {inspected_item(one)}" for key, one in value.items()]
            return f"{{{', '.join(pairs)}}}"
        case float():
            return float_json(value)
        case _:
            return canonical_json(value)


def any_equal(
    scope: QueryScope, field: Field, name: FieldName, values: Iterable[Json]
) -> Statement:
    """Return the SQL of a field being equal to one of some values."""
    tests = [compared(scope, field, name, Comparison("=", name, value)) for value in values]
    return chained("OR", tests) if tests else FALSE


def one_of_facts(scope: QueryScope, field: Field, condition: InArray) -> Statement:
    """Return the SQL of the value of a fact being one of some values: a list for each type and its column.

    Integers and floats have lists of their own, since PostgreSQL would make floats of all.
    """
    lists: dict[tuple[str, type], list[Value]] = {}
    for value in condition.values:
        number = number_of(value, "in")
        if number is not None:
            lists.setdefault(("number", type(number)), []).append(number)
        elif isinstance(value, str):
            lists.setdefault(("text", str), []).append(value)
        else:
            lists.setdefault(("value", str), []).append(canonical_json(value))
    table = scope.column(field)
    tests = [
        compose(f"{{}}.{column} IN {{}}", table, listed(values))
        for (column, _), values in lists.items()
    ]
    test = chained("OR", tests) if tests else FALSE
    return compose("coalesce({}, {})", test, FALSE) if scope.negated else test


# -- regular expressions -----------------------------------------------------------------------------


def matched(scope: QueryScope, field: Field, name: FieldName, condition: PatternMatch) -> Statement:
    """Return the SQL of a field matching a regular expression."""
    pattern = condition.pattern
    if not isinstance(pattern, str):
        raise incompatible("~", pattern)
    search(pattern)  # an invalid pattern fails before the query runs
    if field.kind == "tag":
        query = "{} IN (SELECT resource_id FROM resource_tags WHERE matches({}, tag))"
        return compose(query, scope.column(field), bound(pattern.lower()))
    column = scope.column(field)
    match field.kind:
        case "text" | "serialized":
            test = compose("matches({}, {})", bound(pattern), column)
            # A missing text does not match, while a comparison with it is neither true nor false.
            return compose("({} IS NOT NULL AND {})", column, test) if scope.negated else test
        case "texts":
            query = "EXISTS (SELECT 1 FROM {} WHERE matches({}, item.value))"
            return compose(query, scope.dialect.items(column), bound(pattern))
        case "fact":
            return matched_scalar(column, pattern)
        case "path":
            return compose("matches({}, {}.encoded)", bound(pattern), column)
        case _:
            raise incompatible("~", pattern)


def matched_scalar(table: Statement, pattern: str) -> Statement:
    """Return the SQL of the value of a fact or a leaf matching a regular expression."""
    text = compose("coalesce({}.text, nullif({}.value, 'null'))", table, table)
    return compose("matches({}, {})", bound(pattern), text)


def matched_path(
    scope: QueryScope, field: Field, name: FieldName, patterns: tuple[str | int, ...]
) -> Statement:
    """Return the SQL of a path matching step by step: regular expressions, or indexes."""
    if field.kind != "path":
        raise bad_query(f"Query operator ~> is not allowed on field {name.text}")
    steps: list[str | int] = list(patterns)
    if scope.entity.name == "fact_paths":
        search(f"^{DELIMITER.join(map(str, patterns))}$")
        if not all(map(is_expression, patterns)):
            return FALSE  # "(a", "b)" is one expression for PuppetDB 7.12, which no path matches
        steps = [whole_step(step) for step in patterns]
    for step in steps:
        search(str(step))
    query = "{}.id IN (SELECT id FROM fact_paths WHERE {})"
    return compose(query, scope.column(field), scope.dialect.path_matches(steps))


def is_expression(pattern: str | int) -> bool:
    """Return whether the pattern of a step is a regular expression on its own."""
    try:
        search(str(pattern))
    except PuppetError:
        return False
    return True


def whole_step(pattern: str | int) -> str | int:
    """Return the pattern of a step that has to match as a whole, as those of ``fact_paths`` do.

    Digits match keys alone, as everywhere.

    >>> whole_step("sd."), whole_step("0")
    ('^(?:sd.)$', '0')
    """
    digits = isinstance(pattern, str) and pattern.isascii() and pattern.isdigit()
    return pattern if digits else f"^(?:{pattern})$"
