"""Rules for definitions: classes, defined types, functions, plans, nodes, types, templates."""

from __future__ import annotations

import re

from bunraku.base.errors import Words
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import bare_noun, capital, noun, of_kind
from bunraku.syntax.check.effects import idle
from bunraku.syntax.check.expressions import callable_parts, name_without_title
from bunraku.syntax.check.literals import is_literal
from bunraku.syntax.check.walk import Check, rule
from bunraku.syntax.nodes import Node

Named = (
    nodes.ClassDefinition | nodes.DefineDefinition | nodes.FunctionDefinition | nodes.PlanDefinition
)
ResourceType = nodes.ClassDefinition | nodes.DefineDefinition
IN_MAPPINGS: Final = frozenset({nodes.List, nodes.Name, nodes.Regexp, nodes.String})
RESERVED_PARAMETERS: Final = frozenset({"name", "title"})

DEFINITION_NAME = lazy_pattern(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)
HOST_NAME = lazy_pattern(r"[0-9A-Za-z_.-]+")


# -- places and names of definitions -------------------------------------------------------------


def at_top(check: Check, node: Node, kind: str) -> None:
    """Report a class, define or node that is neither at top level nor in a class."""
    if id(node) not in check.places:
        check.report(issues.NOT_TOP_LEVEL, node, what=kind)


def at_absolute_top(check: Check, node: Node, kind: str) -> None:
    """Report a function or type that is nested in another construct."""
    if check.places.get(id(node)) != "top":
        nested = id(node) in check.places or is_statement(check, node)
        issue = issues.NOT_ABSOLUTE_TOP_LEVEL if nested else issues.NOT_TOP_LEVEL
        check.report(issue, node, what=of_kind(kind, "A {}"))


def is_statement(check: Check, wanted: Node) -> bool:
    """Return whether a definition is one of the statements of a block."""
    waiting = [check.program.body]
    while waiting:
        node = waiting.pop()
        if node.__class__ is nodes.Block and any(item is wanted for item in node.statements):
            return True
        waiting += nodes.children(node)
    return False


def has_name(check: Check, node: Named, kind: str) -> None:
    """Report a name that the definition cannot have, or cannot have in this file."""
    name = node.name
    dialect = check.dialect
    is_global = not dialect.global_names and check.text.startswith("::", node.name_start)
    if not DEFINITION_NAME.fullmatch(name) or is_global:
        issue = issues.ILLEGAL_DEFINITION_NAME
        if dialect.puppet_3_codes:
            issue = issues.ILLEGAL_DEFINTION_NAME
        check.report(issue, node, kind=of_kind(kind), name=name)
    elif name in dialect.type_names:
        check.report(issues.RESERVED_TYPE_NAME, node, kind=of_kind(kind), name=name)
    elif check.namespace is not None and not name.lower().startswith(check.namespace):
        file = check.source.path
        check.report(issues.ILLEGAL_DEFINITION_LOCATION, node, name=name, file=file)
    if name == "plan" and not dialect.puppet_3_codes:
        check.report(issues.FUTURE_RESERVED_WORD, node, word=name)


def future_type(check: Check, expression: Node, node: Node) -> None:
    """Report the type Plan, which a later Puppet may define."""
    reference, place = expression, expression
    if expression.__class__ is nodes.Access:
        reference, place = expression.left, node
    if reference.__class__ is nodes.Reference and reference.value == "Plan":
        check.report(issues.FUTURE_RESERVED_WORD, place, word="Plan")


# -- parameters and bodies -----------------------------------------------------------------------


def distinct(check: Check, parameters: list[nodes.Parameter]) -> None:
    """Report parameters that are defined twice."""
    seen = set()
    for parameter in parameters:
        if parameter.name in seen:
            check.report(issues.DUPLICATE_PARAMETER, parameter, name=parameter.name)
        seen.add(parameter.name)


