"""Emitting resources, overrides, defaults, collectors and relationships."""

from __future__ import annotations

import ast
from typing import Any

from bunraku.base.tabled_values import Tabled
from bunraku.compiler.emitter import Emitter, expression_of
from bunraku.compiler.expressions import named_type
from bunraku.compiler.tables import has_tables, is_sure, tabled
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node


def attributes(emitter: Emitter, operations: list[nodes.AttributeOperation]) -> ast.expr:
    """Attribute operations: a dict where all are plain, else a list of (name, operator, value)."""
    plain = all(isinstance(item, nodes.Attribute) and item.operator == "=>" for item in operations)
    names = [item.name for item in operations if isinstance(item, nodes.Attribute)]
    if plain and len(set(names)) == len(operations):
        return emitter.dict_of(
            [emitter.constant(name) for name in names],
            [emitter.expression(item.value) for item in operations],
        )
    items: list[ast.expr] = []
    for item in operations:
        with emitter.at(item):
            items.append(emitter.tuple_of(attribute_operation(emitter, item)))
    return emitter.call("attributes", *items)


def attribute_operation(emitter: Emitter, item: nodes.AttributeOperation) -> list[ast.expr]:
    """Name, operator and value of an attribute operation; ``*`` means a hash of attributes."""
    if isinstance(item, nodes.Attribute):
        value = emitter.expression(item.value)
        return [emitter.constant(item.name), emitter.constant(item.operator), value]
    with emitter.at(item.value):
        value = emitter.call("attribute_hash", emitter.value(item.value))
    return [emitter.constant("*"), emitter.constant("*"), value]


RELATED = frozenset({"before", "notify", "require", "subscribe", "*"})


def lines_of_relationships(
    emitter: Emitter, operations: list[nodes.AttributeOperation]
) -> tuple[tuple[str, int], ...] | None:
    """Return the lines of relationship attributes, for errors about targets; None without any."""
    lines = [item for item in line_of_each(emitter, operations) if item[0] in RELATED]
    return tuple(lines) or None


def override_lines(emitter: Emitter, operations: list[nodes.AttributeOperation]) -> ast.expr:
    """Emit the lines of all attributes, for errors about forbidden overrides."""
    return emitter.constant(tuple(line_of_each(emitter, operations)) or None)


def line_of_each(
    emitter: Emitter, operations: list[nodes.AttributeOperation]
) -> list[tuple[str, int]]:
    """Return the names of attributes, ``*`` for those that a hash gives, each with its line."""
    return [
        (item.name if isinstance(item, nodes.Attribute) else "*", emitter.line(item))
        for item in operations
    ]


@expression_of(nodes.Resource)
def resource(emitter: Emitter, node: nodes.Resource) -> ast.expr:
    """Emit ``type { title: attributes; … }``."""
    with emitter.at_recorded(node):
        line = emitter.place[0]
        tables = attribute_tables(emitter, node)
        type_ = node.type_name
        if isinstance(type_, nodes.Name):
            fixed = [fixed_body(emitter, body, tables) for body in node.bodies]
            if None not in fixed:
                named = (type_.value, node.form, emitter.source.path, line, tuple(fixed))
                return emitter.call("declare_table", emitter.scope(), emitter.constant(named))
        bodies = [resource_body(emitter, body, tables) for body in node.bodies]
        return emitter.call(
            "declare",
            emitter.scope(),
            type_name(emitter, type_),
            emitter.constant(node.form),
            emitter.constant(emitter.source.path),
            emitter.constant(line),
            *bodies,
        )


Table = tuple[tuple[Any, ...], ...]
"""Attributes as a constant: of each the name, and the pair of its value."""


def attribute_tables(emitter: Emitter, node: nodes.Resource) -> dict[int, Table]:
    """Return the attributes of bodies, by the start of the body, that need no code of their own.

    They are read when the resource is declared. What may fail, or warn, must do so in the order of
    the code, so the attributes that may are only read so late where no code of another body runs.
    """
    if not has_tables(emitter):
        return {}
    found = {}
    for body in node.bodies:
        table = attribute_table(emitter, body.operations)
        if table is not None:
            found[body.start] = table
    alone = len(node.bodies) == 1
    if alone or (len(found) == len(node.bodies) and all(map(has_fixed_title, node.bodies))):
        return found
    return {
        start: table
        for start, table in found.items()
        if all(is_sure((source, rest)) for _, source, rest in table)
    }


def has_fixed_title(body: nodes.ResourceBody) -> bool:
    """Return whether a title is literal text."""
    return isinstance(body.title, nodes.String | nodes.Name) and bool(body.title.value)


def attribute_table(emitter: Emitter, operations: list[nodes.AttributeOperation]) -> Table | None:
    """Return attributes as a constant; None where one needs code."""
    found: dict[str, Tabled] = {}
    for item in operations:
        if not isinstance(item, nodes.Attribute) or item.operator != "=>" or item.name in found:
            return None
        value = tabled(emitter, item.value)
        if value is None:
            return None
        found[item.name] = value
    return tuple((name, *value) for name, value in found.items())


def fixed_body(
    emitter: Emitter, body: nodes.ResourceBody, tables: dict[int, Table]
) -> tuple[Any, ...] | None:
    """Return a body as a constant: title, attributes, lines; None where it needs code."""
    if body.start not in tables or not isinstance(body.title, nodes.String | nodes.Name):
        return None
    if not has_fixed_title(body):
        return None
    return body.title.value, tables[body.start], lines_of_relationships(emitter, body.operations)


