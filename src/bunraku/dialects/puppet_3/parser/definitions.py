"""Parsers of the forms of Puppet 3 that begin with a keyword: conditions, imports, definitions."""

from __future__ import annotations

from typing import Final

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import replace
from bunraku.dialects.puppet_3.issues import (
    IMPORT_DEPRECATED,
    NESTED_DEFINITION,
    NODE_INHERITANCE_DEPRECATED,
    PARAMETER_WITHOUT_DOLLAR,
)
from bunraku.dialects.puppet_3.parser.expressions import expression, last_with_default
from bunraku.dialects.puppet_3.parser.statements import (
    SIDES,
    STATEMENTS,
    related,
    resource_or_relationship,
)
from bunraku.syntax.check import issues as checks
from bunraku.syntax.nodes import (
    Block,
    Case,
    CaseOption,
    ClassDefinition,
    Default,
    DefineDefinition,
    Expression,
    Import,
    Name,
    NodeDefinition,
    Nop,
    Parameter,
    String,
    Unless,
)
from bunraku.syntax.parser import definitions
from bunraku.syntax.parser.blocks import block, if_expression, single
from bunraku.syntax.parser.literals import default, regexp
from bunraku.syntax.parser.state import Parser, begins

NO_HOST_NAME: Final = lazy_pattern(r"[^-0-9A-Za-z_.]")
KINDS: Final[dict[type, str]] = {
    ClassDefinition: "A class",
    DefineDefinition: "A defined resource type",
    NodeDefinition: "A node",
}
"""The definitions, in words."""


# -- conditions ----------------------------------------------------------------------------------

STATEMENTS["if"] = if_expression


def body_of(parser: Parser) -> Expression:
    """Parse ``{ statements }`` that holds no definitions."""
    found = block(parser)
    for statement in found.statements if found.__class__ is Block else ():
        kind = KINDS.get(statement.__class__)
        if kind is not None:
            start = statement.start
            end = max(parser.source.text.find("{", start), start + 1)
            parser.report(checks.NOT_TOP_LEVEL, start, end, what=kind)
    return found


def branch(parser: Parser) -> Expression:
    """Parse ``{ statements }`` after a condition: a single statement is not wrapped in a block."""
    return single(body_of(parser))


@begins(STATEMENTS, "unless")
def unless_statement(parser: Parser) -> Unless:
    """Parse ``unless test { … }``, which has no ``else``."""
    start = parser.starts[parser.at]
    parser.at += 1
    test = expression(parser)
    then = branch(parser)
    end = parser.ends[parser.at - 1]
    return Unless(start, end, test, then, Nop(end, end))


@begins(STATEMENTS, "case")
def case_statement(parser: Parser) -> Expression:
    """Return a case, which may begin a relationship."""
    return related(parser, case_expression(parser))


@begins(SIDES, "case")
def case_expression(parser: Parser) -> Case:
    """Parse ``case test { options }``, of whose defaults the last one counts."""
    found = definitions.case_expression(parser)
    return replace(found, options=with_one_default(found.options))


def with_one_default(options: list[CaseOption]) -> list[CaseOption]:
    """Return the options less those that a later ``default`` takes the place of."""
    last = last_with_default([option.values for option in options])
    found = []
    for index, option in enumerate(options):
        values = option.values
        if index < last:
            values = [value for value in values if value.__class__ is not Default]
        if values:
            found.append(CaseOption(option.start, option.end, values, option.then))
    return found


# -- imports -------------------------------------------------------------------------------------


@begins(STATEMENTS, "import")
def import_statement(parser: Parser) -> Import:
    """Parse ``import 'file', 'file'``; only the first is warned of."""
    at = parser.at
    if not any(item.issue is IMPORT_DEPRECATED for item in parser.tokens.warnings):
        parser.warn(IMPORT_DEPRECATED, at)
    parser.at = at + 1
    files: list[Expression] = [plain_string(parser)]
    while parser.accept(","):
        files.append(plain_string(parser))
    found = Import(parser.starts[at], files[-1].end, files)
    parser.definitions.append(found)
    return found


