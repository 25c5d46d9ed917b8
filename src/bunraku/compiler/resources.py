"""Emitting resources, overrides, defaults, collectors and relationships."""

from __future__ import annotations

import ast

from bunraku.compiler.emitter import Emitter, Place, expression_of
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node


def attributes(emitter: Emitter, operations: list[nodes.AttributeOperation], at: Place) -> ast.expr:
    """Attribute operations: a dict where all are plain, else a list of (name, operator, value)."""
    plain = all(isinstance(item, nodes.Attribute) and item.operator == "=>" for item in operations)
    names = [item.name for item in operations if isinstance(item, nodes.Attribute)]
    if plain and len(set(names)) == len(operations):
        return ast.Dict(
            [emitter.constant(name, at) for name in names],
            [emitter.expression(item.value) for item in operations],
            **at,
        )
    items: list[ast.expr] = []
    for item in operations:
        place = emitter.place(item)
        name, operator = (
            ("*", "*")
            if isinstance(item, nodes.AttributeSplat)
            else (
                item.name,
                item.operator,
            )
        )
        value = emitter.expression(item.value)
        if operator == "*":
            value = emitter.call("attribute_hash", value, at=emitter.place(item.value))
        parts: list[ast.expr] = [
            emitter.constant(name, place),
            emitter.constant(operator, place),
            value,
        ]
        items.append(emitter.tuple(parts, place))
    return emitter.call("attributes", *items, at=at)


RELATED = frozenset({"before", "notify", "require", "subscribe", "*"})


def relationship_lines(
    emitter: Emitter, operations: list[nodes.AttributeOperation], at: Place
) -> ast.expr:
    """The lines of relationship attributes, for errors about what they name; None without any."""
    lines = [item for item in line_of_each(emitter, operations) if item[0] in RELATED]
    return emitter.constant(tuple(lines) or None, at)


def override_lines(
    emitter: Emitter, operations: list[nodes.AttributeOperation], at: Place
) -> ast.expr:
    """Emit the lines of all attributes, for errors about what may not be overridden."""
    return emitter.constant(tuple(line_of_each(emitter, operations)) or None, at)


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
    """``type { title: attributes; … }``."""
    at = emitter.told_place(node)
    bodies: list[ast.expr] = []
    for body in node.bodies:
        place = emitter.place(body)
        parts = [
            titles(emitter, body.title),
            attributes(emitter, body.operations, at),
            relationship_lines(emitter, body.operations, place),
        ]
        bodies.append(emitter.tuple(parts, place))
    return emitter.call(
        "declare",
        emitter.scope(at),
        type_name(emitter, node.type_name),
        emitter.constant(node.form, at),
        emitter.constant(emitter.source.path, at),
        emitter.constant(emitter.told_line(node), at),
        *bodies,
        at=at,
    )


def titles(emitter: Emitter, node: Node) -> ast.expr:
    """A title: ``default``, or the list of titles, checked before the attributes are evaluated."""
    if isinstance(node, nodes.Default):
        return emitter.expression(node)
    return emitter.call("titles", emitter.expression(node), at=emitter.place(node))


def type_name(emitter: Emitter, node: Node) -> ast.expr:
    """The type of a resource expression: a bare word, ``class``, or an expression of a type."""
    if isinstance(node, nodes.Name):
        return emitter.expression(node)
    at = emitter.place(node)
    return emitter.call("resource_type", emitter.expression(node), at=at)


@expression_of(nodes.ResourceDefaults)
def resource_defaults(emitter: Emitter, node: nodes.ResourceDefaults) -> ast.expr:
    """``Type { attributes }``."""
    at = emitter.place(node)
    return emitter.call(
        "set_defaults",
        emitter.scope(at),
        emitter.expression(node.type_reference),
        attributes(emitter, node.operations, at),
        at=at,
    )


@expression_of(nodes.ResourceOverride)
def resource_override(emitter: Emitter, node: nodes.ResourceOverride) -> ast.expr:
    """``Type[title] { attributes }``."""
    at = emitter.place(node)
    return emitter.call(
        "override",
        emitter.scope(at),
        emitter.expression(node.resources),
        attributes(emitter, node.operations, at),
        emitter.constant(emitter.source.path, at),
        emitter.constant(emitter.line(node), at),
        override_lines(emitter, node.operations, at),
        at=at,
    )


@expression_of(nodes.Collector)
def collector(emitter: Emitter, node: nodes.Collector) -> ast.expr:
    """``Type <| query |> { attributes }``."""
    at = emitter.place(node)
    return emitter.call(
        "collect",
        emitter.scope(at),
        emitter.expression(node.type),
        emitter.constant(node.query.exported, at),
        query(emitter, node.query.expression, at),
        attributes(emitter, node.operations, at),
        emitter.constant(emitter.source.path, at),
        emitter.constant(emitter.line(node), at),
        override_lines(emitter, node.operations, at),
        at=at,
    )


def query(emitter: Emitter, node: Node, whole: Place) -> ast.expr:
    """A collector's query: ("==", attribute, value), ("and", query, query, ...).

    Lists, for Python would make constants of tuples, which takes ever longer the deeper they nest.
    """
    at = emitter.place(node)
    match node:
        case nodes.Nop():
            return emitter.constant(None, at)
        case nodes.Parenthesized(expression=inner):
            return query(emitter, inner, whole)
        case nodes.And() | nodes.Or():
            word = emitter.constant("and" if isinstance(node, nodes.And) else "or", at)
            terms = [query(emitter, term, whole) for term in terms_of(node)]
            return ast.List([word, *terms], ast.Load(), **at)
        case nodes.Comparison(
            operator=operator,
            left=nodes.Name() | nodes.String() | nodes.Variable() as left,
            right=right,
        ) if can_be_asked(right):
            parts = [
                emitter.constant(operator, at),
                emitter.expression(left),
                emitter.call("undef_in_query", at=whole)
                if isinstance(right, nodes.Undef)
                else emitter.expression(right),
            ]
            return ast.List(parts, ast.Load(), **at)
        case nodes.Comparison(operator=operator, left=nodes.Name() | nodes.String() as left):
            nothing = ast.arguments([], [], None, [], [], None, [])
            value = ast.Lambda(nothing, emitter.expression(node.right), **at)
            name, attribute = emitter.constant(operator, at), emitter.expression(left)
            return emitter.call("other_query", name, attribute, value, at=whole)
    return emitter.call("illegal_query", at=whole)


def terms_of(node: nodes.And | nodes.Or) -> list[Node]:
    """What a chain of ``and`` or a chain of ``or`` connects."""
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
    """Whether a query can compare with such an expression: names, literals, variables."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    return isinstance(node, ASKABLE)


@expression_of(nodes.Relationship)
def relationship(emitter: Emitter, node: nodes.Relationship) -> ast.expr:
    """``left -> right``; a chain is emitted by a loop, each link yields its right side."""
    spine: list[nodes.Relationship] = []
    left: Node = node
    while isinstance(left, nodes.Relationship):
        spine.append(left)
        left = left.left
    at = emitter.place(node)
    local = emitter.fresh("left")
    steps: list[ast.expr] = [emitter.walrus(local, emitter.expression(left), emitter.place(left))]
    for step in reversed(spine):
        place = emitter.place(step)
        linked = emitter.call(
            "relate",
            emitter.scope(place),
            emitter.name(local, place),
            emitter.constant(step.operator, place),
            emitter.expression(step.right),
            at=place,
        )
        steps.append(emitter.walrus(local, linked, place))
    return emitter.sequence(steps, at)
