"""Emitting resources, overrides, defaults, collectors and relationships."""

from __future__ import annotations

import ast

from bunraku.compiler.emitter import Emitter, expression_of
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
            items.append(emitter.tuple_of(operation(emitter, item)))
    return emitter.call("attributes", *items)


def operation(emitter: Emitter, item: nodes.AttributeOperation) -> list[ast.expr]:
    """Name, operator and value of an attribute operation; ``*`` means a hash of attributes."""
    if isinstance(item, nodes.Attribute):
        value = emitter.expression(item.value)
        return [emitter.constant(item.name), emitter.constant(item.operator), value]
    with emitter.at(item.value):
        value = emitter.call("attribute_hash", emitter.value(item.value))
    return [emitter.constant("*"), emitter.constant("*"), value]


RELATED = frozenset({"before", "notify", "require", "subscribe", "*"})


def relationship_lines(emitter: Emitter, operations: list[nodes.AttributeOperation]) -> ast.expr:
    """Return the lines of relationship attributes, for errors about targets; None without any."""
    lines = [item for item in line_of_each(emitter, operations) if item[0] in RELATED]
    return emitter.constant(tuple(lines) or None)


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
        bodies = [resource_body(emitter, body) for body in node.bodies]
        return emitter.call(
            "declare",
            emitter.scope(),
            type_name(emitter, node.type_name),
            emitter.constant(node.form),
            emitter.constant(emitter.source.path),
            emitter.constant(line),
            *bodies,
        )


def resource_body(emitter: Emitter, body: nodes.ResourceBody) -> ast.expr:
    """Titles and attributes, and the lines of attributes that relate resources."""
    title = titles(emitter, body.title)
    given = attributes(emitter, body.operations)
    with emitter.at(body):
        return emitter.tuple_of([title, given, relationship_lines(emitter, body.operations)])


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
    with emitter.at(node):
        return emitter.call("resource_type", emitter.value(node))


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
        emitter.expression(node.type),
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
