"""The SQL that differs between databases, as pieces with the same meaning on each.

Most statements are the same: they use functions by the names that SQLite has, and a database that
lacks one gets it with the schema. Here is what cannot be written as one function.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol, TypeAlias

from bunraku.puppetdb.databases.statement import Row, Statement, bound, compose
from bunraku.puppetdb.json_values import Json, canonical_json

Steps: TypeAlias = "Sequence[str | int]"
"""The way to a part of a JSON value: keys and indexes."""


class Dialect(Protocol):
    """Pieces of SQL for one database."""

    name: str
    """The database: ``sqlite`` or ``postgresql``."""
    row_lock: str
    """What a ``SELECT`` ends with so that other writers wait until the transaction is over."""

    def part(self, document: Statement, steps: Steps) -> Statement:
        """Return a part of a JSON text, as JSON text; null if there is none."""

    def part_contains(self, document: Statement, steps: Steps, value: Json) -> Statement:
        """Return whether a part of a JSON text contains a value, as ``@>`` of PostgreSQL does.

        A missing part contains nothing: the test is false, not null.
        """

    def part_ordered(self, document: Statement, steps: Steps, sign: str, value: Json) -> Statement:
        """Return whether a part of a JSON text is before or after a value, by ``sign``."""

    def text_of_part(self, document: Statement, steps: Steps) -> Statement:
        """Return a part of a JSON text, texts without quotes; null for JSON's null."""

    def kind(self, document: Statement) -> Statement:
        """Return the name of the type of a JSON text."""

    def items(self, array: Statement) -> Statement:
        """Return the table ``item`` with the column ``value``: the texts of a JSON array."""

    def path_matches(self, patterns: Steps) -> Statement:
        """Return whether each step of the column ``path`` matches its pattern, or is its index."""

    def time_text(self, milliseconds: Statement, pattern: str) -> Statement:
        """Return a time in a format of ``to_char``."""

    def number_text(self, number: Statement, pattern: str) -> Statement:
        """Return a number in a format of ``to_char``."""

    def unplanned(self, condition: Statement) -> Statement:
        """Return a condition that the planner takes as a whole, where its time would grow with the square of the terms."""

    def explain(self, statement: Statement) -> Statement:
        """Return the statement that shows how another one is executed."""

    def plan(self, rows: Sequence[Row]) -> Json:
        """Return the rows of :meth:`explain` in the form of PostgreSQL's plans."""


def steps_text(steps: Steps) -> Statement:
    """Return steps as the functions of SQLite take them."""
    return bound(json.dumps(list(steps), ensure_ascii=False))


