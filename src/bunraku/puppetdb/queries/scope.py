"""The entity that a query reads, and the tables that its fields need."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.databases.dialect import Dialect
from bunraku.puppetdb.databases.statement import Statement, compose
from bunraku.puppetdb.entities import ENTITIES, Entity, Field, Kind
from bunraku.puppetdb.queries.expressions import FieldName
from bunraku.puppetdb.query_failure import bad_query, listing

SHOWN: Mapping[Kind, str] = {"fact": "value", "path": "path"}
"""The part of a table that is the value of a field, for kinds whose column is a table."""


class QueryScope:
    """Where names of fields are looked up; ``tables`` collects the joins that they need.

    ``negated``: a condition is within ``not``, so it matters whether it is false or null;
    ``nullable``: it is the operand of ``not`` itself, where conditions on parts of documents are
    null if the part is missing. As operands of ``and`` and ``or``, those on parameters are false then,
    and those on facts are false only if the whole fact is missing (PuppetDB 7.12 observed).
    """

    __slots__ = ("dialect", "entity", "negated", "nullable", "tables")

    def __init__(self, entity: Entity, dialect: Dialect) -> None:
        self.entity = entity
        self.dialect = dialect
        self.tables: set[str] = set()
        self.negated = False
        self.nullable = False

    def within_not(self) -> QueryScope:
        """Return the scope of a negated condition; the tables are those of the query."""
        return self.within(negated=True, nullable=True)

    def within_logic(self) -> QueryScope:
        """Return the scope of the conditions of ``and`` or ``or``."""
        return self.within(negated=self.negated, nullable=False) if self.nullable else self

    def within(self, *, negated: bool, nullable: bool) -> QueryScope:
        """Return a scope of the same query."""
        inner = QueryScope(self.entity, self.dialect)
        inner.tables = self.tables
        inner.negated = negated
        inner.nullable = nullable
        return inner

    def column(self, field: Field) -> Statement:
        """Return the SQL of a field, whose tables the query will join."""
        self.need(field.tables)
        return Statement(field.column)

    def shown(self, field: Field) -> Statement:
        """Return the SQL of a field's value, as answers show it and ``in`` compares it."""
        column = self.column(field)
        part = SHOWN.get(field.kind)
        return compose(f"{{}}.{part}", column) if part else column

    def need(self, tables: tuple[str, ...]) -> None:
        """Join tables, and those that they need."""
        for alias in tables:
            if alias not in self.tables:
                join = self.entity.joins.get(alias)
                if join is not None:
                    self.tables.add(alias)
                    self.need(join.tables)

    def node(self) -> Statement:
        """Return the SQL of the number of a row's node; PuppetError if rows have no node."""
        if self.entity.node is None:
            raise self.not_queryable("node_state")
        self.need(self.entity.node_tables)
        return Statement(self.entity.node)

    def queryable(self, name: FieldName) -> Field:
        """Return the field of a condition; PuppetError if there is none."""
        field = self.entity.field(name.name)
        if field is None or not field.queryable or (name.steps and field.kind != "document"):
            raise self.not_queryable(name.text)
        return field

    def not_queryable(self, name: str) -> PuppetError:
        """Return the error of a condition on something that is not a field."""
        entity = self.entity
        known = f"Known queryable objects are {listing(entity.queryable)}"
        return bad_query(f"'{name}' is not a queryable object for {entity.name}. {known}")

    def source(self) -> Statement:
        """Return the SQL of the tables, with the joins that were needed."""
        joins = [join.text for alias, join in self.entity.joins.items() if alias in self.tables]
        return Statement(" ".join([self.entity.source, *joins]))


def entity_named(name: str) -> Entity:
    """Return an entity; PuppetError if there is none of this name."""
    entity = ENTITIES.get(name)
    if entity is None:
        raise bad_query(f"Invalid entity '{name}' in query")
    return entity