def no_rest(check: Check, parameters: list[nodes.Parameter], kind: str) -> None:
    """Report parameters that take all further arguments."""
    issue = issues.CAPTURES_REST_NOT_SUPPORTED
    for parameter in parameters:
        if parameter.captures_rest:
            check.report(issue, parameter, container=of_kind(kind), name=parameter.name)


def resource_type(check: Check, node: ResourceType, kind: str) -> None:
    """Check the parameters and the body of a class or define."""
    parameters = node.parameters
    if parameters:
        no_rest(check, parameters, kind)
        distinct(check, parameters)
        for parameter in parameters:
            name = parameter.name
            if name in RESERVED_PARAMETERS:
                container = of_kind(kind, "the {}")
                check.report(issues.RESERVED_PARAMETER, parameter, container=container, name=name)
    ends_in_effect(check, node.body, kind)
    check.stack.append(node.body)
    check.stack += parameters[::-1]


def ends_in_effect(check: Check, body: Node, kind: str) -> None:
    """Report a last statement without effect, because the value of the body is not used."""
    last = body.statements[-1] if body.__class__ is nodes.Block else body
    if last.__class__ is nodes.Nop or name_without_title(check, last) is not None:
        return
    if idle(last):
        what, container = bare_noun(last), of_kind(kind.lower(), "A {}")
        check.report(issues.IDLE_LAST, last, what=what, container=container)


# -- definitions ---------------------------------------------------------------------------------


@rule(nodes.ClassDefinition)
def class_definition(check: Check, node: nodes.ClassDefinition) -> None:
    """Check ``class name { … }``."""
    at_top(check, node, "A class")
    has_name(check, node, "A class")
    check.place_definitions(node.body, "class")
    if check.dialect.literal_types:
        for parameter in node.parameters:
            if parameter.type is not None and not is_literal(parameter.type):
                check.report(issues.NONLITERAL_TYPE, parameter, name=parameter.name)
    resource_type(check, node, "A class")


@rule(nodes.DefineDefinition)
def define_definition(check: Check, node: nodes.DefineDefinition) -> None:
    """Check ``define name { … }``."""
    at_top(check, node, "A defined type")
    has_name(check, node, "A defined type")
    resource_type(check, node, "A defined type")


@rule(nodes.FunctionDefinition)
def function_definition(check: Check, node: nodes.FunctionDefinition) -> None:
    """Check ``function name { … }``."""
    at_absolute_top(check, node, "A function")
    has_name(check, node, "A function")
    distinct(check, node.parameters)
    if node.return_type is not None:
        future_type(check, node.return_type, node)
    callable_parts(check, node)


@rule(nodes.PlanDefinition)
def plan_definition(check: Check, node: nodes.PlanDefinition) -> None:
    """Check ``plan name { … }``."""
    at_absolute_top(check, node, "A plan")
    has_name(check, node, "A plan")
    distinct(check, node.parameters)
    check.stack.append(node.body)
    check.stack += node.parameters[::-1]


@rule(nodes.NodeDefinition)
def node_definition(check: Check, node: nodes.NodeDefinition) -> None:
    """Check ``node name { … }``."""
    for match in node.matches:
        host_name(check, match)
    at_top(check, node, "A node")
    ends_in_effect(check, node.body, "a node")
    stack = check.stack
    if node.parent is not None:
        check.report(issues.ILLEGAL_NODE_INHERITANCE, node.parent)
    stack.append(node.body)
    stack += node.matches[::-1]
    if node.parent is not None:
        stack.append(node.parent)