def resource_body(emitter: Emitter, body: nodes.ResourceBody, tables: dict[int, Table]) -> ast.expr:
    """Titles and attributes, and the lines of attributes that relate resources."""
    fixed = fixed_body(emitter, body, tables)
    if fixed is not None:
        with emitter.at(body):
            return emitter.constant(fixed)
    title = titles(emitter, body.title)
    table = tables.get(body.start)
    if table is None:
        given = attributes(emitter, body.operations)
    else:
        given = emitter.constant(table)
    with emitter.at(body):
        lines = emitter.constant(lines_of_relationships(emitter, body.operations))
        return emitter.tuple_of([title, given, lines])


def titles(emitter: Emitter, node: Node) -> ast.expr:
    """Return a title, ``default`` or the list of titles, checked before the attributes."""
    if isinstance(node, nodes.Default):
        return emitter.expression(node)
    if isinstance(node, nodes.String | nodes.Name) and node.value and emitter.works_in_place:
        return emitter.list_of([emitter.expression(node)])
    with emitter.at(node):
        return emitter.call("titles", emitter.value(node))


def type_name(emitter: Emitter, node: Node) -> ast.expr:
    """Return the type of a resource expression: a bare word, ``class``, or an expression of a type."""
    if isinstance(node, nodes.Name):
        return emitter.expression(node)
    named = node.left if isinstance(node, nodes.Access) else node
    fits = isinstance(named, nodes.Reference)
    with emitter.at(node):
        return emitter.call("resource_type", emitter.value(node), emitter.constant(fits))


@expression_of(nodes.ResourceDefaults)
def resource_defaults(emitter: Emitter, node: nodes.ResourceDefaults) -> ast.expr:
    """Emit ``Type { attributes }``."""
    return emitter.call(
        "set_defaults",
        emitter.scope(),
        emitter.expression(node.type_reference),
        attributes(emitter, node.operations),
    )


@expression_of(nodes.ResourceOverride)
def resource_override(emitter: Emitter, node: nodes.ResourceOverride) -> ast.expr:
    """Emit ``Type[title] { attributes }``."""
    return emitter.call(
        "override",
        emitter.scope(),
        emitter.expression(node.resources),
        attributes(emitter, node.operations),
        emitter.constant(emitter.source.path),
        emitter.constant(emitter.line(node)),
        override_lines(emitter, node.operations),
    )


@expression_of(nodes.Collector)
def collector(emitter: Emitter, node: nodes.Collector) -> ast.expr:
    """Emit ``Type <| query |> { attributes }``."""
    return emitter.call(
        "collect",
        emitter.scope(),
        named_type(emitter, node.type),
        emitter.constant(node.query.exported),
        query(emitter, node.query.expression),
        attributes(emitter, node.operations),
        emitter.constant(emitter.source.path),
        emitter.constant(emitter.line(node)),
        override_lines(emitter, node.operations),
    )


def query(emitter: Emitter, node: Node) -> ast.expr:
    """Return a collector's query: ("==", attribute, value), ("and", query, query, ...).

    Lists, for Python would make constants of tuples, which takes ever longer the deeper they nest.
    Calls get the place of the collector.
    """
    match node:
        case nodes.Nop():
            return emitter.expression(node)
        case nodes.Parenthesized(expression=inner):
            return query(emitter, inner)
        case nodes.And() | nodes.Or():
            terms = [query(emitter, term) for term in terms_of(node)]
            with emitter.at(node):
                word = emitter.constant("and" if isinstance(node, nodes.And) else "or")
                return emitter.list_of([word, *terms])
        case nodes.Comparison(
            operator=operator,
            left=nodes.Name() | nodes.String() | nodes.Variable() as left,
            right=right,
        ) if can_be_asked(right):
            attribute = emitter.expression(left)
            if isinstance(right, nodes.Undef):
                value: ast.expr = emitter.call("undef_in_query")
            else:
                value = emitter.expression(right)
            with emitter.at(node):
                return emitter.list_of([emitter.constant(operator), attribute, value])
        case nodes.Comparison(operator=operator, left=nodes.Name() | nodes.String() as left):
            with emitter.at(node):
                value = emitter.expression(node.right)
                value = emitter.stamp(ast.Lambda(emitter.parameters([]), value))
                name = emitter.constant(operator)
            return emitter.call("other_query", name, emitter.expression(left), value)
    return emitter.call("illegal_query")


def terms_of(node: nodes.And | nodes.Or) -> list[Node]:
    """Return the operands of a chain of ``and`` or a chain of ``or``."""
    terms: list[Node] = []
    left: Node = node
    while isinstance(left, nodes.And | nodes.Or) and left.__class__ is node.__class__:
        terms.append(left.right)
        left = left.left
    return [left, *reversed(terms)]


ASKABLE = (
    nodes.Access,
    nodes.Boolean,
    nodes.Concatenation,
    nodes.Float,
    nodes.Integer,
    nodes.Name,
    nodes.String,
    nodes.Undef,
    nodes.Variable,
)


def can_be_asked(node: Node) -> bool:
    """Return whether a query can compare with such an expression: names, literals, variables."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    return isinstance(node, ASKABLE)


@expression_of(nodes.Relationship)
def relationship(emitter: Emitter, node: nodes.Relationship) -> ast.expr:
    """Emit ``left -> right``; a chain is emitted by a loop, each link yields its right side."""
    spine: list[nodes.Relationship] = []
    left: Node = node
    while isinstance(left, nodes.Relationship):
        spine.append(left)
        left = left.left
    local = emitter.fresh("left")
    with emitter.at(left):
        steps: list[ast.expr] = [emitter.walrus(local, emitter.value(left))]
    for step in reversed(spine):
        with emitter.at(step):
            linked = emitter.call(
                "relate",
                emitter.scope(),
                emitter.name(local),
                emitter.constant(step.operator),
                emitter.expression(step.right),
            )
            steps.append(emitter.walrus(local, linked))
    return emitter.sequence(steps)
