"""Rules for expressions: literals, operators, conditions, functions."""

from __future__ import annotations

import re
from functools import partial

from bunraku.base.errors import Words
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import bare_noun, capital, noun, of_kind
from bunraku.syntax.check.effects import WITHOUT_VALUE, idle
from bunraku.syntax.check.literals import UNKNOWN, literal, shown
from bunraku.syntax.check.walk import Check, rule
from bunraku.syntax.nodes import Node

PLAIN: Final = frozenset(
    {nodes.Boolean, nodes.Default, nodes.Name, nodes.Reference, nodes.String, nodes.Undef}
)
SUSPECTS: Final = WITHOUT_VALUE | {nodes.Parenthesized}
LARGEST: Final = 2**63 - 1


VARIABLE_NAME = lazy_pattern(r"(?:::)?(?:[a-z]\w*::)*[a-z_]\w*|0|[1-9][0-9]*", re.ASCII)
PARAMETER_NAME = lazy_pattern(r"[a-z_]\w*", re.ASCII)
NUMERIC_PARAMETER = lazy_pattern(r"(?:0x)?[0-9]+", re.ASCII)
MATCH_NUMBER = lazy_pattern(r"0|[1-9][0-9]*")


# -- literals and names --------------------------------------------------------------------------


@rule(nodes.Integer)
def integer(check: Check, node: nodes.Integer) -> None:
    """Report an integer of more than 64 bits."""
    if node.value > LARGEST and check.dialect.limited_integers:
        value = shown(node, check.text)
        parts = {"value": value, "relation": "more than", "hexadecimal": f"{node.value:+#x}"}
        check.report(issues.NUMERIC_OVERFLOW, node, **parts)


@rule(nodes.Variable)
def variable(check: Check, node: nodes.Variable) -> None:
    """Report a name that no variable can have."""
    name = node.name
    if not VARIABLE_NAME.fullmatch(name):
        numeric = name[:1].isdecimal()
        issue = issues.ILLEGAL_NUMERIC_VAR_NAME if numeric else issues.ILLEGAL_VAR_NAME
        check.report(issue, node, name=name)


@rule(nodes.Regexp)
def regexp(check: Check, node: nodes.Regexp) -> None:
    """Report a pattern that is not a regular expression."""
    if check.compile_regexp is not None:
        check.pattern(node, check.compile_regexp)


@rule(nodes.ReservedWord)
def reserved_word(check: Check, node: nodes.ReservedWord) -> None:
    """Report a word that is reserved for later versions."""
    issue = issues.FUTURE_RESERVED_WORD if node.future else issues.RESERVED_WORD
    check.report(issue, node, word=node.word)


@rule(nodes.List)
def list_literal(check: Check, node: nodes.List) -> None:
    """Check ``[…]``: every element has a value."""
    for value in node.values:
        if value.__class__ in SUSPECTS:
            check.need_value(value)
    check.stack += node.values[::-1]


@rule(nodes.Hash)
def hash_literal(check: Check, node: nodes.Hash) -> None:
    """Check ``{…}``: keys are unique."""
    entries = node.entries
    if len(entries) > 1:
        seen = set()
        for entry in entries:
            key = literal(entry.key)
            if key is UNKNOWN:
                continue
            if key in seen:
                where = node if of_attributes(check, node) else entry
                text = shown(entry.key, check.text)
                name = Words(text, partial(str, getattr(entry.key, "value", text)))
                check.report(issues.DUPLICATE_KEY, where, key=name)
            seen.add(key)
    check.stack += entries[::-1]


def of_attributes(check: Check, node: nodes.Hash) -> bool:
    """Return whether the parser made a hash of the attributes in ``name { a => 1 }``."""
    return all(
        entry.key.__class__ is nodes.String and check.text[entry.key.start] not in "'\"@"
        for entry in node.entries
    )


@rule(nodes.Entry)
def entry(check: Check, node: nodes.Entry) -> None:
    """Check ``key => value``: both have values."""
    check.need_value(node.key)
    check.need_value(node.value)
    stack = check.stack
    stack.append(node.value)
    if node.key.__class__ is not nodes.String:
        stack.append(node.key)


@rule(nodes.Concatenation)
def concatenation(check: Check, node: nodes.Concatenation) -> None:
    """Check ``"…${…}…"``."""
    check.stack += [
        segment for segment in reversed(node.segments) if segment.__class__ is not nodes.String
    ]


# -- operators -----------------------------------------------------------------------------------

