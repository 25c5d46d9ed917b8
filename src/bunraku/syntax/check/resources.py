"""Rules for resources, their defaults and overrides, and collectors."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun, place
from bunraku.syntax.check.effects import WITHOUT_VALUE
from bunraku.syntax.check.expressions import ExpressionRules
from bunraku.syntax.check.walk import Later

IN_QUERIES: Final = frozenset(
    {
        nodes.Variable,
        nodes.Name,
        nodes.String,
        nodes.Integer,
        nodes.Float,
        nodes.Boolean,
    }
)


class ResourceRules(ExpressionRules):
    """The rules for resources."""

    def resource(self, node: Any) -> None:
        """``type { … }``."""
        type_name = node.type_name
        if (
            node.form != "regular"
            and type_name.__class__ is nodes.Name
            and type_name.value == "class"
        ):
            self.report(issues.CLASS_NOT_VIRTUALIZABLE, node)
        stack = self.stack
        stack += node.bodies[::-1]
        if type_name.__class__ is not nodes.Name:
            stack.append(type_name)

    def resource_body(self, node: Any) -> None:
        """``title: …``: one splat."""
        splat = False
        for operation in node.operations:
            if operation.__class__ is nodes.AttributeSplat:
                if splat:
                    self.report(issues.ATTRIBUTES_TWICE, operation)
                splat = True
        self.operations(node.operations, False)
        if node.title.__class__ is not nodes.String:
            self.stack.append(node.title)

    def operations(self, operations: list[Any], appends: bool) -> None:
        """``name => value, …``; ``appends`` where ``+>`` may stand."""
        stack = self.stack
        for operation in reversed(operations):
            value = operation.value
            stack.append(value)
            if value.__class__ in WITHOUT_VALUE:
                start, end = place(value, self.text)
                stack.append(Later(issues.NOT_RVALUE, start, end, what=capital(noun(value))))
            if (
                not appends
                and operation.__class__ is nodes.Attribute
                and operation.operator == "+>"
            ):
                stack.append(
                    Later(
                        issues.ILLEGAL_ATTRIBUTE_APPEND,
                        operation.start,
                        operation.end,
                        name=operation.name,
                    )
                )

    def later(self, node: Later) -> None:
        """The turn of a finding has come."""
        self.report_at(node.issue, node.start, node.end, **node.arguments)

    def resource_defaults(self, node: Any) -> None:
        """``Type { … }``."""
        if node.form != "regular":
            self.report(issues.NOT_VIRTUALIZABLE, node, what=capital(noun(node)))
        self.operations(node.operations, False)

    def resource_override(self, node: Any) -> None:
        """``Type[…] { … }``."""
        if node.form != "regular":
            self.report(issues.NOT_VIRTUALIZABLE, node, what=capital(noun(node)))
        self.operations(node.operations, True)
        self.stack.append(node.resources)

    def collector(self, node: Any) -> None:
        """``Type <| … |>``."""
        if node.type.__class__ is not nodes.Reference:
            self.report(
                issues.ILLEGAL_EXPRESSION,
                node.type,
                what=capital(noun(node.type)),
                role="type",
                container="a collector",
            )
        self.operations(node.operations, True)
        self.stack.append(node.query)
        self.stack.append(node.type)

    def query(self, node: Any) -> None:
        """``<| … |>``."""
        if node.expression.__class__ is not nodes.Nop:
            self.query_part(node.expression)
        self.stack.append(node.expression)

    def query_part(self, node: Any) -> None:
        """Only some operators and plain values make a query."""
        waiting = [node]
        while waiting:
            item = waiting.pop()
            kind = item.__class__
            if kind is nodes.Parenthesized:
                waiting.append(item.expression)
            elif kind is nodes.And or kind is nodes.Or:
                waiting += (item.right, item.left)
            elif kind not in IN_QUERIES and not (
                kind is nodes.Comparison and item.operator in ("==", "!=")
            ):
                self.report(issues.ILLEGAL_QUERY, item, what=capital(noun(item)))
