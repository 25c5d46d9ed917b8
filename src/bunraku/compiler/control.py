"""Emitting blocks, conditionals, logic and lambdas.

A conditional is a region with separate match variables: the captures of its test and branches are
dropped after it. A region keeps its last match in a cell (a list of one), made only where something
reads captures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from bunraku.base.tabled_values import Tabled
from bunraku.compiler.emitter import (
    Emitter,
    Sink,
    expression_of,
    is_true_or_false,
    statement_of,
    without_parentheses,
)
from bunraku.compiler.expressions import RESERVED, cell
from bunraku.compiler.frames import Frame, assigned_names, within_frame
from bunraku.compiler.in_place import number_test, pattern_test, text_test, type_test
from bunraku.compiler.tables import has_tables, tabled
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

T = TypeVar("T")
NESTED_OPTIONS = 40  # the number of options of a case that are emitted as one nest

# -- branches ------------------------------------------------------------------------------------


def branches(emitter: Emitter, *ways: Callable[[], T]) -> list[T]:
    """Emit code of which one branch runs; variables that all branches set are definite after it."""
    frame = emitter.frame
    before = frame.definite
    results, ends = [], []
    for way in ways:
        frame.definite = set(before)
        results.append(way())
        ends.append(frame.definite)
    frame.definite = set.intersection(*ends)
    return results


def truth(emitter: Emitter, node: Node) -> ast.expr:
    """Return a condition as a Python truth value."""
    value = emitter.expression(node)
    if is_true_or_false(node):
        return value
    with emitter.at(node):
        return emitter.call("truthy", value)


def may_match(node: Node) -> bool:
    """Return whether code in the region can set match variables."""
    kinds = (nodes.Match, nodes.In, nodes.Case, nodes.Selector)
    return isinstance(node, kinds) or any(isinstance(found, kinds) for found in within_frame(node))


def region(emitter: Emitter, node: Node) -> tuple[str | None, ast.expr | None]:
    """Open a region of match variables: the outer cell's name, and the value of the new cell."""
    outer = emitter.frame.match
    if outer is None or not may_match(node):
        return outer, None
    if not emitter.readers.are_below(node):
        emitter.frame.match = None
        return outer, None
    emitter.cells_read.add(outer)
    last = emitter.subscript(emitter.name(outer), emitter.constant(0))
    emitter.frame.match = emitter.fresh("match")
    return outer, emitter.list_of([last])


def in_region(emitter: Emitter, node: Node, emit: Callable[[], ast.expr]) -> ast.expr:
    """Return an expression in a separate region."""
    outer, made = region(emitter, node)
    local = emitter.frame.match
    try:
        value = emit()
    finally:
        emitter.frame.match = outer
    if made is None or local is None:
        return value
    return emitter.sequence([emitter.walrus(local, made), value])


def statements_in_region(emitter: Emitter, node: Node, emit: Callable[[], None]) -> None:
    """Statements in a region of their own."""
    outer, made = region(emitter, node)
    if made is not None and emitter.frame.match is not None:
        emitter.frame.statements.append(emitter.assign(emitter.frame.match, made))
    try:
        emit()
    finally:
        emitter.frame.match = outer


# -- blocks --------------------------------------------------------------------------------------


@expression_of(nodes.Block)
def block(emitter: Emitter, node: nodes.Block) -> ast.expr:
    """Statements as a value: that of the last."""
    if not node.statements:
        return emitter.constant(None)
    values = [emitter.expression(statement) for statement in node.statements]
    return emitter.sequence(values)


@statement_of(nodes.Block)
def block_statement(emitter: Emitter, node: nodes.Block, sink: Sink) -> None:
    """Statements in sequence."""
    if not node.statements:
        emitter.finish_empty(sink)
        return
    ahead = node.statements if sink == "discard" else node.statements[:-1]
    rows: list[Row] = []
    for statement in ahead:
        row = assignment_row(emitter, statement)
        if row is not None:
            rows.append(row)
            continue
        assign_rows(emitter, rows)
        rows = []
        emitter.statement(statement, "discard")
    assign_rows(emitter, rows)
    if sink != "discard":
        emitter.statement(node.statements[-1], sink)


Row = tuple[nodes.Assignment, str, Tabled]