def plain_string(parser: Parser) -> String:
    """Parse ``'text'``."""
    at = parser.at
    value = parser.expect_value("STRING")
    return String(parser.starts[at], parser.ends[at], value)


# -- classes and defines -------------------------------------------------------------------------


@begins(STATEMENTS, "class")
def class_statement(parser: Parser) -> Expression:
    """Parse ``class name(parameters) inherits parent { … }``, or ``class { title: … }``."""
    if parser.kinds[parser.at + 1] == "{":
        return resource_or_relationship(parser)
    return definitions.class_definition(parser)


@begins(STATEMENTS, "define")
def define_statement(parser: Parser) -> DefineDefinition:
    """Parse ``define name(parameters) { … }``, which cannot be nested."""
    at = parser.at
    parser.at = at + 1
    if parser.defining is not None:
        start, end = parser.starts[at + 1], parser.ends[at + 1]
        name, outer = parser.source.text[start:end], parser.defining
        raise parser.failure(NESTED_DEFINITION, start, end, name=name, outer=outer)
    parser.defining = definitions.qualified(parser, definition_name(parser))
    try:
        return definitions.define_named(parser, at, parser.defining)
    finally:
        parser.defining = None


def definition_name(parser: Parser) -> str:
    """Return the name of a class or a define; ``class`` is one."""
    at = parser.at
    if parser.kinds[at] not in ("NAME", "class"):
        raise parser.unexpected()
    parser.at = at + 1
    name: str = parser.values[at]
    return name


def definition_parameters(parser: Parser) -> list[Parameter]:
    """Parse ``($name, $name = value)``, if present; the dollars may be left out."""
    found: list[Parameter] = []
    if not parser.accept("("):
        return found
    while parser.kinds[parser.at] != ")":
        found.append(parameter(parser))
        if not parser.accept(","):
            break
    parser.expect(")")
    return found


def parameter(parser: Parser) -> Parameter:
    """Parse ``$name = value``."""
    at = parser.at
    kind, name = parser.kinds[at], parser.values[at]
    if kind not in ("VARIABLE", "NAME"):
        raise parser.unexpected()
    parser.at = at + 1
    if kind == "NAME":
        parser.warn(PARAMETER_WITHOUT_DOLLAR, at, name=name)
    value = expression(parser) if parser.accept("=") else None
    end = parser.ends[parser.at - 1]
    return Parameter(parser.starts[at], end, name, None, value)


# -- nodes ---------------------------------------------------------------------------------------


@begins(STATEMENTS, "node")
def node_statement(parser: Parser) -> NodeDefinition:
    """Parse ``node match, match inherits parent { … }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    matches = [host_name(parser)]
    while parser.accept(","):
        matches.append(host_name(parser))
    at = parser.at
    parent = host_name(parser) if parser.accept("inherits") else None
    if parent is not None:
        parser.warn(NODE_INHERITANCE_DEPRECATED, at)
    body = body_of(parser)
    found = NodeDefinition(start, body.end, matches, parent, body)
    parser.definitions.append(found)
    return found


def host_name(parser: Parser) -> Expression:
    """Parse ``name``, ``'name'``, ``default`` or ``/pattern/``."""
    at = parser.at
    kind = parser.kinds[at]
    if kind == "default":
        return default(parser)
    if kind == "REGEX":
        return regexp(parser)
    if kind not in ("NAME", "STRING"):
        raise parser.unexpected()
    parser.at = at + 1
    start, end, value = parser.starts[at], parser.ends[at], parser.values[at]
    if NO_HOST_NAME.search(value):
        parser.report(checks.ILLEGAL_HOST_NAME, start, end, name=value)
    return Name(start, end, value) if kind == "NAME" else String(start, end, value)
