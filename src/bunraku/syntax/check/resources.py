"""Rules for resources, their defaults and overrides, and collectors."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun, of_kind, place
from bunraku.syntax.check.effects import WITHOUT_VALUE
from bunraku.syntax.check.walk import Check, Later, rule
from bunraku.syntax.nodes import Node

IN_QUERIES: Final = frozenset(
    {nodes.Variable, nodes.Name, nodes.String, nodes.Integer, nodes.Float, nodes.Boolean}
)


@rule(nodes.Resource)
def resource(check: Check, node: nodes.Resource) -> None:
    """Check ``type { … }``: a class is not virtual."""
    type_name = node.type_name
    if type_name.__class__ is nodes.Name:
        if node.form != "regular" and type_name.value == "class":
            check.report(issues.CLASS_NOT_VIRTUALIZABLE, node)
        check.stack += node.bodies[::-1]
    else:
        check.stack += node.bodies[::-1]
        check.stack.append(type_name)


@rule(nodes.ResourceBody)
def resource_body(check: Check, node: nodes.ResourceBody) -> None:
    """Check ``title: …``: at most one ``* => hash``."""
    splat = False
    for operation in node.operations:
        if operation.__class__ is nodes.AttributeSplat:
            if splat:
                check.report(issues.ATTRIBUTES_TWICE, operation)
            splat = True
    operations(check, node.operations, "a Resource Instance Definition")
    if node.title.__class__ is not nodes.String:
        check.stack.append(node.title)


def operations(
    check: Check, found: list[nodes.AttributeOperation], container: str | None = None
) -> None:
    """Check ``name => value, …``; ``+>`` is not allowed in a container, as Puppet names it."""
    stack = check.stack
    for operation in reversed(found):
        value = operation.value
        stack.append(value)
        if value.__class__ in WITHOUT_VALUE:
            start, end = place(value, check.text)
            stack.append(Later(issues.NOT_RVALUE, start, end, what=capital(noun(value))))
        if (
            container is not None
            and operation.__class__ is nodes.Attribute
            and operation.operator == "+>"
        ):
            start, end = operation.start, operation.end
            arguments = {"name": operation.name, "container": container}
            stack.append(Later(issues.ILLEGAL_ATTRIBUTE_APPEND, start, end, **arguments))


@rule(nodes.ResourceDefaults)
def resource_defaults(check: Check, node: nodes.ResourceDefaults) -> None:
    """Check ``Type { … }``, never virtual."""
    if node.form != "regular":
        check.report(issues.NOT_VIRTUALIZABLE, node, what=capital(noun(node)))
    operations(check, node.operations, "a Resource Defaults Expression")


@rule(nodes.ResourceOverride)
def resource_override(check: Check, node: nodes.ResourceOverride) -> None:
    """Check ``Type[…] { … }``, never virtual."""
    if node.form != "regular":
        check.report(issues.NOT_VIRTUALIZABLE, node, what=capital(noun(node)))
    operations(check, node.operations)
    check.stack.append(node.resources)


@rule(nodes.Collector)
def collector(check: Check, node: nodes.Collector) -> None:
    """Check ``Type <| … |>``; an ``apply`` cannot collect exported resources of other nodes."""
    if check.applying and node.query.exported:
        check.report(issues.NOT_WHEN_COMPILING, node, what="An exported collector")
    if node.type.__class__ is not nodes.Reference:
        check.report(
            issues.ILLEGAL_EXPRESSION,
            node.type,
            what=capital(noun(node.type)),
            role="type",
            container=of_kind("a collector"),
        )
    operations(check, node.operations)
    check.stack.append(node.query)
    check.stack.append(node.type)


@rule(nodes.Query)
def query(check: Check, node: nodes.Query) -> None:
    """Check ``<| … |>``."""
    if node.expression.__class__ is not nodes.Nop:
        query_parts(check, node.expression)
    check.stack.append(node.expression)


def query_parts(check: Check, node: Node) -> None:
    """Report every part of a query except comparisons, ``and``, ``or`` and plain values."""
    waiting = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, nodes.Parenthesized):
            waiting.append(item.expression)
        elif isinstance(item, nodes.And | nodes.Or):
            waiting += (item.right, item.left)
        elif item.__class__ not in IN_QUERIES and not (
            isinstance(item, nodes.Comparison) and item.operator in ("==", "!=")
        ):
            check.report(issues.ILLEGAL_QUERY, item, what=capital(noun(item)))
