"""Random queries over the recorded load: the same seed gives the same queries.

Every entity and field that :mod:`bunraku.puppetdb.entities` lists is used, with values that the load
has. Rows that a limit selects are ordered by all projected fields, so the answer is determined.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.entities import ENTITIES, Entity, Field
from bunraku.puppetdb.queries.pql import ENTITIES as PQL_ENTITIES
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request

Values = Mapping[tuple[str, str], list[Any]]
"""Values of the load by entity and field; those of parts of documents by dotted names."""

KEPT = 40
DEPTH = 3
WITHOUT_PQL = ENTITIES.keys() - set(PQL_ENTITIES)
NOT_COMPARABLE = (
    "hash",
    "resource",
    "report",
    "latest_report_hash",
    "receive_time",
    "report_receive_time",
    "catalog_timestamp",
    "facts_timestamp",
)
"""Fields whose values are made by the database: hashes, and when it received something."""
RECEIVED = ("factsets", "inventory", "catalogs")
"""Entities whose ``timestamp`` is the time of storage."""
COMPARED = ("number", "timestamp")
SCALARS = (str, int, float, bool)
AGGREGATES = ("min", "max", "avg", "sum")
DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


# -- values ------------------------------------------------------------------------------------------


def values_of(database: Database) -> dict[tuple[str, str], list[Any]]:
    """Return values that fields have in the load."""
    found: dict[tuple[str, str], list[Any]] = {}
    for name, entity in ENTITIES.items():
        for row in rows(database, ["from", name]):
            for field, value in row.items() if isinstance(row, dict) else ():
                note(found, entity, field, value)
    return found


def rows(database: Database, query: Any) -> list[Any]:
    """Return the rows of a query."""
    response = answer(
        Service(database), Request("GET", "/pdb/query/v4", {"query": json.dumps(query)})
    )
    text = "".join(response.body)
    if response.status != 200:
        return []
    found: list[Any] = json.loads(text)
    return found


def note(found: dict[tuple[str, str], list[Any]], entity: Entity, name: str, value: Any) -> None:
    """Add a value of a field, and the leaves of documents."""
    field = entity.field(name)
    if field is not None and field.kind == "document" and isinstance(value, dict):
        for path, leaf in leaves(value):
            add(found.setdefault((entity.name, f"{name}.{path}"), []), leaf)
    add(found.setdefault((entity.name, name), []), value)
    if name == "tags":
        for tag in value or ():
            add(found.setdefault((entity.name, "tag"), []), tag)


def add(values: list[Any], value: Any) -> None:
    """Keep a value that is new, up to a number of them."""
    if value is not None and len(values) < KEPT and value not in values:
        values.append(value)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the scalars of a document by their dotted paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if DOTTED.fullmatch(key):
                yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value[:2]):
            yield from leaves(inner, f"{path}[{index}]")
    elif isinstance(value, SCALARS):
        yield path, value


def is_comparable(entity: Entity, name: str) -> bool:
    """Return whether two databases have the same values in a field."""
    received = name == "timestamp" and entity.name in RECEIVED
    return name not in NOT_COMPARABLE and not received


# -- queries -----------------------------------------------------------------------------------------


class Queries:
    """A source of random queries."""

    def __init__(self, seed: int, values: Values) -> None:
        self.random = random.Random(seed)
        self.values = values

    def items(self, count: int) -> Iterator[dict[str, Any]]:
        """Yield requests in the form of the recorded ones."""
        for number in range(count):
            entity = self.random.choice(sorted(ENTITIES))
            query = self.query(entity)
            text = pql(query) if entity not in WITHOUT_PQL and self.chance(0.5) else None
            yield {
                "id": f"random-{number:05}",
                "method": "GET",
                "path": "/pdb/query/v4",
                "params": {"query": text or json.dumps(query, ensure_ascii=False)},
            }

    def chance(self, part: float) -> bool:
        """Return True in a part of all cases."""
        return self.random.random() < part

    def query(self, name: str) -> list[Any]:
        """Return a query of an entity."""
        entity = ENTITIES[name]
        condition = self.condition(entity, DEPTH) if self.chance(0.9) else None
        if self.chance(0.25):
            return self.counting(entity, condition)
        fields = self.fields(entity)
        if not fields:
            return ["from", name, *([condition] if condition else [])]
        extract = ["extract", fields, *([condition] if condition else [])]
        if not self.chance(0.4):
            return ["from", name, extract]
        order = [[field, self.random.choice(["asc", "desc"])] for field in fields]
        paging: list[Any] = [["order_by", order]]
        if self.chance(0.7):
            paging.append(["limit", self.random.randint(1, 12)])
        if self.chance(0.3):
            paging.append(["offset", self.random.randint(0, 5)])
        return ["from", name, extract, *paging]

    def fields(self, entity: Entity) -> list[str]:
        """Return fields to project; none for all of them."""
        names = [
            name
            for name in entity.projectable
            if is_comparable(entity, name)
            and entity.fields[name].kind in {"text", "number", "boolean", "timestamp"}
        ]
        if not names or self.chance(0.15):
            return []
        return self.random.sample(names, self.random.randint(1, min(4, len(names))))

    def counting(self, entity: Entity, condition: Any) -> list[Any]:
        """Return a query with an aggregate."""
        groups = self.fields(entity)[:2]
        numbers = [name for name, field in entity.fields.items() if field.kind == "number"]
        if numbers and self.chance(0.3):
            call = ["function", self.random.choice(AGGREGATES), self.random.choice(numbers)]
        else:
            call = ["function", "count", *(self.fields(entity)[:1] if self.chance(0.3) else [])]
        rest = [condition] if condition else []
        if not groups:
            return ["from", entity.name, ["extract", [call], *rest]]
        return ["from", entity.name, ["extract", [call, *groups], *rest, ["group_by", *groups]]]

    # -- conditions ----------------------------------------------------------------------------------

    def condition(self, entity: Entity, depth: int) -> list[Any]:
        """Return a condition on rows of an entity."""
        kind = self.random.random()
        if depth > 0 and kind < 0.25:
            operator = self.random.choice(["and", "or"])
            parts = [self.condition(entity, depth - 1) for _ in range(self.random.randint(1, 3))]
            return [operator, *parts]
        if depth > 0 and kind < 0.33:
            return ["not", self.condition(entity, depth - 1)]
        if depth > 0 and kind < 0.45 and entity.relations:
            return self.related(entity, depth - 1)
        return self.comparison(entity)

    def related(self, entity: Entity, depth: int) -> list[Any]:
        """Return a condition on rows of another entity."""
        name = self.random.choice(sorted(entity.relations))
        relation, other = entity.relations[name], ENTITIES[name]
        inner = self.condition(other, depth)
        if name != "package_inventory" and self.chance(
            0.4
        ):  # the real one does not find its relation
            return ["subquery", name, inner]
        local, foreign = list(relation.local), list(relation.foreign)
        if self.chance(0.5):
            return ["in", local, ["extract", foreign, [f"select_{name}", inner]]]
        return ["in", local, ["from", name, ["extract", foreign, inner]]]

    def comparison(self, entity: Entity) -> list[Any]:
        """Return a condition on one field."""
        names = [
            name
            for (owner, name) in self.values
            if owner == entity.name and is_comparable(entity, name)
        ]
        chosen = self.random.choice(sorted(names)) if names else None
        if chosen is None:
            return ["=", min(entity.fields), "nothing"]
        field = entity.field(chosen) or entity.field(chosen.partition(".")[0])
        if field is None or not field.queryable:
            return self.comparison(entity)
        value = self.random.choice(self.values[entity.name, chosen] or ["nothing"])
        return self.of_kind(chosen, field, value, entity) or self.comparison(entity)

    def of_kind(self, name: str, field: Field, value: Any, entity: Entity) -> list[Any] | None:
        """Return a condition that suits the kind of a field; None if there is none."""
        if field.kind == "path":
            return self.on_path(name, value)
        if "." not in name and field.kind in {"document", "json", "serialized", "texts"}:
            return None
        if not isinstance(value, SCALARS):
            return None
        options: list[list[Any]] = [["=", name, value]]
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if numeric or field.kind in COMPARED:
            options.append([self.random.choice(["<", "<=", ">", ">="]), name, value])
        if isinstance(value, str) and field.kind in {"text", "fact", "tag", "document"}:
            options.append(["~", name, self.pattern(value)])
        if field.kind == "text":
            others = self.values.get((entity.name, name)) or [value]
            some = self.random.sample(others, self.random.randint(1, min(3, len(others))))
            options.append(["in", name, ["array", some]])
        if field.nullable and field.kind in {"text", "number", "boolean", "timestamp"}:
            options.append(["null?", name, self.chance(0.5)])
        return self.random.choice(options)

    def on_path(self, name: str, value: list[Any]) -> list[Any]:
        """Return a condition on the path of a fact."""
        if self.chance(0.5):
            return ["=", name, value]
        parts = [
            self.random.choice([part, ".*"]) if isinstance(part, str) else part for part in value
        ]
        return ["~>", name, parts]

    def pattern(self, text: str) -> str:
        """Return a regular expression that a text may match."""
        cut = self.random.randint(0, min(6, len(text)))
        start = re.escape(text[:cut]).replace("\\ ", " ").replace("\\-", "-")
        forms = [
            f"^{start}",
            f"{start}.*",
            f"{start}[a-z0-9.-]+$",
            f"({start}|zzz)",
            f"^{start}.?.?",
        ]
        return self.random.choice(forms)


# -- PQL ---------------------------------------------------------------------------------------------


def pql(query: list[Any]) -> str | None:
    """Return a query as PQL; None if it uses what PQL does not have."""
    try:
        return query_text(query)
    except KeyError:
        return None


def query_text(query: list[Any]) -> str:
    """Return the text of ``["from", …]``; KeyError for what PQL lacks."""
    _, entity, *rest = query
    if entity in WITHOUT_PQL:
        raise KeyError(entity)
    content = rest.pop(0) if rest and rest[0][0] not in {"order_by", "limit", "offset"} else None
    fields, condition, groups = "", "", []
    if content and content[0] == "extract":
        fields = f"[{', '.join(map(projected, content[1]))}]"
        parts = content[2:]
        if parts and parts[-1][0] == "group_by":
            groups = parts.pop()[1:]
        condition = condition_text(parts[0]) if parts else ""
    elif content:
        condition = condition_text(content)
    clauses = [condition] if condition else []
    if groups:
        clauses.append("group by " + ", ".join(groups))
    for clause in rest:
        if clause[0] == "order_by":
            clauses.append("order by " + ", ".join(" ".join(one) for one in clause[1]))
        else:
            clauses.append(f"{clause[0]} {clause[1]}")
    return f"{entity}{fields} {{ {' '.join(clauses)} }}"


def projected(field: Any) -> str:
    """Return the text of a projected field or call."""
    if isinstance(field, str):
        return field
    _, name, *arguments = field
    return f"{name}({', '.join(arguments)})"


def condition_text(condition: list[Any]) -> str:
    """Return the text of a condition."""
    operator, *rest = condition
    match operator:
        case "and" | "or":
            return "(" + f" {operator} ".join(map(condition_text, rest)) + ")"
        case "not":
            return f"!({condition_text(rest[0])})"
        case "subquery":
            return f"{rest[0]} {{ {condition_text(rest[1])} }}"
        case "null?":
            return f"{rest[0]} is {'' if rest[1] else 'not '}null"
        case "in":
            return in_text(*rest)
    name, value = rest
    return f"{name} {operator} {literal(value)}"


def in_text(fields: Any, source: list[Any]) -> str:
    """Return the text of ``in``."""
    names = fields if isinstance(fields, str) else f"[{', '.join(fields)}]"
    if source[0] == "array":
        return f"{names} in [{', '.join(map(literal, source[1]))}]"
    if source[0] == "extract":
        inner, condition = source[2]
        source = ["from", inner.removeprefix("select_"), ["extract", source[1], condition]]
    return f"{names} in {query_text(source)}"


def literal(value: Any) -> str:
    """Return the text of a value."""
    return json.dumps(value, ensure_ascii=False)
