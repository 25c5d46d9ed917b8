"""Queries in PuppetDB's form of nested arrays, answered from a store."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.shape import (
    ANY_ARRAY,
    ANYTHING,
    FLAG,
    TEXT,
    TEXTS,
    Array,
    AtLeast,
    Choice,
    Either,
    Items,
    Shape,
)
from bunraku.stored import issues
from bunraku.stored.pql import parse_pql
from bunraku.stored.store import Store
from bunraku.values.regexp.regexp import Regexp

Row = dict[str, Any]
Query = Sequence[Any]
Test = Callable[[Row], bool]
PAGING = ("order_by", "limit", "offset", "include_total")

# -- the shapes of clauses, by their first word ------------------------------------------------------

FIELD = Either((TEXT, TEXTS))
"""A field by its name, or ``["parameter", name]``, ``["fact", name]``, ``["function", name, …]``."""
FIELDS = Array(FIELD)
COMPARED = Items((TEXT, FIELD, ANYTHING))
ORDER = Either((TEXT, Items((FIELD,), Choice(("asc", "desc")))))
CLAUSES: dict[str, Shape] = {
    "extract": Items((TEXT, Either((TEXT, FIELDS))), ANYTHING),
    "group_by": Items((TEXT,), FIELD),
    "order_by": Items((TEXT, Array(ORDER))),
    "limit": Items((TEXT, AtLeast(0))),
    "offset": Items((TEXT, AtLeast(0))),
    "subquery": Items((TEXT, TEXT), ANYTHING),
    "in": Items((TEXT, Either((TEXT, FIELDS)), ANY_ARRAY)),
    "array": Items((TEXT, ANY_ARRAY)),
    "null?": Items((TEXT, FIELD, FLAG)),
    "~": Items((TEXT, FIELD, TEXT)),
    "~>": Items((TEXT, FIELD, ANY_ARRAY)),
    **dict.fromkeys(("=", "<", ">", "<=", ">="), COMPARED),
}


def answer(store: Store, query: Any) -> list[Row]:
    """Return the rows that a query (PQL text, or arrays) selects.

    >>> store = Store(facts={"a": {"os": {"family": "Debian"}}, "b": {"os": {"family": "RedHat"}}})
    >>> answer(store, 'inventory[certname] { facts.os.family = "Debian" }')
    [{'certname': 'a'}]
    """
    try:
        if isinstance(query, str):
            query = parse_pql(query)
        if not isinstance(query, list) or query[:1] != ["from"]:
            raise issues.QUERY_ILLEGAL(what="it does not begin with 'from'")
        return selected(store, query)
    except RecursionError:
        raise issues.QUERY_ILLEGAL(what="it is nested too deeply") from None


def check_clause(part: Any) -> None:
    """Raise PuppetError if a clause of a query does not have the shape that its first word requires."""
    word = head(part)
    shape = CLAUSES.get(word) if isinstance(word, str) else None
    wrong = None if shape is None else shape.mismatch(part)
    if wrong is not None:
        raise issues.QUERY_ILLEGAL(what=f"'{word}': {wrong}").hinted(wrong.hint)


def selected(store: Store, query: Query) -> list[Row]:
    """Return the rows of ``["from", entity, condition, paging…]``."""
    entity = query[1] if len(query) > 1 else None
    if not isinstance(entity, str):
        raise issues.QUERY_ILLEGAL(what="'from' names no entity")
    entity = entity.replace("-", "_")
    found = rows(store, entity)
    for part in query[2:]:
        check_clause(part)
    conditions = [part for part in query[2:] if head(part) not in PAGING]
    paging = {head(part): part for part in query[2:] if head(part) in PAGING}
    if len(conditions) > 1:
        raise issues.QUERY_ILLEGAL(what="'from' takes one condition")
    condition = conditions[0] if conditions else None
    columns: list[Any] | None = None
    grouping: list[Any] | None = None
    if head(condition) == "extract":
        columns, condition, grouping = extracted(condition)
    if condition is not None:
        test = compiled(store, entity, condition)
        found = [row for row in found if test(row)]
    if columns is not None and any(isinstance(one, list) for one in columns):
        found = aggregated(entity, found, columns, grouping or [])
        return paged(found, paging, plain=True, entity=entity)
    found = paged(found, paging, plain=False, entity=entity)
    if columns is None:
        return found
    return [{str(name): value_of(entity, row, name) for name in columns} for row in found]


def head(part: Any) -> Any:
    """Return the first word of a part of a query."""
    return part[0] if isinstance(part, list) and part else None


def extracted(part: Any) -> tuple[list[Any], Any, list[Any] | None]:
    """Columns, condition and grouping of ``["extract", columns, condition, ["group_by", …]]``."""
    if len(part) < 2:
        raise issues.QUERY_ILLEGAL(what="'extract' names no fields")
    columns = list(part[1]) if isinstance(part[1], list) else [part[1]]
    if head(part[1]) == "function":
        columns = [part[1]]
    condition, grouping = None, None
    for one in part[2:]:
        check_clause(one)
        if head(one) == "group_by":
            grouping = list(one[1:])
        else:
            condition = one
    return columns, condition, grouping


# -- entities --------------------------------------------------------------------------------------


def rows(store: Store, entity: str) -> list[Row]:
    """Return all rows of an entity."""
    if entity not in ENTITIES:
        raise issues.QUERY_UNSUPPORTED(what=f"the entity '{entity}'")
    return ENTITIES[entity](store)


def node_rows(store: Store) -> list[Row]:
    """Return the rows of ``nodes``."""
    return [
        {
            "certname": name,
            "deactivated": None,
            "expired": None,
            "catalog_environment": store.environments.get(name) if name in store.catalogs else None,
            "facts_environment": store.environments.get(name) if name in store.facts else None,
            "report_environment": None,
            "catalog_timestamp": None,
            "facts_timestamp": None,
            "report_timestamp": None,
            "latest_report_status": None,
        }
        for name in store.nodes
    ]


def fact_rows(store: Store) -> list[Row]:
    """Return the rows of ``facts``."""
    return [
        {
            "certname": node,
            "environment": store.environments.get(node),
            "name": name,
            "value": value,
        }
        for node, facts in sorted(store.facts.items())
        for name, value in facts.items()
    ]


def fact_content_rows(store: Store) -> list[Row]:
    """Return the rows of ``fact_contents``: one for each leaf."""
    found: list[Row] = []

    def walk(row: Row, path: list[Any], value: Any) -> None:
        if isinstance(value, Mapping) and value:
            for name, inner in value.items():
                walk(row, [*path, name], inner)
        elif isinstance(value, list) and value:
            for index, inner in enumerate(value):
                walk(row, [*path, index], inner)
        else:
            found.append({**row, "path": path, "value": value})

    for row in fact_rows(store):
        walk(
            {name: row[name] for name in ("certname", "environment", "name")},
            [row["name"]],
            row["value"],
        )
    return found


def inventory_rows(store: Store) -> list[Row]:
    """Return the rows of ``inventory``: a node's facts as one hash, and its trusted data."""
    return [
        {
            "certname": node,
            "environment": store.environments.get(node),
            "timestamp": None,
            "facts": {name: value for name, value in facts.items() if name != "trusted"},
            "trusted": facts.get("trusted") or {},
            "resources": [one for one in store.resources if one["certname"] == node],
        }
        for node, facts in sorted(store.facts.items())
    ]