def host_name(check: Check, match: Node) -> None:
    """Report a host name that is computed or has other than letters, digits and ``_.-``."""
    if isinstance(match, nodes.String):
        if not HOST_NAME.fullmatch(match.value):
            check.report(issues.ILLEGAL_HOST_NAME, match, name=match.value)
    elif isinstance(match, nodes.Concatenation):
        inner = [item for item in match.segments if isinstance(item, nodes.Interpolation)]
        check.report(issues.INTERPOLATED_HOST_NAME, inner[0].expression)
    elif isinstance(match, nodes.Heredoc):
        what, role, container = (
            capital(noun(match)),
            Words("name", lambda: "hostname"),
            of_kind("a node"),
        )
        check.report(issues.ILLEGAL_EXPRESSION, match, what=what, role=role, container=container)


# -- types ---------------------------------------------------------------------------------------


@rule(nodes.TypeAlias)
def type_alias(check: Check, node: nodes.TypeAlias) -> None:
    """Check ``type Name = Type``."""
    at_absolute_top(check, node, "A type alias")
    name = node.name.lower().removeprefix("::")
    kind = "A type alias"
    if node.name.startswith("::"):
        check.report(issues.ILLEGAL_DEFINITION_NAME, node, kind=of_kind(kind), name=node.name)
    elif name in check.dialect.alias_names:
        check.report(issues.RESERVED_TYPE_NAME, node, kind=of_kind(kind), name=node.name)
    if is_type(node.type):
        future_type(check, node.type, node)
    else:
        check.report(
            issues.ILLEGAL_EXPRESSION,
            node.type,
            what=capital(noun(node.type)),
            role=Words("right side", lambda: "alias type"),
            container=of_kind("a type alias"),
        )
    check.stack.append(node.type)


@rule(nodes.TypeMapping)
def type_mapping(check: Check, node: nodes.TypeMapping) -> None:
    """Check ``type Runtime[…] = Type``."""
    at_top(check, node, "A type mapping")
    left, right = node.left, node.type
    keys = left.keys
    is_runtime = left.left.__class__ is nodes.Reference and left.left.value == "Runtime"
    if not is_runtime or len(keys) != 2 or any(key.__class__ not in IN_MAPPINGS for key in keys):
        check.report(
            issues.UNSUPPORTED_EXPRESSION,
            node,
            what=Words("A type mapping of this form", noun(node).in_puppet),
        )
    elif keys[1].__class__ is nodes.List:
        if not is_replacement(right):
            wanted = "[/pattern/, 'name']"
            check.report(issues.ILLEGAL_TYPE_MAPPING, node, wanted=wanted)
    elif not is_type(right) or is_hash_as_type(right):
        check.report(issues.ILLEGAL_TYPE_MAPPING, node, wanted="a type")
    check.stack.append(right)
    check.stack.append(left)


@rule(nodes.TypeDefinition)
def type_definition(check: Check, node: nodes.TypeDefinition) -> None:
    """Check ``type Name { … }``."""
    at_absolute_top(check, node, "A type definition")
    check.report(issues.UNSUPPORTED_EXPRESSION, node, what=of_kind("A type definition"))
    check.stack.append(node.body)


def is_type(node: Node) -> bool:
    """Return whether an expression is a type: ``Name`` or ``Name[…]``."""
    if node.__class__ is nodes.Access:
        node = node.left
    return node.__class__ is nodes.Reference


def is_hash_as_type(node: Node) -> bool:
    """Return whether the parser made a type of a hash, as it does on the right of an alias."""
    return node.__class__ is nodes.Access and node.start == node.left.end


def is_replacement(node: Node) -> bool:
    """Return whether an expression is ``[/pattern/, 'name']``."""
    return node.__class__ is nodes.List and [item.__class__ for item in node.values] == [
        nodes.Regexp,
        nodes.String,
    ]


# -- templates -----------------------------------------------------------------------------------


@rule(nodes.Epp)
def epp(check: Check, node: nodes.Epp) -> None:
    """Check a template, whose parameters are those of the program's lambda."""
    program = check.program.body
    if isinstance(program, nodes.Lambda):
        no_rest(check, program.parameters, "A template")
        distinct(check, program.parameters)
    check.stack.append(node.body)