class SqliteDialect:
    """SQL of SQLite, with the functions of :mod:`bunraku.puppetdb.databases.functions`."""

    name = "sqlite"
    row_lock = ""

    def part(self, document: Statement, steps: Steps) -> Statement:
        """See :class:`Dialect`."""
        return compose("json_at({}, {})", document, steps_text(steps))

    def part_contains(self, document: Statement, steps: Steps, value: Json) -> Statement:
        """See :class:`Dialect`."""
        part = self.part(document, steps)
        return compose("json_contains({}, {})", part, bound(canonical_json(value)))

    def part_ordered(self, document: Statement, steps: Steps, sign: str, value: Json) -> Statement:
        """See :class:`Dialect`."""
        part = self.part(document, steps)
        return compose(f"jsonb_order({{}}, {{}}) {sign} 0", part, bound(canonical_json(value)))

    def text_of_part(self, document: Statement, steps: Steps) -> Statement:
        """See :class:`Dialect`."""
        return compose("json_text({})", self.part(document, steps))

    def kind(self, document: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("jsonb_typeof({})", document)

    def items(self, array: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("json_each({}) AS item", array)

    def path_matches(self, patterns: Steps) -> Statement:
        """See :class:`Dialect`."""
        return compose("path_matches({}, path)", steps_text(patterns))

    def time_text(self, milliseconds: Statement, pattern: str) -> Statement:
        """See :class:`Dialect`."""
        return compose("time_text({}, {})", milliseconds, bound(pattern))

    def number_text(self, number: Statement, pattern: str) -> Statement:
        """See :class:`Dialect`."""
        return compose("number_text({}, {})", number, bound(pattern))

    def unplanned(self, condition: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("+{}", condition)

    def explain(self, statement: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("EXPLAIN QUERY PLAN {}", statement)

    def plan(self, rows: Sequence[Row]) -> Json:
        """See :class:`Dialect`."""
        steps: list[Json] = [str(row[3]) for row in rows]
        return [{"Plan": {"Node Type": "SQLite", "Steps": steps}}]


PATH_MATCHES = """(
    jsonb_array_length(path::jsonb) = {} AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements(path::jsonb) WITH ORDINALITY AS found(step, place)
        JOIN jsonb_array_elements({}::jsonb) WITH ORDINALITY AS wanted(step, place)
            ON wanted.place = found.place
        WHERE NOT CASE
            WHEN jsonb_typeof(wanted.step) = 'number'
                THEN jsonb_typeof(found.step) = 'number'
                    AND (found.step #>> '{{}}') ~ (wanted.step #>> '{{}}')
            WHEN jsonb_typeof(found.step) = 'number' AND (wanted.step #>> '{{}}') ~ '^[0-9]+$'
                THEN FALSE
            ELSE matches(wanted.step #>> '{{}}', found.step #>> '{{}}')
        END))"""


class PostgresqlDialect:
    """SQL of PostgreSQL."""

    name = "postgresql"
    row_lock = " FOR NO KEY UPDATE"

    def json_part(self, document: Statement, steps: Steps) -> Statement:
        """Return a part of a JSON text as ``jsonb``: texts are keys, numbers are indexes."""
        found = compose("({})::jsonb", document)
        for step in steps:
            kind = "text" if isinstance(step, str) else "int"
            found = compose(f"({{}} -> ({{}})::{kind})", found, bound(step))
        return found

    def part(self, document: Statement, steps: Steps) -> Statement:
        """See :class:`Dialect`."""
        return compose("({})::text", self.json_part(document, steps))

    def part_contains(self, document: Statement, steps: Steps, value: Json) -> Statement:
        """See :class:`Dialect`; for ``@>`` an array contains its items, which are not meant."""
        sign = "@>" if isinstance(value, list | dict) else "="
        part = self.json_part(document, steps)
        test = compose(f"{{}} {sign} ({{}})::jsonb", part, bound(canonical_json(value)))
        return compose("coalesce({}, FALSE)", test)

    def part_ordered(self, document: Statement, steps: Steps, sign: str, value: Json) -> Statement:
        """See :class:`Dialect`; texts are compared in the order of their characters."""
        part = self.json_part(document, steps)
        ordered = compose(f"{{}} {sign} ({{}})::jsonb", part, bound(canonical_json(value)))
        if not isinstance(value, str):
            return compose("({})", ordered)
        return compose(
            "CASE jsonb_typeof({}) WHEN 'string'"
            f" THEN ({{}} #>> '{{{{}}}}') COLLATE \"C\" {sign} {{}} ELSE {{}} END",
            part,
            part,
            bound(value),
            ordered,
        )

    def text_of_part(self, document: Statement, steps: Steps) -> Statement:
        """See :class:`Dialect`."""
        return compose("({} #>> '{{}}')", self.json_part(document, steps))

    def kind(self, document: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("jsonb_typeof(({})::jsonb)", document)

    def items(self, array: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("jsonb_array_elements_text(({})::jsonb) AS item(value)", array)

    def path_matches(self, patterns: Steps) -> Statement:
        """See :class:`Dialect`."""
        return compose(PATH_MATCHES, bound(len(patterns)), steps_text(patterns))

    def time_text(self, milliseconds: Statement, pattern: str) -> Statement:
        """See :class:`Dialect`."""
        return compose(
            "to_char(to_timestamp({} / 1000.0) AT TIME ZONE 'UTC', {})",
            milliseconds,
            bound(pattern),
        )

    def number_text(self, number: Statement, pattern: str) -> Statement:
        """See :class:`Dialect`."""
        return compose("to_char({}, {})", number, bound(pattern))

    def unplanned(self, condition: Statement) -> Statement:
        """See :class:`Dialect`: PostgreSQL tries each term of ``and`` that has ``or`` with all others."""
        return compose("({})::integer::boolean", condition)

    def explain(self, statement: Statement) -> Statement:
        """See :class:`Dialect`."""
        return compose("EXPLAIN (ANALYZE, FORMAT JSON) {}", statement)

    def plan(self, rows: Sequence[Row]) -> Json:
        """See :class:`Dialect`."""
        found: Json = json.loads(str(rows[0][0]))
        return found


SQLITE = SqliteDialect()
POSTGRESQL = PostgresqlDialect()