def catalog_rows(store: Store) -> list[Row]:
    """Return the rows of ``catalogs``."""
    return [
        {
            "certname": node,
            "version": str(data.get("version", "")),
            "environment": data.get("environment"),
            "catalog_uuid": data.get("catalog_uuid"),
            "code_id": data.get("code_id"),
            "resources": {"data": [one for one in store.resources if one["certname"] == node]},
            "edges": {"data": data.get("edges") or []},
        }
        for node, data in sorted(store.catalogs.items())
    ]


def resource_rows(store: Store) -> list[Row]:
    """Return the rows of ``resources``."""
    return store.resources


def factset_rows(store: Store) -> list[Row]:
    """Return the rows of ``factsets``."""
    return [
        {"certname": node, "environment": store.environments.get(node), "facts": facts}
        for node, facts in sorted(store.facts.items())
    ]


ENTITIES: dict[str, Callable[[Store], list[Row]]] = {
    "nodes": node_rows,
    "resources": resource_rows,
    "facts": fact_rows,
    "fact_contents": fact_content_rows,
    "factsets": factset_rows,
    "inventory": inventory_rows,
    "catalogs": catalog_rows,
}
MISSING = object()
INDEX = lazy_pattern("[0-9]{1,9}")


def value_of(entity: str, row: Row, name: Any) -> Any:
    """Return a field of a row, or a part of one: ``facts.os.family``; None where that is missing."""
    if isinstance(name, list) and len(name) == 2 and name[0] == "parameter":
        return row.get("parameters", {}).get(name[1])
    if not isinstance(name, str):
        raise issues.QUERY_UNSUPPORTED(what=f"the field {name}")
    first, *rest = parts(name) or [""]
    if first not in row:
        raise issues.QUERY_FIELD(entity=entity, field=first, known=", ".join(row))
    value = row[first]
    for part in rest:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and INDEX.fullmatch(part) and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def parts(name: str) -> list[str]:
    """Return the parts of a dotted name; quotes protect dots.

    >>> parts('trusted.extensions."1.3.6"')
    ['trusted', 'extensions', '1.3.6']
    """
    found = []
    for index, piece in enumerate(name.split('"')):
        found += [piece] if index % 2 else [part for part in piece.split(".") if part]
    return found


