"""SQL of conditions on parts of structured values: ``facts.os.family``, ``parameters.ensure``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from bunraku.puppetdb.databases.regular_expressions import search
from bunraku.puppetdb.databases.statement import Statement, bound, compose, joined, listed
from bunraku.puppetdb.entities import Field
from bunraku.puppetdb.fact_paths import DELIMITER, encoded_path, path_text
from bunraku.puppetdb.json_values import Json, canonical_json
from bunraku.puppetdb.queries.comparisons import FALSE, SIGNS, TRUE, compared_scalar, matched_scalar
from bunraku.puppetdb.queries.expressions import FieldName, Ordering, Pattern, Step
from bunraku.puppetdb.queries.scope import QueryScope
from bunraku.puppetdb.query_failure import bad_query

MOST_NUMERIC_STEPS = 4
HAS_LEAF = """{} IN (
    SELECT f.node_id FROM fact_paths AS fp
    JOIN fact_leaves AS v ON v.path_id = fp.id
    JOIN facts AS f ON f.value_id = v.value_id
    WHERE {} AND {})"""
HAS_VALUE = """{} IN (
    SELECT f.node_id FROM fact_values AS v JOIN facts AS f ON f.value_id = v.id
    WHERE v.name = {} AND {})"""
OF_NODE = """(
    SELECT {} FROM facts AS f JOIN fact_values AS v ON v.id = f.value_id
    WHERE f.node_id = {} AND v.name = {})"""
IF_FACT = "({} AND {})"
IF_THERE = "CASE WHEN {} IS NOT NULL THEN {} END"
"""A condition that is null if a part is missing, so its negation is not true, either."""
VALUE, LEAF = Statement("v.value"), Statement("v")
RANKS = ("null", "string", "number", "boolean")
"""The order of the types of scalars in PostgreSQL's ``jsonb``."""


def of_facts(field: Field) -> bool:
    """Return whether the parts of a document are facts, which have tables of their own."""
    return field.name in {"facts", "trusted"}


def fact_steps(name: FieldName) -> tuple[Step, ...]:
    """Return the path from the facts: ``trusted`` is one of them."""
    return ("trusted", *name.steps) if name.name == "trusted" else name.steps


def compared_part(
    scope: QueryScope, field: Field, name: FieldName, operator: Ordering, value: Json
) -> Statement:
    """Return the SQL of a comparison with a part of a document."""
    if not name.steps:
        raise bad_query(f"The field '{name.text}' cannot be compared: name a part of it")
    if not of_facts(field):
        return compared_parameter(scope, field, name, operator, value)
    steps = fact_steps(name)
    if operator != "=":
        if scope.negated and is_plain(steps):
            test = scope.dialect.part_ordered(VALUE, plain_steps(steps[1:]), operator, value)
            return with_value(scope, steps, test)
        return with_leaf(scope, steps, ordered_leaf(operator, value))
    if scope.negated and has_index(steps):
        inner = plain_steps(steps[1:])
        test = compose(
            IF_THERE,
            scope.dialect.part(VALUE, inner),
            scope.dialect.part_contains(VALUE, inner, value),
        )
        return with_value(scope, steps, test)
    if isinstance(value, list | dict) or value is None:
        return contained(scope, steps, value)
    return with_leaf(scope, steps, compared_scalar(LEAF, "=", value))


def compared_parameter(
    scope: QueryScope, field: Field, name: FieldName, operator: Ordering, value: Json
) -> Statement:
    """Return the SQL of a comparison with a part of a resource's parameters."""
    document, steps = scope.column(field), plain_steps(name.steps)
    if operator != "=":
        return as_operand(scope, scope.dialect.part_ordered(document, steps, operator, value))
    test = scope.dialect.part_contains(document, steps, value)
    if not (scope.nullable and has_index(name.steps)):
        return test
    return compose(IF_THERE, scope.dialect.part(document, steps), test)


def as_operand(scope: QueryScope, test: Statement) -> Statement:
    """Return a condition on a parameter, which is false instead of null within ``and`` and ``or``."""
    if scope.negated and not scope.nullable:
        return compose("coalesce({}, {})", test, FALSE)
    return test