def assignment_row(emitter: Emitter, node: Node) -> Row | None:
    """Return an assignment, its variable and the pair of its value; None where it needs code."""
    if not isinstance(node, nodes.Assignment) or not has_tables(emitter):
        return None
    left = node.left
    if node.operator != "=" or not isinstance(left, nodes.Variable) or left.name.isdigit():
        return None
    value = tabled(emitter, node.right)
    return None if value is None else (node, f"${left.name}", value)


def assign_rows(emitter: Emitter, rows: list[Row]) -> None:
    """Emit assignments whose values are pairs, as one call if there are several."""
    if len(rows) == 1:
        emitter.statement(rows[0][0], "discard")
    elif rows:
        table = tuple((name, *value, emitter.place_of(node)) for node, name, value in rows)
        with emitter.at(rows[0][0]):
            call = emitter.call("assign_table", emitter.scope(), emitter.constant(table))
            emitter.finish(call, "discard")


@statement_of(nodes.Nop)
def nop_statement(emitter: Emitter, _node: nodes.Nop, sink: Sink) -> None:
    """Nothing."""
    emitter.finish_empty(sink)


@statement_of(nodes.Parenthesized)
def parenthesized_statement(emitter: Emitter, node: nodes.Parenthesized, sink: Sink) -> None:
    """``( statement )``."""
    emitter.statement(node.expression, sink)


# -- if, unless ----------------------------------------------------------------------------------


def test_of(emitter: Emitter, node: nodes.If | nodes.Unless) -> ast.expr:
    """Emit the condition; that of ``unless`` is negated."""
    test = truth(emitter, node.test)
    if isinstance(node, nodes.If):
        return test
    with emitter.at(node.test):
        return emitter.not_(test)


@expression_of(nodes.If, nodes.Unless)
def conditional(emitter: Emitter, node: nodes.If | nodes.Unless) -> ast.expr:
    """Emit ``if`` or ``unless`` as a value."""

    def emit() -> ast.expr:
        test = test_of(emitter, node)
        then, otherwise = branches(
            emitter,
            lambda: emitter.expression(node.then),
            lambda: emitter.expression(node.otherwise),
        )
        return emitter.if_else(test, then, otherwise)

    return in_region(emitter, node, emit)


@statement_of(nodes.If, nodes.Unless)
def conditional_statement(emitter: Emitter, node: nodes.If | nodes.Unless, sink: Sink) -> None:
    """``if`` or ``unless`` as a statement."""

    def emit() -> None:
        test = test_of(emitter, node)
        then, otherwise = branches(
            emitter,
            lambda: emitter.block(node.then, sink),
            lambda: emitter.block(node.otherwise, sink),
        )
        if len(otherwise) == 1 and isinstance(otherwise[0], ast.Pass):
            otherwise = []
        emitter.frame.statements.append(emitter.if_(test, then, otherwise))

    statements_in_region(emitter, node, emit)


# -- logic ---------------------------------------------------------------------------------------


@expression_of(nodes.And, nodes.Or)
def logic(emitter: Emitter, node: nodes.And | nodes.Or) -> ast.expr:
    """Emit ``left and right``, ``left or right``; a chain becomes one operation."""
    kind = node.__class__
    spine: list[Node] = []
    left: Node = node
    while isinstance(left, nodes.And | nodes.Or) and left.__class__ is kind:
        spine.append(left.right)
        left = left.left
    values = [truth(emitter, left)]
    certain = set(emitter.frame.definite)
    values.extend(truth(emitter, operand) for operand in reversed(spine))
    emitter.frame.definite = certain
    return emitter.all_of(*values) if kind is nodes.And else emitter.any_of(*values)


@expression_of(nodes.Not)
def not_(emitter: Emitter, node: nodes.Not) -> ast.expr:
    """Emit ``! expression``."""
    return emitter.not_(truth(emitter, node.expression))


# -- case, selector ------------------------------------------------------------------------------


def option_test(emitter: Emitter, value: str, option: Node) -> ast.expr:
    """Return whether a value (a local) matches one option of a case or selector."""
    with emitter.at(option):
        return option_test_here(emitter, value, option)