# -- conditions ------------------------------------------------------------------------------------


def compiled(store: Store, entity: str, condition: Any) -> Test:
    """Return a condition as a test of a row."""
    check_clause(condition)
    operator = head(condition)
    if operator in ("and", "or"):
        tests = [compiled(store, entity, one) for one in condition[1:]]
        every = all if operator == "and" else any
        return lambda row: every(test(row) for test in tests)
    if operator == "not" and len(condition) == 2:
        inner = compiled(store, entity, condition[1])
        return lambda row: not inner(row)
    if operator in ("subquery", "in", "null?"):
        return SPECIAL[operator](store, entity, condition)
    if isinstance(operator, str) and operator in COMPARISONS:
        return comparison(store, entity, condition)
    if not isinstance(operator, str):
        raise issues.QUERY_ILLEGAL(what=f"{condition} is not a condition")
    raise issues.QUERY_UNSUPPORTED(what=f"the operator '{operator}'")


def comparison(store: Store, entity: str, condition: Query) -> Test:
    """Return the test of ``[operator, field, value]``."""
    operator, name, wanted = condition
    compare = COMPARISONS[operator]
    if operator == "~":
        pattern = Regexp(str(wanted))
        pattern.compile()
        wanted = pattern
    if isinstance(name, list) and name[:1] == ["fact"] and len(name) == 2:
        return lambda row: compare(store.facts.get(row["certname"], {}).get(name[1]), wanted)
    if name == "tag" and entity == "resources":
        tag = str(wanted).lower()
        if operator == "=":
            return lambda row: tag in row["tags"]
        return lambda row: any(compare(one, wanted) for one in row["tags"])
    if name == ["node", "active"]:
        return lambda _row: wanted is True
    return lambda row: compare(value_of(entity, row, name), wanted)


def same(value: Any, wanted: Any) -> bool:
    """Return whether values are equal in JSON: true does not equal 1."""
    return (value.__class__ is bool) == (wanted.__class__ is bool) and bool(value == wanted)


def matches(value: Any, pattern: Any) -> bool:
    """Return whether a text has the pattern in it."""
    return isinstance(value, str) and pattern.search(value) is not None