Unary = (
    nodes.Interpolation
    | nodes.Not
    | nodes.Parenthesized
    | nodes.Render
    | nodes.UnaryMinus
    | nodes.Unfold
)
UNARY: tuple[type[Unary], ...] = (
    nodes.Interpolation,
    nodes.Not,
    nodes.Parenthesized,
    nodes.Render,
    nodes.UnaryMinus,
    nodes.Unfold,
)
Binary = nodes.And | nodes.Arithmetic | nodes.Comparison | nodes.In | nodes.Match | nodes.Or
BINARY: tuple[type[Binary], ...] = (
    nodes.And,
    nodes.Arithmetic,
    nodes.Comparison,
    nodes.In,
    nodes.Match,
    nodes.Or,
)


@rule(*UNARY)
def unary(check: Check, node: Unary) -> None:
    """Check an operator before its operand, which must have a value."""
    check.need_value(node.expression)
    check.stack.append(node.expression)


@rule(*BINARY)
def binary(check: Check, node: Binary) -> None:
    """Check an operator between two operands, which must have values."""
    left, right = node.left, node.right
    if left.__class__ in SUSPECTS:
        check.need_value(left)
    if right.__class__ in SUSPECTS:
        check.need_value(right)
    stack = check.stack
    stack.append(right)
    stack.append(left)


@rule(nodes.Relationship)
def relationship(check: Check, node: nodes.Relationship) -> None:
    """Check ``left -> right``: both have values or are collectors."""
    for side in (node.left, node.right):
        if side.__class__ is not nodes.Collector:
            check.need_value(side)
    check.stack.append(node.right)
    check.stack.append(node.left)


@rule(nodes.Access)
def access(check: Check, node: nodes.Access) -> None:
    """Check ``left[keys]``."""
    check.stack += node.keys[::-1]
    check.stack.append(node.left)


@rule(nodes.Assignment)
def assignment(check: Check, node: nodes.Assignment) -> None:
    """Check ``left = right``."""
    operator = node.operator
    if operator == "=":
        assignable(check, node.left)
    else:
        check.report(issues.APPENDS_NO_LONGER_SUPPORTED, node, operator=operator, sign=operator[0])
    check.need_value(node.right)
    check.stack.append(node.right)
    check.stack.append(node.left)


def assignable(check: Check, target: Node) -> None:
    """Report the left side of an assignment, unless it is a variable or a list of variables."""
    if isinstance(target, nodes.Variable):
        name = target.name
        if MATCH_NUMBER.fullmatch(name):
            check.report(issues.ILLEGAL_NUMERIC_ASSIGNMENT, target, name=name)
        elif "::" in name:
            check.report(issues.CROSS_SCOPE_ASSIGNMENT, target, name=name)
    elif isinstance(target, nodes.Access):
        check.report(issues.ILLEGAL_INDEXED_ASSIGNMENT, target)
    elif isinstance(target, nodes.List):
        for value in target.values:
            assignable(check, value)
    else:
        check.report(issues.ILLEGAL_ASSIGNMENT, target, what=noun(target))


# -- conditions ----------------------------------------------------------------------------------


@rule(nodes.Block)
def block(check: Check, node: nodes.Block) -> None:
    """Check statements: all but the last have an effect."""
    statements = node.statements
    name = name_without_title(check, node)
    if name is not None:
        check.report(issues.RESOURCE_WITHOUT_TITLE, node, name=name)
    else:
        for statement in statements[:-1]:
            if idle(statement):
                check.report(issues.IDLE_NOT_LAST, statement, what=bare_noun(statement))
                break
    check.stack += statements[::-1]


def name_without_title(check: Check, node: Node) -> str | None:
    """Return the name in ``name { … }`` if the parser made a node of that, else None.

    With tasks a name before attributes is a name without effect.
    """
    dialect = check.dialect
    if dialect.puppet_3_codes or dialect.tasks:
        return None
    if node.__class__ is not nodes.Block or len(node.statements) != 2:
        return None
    name, attributes = node.statements
    if name.__class__ is nodes.Name and attributes.__class__ is nodes.Hash:
        return name.value
    return None


Condition = nodes.If | nodes.Unless
CONDITIONS: tuple[type[Condition], ...] = (nodes.If, nodes.Unless)


@rule(*CONDITIONS)
def condition(check: Check, node: Condition) -> None:
    """Check ``if`` and ``unless``."""
    check.need_value(node.test)
    stack = check.stack
    stack.append(node.otherwise)
    stack.append(node.then)
    stack.append(node.test)