def option_test_here(emitter: Emitter, value: str, option: Node) -> ast.expr:
    """Return whether a value matches an option, whose place is set."""
    subject = emitter.name(value)
    in_place = emitter.works_in_place
    match option:
        case nodes.String(value=text) | nodes.Name(value=text):
            call = emitter.call("equal", subject, emitter.expression(option))
            return text_test(emitter, subject, subject, text, call) if in_place else call
        case nodes.Boolean() | nodes.Undef() if in_place:
            return emitter.compare(subject, "is", emitter.expression(option))
        case nodes.Integer(value=number):
            return number_test(emitter, subject, number)
        case nodes.Boolean() | nodes.Undef():
            return emitter.call("equal", subject, emitter.expression(option))
        case nodes.Regexp() if in_place:
            found = pattern_test(emitter, subject, option, cell(emitter))
            return emitter.all_of(emitter.has_class(subject, "str"), found)
        case nodes.Reference() | nodes.Access():
            test = type_test(emitter, subject, option)
            if test is not None:
                return test
            helper, wanted = "option_matches", emitter.expression(option)
        case _:
            unfolds = isinstance(without_parentheses(option), nodes.Unfold)
            helper = "any_option_matches" if unfolds else "option_matches"
            wanted = emitter.expression(option)
    return emitter.call(helper, subject, wanted, *cell(emitter))


def tests_in_turn(
    emitter: Emitter, options: list[T], test: Callable[[T], ast.expr]
) -> list[ast.expr]:
    """Return the tests of options; only the first surely runs, and so assigns variables."""
    found = []
    certain = emitter.frame.definite
    for option in options:
        found.append(test(option))
        if len(found) == 1:
            certain = set(emitter.frame.definite)
    emitter.frame.definite = certain
    return found


def options_test(emitter: Emitter, value: str, options: list[Node], node: Node) -> ast.expr:
    """Return whether a value matches any of several options other than ``default``."""
    wanted = [option for option in options if not isinstance(option, nodes.Default)]
    tests = tests_in_turn(emitter, wanted, lambda option: option_test(emitter, value, option))
    if len(tests) == 1:
        return tests[0]
    with emitter.at(node):
        return emitter.any_of(*tests) if tests else emitter.constant(False)


def default_option(node: nodes.Case) -> nodes.CaseOption | None:
    """Return the option that is taken when no other matches; of several (in Puppet 3) the last."""
    for option in reversed(node.options):
        if any(isinstance(value, nodes.Default) for value in option.values):
            return option
    return None


def tested_options(node: nodes.Case) -> list[nodes.CaseOption]:
    """Return the options that have something to match besides ``default``."""
    return [
        option
        for option in node.options
        if any(not isinstance(value, nodes.Default) for value in option.values)
    ]


def chosen(
    emitter: Emitter,
    choices: Sequence[tuple[ast.expr, ast.expr, Node]],
    last: ast.expr,
) -> list[ast.expr]:
    """Return the value of the first choice that holds, else the last one: one nest of conditions,
    or a sequence of nests, each of which checks whether an earlier one had a value.
    """
    nests = []
    local = emitter.fresh("chosen")
    several = len(choices) > NESTED_OPTIONS
    for start in range(0, max(len(choices), 1), NESTED_OPTIONS):
        part = choices[start : start + NESTED_OPTIONS]
        is_last = start + NESTED_OPTIONS >= len(choices)
        value = last if is_last else emitter.name("UNSET")
        for test, then, option in reversed(part):
            with emitter.at(option):
                value = emitter.if_else(test, then, value)
        if start:
            known = emitter.name(local)
            value = emitter.if_else(is_unset(emitter, local), value, known)
        nests.append(emitter.walrus(local, value) if several else value)
    return nests


def done(
    emitter: Emitter,
    choices: Sequence[tuple[ast.expr, list[ast.stmt], Node]],
    last: list[ast.stmt],
) -> list[ast.stmt]:
    """Return the statements of the first choice that holds, else the last ones: one nest of
    conditions, or a sequence of nests, each of which checks whether an earlier one ran.
    """
    statements: list[ast.stmt] = []
    local = emitter.fresh("done")
    for start in range(0, max(len(choices), 1), NESTED_OPTIONS):
        part = choices[start : start + NESTED_OPTIONS]
        if start + NESTED_OPTIONS < len(choices):
            nest: list[ast.stmt] = [emitter.assign(local, emitter.name("UNSET"))]
        else:
            nest = last
        for test, body, option in reversed(part):
            with emitter.at(option):
                nest = [emitter.if_(test, body, nest)]
        if start:
            begin = emitter.assign(local, emitter.constant(None))
            nest = [emitter.if_(is_unset(emitter, local), [begin, *nest])]
        elif len(choices) > NESTED_OPTIONS:
            statements.append(emitter.assign(local, emitter.constant(None)))
        statements.extend(nest)
    return statements