def ordered(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Return a comparison of numbers, or of texts; it is false for other values."""

    def compare(value: Any, wanted: Any) -> bool:
        if isinstance(value, str) and isinstance(wanted, int | float):
            try:
                value = float(value)
            except ValueError:
                return False
        alike = isinstance(value, str) and isinstance(wanted, str)
        numbers = isinstance(value, int | float) and isinstance(wanted, int | float)
        return (alike or numbers) and test(value, wanted)

    return compare


def path_matches(value: Any, patterns: Any) -> bool:
    """Return the test ``~>``: each part of a path matches the pattern at its place."""
    if not isinstance(value, list) or not isinstance(patterns, list):
        return False
    return len(value) == len(patterns) and all(
        part == pattern
        if not isinstance(part, str) or not isinstance(pattern, str)
        else Regexp(f"\\A(?:{pattern})\\z").search(part) is not None
        for part, pattern in zip(value, patterns, strict=True)
    )


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": same,
    "~": matches,
    "~>": path_matches,
    "<": ordered(lambda left, right: left < right),
    ">": ordered(lambda left, right: left > right),
    "<=": ordered(lambda left, right: left <= right),
    ">=": ordered(lambda left, right: left >= right),
}


def null_test(_store: Store, entity: str, condition: Query) -> Test:
    """Return the test of ``["null?", field, true]``."""
    _, name, wanted = condition
    return lambda row: (value_of(entity, row, name) is None) == wanted


def subquery_test(store: Store, _entity: str, condition: Query) -> Test:
    """Return the test of ``["subquery", entity, condition]``: rows of the same node."""
    inner = selected(store, ["from", *condition[1:]])
    nodes = {row.get("certname") for row in inner}
    return lambda row: row.get("certname") in nodes


def in_test(store: Store, entity: str, condition: Query) -> Test:
    """Return the test of ``["in", fields, ["array", values]]``; a query may replace the values."""
    if len(condition) != 3:
        raise issues.QUERY_ILLEGAL(what="'in' takes fields and values")
    _, names, source = condition
    single = isinstance(names, str) or head(names) == "parameter"
    fields = [names] if single else list(names)
    check_clause(source)
    if head(source) == "array":
        values = [[one] if single or not isinstance(one, list) else one for one in source[1]]
    else:
        values = [list(row.values()) for row in selected(store, query_within(source))]

    def test(row: Row) -> bool:
        found = [value_of(entity, row, name) for name in fields]
        return any(len(one) == len(found) and all(map(same, found, one)) for one in values)

    return test


def query_within(source: Any) -> Query:
    """Return the query in an ``in``: ``from``, or ``["extract", fields, ["select_resources", …]]``."""
    if head(source) == "from":
        return list(source)
    if head(source) == "extract" and len(source) > 2:
        inner = head(source[2])
        check_clause(source)
        if isinstance(inner, str) and inner.startswith("select_"):
            entity = inner.removeprefix("select_").replace("-", "_")
            return ["from", entity, ["extract", source[1], *source[2][1:]]]
    raise issues.QUERY_ILLEGAL(what=f"'in' does not accept {head(source) or source}")


SPECIAL: dict[str, Callable[[Store, str, Query], Test]] = {
    "null?": null_test,
    "subquery": subquery_test,
    "in": in_test,
}

# -- columns and order -----------------------------------------------------------------------------


def aggregated(entity: str, found: list[Row], columns: list[Any], grouping: list[Any]) -> list[Row]:
    """Return rows counted and summed up by groups."""
    plain = [one for one in columns if isinstance(one, str)]
    by = grouping or plain
    groups: dict[str, list[Row]] = {}
    for row in found:
        groups.setdefault(repr([value_of(entity, row, name) for name in by]), []).append(row)
    if not groups and not by:
        groups[""] = []
    result = []
    for members in groups.values():
        row = {name: value_of(entity, members[0], name) for name in plain}
        for one in columns:
            if isinstance(one, list):
                row[str(one[1])] = aggregate(entity, members, one)
        result.append(row)
    return result


def aggregate(entity: str, members: list[Row], column: list[Any]) -> Any:
    """Return the value of ``["function", name, field]`` for rows."""
    if column[:1] != ["function"] or len(column) < 2:
        raise issues.QUERY_UNSUPPORTED(what=f"the field {column}")
    name, *fields = column[1:]
    if name == "count":
        return sum(
            1 for row in members if not fields or value_of(entity, row, fields[0]) is not None
        )
    if name not in ("avg", "sum", "min", "max") or not fields:
        raise issues.QUERY_UNSUPPORTED(what=f"the function '{name}'")
    values = [value_of(entity, row, fields[0]) for row in members]
    numbers = [one for one in values if isinstance(one, int | float)]
    if not numbers:
        return None
    if name == "avg":
        try:
            return sum(numbers) / len(numbers)
        except OverflowError:  # the sum is beyond the range of floats
            return math.inf
    if name == "sum":
        return sum(numbers)
    return min(numbers) if name == "min" else max(numbers)


def paged(found: list[Row], paging: Mapping[Any, Query], *, plain: bool, entity: str) -> list[Row]:
    """Return rows sorted and limited by the paging clauses."""
    if "include_total" in paging:
        raise issues.QUERY_UNSUPPORTED(what="include_total")
    if "order_by" in paging:
        for one in reversed(paging["order_by"][1]):
            name, direction = one if isinstance(one, list) and len(one) == 2 else (one, "asc")
            name = name[0] if isinstance(name, list) else name

            def key(row: Row, name: Any = name) -> tuple[int, Any]:
                value = row.get(name) if plain else value_of(entity, row, name)
                if isinstance(value, int | float):
                    return 0, value
                return (2, "") if value is None else (1, str(value))

            found = sorted(found, key=key, reverse=direction == "desc")
    start = paging["offset"][1] if "offset" in paging else 0
    end = start + paging["limit"][1] if "limit" in paging else None
    return found[start:end]