@rule(nodes.Case)
def case(check: Check, node: nodes.Case) -> None:
    """Check ``case``: one default."""
    check.need_value(node.test)
    found = False
    for option in node.options:
        for value in option.values:
            if value.__class__ is nodes.Default:
                if found and check.dialect.one_default:
                    check.report(
                        issues.DUPLICATE_DEFAULT, value, container=of_kind("case statement", "{}")
                    )
                found = True
    check.stack += node.options[::-1]
    check.stack.append(node.test)


@rule(nodes.CaseOption)
def case_option(check: Check, node: nodes.CaseOption) -> None:
    """Check ``value, value: { … }``."""
    for value in node.values:
        check.need_value(value)
    check.stack.append(node.then)
    check.stack += node.values[::-1]


@rule(nodes.Selector)
def selector(check: Check, node: nodes.Selector) -> None:
    """Check ``left ? { … }``: one default."""
    check.need_value(node.left)
    found = False
    for entry in node.entries:
        if entry.match.__class__ is nodes.Default:
            if found and check.dialect.one_default:
                check.report(
                    issues.DUPLICATE_DEFAULT, entry.match, container=of_kind("selector", "{}")
                )
                break
            found = True
    check.stack += node.entries[::-1]
    check.stack.append(node.left)


@rule(nodes.SelectorEntry)
def selector_entry(check: Check, node: nodes.SelectorEntry) -> None:
    """Check ``match => value``."""
    check.need_value(node.match)
    check.stack.append(node.value)
    check.stack.append(node.match)


# -- functions -----------------------------------------------------------------------------------


@rule(nodes.Call)
def call(check: Check, node: nodes.Call) -> None:
    """Check ``name(…)``, ``Type(…)``."""
    callee = node.callee
    stack = check.stack
    if node.block is not None:
        stack.append(node.block)
    stack += node.arguments[::-1]
    if callee.__class__ is nodes.Name:
        return
    named = callee.left if callee.__class__ is nodes.Access else callee
    if named.__class__ is not nodes.Reference or not check.dialect.callable_types:
        check.report(
            issues.ILLEGAL_EXPRESSION,
            callee,
            what=capital(noun(callee)),
            role="name",
            container=of_kind("a function call"),
        )
    stack.append(callee)


@rule(nodes.MethodCall)
def method_call(check: Check, node: nodes.MethodCall) -> None:
    """Check ``receiver.name(…)``."""
    stack = check.stack
    if node.block is not None:
        stack.append(node.block)
    stack += node.arguments[::-1]
    stack.append(node.receiver)


@rule(nodes.Lambda)
def lambda_expression(check: Check, node: nodes.Lambda) -> None:
    """Check ``|…| { … }``: only the last parameter may capture the rest."""
    for parameter in node.parameters[:-1]:
        if parameter.captures_rest:
            check.report(issues.CAPTURES_REST_NOT_LAST, parameter, name=parameter.name)
    callable_parts(check, node)


def callable_parts(check: Check, node: nodes.Lambda | nodes.FunctionDefinition) -> None:
    """Visit the parameters, the body and the type of the result."""
    stack = check.stack
    if node.return_type is not None:
        stack.append(node.return_type)
    stack.append(node.body)
    stack += node.parameters[::-1]


@rule(nodes.Parameter)
def parameter(check: Check, node: nodes.Parameter) -> None:
    """Check ``Type $name = value``: the name is valid and the value assigns nothing."""
    name = node.name
    if NUMERIC_PARAMETER.fullmatch(name):
        check.report(issues.ILLEGAL_NUMERIC_PARAMETER, node, name=name)
    if not PARAMETER_NAME.fullmatch(name):
        check.report(issues.ILLEGAL_PARAMETER_NAME, node, name=name)
    stack = check.stack
    if node.type is not None:
        stack.append(node.type)
    value = node.value
    if value is not None and value.__class__ not in PLAIN:
        assigns_nothing(check, value)
        stack.append(value)


def assigns_nothing(check: Check, node: Node) -> None:
    """Report assignments outside of lambdas."""
    found = [node]
    while found:
        item = found.pop()
        if item.__class__ is nodes.Assignment:
            check.report(issues.ILLEGAL_ASSIGNMENT_CONTEXT, item)
        elif item.__class__ is not nodes.Lambda:
            found += list(nodes.children(item))[::-1]
