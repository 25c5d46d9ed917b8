"""Resources, their defaults and overrides, and collectors."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.base.records import replace
from bunraku.syntax import issues
from bunraku.syntax.nodes import (
    Access,
    Attribute,
    AttributeOperation,
    AttributeOperator,
    AttributeSplat,
    Block,
    Call,
    Collector,
    Entry,
    Expression,
    Hash,
    Name,
    Nop,
    Query,
    Reference,
    Resource,
    ResourceBody,
    ResourceDefaults,
    ResourceForm,
    ResourceOverride,
    String,
)
from bunraku.syntax.parser.operators import expression, infix, operation
from bunraku.syntax.parser.recovery import expect_end, supplies_comma
from bunraku.syntax.parser.state import NESTING_LIMIT, Parser
from bunraku.syntax.rules import KEYWORDS

FORMS: Final[dict[str, ResourceForm]] = {"@": "virtual", "@@": "exported"}
ATTRIBUTE_NAMES: Final = (KEYWORDS - {"true", "false"}) | {
    *("NAME", "plan", "apply", "application", "consumes", "produces"),
}
ATTRIBUTE_OPERATORS: Final = frozenset({"=>", "+>"})
MISTAKEN_OPERATORS: Final = frozenset({"=", "=="})
"""Operators that are written by mistake instead of ``=>``."""


def resource(parser: Parser) -> Expression:
    """Parse an expression, or a resource in any of its forms."""
    kinds = parser.kinds
    kind = kinds[parser.at]
    if kind in FORMS:
        return with_form(parser)
    if kind == "class" and kinds[parser.at + 1] == "{":
        found = class_resource(parser)
    else:
        found = expression(parser)
    return resource_after(parser, found)


def with_form(parser: Parser) -> Expression:
    """Parse ``@resource``, ``@@resource``."""
    at = parser.at
    kind = parser.kinds[at]
    parser.at = at + 1
    parser.deeper()
    found = resource(parser)
    parser.depth -= 1
    if not isinstance(found, Resource | ResourceDefaults | ResourceOverride):
        name = "Virtual (@)" if kind == "@" else "Exported (@@)"
        raise parser.failure_at(issues.FORM_ON_NON_RESOURCE, at, form=kind, kind=name)
    return replace(found, form=FORMS[kind], start=parser.starts[at])


def class_resource(parser: Parser) -> Expression:
    """Parse ``class { title: attributes }``."""
    at = parser.at
    parser.at = at + 2
    name = Name(parser.starts[at], parser.ends[at], "class")
    bodies = resource_bodies(parser)
    return Resource(name.start, expect_end(parser, "}", "=>", "+>"), "regular", name, bodies)


def resource_after(parser: Parser, left: Expression) -> Expression:
    """Parse ``left { … }`` as often as a brace follows."""
    kinds = parser.kinds
    while kinds[parser.at] == "{":
        at = parser.at
        parser.at = at + 1
        first, second = kinds[at + 1], kinds[at + 2] if kinds[at + 1] != "END" else "END"
        if (
            first in ("}", ",")
            or (
                first in ATTRIBUTE_NAMES
                and (second in ATTRIBUTE_OPERATORS or first not in parser.prefixes)
            )
            or (second == "=>" and first == "*")
        ):
            left = with_attributes(parser, left, at)
        else:
            bodies = [resource_body(parser)]
            if parser.accept(";") and kinds[parser.at] != "}":
                bodies += resource_bodies(parser)
            end = expect_end(parser, "}", "=>", "+>")
            left = Resource(left.start, end, "regular", left, bodies)
    return left


def resource_bodies(parser: Parser) -> list[ResourceBody]:
    """Parse ``title: attributes; …`` up to a brace that is left."""
    bodies = [resource_body(parser)]
    while parser.accept(";"):
        if parser.kinds[parser.at] == "}":
            break
        bodies.append(resource_body(parser))
    return bodies


def resource_body(parser: Parser) -> ResourceBody:
    """Parse ``title: attributes``."""
    title = expression(parser)
    parser.expect(":")
    operations = attribute_operations(parser)
    return ResourceBody(title.start, parser.ends[parser.at - 1], title, operations)


def attribute_operations(parser: Parser) -> list[AttributeOperation]:
    """Parse ``name => value, …`` in braces; a comma is allowed at the end."""
    kinds, values, starts = parser.kinds, parser.values, parser.starts
    found: list[AttributeOperation] = []
    while True:
        at = parser.at
        kind = kinds[at]
        if kind in ATTRIBUTE_NAMES:
            operator: AttributeOperator = "+>" if kinds[at + 1] == "+>" else "=>"
            if kinds[at + 1] not in ATTRIBUTE_OPERATORS:
                parser.at = at + 1
                failure = parser.unexpected(", expected '=>'")
                if kinds[at + 1] not in MISTAKEN_OPERATORS:
                    raise failure
                parser.findings.append(failure.finding)
            parser.at = at + 2
            parser.depth += 1
            if parser.depth > NESTING_LIMIT:
                parser.deeper()
            value = operation(parser, 0)
            parser.depth -= 1
            found.append(Attribute(starts[at], value.end, values[at], operator, value))
        elif kind == "*":
            parser.at = at + 1
            parser.expect("=>")
            value = expression(parser)
            found.append(AttributeSplat(starts[at], value.end, value))
        elif found or kind != ",":
            return found
        if kinds[parser.at] == ",":
            parser.at += 1
        elif kinds[parser.at] in ("}", ";") or not supplies_comma(
            parser, "}", *ATTRIBUTE_OPERATORS, *MISTAKEN_OPERATORS
        ):
            return found


def with_attributes(parser: Parser, left: Expression, brace: int) -> Expression:
    """Parse ``left { attributes }``: the form depends on the expression before the brace."""
    operations = attribute_operations(parser)
    end = expect_end(parser, "}", "=>", "+>")
    if left.__class__ is Name:
        return without_title(parser, left, operations, parser.starts[brace], end)
    if left.__class__ is Reference:
        return ResourceDefaults(left.start, end, "regular", left, operations)
    if isinstance(left, Access):
        return ResourceOverride(left.start, end, "regular", left, operations)
    place = getattr(left, "operator_start", left.start)
    raise parser.failure(issues.NOT_A_RESOURCE, place, left.end)


def without_title(
    parser: Parser, name: Name, operations: list[AttributeOperation], start: int, end: int
) -> Expression:
    """Parse ``name { attributes }``: a call with a hash, or (for the checker) a name and a hash."""
    entries = []
    for item in operations:
        if not isinstance(item, Attribute) or item.operator == "+>":
            issue = issues.RESOURCE_BODY_WITHOUT_TITLE
            raise parser.failure(issue, start, end, name=name.value)
        key = String(item.start, item.start + len(item.name), item.name)
        entries.append(Entry(item.start, item.end, key, item.value))
    argument = Hash(start, end, entries)
    if name.value in parser.dialect.statement_functions:
        return Call(name.start, end, name, [argument], None, False, True)
    return Block(name.start, end, [name, argument])


@infix("<|", "<<|")
def collector(parser: Parser, left: Expression) -> Collector:
    """Parse ``left <| query |> { operations }``."""
    kinds = parser.kinds
    start = parser.starts[parser.at]
    exported = kinds[parser.at] == "<<|"
    parser.at += 1
    closer = "|>>" if exported else "|>"
    if kinds[parser.at] == closer:
        place = parser.starts[parser.at]
        inner: Expression = Nop(place, place)
    else:
        inner = expression(parser)
    end = parser.expect(closer)
    query = Query(start, end, exported, inner)
    operations: list[AttributeOperation] = []
    if kinds[parser.at] == "{":
        parser.at += 1
        operations = attribute_operations(parser)
        end = expect_end(parser, "}", "=>", "+>")
    return Collector(left.start, end, left, query, operations)
