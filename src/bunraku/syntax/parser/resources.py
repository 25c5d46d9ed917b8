"""Statements, and all that resources stand in: declarations, defaults, overrides, relationships."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax import issues
from bunraku.syntax.nodes import (
    Access,
    Assignment,
    Attribute,
    AttributeOperation,
    AttributeSplat,
    Block,
    Call,
    Entry,
    Expression,
    Hash,
    Name,
    Reference,
    Relationship,
    Resource,
    ResourceBody,
    ResourceDefaults,
    ResourceForm,
    ResourceOverride,
    String,
)
from bunraku.syntax.parser.expressions import Expressions
from bunraku.syntax.parser.state import NESTING_LIMIT, SyntaxFailure
from bunraku.syntax.tokens import Finding

FORMS: Final[dict[str, ResourceForm]] = {"@": "virtual", "@@": "exported"}
EDGES: Final = frozenset({"->", "~>", "<-", "<~"})
ASSIGNMENTS: Final = frozenset({"=", "+=", "-="})
AFTER_EXPRESSION: Final = EDGES | ASSIGNMENTS | {"{"}
ATTRIBUTE_NAMES: Final = frozenset(
    [
        "NAME",
        "and",
        "case",
        "class",
        "default",
        "define",
        "else",
        "elsif",
        "if",
        "in",
        "inherits",
        "node",
        "or",
        "undef",
        "unless",
        "type",
        "attr",
        "function",
        "private",
        "plan",
        "apply",
        "application",
        "consumes",
        "produces",
    ]
)
ATTRIBUTE_OPERATORS: Final = frozenset({"=>", "+>"})
MISTAKEN_OPERATORS: Final = frozenset({"=", "=="})
"""What is written where ``=>`` is meant."""


class Resources(Expressions):
    """The rules for statements, resources and relationships."""

    # -- statements ------------------------------------------------------------------------------

    def statement(self, found: list[Expression]) -> None:
        """Parse one statement and add it; one after the name of a statement function is its
        argument list.
        """
        kinds = self.kinds
        value = self.assignment()
        values, comma = None, 0
        if kinds[self.at] == ",":
            comma = self.at
            values = [value]
            while self.accept(","):
                values.append(self.assignment())
        if kinds[self.at] == ";":
            self.at += 1
            if kinds[self.at] in ("}", "END"):
                raise self.unexpected()
        last = found[-1] if found else None
        if last.__class__ is Name and last.value in self.dialect.statement_functions:
            assert last is not None
            arguments = values or [value]
            end = arguments[-1].end
            found[-1] = Call(last.start, end, last, arguments, None, False, True)
        elif values is not None:
            raise self.stray_list(last, comma)
        else:
            if value.__class__ is Call:
                value.value_needed = False  # type: ignore[misc]
            found.append(value)

    def stray_list(self, last: Expression | None, comma: int) -> SyntaxFailure:
        """``1, 2`` where no function takes it."""
        start, end = self.starts[comma], self.ends[comma]
        if isinstance(last, Name):
            failure = self.failure(issues.ARGUMENTS_TO_NON_CALL, start, end, name=last.value)
        else:
            failure = self.failure(issues.STRAY_COMMA, start, end)
        failure.late = True
        return failure

    def assignment(self) -> Expression:
        """``assignment``: the widest form, with resources, relationships and ``=``."""
        kinds = self.kinds
        kind = kinds[self.at]
        if kind in FORMS or (kind == "class" and kinds[self.at + 1] == "{"):
            left = self.resource()
        else:
            self.depth += 1
            if self.depth > NESTING_LIMIT:
                self.deeper()
            left = self.operation(0)
            self.depth -= 1
            if kinds[self.at] not in AFTER_EXPRESSION:
                return left
            left = self.resource_after(left)
        if kinds[self.at] in EDGES:
            left = self.relationship(left)
        if kinds[self.at] in ASSIGNMENTS:
            left = self.assigned(left)
        return left

    def relationship(self, left: Expression) -> Expression:
        """``left -> right ~> …``."""
        kinds = self.kinds
        while kinds[self.at] in EDGES:
            at = self.at
            self.at = at + 1
            right = self.resource()
            operator: Any = kinds[at]
            left = Relationship(left.start, right.end, operator, left, right, self.starts[at])
        return left

    def assigned(self, left: Expression) -> Expression:
        """``left = middle = right``, grouped to the right."""
        kinds = self.kinds
        chain: list[tuple[Expression, int]] = []
        depth = self.depth
        while kinds[self.at] in ASSIGNMENTS:
            chain.append((left, self.at))
            self.at += 1
            self.deeper()
            left = self.resource()
            if kinds[self.at] in EDGES:
                left = self.relationship(left)
        self.depth = depth
        for target, at in reversed(chain):
            operator: Any = kinds[at]
            left = Assignment(target.start, left.end, operator, target, left, self.starts[at])
        return left

    # -- resources -------------------------------------------------------------------------------

    def resource(self) -> Expression:
        """An expression, or a resource in any of its forms."""
        kinds = self.kinds
        kind = kinds[self.at]
        if kind in FORMS:
            return self.with_form()
        if kind == "class" and kinds[self.at + 1] == "{":
            found = self.class_resource()
        else:
            found = self.expression()
        return self.resource_after(found)

    def with_form(self) -> Expression:
        """``@resource``, ``@@resource``."""
        at = self.at
        kind = self.kinds[at]
        self.at = at + 1
        self.deeper()
        found = self.resource()
        self.depth -= 1
        if not isinstance(found, Resource | ResourceDefaults | ResourceOverride):
            start, end = self.starts[at], self.ends[at]
            raise self.failure(issues.FORM_ON_NON_RESOURCE, start, end, form=kind)
        found.form = FORMS[kind]  # type: ignore[misc]
        found.start = self.starts[at]  # type: ignore[misc]
        return found

    def class_resource(self) -> Expression:
        """``class { title: attributes }``."""
        at = self.at
        self.at = at + 2
        name = Name(self.starts[at], self.ends[at], "class")
        bodies = self.resource_bodies()
        return Resource(name.start, self.expect_end("}", "=>", "+>"), "regular", name, bodies)

    def resource_after(self, left: Expression) -> Expression:
        """``left { … }`` as often as a brace follows."""
        kinds = self.kinds
        while kinds[self.at] == "{":
            at = self.at
            self.at = at + 1
            first, second = kinds[at + 1], kinds[at + 2] if kinds[at + 1] != "END" else "END"
            if (
                first in ("}", ",")
                or (
                    first in ATTRIBUTE_NAMES
                    and (second in ATTRIBUTE_OPERATORS or first not in self.prefixes)
                )
                or (second == "=>" and first == "*")
            ):
                left = self.with_attributes(left, at)
            else:
                title = self.expression()
                self.expect(":")
                operations = self.attribute_operations()
                end = self.ends[self.at - 1]
                bodies = [ResourceBody(title.start, end, title, operations)]
                if self.accept(";") and kinds[self.at] != "}":
                    bodies += self.resource_bodies()
                left = Resource(
                    left.start, self.expect_end("}", "=>", "+>"), "regular", left, bodies
                )
        return left

    def resource_bodies(self) -> list[ResourceBody]:
        """``title: attributes; …`` up to a brace that is left."""
        bodies = [self.resource_body()]
        while self.accept(";"):
            if self.kinds[self.at] == "}":
                break
            bodies.append(self.resource_body())
        return bodies

    def resource_body(self) -> ResourceBody:
        """``title: attributes``."""
        title = self.expression()
        self.expect(":")
        operations = self.attribute_operations()
        return ResourceBody(title.start, self.ends[self.at - 1], title, operations)

    def attribute_operations(self) -> list[AttributeOperation]:
        """``name => value, …`` in braces; a comma may stand at the end."""
        kinds, values, starts = self.kinds, self.values, self.starts
        found: list[AttributeOperation] = []
        while True:
            at = self.at
            kind = kinds[at]
            if kind in ATTRIBUTE_NAMES:
                operator: Any = kinds[at + 1]
                if operator not in ATTRIBUTE_OPERATORS:
                    self.at = at + 1
                    failure = self.unexpected(", expected '=>'")
                    if operator not in MISTAKEN_OPERATORS:
                        raise failure
                    self.findings.append(failure.finding)
                    operator = "=>"
                self.at = at + 2
                self.depth += 1
                if self.depth > NESTING_LIMIT:
                    self.deeper()
                value = self.operation(0)
                self.depth -= 1
                found.append(Attribute(starts[at], value.end, values[at], operator, value))
            elif kind == "*":
                self.at = at + 1
                self.expect("=>")
                value = self.expression()
                found.append(AttributeSplat(starts[at], value.end, value))
            elif found or kind != ",":
                return found
            if kinds[self.at] == ",":
                self.at += 1
            elif kinds[self.at] in ("}", ";") or not self.supplies_comma(
                "}", *ATTRIBUTE_OPERATORS, *MISTAKEN_OPERATORS
            ):
                return found

    def with_attributes(self, left: Expression, brace: int) -> Expression:
        """``left { attributes }``: what it is depends on what stands before the brace."""
        operations = self.attribute_operations()
        end = self.expect_end("}", "=>", "+>")
        if left.__class__ is Name:
            return self.without_title(left, operations, brace, end)
        if left.__class__ is Reference:
            return ResourceDefaults(left.start, end, "regular", left, operations)
        if isinstance(left, Access):
            return ResourceOverride(left.start, end, "regular", left, operations)
        place = getattr(left, "operator_start", left.start)
        raise self.failure(issues.NOT_A_RESOURCE, place, left.end)

    def without_title(
        self, left: Any, operations: list[AttributeOperation], brace: int, end: int
    ) -> Expression:
        """``name { attributes }``: a call with a hash, or (for the checker) a name and a hash."""
        start = self.starts[brace]
        entries = []
        for item in operations:
            if not isinstance(item, Attribute) or item.operator == "+>":
                finding = Finding(issues.RESOURCE_BODY_WITHOUT_TITLE, {}, start, end)
                raise SyntaxFailure(finding)
            key = String(item.start, item.start + len(item.name), item.name)
            entries.append(Entry(item.start, item.end, key, item.value))
        argument = Hash(start, end, entries)
        if left.value in self.dialect.statement_functions:
            return Call(left.start, end, left, [argument], None, False, True)
        return Block(left.start, end, [left, argument])