def is_unset(emitter: Emitter, local: str) -> ast.expr:
    """Return whether a local is UNSET."""
    return emitter.compare(emitter.name(local), "is", emitter.name("UNSET"))


@expression_of(nodes.Case)
def case(emitter: Emitter, node: nodes.Case) -> ast.expr:
    """Emit ``case`` as a value."""
    local = emitter.fresh("case")
    otherwise = default_option(node)
    options = tested_options(node)

    def emit() -> ast.expr:
        subject = emitter.walrus(local, emitter.expression(node.test))
        tests = tests_in_turn(
            emitter, options, lambda option: options_test(emitter, local, option.values, option)
        )
        ways: list[Callable[[], ast.expr]] = [
            partial(emitter.expression, option.then) for option in options
        ]
        ways.append(
            lambda: emitter.expression(otherwise.then) if otherwise else emitter.constant(None)
        )
        *values, last = branches(emitter, *ways)
        choices = list(zip(tests, values, options, strict=True))
        return emitter.sequence([subject, *chosen(emitter, choices, last)])

    return in_region(emitter, node, emit)


@statement_of(nodes.Case)
def case_statement(emitter: Emitter, node: nodes.Case, sink: Sink) -> None:
    """``case`` as a statement."""
    local = emitter.fresh("case")
    otherwise = default_option(node)
    options = tested_options(node)

    def emit() -> None:
        statements = emitter.frame.statements
        statements.append(emitter.assign(local, emitter.expression(node.test)))
        tests = tests_in_turn(
            emitter, options, lambda option: options_test(emitter, local, option.values, option)
        )
        ways: list[Callable[[], list[ast.stmt]]] = [
            partial(emitter.block, option.then, sink) for option in options
        ]
        fallback: Node = otherwise.then if otherwise else nodes.Nop(node.start, node.end)
        ways.append(lambda: emitter.block(fallback, sink))
        *bodies, last = branches(emitter, *ways)
        choices = list(zip(tests, bodies, options, strict=True))
        statements.extend(done(emitter, choices, last))

    statements_in_region(emitter, node, emit)


@expression_of(nodes.Selector)
def selector(emitter: Emitter, node: nodes.Selector) -> ast.expr:
    """Emit ``left ? { match => value }``."""
    local = emitter.fresh("selector")
    entries = [entry for entry in node.entries if not isinstance(entry.match, nodes.Default)]
    default = next((e for e in node.entries[::-1] if isinstance(e.match, nodes.Default)), None)

    def emit() -> ast.expr:
        subject = emitter.walrus(local, emitter.expression(node.left))
        tests = tests_in_turn(
            emitter, entries, lambda entry: option_test(emitter, local, entry.match)
        )
        ways: list[Callable[[], ast.expr]] = [
            partial(emitter.expression, entry.value) for entry in entries
        ]
        ways.append(
            lambda: (
                emitter.expression(default.value) if default else unmatched(emitter, node, local)
            )
        )
        *values, last = branches(emitter, *ways)
        choices = list(zip(tests, values, entries, strict=True))
        return emitter.sequence([subject, *chosen(emitter, choices, last)])

    return in_region(emitter, node, emit)


def unmatched(emitter: Emitter, node: nodes.Selector, local: str) -> ast.expr:
    """Return the error of a selector without a matching entry."""
    value = emitter.name(local)
    with emitter.at_recorded(node if emitter.late_lines else node.left):
        return emitter.call("unmatched_selector", value)


# -- lambdas and function bodies -------------------------------------------------------------------


@expression_of(nodes.Lambda)
def lambda_(emitter: Emitter, node: nodes.Lambda) -> ast.expr:
    """Emit ``|parameters| { body }``: a Python function before the statement, a Closure in place."""
    name = emitter.fresh("lambda")
    outer = emitter.frame
    function, types = function_frame(emitter, node, name)
    outer.statements.append(function)
    low, high = parameter_count(node.parameters)
    names = tuple(parameter.name for parameter in node.parameters)
    arguments: list[ast.expr] = [
        emitter.name(name),
        emitter.constant(low),
        emitter.constant(high),
        emitter.constant(names),
    ]
    if any(types) or node.return_type is not None:
        untyped = emitter.constant(None)
        arguments.append(emitter.tuple_of([type_ or untyped for type_ in types]))
    if node.return_type is not None:
        arguments.append(emitter.expression(node.return_type))
        return emitter.call("returning_closure", *arguments)
    return emitter.call("Closure", *arguments)


