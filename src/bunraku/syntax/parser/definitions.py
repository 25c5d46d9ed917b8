"""Definitions, and conditions other than ``if``: statements that begin with a keyword.

Both grammars call ``case_expression``, ``class_definition`` and ``define_named``; the differences
between them are in :class:`bunraku.syntax.parser.state.GrammarRules`.
"""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax import issues
from bunraku.syntax.nodes import (
    Access,
    Apply,
    Case,
    CaseOption,
    ClassDefinition,
    Default,
    DefineDefinition,
    Entry,
    Expression,
    FunctionDefinition,
    Name,
    NodeDefinition,
    Parameter,
    PlanDefinition,
    Reference,
    String,
    TypeAlias,
    TypeDefinition,
    TypeMapping,
    Unless,
)
from bunraku.syntax.parser.blocks import (
    block,
    branch,
    concatenation,
    condition,
    if_expression,
    otherwise,
)
from bunraku.syntax.parser.calls import argument, parameters, return_type, type_reference
from bunraku.syntax.parser.literals import (
    array,
    bare_name,
    gather,
    hash_literal,
    heredoc,
    regexp,
    string,
)
from bunraku.syntax.parser.operators import PREFIXES, prefix
from bunraku.syntax.parser.recovery import expect_end, note_mistake, turned_inside_out
from bunraku.syntax.parser.state import Parser, SyntaxFailure

CLASS_NAMES: Final = frozenset({"NAME", "WORD", "CLASSREF"})
WHOLE_TYPES: Final = frozenset({"Object", "TypeSet"})

# -- conditions ----------------------------------------------------------------------------------

PREFIXES["if"] = if_expression


@prefix("unless")
def unless_expression(parser: Parser) -> Unless:
    """Parse ``unless test { … } else { … }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    test = condition(parser)
    then = branch(parser)
    last = otherwise(parser)
    return Unless(start, parser.ends[parser.at - 1], test, then, last)


@prefix("case")
def case_expression(parser: Parser) -> Case:
    """Parse ``case test { options }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    test = parser.grammar.expression(parser)
    parser.expect("{")
    options = [case_option(parser)]
    while parser.kinds[parser.at] != "}":
        options.append(case_option(parser))
    return Case(start, parser.expect("}"), test, options)


def case_option(parser: Parser) -> CaseOption:
    """Parse ``value, value: { … }``."""
    value = parser.grammar.option_value
    values = [value(parser)]
    while parser.accept(","):
        values.append(value(parser))
    parser.expect(":")
    body = parser.grammar.body(parser)
    return CaseOption(values[0].start, body.end, values, body)


# -- names and parameters ------------------------------------------------------------------------


def definition_name(parser: Parser) -> str:
    """Parse the name of a class, a define, a function or a plan."""
    at = parser.at
    kind = parser.kinds[at]
    if kind in parser.dialect.words.future:
        parser.warn(issues.FUTURE_WORD, at, word=parser.values[at])
    elif kind not in CLASS_NAMES:
        if kind == "class":
            raise parser.failure_at(issues.CLASS_AS_NAME, at)
        if kind == "STRING" and not parser.dialect.puppet_3_codes:
            raise parser.failure_at(issues.QUOTED_NAME, at)
        raise parser.unexpected()
    parser.at = at + 1
    name: str = parser.values[at]
    return name


def qualified(parser: Parser, name: str) -> str:
    """Return a name within the classes around it."""
    full = f"{'::'.join(parser.namespace)}::{name}"
    if parser.dialect.global_names and full.startswith("::::"):
        return full[2:]  # the name that nothing finds keeps its colons
    return full.removeprefix("::")


def definition_parameters(parser: Parser) -> list[Parameter]:
    """Parse ``(parameters)``, if present."""
    if parser.kinds[parser.at] not in ("(", "WSLPAREN"):
        return []
    opened, depth = parser.at, parser.depth
    parser.at += 1
    try:
        found = [] if parser.kinds[parser.at] == ")" else parameters(parser, ")")
        expect_end(parser, ")")
    except SyntaxFailure as failure:
        pass_over_parameters(parser, opened, failure)
        parser.depth = depth
        return []
    return found


def pass_over_parameters(parser: Parser, opened: int, failure: SyntaxFailure) -> None:
    """Add a mistake in parameters and go on behind them, where the body plainly follows."""
    if failure.fatal or failure.late:
        raise failure
    kinds, at = parser.kinds, parser.closer_of(opened)
    sure = kinds[at] == ")" and kinds[at + 1] in ("{", "inherits") and at > parser.at - 1
    if not sure or turned_inside_out(parser, parser.at):
        raise failure
    note_mistake(parser, failure, opened)
    parser.at = at + 1


# -- classes, defines, functions, plans ----------------------------------------------------------


@prefix("class")
def class_definition(parser: Parser) -> ClassDefinition:
    """Parse ``class name(parameters) inherits parent { … }``."""
    grammar = parser.grammar
    start = parser.starts[parser.at]
    parser.at += 1
    name_start = parser.starts[parser.at]
    name = grammar.definition_name(parser)
    parser.namespace.append(name)
    found = grammar.definition_parameters(parser)
    parent = None
    if parser.accept("inherits"):
        parent = "default" if parser.accept("default") else grammar.definition_name(parser)
    body = block(parser)
    parser.namespace.pop()
    full = qualified(parser, name)
    node = ClassDefinition(start, body.end, full, found, parent, body, name_start)
    parser.definitions.append(node)
    return node


@prefix("define")
def define_definition(parser: Parser) -> DefineDefinition:
    """Parse ``define name(parameters) { … }``."""
    at = parser.at
    parser.at = at + 1
    return define_named(parser, at, qualified(parser, definition_name(parser)))