def has_index(steps: tuple[Step, ...]) -> bool:
    """Return whether a step is the index of an array: the part may then be missing, not unequal."""
    return any(isinstance(step, int) for step in steps)


def is_plain(steps: tuple[Step, ...]) -> bool:
    """Return whether no step is a regular expression."""
    return not any(isinstance(step, Pattern) for step in steps)


def of_node(scope: QueryScope, steps: tuple[Step, ...], test: Statement) -> Statement:
    """Return the SQL of a condition on the value of a fact of a row's node; null without the fact."""
    return compose(OF_NODE, test, scope.node(), bound(str(steps[0])))


def with_leaf(scope: QueryScope, steps: tuple[Step, ...], condition: Statement) -> Statement:
    """Return the SQL of a node having a leaf at a path that meets a condition."""
    return compose(HAS_LEAF, scope.node(), path_condition(steps), condition)


def has_leaf_list(scope: QueryScope, field: Field, name: FieldName, values: Sequence[Json]) -> bool:
    """Return whether a leaf of a node's facts is compared with texts alone, which one list can do."""
    are_texts = all(isinstance(value, str) for value in values)
    return are_texts and bool(name.steps) and of_facts(field) and not scope.negated


def leaf_among(scope: QueryScope, name: FieldName, values: Sequence[Json]) -> Statement:
    """Return the SQL of a node having a leaf at a path whose text is one of some."""
    texts = [value for value in values if isinstance(value, str)]
    return with_leaf(scope, fact_steps(name), compose("v.text IN {}", listed(texts)))


def path_condition(steps: tuple[Step, ...]) -> Statement:
    """Return the SQL of a path into facts being the one given."""
    if any(isinstance(step, Pattern) for step in steps):
        texts = [
            step.text if isinstance(step, Pattern) else encoded_path((step,)) for step in steps
        ]
        pattern = DELIMITER.join(texts)
        search(pattern)
        return compose("matches({}, fp.encoded)", bound(pattern))
    paths = [path_text(path) for path in possible_paths(steps)]
    return compose("fp.path IN ({})", joined(", ", map(bound, paths)))


def possible_paths(steps: tuple[Step, ...]) -> list[tuple[str | int, ...]]:
    """Return the paths that steps can mean: digits are a key or an index."""
    plain = [step for step in steps if not isinstance(step, Pattern)]
    numeric = [step for step in plain if isinstance(step, str) and is_index(step)]
    if len(numeric) > MOST_NUMERIC_STEPS:
        raise bad_query(f"A field has more than {MOST_NUMERIC_STEPS} numbers as keys")
    choices = [
        (step, int(step)) if isinstance(step, str) and is_index(step) else (step,) for step in plain
    ]
    return list(product(*choices))


def is_index(step: str) -> bool:
    """Return whether a key could be the index of an array."""
    return step.isascii() and step.isdigit() and len(step) <= 9


def ordered_leaf(operator: Ordering, value: Json) -> Statement:
    """Return the SQL of a leaf being less or more than a value, in the order of ``jsonb``."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise bad_query(f"The operator {operator} cannot compare with {canonical_json(value)}")
    if not isinstance(value, str):
        ordered = compared_scalar(LEAF, operator, value)
    else:
        ordered = compose(SIGNS[operator], Statement("v.text"), bound(value))
    kinds = [kind for kind in RANKS if is_beyond(kind, operator, value)]
    others = compose("fp.kind IN ({})", joined(", ", map(bound, kinds)))
    return compose("({} OR {})", ordered, others)


def is_beyond(kind: str, operator: Ordering, value: str | float) -> bool:
    """Return whether all values of a type are less, or more, than a value of another type."""
    own = RANKS.index("string" if isinstance(value, str) else "number")
    rank = RANKS.index(kind)
    return rank > own if operator.startswith(">") else rank < own


def contained(scope: QueryScope, steps: tuple[Step, ...], value: Json) -> Statement:
    """Return the SQL of a part of a node's facts containing an array or an object."""
    test = scope.dialect.part_contains(VALUE, plain_steps(steps[1:]), value)
    return compose(HAS_VALUE, scope.node(), bound(str(steps[0])), test)