def parameter_count(parameters: list[nodes.Parameter]) -> tuple[int, int | None]:
    """Return the minimum and maximum number of arguments of parameters (None: no limit)."""
    low = sum(item.value is None and not item.captures_rest for item in parameters)
    rest = any(item.captures_rest for item in parameters)
    return low, None if rest else len(parameters)


def function_frame(
    emitter: Emitter, node: nodes.FunctionDefinition | nodes.Lambda, name: str
) -> tuple[ast.FunctionDef, list[ast.expr | None]]:
    """Return a Python function with fast locals, and the types of a lambda's parameters, evaluated
    in the outer frame.
    """
    outer = emitter.frame
    kind = "lambda" if isinstance(node, nodes.Lambda) else "function"
    types = [
        emitter.expression(item.type) if item.type is not None and kind == "lambda" else None
        for item in node.parameters
    ]
    frame = Frame(outer, scope_kept=False, kind=kind, assigned=assigned_names(node.body))
    frame.checks_result = kind == "function" and node.return_type is not None
    frame.assigned |= {item.name for item in node.parameters}
    emitter.frame = frame
    arguments = argument_names(frame, node.parameters)
    try:
        fill_parameters(emitter, node, arguments)
        seen = (outer.match or kind == "function") and emitter.readers.are_below(node.body)
        frame.match = emitter.fresh("match") if seen else None
        emitter.statement(node.body, "return")
        statements = [*first_values(emitter, outer, node.parameters), *frame.statements]
        if frame.raises_next:
            statements = caught(emitter, statements, "NextIteration")
        if frame.raises_return:
            statements = caught(
                emitter, statements, "ReturnFromFunction", whole=frame.checks_result
            )
        signature = python_parameters(emitter, frame, node.parameters, arguments)
        return emitter.function(name, signature, statements, frame.constants), types
    finally:
        emitter.frame = outer


def argument_names(frame: Frame, parameters: list[nodes.Parameter]) -> list[str]:
    """Return the names of the Python parameters: those of the variables.

    A lambda may have several parameters of one name: their variable has the value of the last.
    """
    names = [item.name for item in parameters]
    return [
        frame.local(name) if names.count(name) == 1 else f"{frame.local(name)}.{index}"
        for index, name in enumerate(names)
    ]


def fill_parameters(
    emitter: Emitter, node: nodes.FunctionDefinition | nodes.Lambda, arguments: list[str]
) -> None:
    """Fill in the defaults of parameters and check the types, each in its turn.

    The types of several parameters of one name are checked when the last has its value.
    """
    frame = emitter.frame
    callee = node.name if isinstance(node, nodes.FunctionDefinition) else "lambda"
    optional = False
    ahead = [item.name for item in node.parameters]
    typed: list[nodes.Parameter] = []
    for item, argument in zip(node.parameters, arguments, strict=True):
        known = frame.definite
        frame.awaited = {name: (callee, item.name) for name in ahead if name not in known}
        ahead.pop(0)
        with emitter.at(item):
            if optional and item.value is None and not item.captures_rest:
                refuse_required(emitter, item)
            optional = optional or item.captures_rest or item.value is not None
            fill_parameter(emitter, item, argument)
        typed.append(item)
        if item.name in ahead:
            continue
        for one in typed:
            if one.type is not None and one.name not in ahead:
                with emitter.at(one):
                    check_parameter(emitter, one, one.type)
        typed = [one for one in typed if one.name in ahead]
    frame.awaited = {}
    refuse_reserved(emitter, node.parameters)


def refuse_reserved(emitter: Emitter, parameters: list[nodes.Parameter]) -> None:
    """Emit the error for parameters with the names of variables of the language."""
    for item in parameters:
        if item.name in RESERVED:
            with emitter.at(item):
                name = emitter.constant(item.name)
                call = emitter.call("check_reserved", emitter.scope(), name)
                emitter.frame.statements.append(emitter.run(call))


def first_values(
    emitter: Emitter, outer: Frame, parameters: list[nodes.Parameter]
) -> list[ast.stmt]:
    """Return the values that a frame's locals start with: the cell of captures, UNSET."""
    frame = emitter.frame
    statements: list[ast.stmt] = []
    if frame.match is not None and frame.match in emitter.cells_read:
        statements.append(emitter.assign(frame.match, first_match(emitter, outer, frame.kind)))
    names = frame.unset_first.difference(item.name for item in parameters)
    unset = [emitter.assign(frame.local(name), emitter.name("UNSET")) for name in sorted(names)]
    return statements + unset