def define_named(parser: Parser, at: int, name: str) -> DefineDefinition:
    """Parse the rest of a define after its name; its keyword is the token at an index."""
    parameters = parser.grammar.definition_parameters(parser)
    body = parser.grammar.body(parser)
    start, name_start = parser.starts[at], parser.starts[at + 1]
    found = DefineDefinition(start, body.end, name, parameters, body, name_start)
    parser.definitions.append(found)
    return found


@prefix("plan")
def plan_definition(parser: Parser) -> PlanDefinition:
    """Parse ``plan name(parameters) { … }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    name_start = parser.starts[parser.at]
    name = definition_name(parser)
    parser.namespace.append(name)
    found = definition_parameters(parser)
    body = block(parser)
    parser.namespace.pop()
    node = PlanDefinition(start, body.end, qualified(parser, name), found, body, name_start)
    parser.definitions.append(node)
    return node


@prefix("apply")
def apply_expression(parser: Parser) -> Apply:
    """Parse ``apply(arguments) { … }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    parser.expect("(")
    found = [argument(parser)]
    while parser.accept(","):
        if parser.kinds[parser.at] == ")":
            break
        gather(found, argument(parser))
    parser.expect(")")
    body = block(parser)
    return Apply(start, body.end, found, body)


@prefix("function")
def function_definition(parser: Parser) -> FunctionDefinition:
    """Parse ``function name(parameters) >> Type { … }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    name_start = parser.starts[parser.at]
    name = definition_name(parser)
    found = definition_parameters(parser)
    kind = return_type(parser)
    body = block(parser)
    node = FunctionDefinition(start, body.end, name, found, kind, body, name_start)
    parser.definitions.append(node)
    return node


# -- nodes ---------------------------------------------------------------------------------------


@prefix("node")
def node_definition(parser: Parser) -> NodeDefinition:
    """Parse ``node matches inherits parent { … }``."""
    start = parser.starts[parser.at]
    parser.at += 1
    matches = [host_match(parser)]
    while parser.accept(","):
        if parser.kinds[parser.at] in ("{", "inherits"):
            break
        matches.append(host_match(parser))
    parent = host_match(parser) if parser.accept("inherits") else None
    body = block(parser)
    found = NodeDefinition(start, body.end, matches, parent, body)
    parser.definitions.append(found)
    return found


def host_match(parser: Parser) -> Expression:
    """Parse a host name, a quoted one, a regular expression or ``default``."""
    kinds = parser.kinds
    kind = kinds[parser.at]
    if kind in ("STRING", "WORD"):
        return string(parser)
    if kind == "REGEX":
        return regexp(parser)
    if kind == "DQPRE":
        return concatenation(parser)
    if kind == "HEREDOC":
        return heredoc(parser)
    if kind == "default":
        at = parser.at
        parser.at = at + 1
        return Default(parser.starts[at], parser.ends[at])
    begin = parser.at
    if kind not in ("NAME", "NUMBER"):
        raise parser.unexpected()
    parser.at += 1
    while kinds[parser.at] == ".":
        parser.at += 1
        if kinds[parser.at] not in ("NAME", "NUMBER"):
            raise parser.unexpected()
        parser.at += 1
    name = "".join(parser.values[begin : parser.at])
    return String(parser.starts[begin], parser.ends[parser.at - 1], name)


# -- types ---------------------------------------------------------------------------------------


@prefix("type")
def type_expression(parser: Parser) -> Expression:
    """Parse ``type(…)``, ``type Name = …`` or ``type Name { … }``."""
    kinds = parser.kinds
    at = parser.at
    if kinds[at + 1] == "(":
        return bare_name(parser)
    parser.at = at + 1
    if kinds[at + 1] != "CLASSREF":
        raise parser.unexpected()
    if kinds[at + 2] in ("{", "inherits"):
        return type_definition(parser, at)
    left = type_reference(parser)
    parser.expect("=")
    right = type_right(parser)
    start = parser.starts[at]
    found: TypeMapping | TypeAlias
    if isinstance(left, Reference):
        found = TypeAlias(start, right.end, left.value, right, left.start)
    else:
        found = TypeMapping(start, right.end, left, right)
    parser.definitions.append(found)
    return found


def type_right(parser: Parser) -> Expression:
    """Parse the right side of a type alias; a hash, alone or after a type, is an Object type."""
    kind = parser.kinds[parser.at]
    if kind == "{":
        literal = hash_literal(parser)
        whole = Reference(literal.start, literal.start, "Object")
        return Access(literal.start, literal.end, whole, [literal])
    if kind in ("[", "LISTSTART"):
        return array(parser)
    if kind != "CLASSREF":
        raise parser.unexpected()
    right = type_reference(parser, trailing_comma=True)
    if parser.kinds[parser.at] != "{" or not isinstance(right, Reference):
        return right
    literal = hash_literal(parser)
    if right.value not in WHOLE_TYPES:
        key = Name(right.start, right.end, "parent")
        literal.entries.append(Entry(right.start, right.end, key, right))
        # Of no length: the code keeps each static value by its place, and this is the place of the parent.
        whole = Reference(literal.start, literal.start, "Object")
        return Access(right.start, literal.end, whole, [literal])
    return Access(right.start, literal.end, right, [literal])


def type_definition(parser: Parser, at: int) -> TypeDefinition:
    """Parse ``type Name inherits Parent { … }``."""
    name = parser.expect_value("CLASSREF")
    parent = parser.expect_value("CLASSREF") if parser.accept("inherits") else None
    body = block(parser)
    found = TypeDefinition(parser.starts[at], body.end, name, parent, body)
    parser.definitions.append(found)
    return found