def plain_steps(steps: tuple[Step, ...]) -> list[str | int]:
    """Return steps that are keys and indexes; PuppetError if one is a regular expression."""
    found = [step for step in steps if not isinstance(step, Pattern)]
    if len(found) < len(steps):
        raise bad_query("match() is not supported here")
    return found


def matched_part(scope: QueryScope, field: Field, name: FieldName, pattern: Json) -> Statement:
    """Return the SQL of a part of a document matching a regular expression."""
    if not isinstance(pattern, str):
        raise bad_query(f"{canonical_json(pattern)} is not a regular expression")
    if not name.steps:
        raise bad_query(f"The field '{name.text}' cannot be compared: name a part of it")
    search(pattern)
    if not of_facts(field):
        text = scope.dialect.text_of_part(scope.column(field), plain_steps(name.steps))
        return as_operand(scope, compose("matches({}, {})", bound(pattern), text))
    steps = fact_steps(name)
    if not is_plain(steps):
        return with_leaf(scope, steps, matched_scalar(LEAF, pattern))
    text = scope.dialect.text_of_part(VALUE, plain_steps(steps[1:]))
    return with_value(scope, steps, compose("matches({}, {})", bound(pattern), text))


def with_value(scope: QueryScope, steps: tuple[Step, ...], test: Statement) -> Statement:
    """Return the SQL of a node having a fact whose value meets a condition.

    Below ``not``, the condition is null if the fact lacks the part. Without the fact, it is null as the
    operand of ``not``, and false as one of ``and`` or ``or`` (PuppetDB 7.12 observed).
    """
    if not scope.negated:
        return compose(HAS_VALUE, scope.node(), bound(str(steps[0])), test)
    of_fact = of_node(scope, steps, test)
    return of_fact if scope.nullable else if_fact(scope, steps, of_fact)


def if_fact(scope: QueryScope, steps: tuple[Step, ...], test: Statement) -> Statement:
    """Return a condition on a fact, which is false instead of null for a node without it."""
    return compose(IF_FACT, compose(HAS_VALUE, scope.node(), bound(str(steps[0])), TRUE), test)


def negated_operand(scope: QueryScope, name: FieldName, test: Statement) -> Statement:
    """Return ``not`` of a condition on a part of a document, as one of ``and`` or ``or``.

    Below ``not``, it is false where the condition itself would be (PuppetDB 7.12 observed).
    """
    field = scope.queryable(name)
    if not name.steps or not scope.negated or scope.nullable:
        return test
    if not of_facts(field):
        return as_operand(scope, test)
    return if_fact(scope, fact_steps(name), test) if is_plain(name.steps) else test


def null_part(scope: QueryScope, field: Field, name: FieldName, *, null: bool) -> Statement:
    """Return the SQL of a part of a document being JSON's null, or being there and not null."""
    sign = "=" if null else "<>"
    if not of_facts(field):
        part = scope.dialect.part(scope.column(field), plain_steps(name.steps))
        return compose(f"{{}} {sign} 'null'", part)
    steps = fact_steps(name)
    if not steps:
        return FALSE if null else TRUE
    part = scope.dialect.part(VALUE, plain_steps(steps[1:]))
    test = compose(f"{{}} {sign} 'null'", part)
    return of_node(scope, steps, test) if scope.negated else with_value(scope, steps, test)


def projected_part(scope: QueryScope, field: Field, name: FieldName) -> Statement:
    """Return the SQL of a part of a document as JSON text."""
    steps = fact_steps(name) if of_facts(field) else name.steps
    if any(not isinstance(step, str) for step in steps):
        raise bad_query(f"The field '{name.text}' cannot be extracted: it has an index")
    if not of_facts(field):
        return scope.dialect.part(scope.column(field), plain_steps(steps))
    return of_node(scope, steps, scope.dialect.part(VALUE, plain_steps(steps[1:])))