def first_match(emitter: Emitter, outer: Frame, kind: str) -> ast.expr:
    """Return the first cell of a frame: a lambda shares outer captures, a function has none."""
    if kind == "lambda" and outer.match:
        emitter.cells_read.add(outer.match)
        last = emitter.subscript(emitter.name(outer.match), emitter.constant(0))
        return emitter.list_of([last])
    return emitter.list_of([emitter.constant(None)])


def python_parameters(
    emitter: Emitter, frame: Frame, parameters: list[nodes.Parameter], arguments: list[str]
) -> ast.arguments:
    """Return the Python parameter list for Puppet parameters."""
    named = list(zip(parameters, arguments, strict=True))
    plain = [item for item in parameters if not item.captures_rest]
    rest = next((name for item, name in named if item.captures_rest), None)
    names = [name for item, name in named if not item.captures_rest]
    first = next((i for i, item in enumerate(plain) if item.value is not None), len(plain))
    defaults: list[ast.expr] = [emitter.name("MISSING") for _ in plain[first:]]
    if frame.kind == "function":
        names.insert(0, "scope")
    return emitter.parameters(names, defaults, rest)


def fill_parameter(emitter: Emitter, parameter: nodes.Parameter, argument: str) -> None:
    """Give a parameter without a value its default; gather the arguments of the last one."""
    frame = emitter.frame
    local = frame.local(parameter.name)
    if parameter.captures_rest:
        gathered: ast.expr = emitter.call("list", emitter.name(argument))
        if parameter.value is not None:
            default = parameter_default(emitter, parameter.value, frame.statements)
            gathered = emitter.call("rest_or_default", gathered, default)
        frame.statements.append(emitter.assign(local, gathered))
    elif parameter.value is not None:
        missing = emitter.compare(emitter.name(argument), "is", emitter.name("MISSING"))
        fill: list[ast.stmt] = []
        fill.append(emitter.assign(local, parameter_default(emitter, parameter.value, fill)))
        given: list[ast.stmt] = []
        if argument != local:
            given.append(emitter.assign(local, emitter.name(argument)))
        frame.statements.append(emitter.if_(missing, fill, given))
    elif argument != local:
        frame.statements.append(emitter.assign(local, emitter.name(argument)))
    frame.definite.add(parameter.name)
    frame.possible.add(parameter.name)


def check_parameter(emitter: Emitter, parameter: nodes.Parameter, type_: Node) -> None:
    """Check the type of a parameter's value."""
    frame = emitter.frame
    value = emitter.name(frame.local(parameter.name))
    statement: ast.stmt = emitter.run(
        emitter.call(
            "check_rest" if parameter.captures_rest else "check_parameter",
            emitter.constant(frame.kind),
            emitter.constant(parameter.name),
            emitter.expression(type_),
            value,
        )
    )
    fits = None if parameter.captures_rest else type_test(emitter, value, type_)
    if fits is not None:
        statement = emitter.if_(emitter.not_(fits), [statement])
    frame.statements.append(statement)


def parameter_default(emitter: Emitter, default: Node, statements: list[ast.stmt]) -> ast.expr:
    """Return the value of a default with separate match variables; ``statements`` come before."""
    frame = emitter.frame
    if emitter.readers.are_below(default) and frame.outer is not None:
        frame.match = emitter.fresh("match")
        with emitter.at(default):
            seen = first_match(emitter, frame.outer, frame.kind)
            statements.append(emitter.assign(frame.match, seen))
    found = emitter.expression(default)
    frame.match = None
    return found


def refuse_required(emitter: Emitter, parameter: nodes.Parameter) -> None:
    """Emit the error, raised on a call, for a required parameter after an optional one."""
    call = emitter.call("required_after_optional", emitter.constant(parameter.name))
    emitter.frame.statements.append(emitter.run(call))


def caught(
    emitter: Emitter, statements: list[ast.stmt], exception: str, *, whole: bool = False
) -> list[ast.stmt]:
    """Statements that a control-flow exception ends with its value, or with itself if ``whole``."""
    signal = emitter.name("signal")
    value = signal if whole else emitter.attribute(signal, "value")
    return [emitter.try_(statements, exception, "signal", [emitter.return_(value)])]
