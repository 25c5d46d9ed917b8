"""Emitting blocks, conditionals, logic and lambdas.

A conditional is a region with match variables of its own: what its test and branches capture is
gone after it. A region keeps its last match in a cell (a list of one), made only where something
reads captures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from bunraku.compiler.emitter import (
    Emitter,
    Place,
    Sink,
    arguments_of,
    expression_of,
    function_definition,
    is_true_or_false,
    statement_of,
    without_parentheses,
)
from bunraku.compiler.expressions import cell
from bunraku.compiler.frames import Frame, assigned_names, reads_captures, within_frame
from bunraku.compiler.in_place import number_test, pattern_test, text_test, type_test
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

T = TypeVar("T")
NESTED_OPTIONS = 40  # of a case with more options only so many are emitted as one nest

# -- branches ------------------------------------------------------------------------------------


def branches(emitter: Emitter, *ways: Callable[[], T]) -> list[T]:
    """Emit code of which one way runs: after it, only what all ways assign is certain."""
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
    """A condition as a Python truth value."""
    value = emitter.expression(node)
    return (
        value if is_true_or_false(node) else emitter.call("truthy", value, at=emitter.place(node))
    )


def may_match(node: Node) -> bool:
    """Whether code in the region can set match variables."""
    kinds = (nodes.Match, nodes.In, nodes.Case, nodes.Selector)
    return isinstance(node, kinds) or any(isinstance(found, kinds) for found in within_frame(node))


def region(emitter: Emitter, node: Node) -> tuple[str | None, ast.expr | None]:
    """Open a region of match variables: the outer cell's name, and the value of the new cell."""
    outer = emitter.frame.match
    if outer is None or not may_match(node):
        return outer, None
    if not reads_captures(node):
        emitter.frame.match = None
        return outer, None
    at = emitter.place(node)
    emitter.cells_read.add(outer)
    last = ast.Subscript(emitter.name(outer, at), emitter.constant(0, at), ast.Load(), **at)
    emitter.frame.match = emitter.fresh("match")
    return outer, ast.List([last], ast.Load(), **at)


def in_region(emitter: Emitter, node: Node, emit: Callable[[], ast.expr]) -> ast.expr:
    """An expression in a region of its own."""
    outer, made = region(emitter, node)
    local = emitter.frame.match
    try:
        value = emit()
    finally:
        emitter.frame.match = outer
    if made is None or local is None:
        return value
    at = emitter.place(node)
    return emitter.sequence([emitter.walrus(local, made, at), value], at)


def statements_in_region(emitter: Emitter, node: Node, emit: Callable[[], None]) -> None:
    """Statements in a region of their own."""
    outer, made = region(emitter, node)
    if made is not None and emitter.frame.match is not None:
        at = emitter.place(node)
        emitter.frame.statements.append(emitter.store(emitter.frame.match, made, at))
    try:
        emit()
    finally:
        emitter.frame.match = outer


# -- blocks --------------------------------------------------------------------------------------


@expression_of(nodes.Block)
def block(emitter: Emitter, node: nodes.Block) -> ast.expr:
    """Statements as a value: that of the last."""
    if not node.statements:
        return emitter.constant(None, emitter.place(node))
    values = [emitter.expression(statement) for statement in node.statements]
    return emitter.sequence(values, emitter.place(node))


@statement_of(nodes.Block)
def block_statement(emitter: Emitter, node: nodes.Block, sink: Sink) -> None:
    """Statements in sequence."""
    if not node.statements:
        emitter.finish_empty(sink, node)
        return
    for statement in node.statements[:-1]:
        emitter.statement(statement, "discard")
    emitter.statement(node.statements[-1], sink)


@statement_of(nodes.Nop)
def nop_statement(emitter: Emitter, node: nodes.Nop, sink: Sink) -> None:
    """Nothing."""
    emitter.finish_empty(sink, node)


@statement_of(nodes.Parenthesized)
def parenthesized_statement(emitter: Emitter, node: nodes.Parenthesized, sink: Sink) -> None:
    """``( statement )``."""
    emitter.statement(node.expression, sink)


# -- if, unless ----------------------------------------------------------------------------------


def test_of(emitter: Emitter, node: nodes.If | nodes.Unless) -> ast.expr:
    """The condition; that of ``unless`` is turned round."""
    test = truth(emitter, node.test)
    if isinstance(node, nodes.Unless):
        return ast.UnaryOp(ast.Not(), test, **emitter.place(node.test))
    return test


@expression_of(nodes.If, nodes.Unless)
def conditional(emitter: Emitter, node: nodes.If | nodes.Unless) -> ast.expr:
    """``if`` or ``unless`` as a value."""

    def emit() -> ast.expr:
        test = test_of(emitter, node)
        then, otherwise = branches(
            emitter,
            lambda: emitter.expression(node.then),
            lambda: emitter.expression(node.otherwise),
        )
        return ast.IfExp(test, then, otherwise, **emitter.place(node))

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
        emitter.frame.statements.append(ast.If(test, then, otherwise, **emitter.place(node)))

    statements_in_region(emitter, node, emit)


# -- logic ---------------------------------------------------------------------------------------


@expression_of(nodes.And, nodes.Or)
def logic(emitter: Emitter, node: nodes.And | nodes.Or) -> ast.expr:
    """``left and right``, ``left or right``; a chain becomes one operation."""
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
    operator = ast.And() if kind is nodes.And else ast.Or()
    return ast.BoolOp(operator, values, **emitter.place(node))


@expression_of(nodes.Not)
def not_(emitter: Emitter, node: nodes.Not) -> ast.expr:
    """``! expression``."""
    return ast.UnaryOp(ast.Not(), truth(emitter, node.expression), **emitter.place(node))


# -- case, selector ------------------------------------------------------------------------------


def option_test(emitter: Emitter, value: str, option: Node) -> ast.expr:
    """Whether a value (a local) matches one option of a case or selector."""
    at = emitter.place(option)
    subject = emitter.name(value, at)
    in_place = emitter.works_in_place
    match option:
        case nodes.String(value=text) | nodes.Name(value=text):
            call = emitter.call("equal", subject, emitter.expression(option), at=at)
            return text_test(emitter, subject, subject, text, call, at) if in_place else call
        case nodes.Boolean() | nodes.Undef() if in_place:
            return ast.Compare(subject, [ast.Is()], [emitter.expression(option)], **at)
        case nodes.Integer(value=number):
            return number_test(emitter, subject, number, at)
        case nodes.Boolean() | nodes.Undef():
            return emitter.call("equal", subject, emitter.expression(option), at=at)
        case nodes.Regexp() if in_place:
            found = pattern_test(emitter, subject, option, cell(emitter, at))
            return ast.BoolOp(ast.And(), [emitter.is_in(subject, "str", at), found], **at)
        case nodes.Reference() | nodes.Access():
            test = type_test(emitter, subject, option)
            if test is not None:
                return test
            helper, wanted = "option_matches", emitter.expression(option)
        case _:
            unfolds = isinstance(without_parentheses(option), nodes.Unfold)
            helper = "any_option_matches" if unfolds else "option_matches"
            wanted = emitter.expression(option)
    return emitter.call(helper, subject, wanted, *cell(emitter, at), at=at)


def tests_in_turn(
    emitter: Emitter, options: list[T], test: Callable[[T], ast.expr]
) -> list[ast.expr]:
    """The tests of options, of which only the first is sure to be run, and so to assign variables."""
    found = []
    certain = emitter.frame.definite
    for option in options:
        found.append(test(option))
        if len(found) == 1:
            certain = set(emitter.frame.definite)
    emitter.frame.definite = certain
    return found


def options_test(emitter: Emitter, value: str, options: list[Node], node: Node) -> ast.expr:
    """Whether a value matches any of several options; ``default`` is not asked here."""
    wanted = [option for option in options if not isinstance(option, nodes.Default)]
    tests = tests_in_turn(emitter, wanted, lambda option: option_test(emitter, value, option))
    at = emitter.place(node)
    if not tests:
        return emitter.constant(False, at)
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests, **at)


def default_option(node: nodes.Case) -> nodes.CaseOption | None:
    """The option that is taken when no other matches; of several (in Puppet 3) the last."""
    for option in reversed(node.options):
        if any(isinstance(value, nodes.Default) for value in option.values):
            return option
    return None


def tested_options(node: nodes.Case) -> list[nodes.CaseOption]:
    """The options that have something to match besides ``default``."""
    return [
        option
        for option in node.options
        if any(not isinstance(value, nodes.Default) for value in option.values)
    ]


def chosen(
    emitter: Emitter,
    choices: list[tuple[ast.expr, ast.expr, Place]],
    last: ast.expr,
    whole: Place,
) -> list[ast.expr]:
    """The value of the first choice that holds, else the last one: one nest of conditions, or a
    sequence of nests, each of which looks whether one before it had a value.
    """
    nests = []
    local = emitter.fresh("chosen")
    several = len(choices) > NESTED_OPTIONS
    for start in range(0, max(len(choices), 1), NESTED_OPTIONS):
        part = choices[start : start + NESTED_OPTIONS]
        is_last = start + NESTED_OPTIONS >= len(choices)
        value = last if is_last else emitter.name("UNSET", whole)
        for test, then, place in reversed(part):
            value = ast.IfExp(test, then, value, **place)
        if start:
            known = emitter.name(local, whole)
            value = ast.IfExp(is_unset(emitter, local, whole), value, known, **whole)
        nests.append(emitter.walrus(local, value, whole) if several else value)
    return nests


def done(
    emitter: Emitter,
    choices: list[tuple[ast.expr, list[ast.stmt], Place]],
    last: list[ast.stmt],
    whole: Place,
) -> list[ast.stmt]:
    """The statements of the first choice that holds, else the last ones: one nest of conditions,
    or a sequence of nests, each of which looks whether those before it did something.
    """
    statements: list[ast.stmt] = []
    local = emitter.fresh("done")
    for start in range(0, max(len(choices), 1), NESTED_OPTIONS):
        part = choices[start : start + NESTED_OPTIONS]
        if start + NESTED_OPTIONS < len(choices):
            nest: list[ast.stmt] = [emitter.store(local, emitter.name("UNSET", whole), whole)]
        else:
            nest = last
        for test, body, place in reversed(part):
            nest = [ast.If(test, body, nest, **place)]
        if start:
            begin = emitter.store(local, emitter.constant(None, whole), whole)
            nest = [ast.If(is_unset(emitter, local, whole), [begin, *nest], [], **whole)]
        elif len(choices) > NESTED_OPTIONS:
            statements.append(emitter.store(local, emitter.constant(None, whole), whole))
        statements.extend(nest)
    return statements


def is_unset(emitter: Emitter, local: str, at: Place) -> ast.expr:
    """Whether a local is UNSET."""
    return ast.Compare(emitter.name(local, at), [ast.Is()], [emitter.name("UNSET", at)], **at)


@expression_of(nodes.Case)
def case(emitter: Emitter, node: nodes.Case) -> ast.expr:
    """``case`` as a value."""
    local = emitter.fresh("case")
    at = emitter.place(node)
    otherwise = default_option(node)
    options = tested_options(node)

    def emit() -> ast.expr:
        subject = emitter.walrus(local, emitter.expression(node.test), at)
        tests = tests_in_turn(
            emitter, options, lambda option: options_test(emitter, local, option.values, option)
        )
        ways: list[Callable[[], ast.expr]] = [
            partial(emitter.expression, option.then) for option in options
        ]
        ways.append(
            lambda: emitter.expression(otherwise.then) if otherwise else emitter.constant(None, at)
        )
        *values, last = branches(emitter, *ways)
        choices = list(zip(tests, values, map(emitter.place, options), strict=True))
        return emitter.sequence([subject, *chosen(emitter, choices, last, at)], at)

    return in_region(emitter, node, emit)


@statement_of(nodes.Case)
def case_statement(emitter: Emitter, node: nodes.Case, sink: Sink) -> None:
    """``case`` as a statement."""
    local = emitter.fresh("case")
    at = emitter.place(node)
    otherwise = default_option(node)
    options = tested_options(node)

    def emit() -> None:
        statements = emitter.frame.statements
        statements.append(emitter.store(local, emitter.expression(node.test), at))
        tests = tests_in_turn(
            emitter, options, lambda option: options_test(emitter, local, option.values, option)
        )
        ways: list[Callable[[], list[ast.stmt]]] = [
            partial(emitter.block, option.then, sink) for option in options
        ]
        fallback: Node = otherwise.then if otherwise else nodes.Nop(node.start, node.end)
        ways.append(lambda: emitter.block(fallback, sink))
        *bodies, last = branches(emitter, *ways)
        choices = list(zip(tests, bodies, map(emitter.place, options), strict=True))
        statements.extend(done(emitter, choices, last, at))

    statements_in_region(emitter, node, emit)


@expression_of(nodes.Selector)
def selector(emitter: Emitter, node: nodes.Selector) -> ast.expr:
    """``left ? { match => value }``."""
    local = emitter.fresh("selector")
    at = emitter.place(node)
    entries = [entry for entry in node.entries if not isinstance(entry.match, nodes.Default)]
    default = next((e for e in node.entries[::-1] if isinstance(e.match, nodes.Default)), None)

    def emit() -> ast.expr:
        subject = emitter.walrus(local, emitter.expression(node.left), at)
        tests = tests_in_turn(
            emitter, entries, lambda entry: option_test(emitter, local, entry.match)
        )
        ways: list[Callable[[], ast.expr]] = [
            partial(emitter.expression, entry.value) for entry in entries
        ]
        ways.append(
            lambda: (
                emitter.expression(default.value)
                if default
                else emitter.call(
                    "unmatched_selector",
                    emitter.name(local, at),
                    at=emitter.told_place(node if emitter.late_lines else node.left),
                )
            )
        )
        *values, last = branches(emitter, *ways)
        choices = list(zip(tests, values, map(emitter.place, entries), strict=True))
        return emitter.sequence([subject, *chosen(emitter, choices, last, at)], at)

    return in_region(emitter, node, emit)


# -- lambdas and function bodies -------------------------------------------------------------------


@expression_of(nodes.Lambda)
def lambda_(emitter: Emitter, node: nodes.Lambda) -> ast.expr:
    """``|parameters| { body }``: a Python function before the statement, a Closure in its place."""
    at = emitter.place(node)
    name = emitter.fresh("lambda")
    outer = emitter.frame
    function, types = function_frame(emitter, node, name, "lambda", node.parameters, node.body)
    outer.statements.append(function)
    low, high = parameter_count(node.parameters)
    names = tuple(parameter.name for parameter in node.parameters)
    arguments: list[ast.expr] = [
        emitter.name(name, at),
        emitter.constant(low, at),
        emitter.constant(high, at),
        emitter.constant(names, at),
    ]
    if any(types) or node.return_type is not None:
        untyped = emitter.constant(None, at)
        arguments.append(emitter.tuple([type_ or untyped for type_ in types], at))
    if node.return_type is not None:
        arguments.append(emitter.expression(node.return_type))
        return emitter.call("returning_closure", *arguments, at=at)
    return emitter.call("Closure", *arguments, at=at)


def parameter_count(parameters: list[nodes.Parameter]) -> tuple[int, int | None]:
    """How many arguments parameters take: at least, and at most (None without limit)."""
    low = sum(item.value is None and not item.captures_rest for item in parameters)
    rest = any(item.captures_rest for item in parameters)
    return low, None if rest else len(parameters)


def function_frame(
    emitter: Emitter,
    node: Node,
    name: str,
    kind: str,
    parameters: list[nodes.Parameter],
    body: Node,
) -> tuple[ast.FunctionDef, list[ast.expr | None]]:
    """A Python function with fast locals; and the types of its parameters, as the frame's
    surroundings see them.
    """
    at = emitter.place(node)
    outer = emitter.frame
    types = [
        emitter.expression(item.type) if item.type is not None and kind == "lambda" else None
        for item in parameters
    ]
    frame = Frame(outer, scope_kept=False, kind=kind, assigned=assigned_names(body))
    frame.assigned |= {item.name for item in parameters}
    emitter.frame = frame
    try:
        optional = False
        callee = node.name if isinstance(node, nodes.FunctionDefinition) else "lambda"
        for index, item in enumerate(parameters):
            if optional and item.value is None and not item.captures_rest:
                refuse_required(emitter, item)
            optional = optional or item.captures_rest or item.value is not None
            frame.awaited = {other.name: (callee, item.name) for other in parameters[index:]}
            check_parameter(emitter, item)
        frame.awaited = {}
        seen = (outer.match or kind == "function") and reads_captures(body)
        frame.match = emitter.fresh("match") if seen else None
        emitter.statement(body, "return")
        statements = frame.statements
        head: list[ast.stmt] = []
        if frame.match is not None and frame.match in emitter.cells_read:
            head.append(emitter.store(frame.match, first_match(emitter, outer, kind, at), at))
        head.extend(
            emitter.store(frame.local(unset), emitter.name("UNSET", at), at)
            for unset in sorted(frame.unset_first)
            if unset not in {item.name for item in parameters}
        )
        statements = [*head, *statements]
        if frame.raises_next and kind == "lambda":
            statements = caught(emitter, statements, "NextIteration", at)
        if frame.raises_return and kind == "function":
            statements = caught(emitter, statements, "ReturnFromFunction", at)
        signature = python_parameters(emitter, frame, parameters, kind, at)
        return function_definition(name, signature, statements, frame, at), types
    finally:
        emitter.frame = outer


def first_match(emitter: Emitter, outer: Frame, kind: str, at: Place) -> ast.expr:
    """The cell a frame starts with: a lambda sees its surroundings' captures, a function none."""
    if kind == "lambda" and outer.match:
        emitter.cells_read.add(outer.match)
        last = ast.Subscript(
            emitter.name(outer.match, at), emitter.constant(0, at), ast.Load(), **at
        )
    else:
        return ast.List([emitter.constant(None, at)], ast.Load(), **at)
    return ast.List([last], ast.Load(), **at)


def python_parameters(
    emitter: Emitter,
    frame: Frame,
    parameters: list[nodes.Parameter],
    kind: str,
    at: Place,
) -> ast.arguments:
    """The Python parameter list for Puppet parameters."""
    plain = [item for item in parameters if not item.captures_rest]
    rest = next((item for item in parameters if item.captures_rest), None)
    names = [frame.local(item.name) for item in plain]
    first = next((i for i, item in enumerate(plain) if item.value is not None), len(plain))
    defaults: list[ast.expr] = [emitter.name("MISSING", at) for _ in plain[first:]]
    if kind == "function":
        names.insert(0, "scope")
    return arguments_of(names, at, defaults, frame.local(rest.name) if rest else None)


def check_parameter(emitter: Emitter, parameter: nodes.Parameter) -> None:
    """At the start of a function: fill in the default, check the type."""
    frame = emitter.frame
    at = emitter.place(parameter)
    local = frame.local(parameter.name)
    if parameter.captures_rest:
        gathered: ast.expr = emitter.call("list", emitter.name(local, at), at=at)
        if parameter.value is not None:
            default = parameter_default(emitter, parameter.value, frame.statements)
            gathered = emitter.call("rest_or_default", gathered, default, at=at)
        frame.statements.append(emitter.store(local, gathered, at))
    elif parameter.value is not None:
        missing = ast.Compare(
            emitter.name(local, at), [ast.Is()], [emitter.name("MISSING", at)], **at
        )
        fill: list[ast.stmt] = []
        fill.append(emitter.store(local, parameter_default(emitter, parameter.value, fill), at))
        frame.statements.append(ast.If(missing, fill, [], **at))
    frame.definite.add(parameter.name)
    frame.possible.add(parameter.name)
    if parameter.type is not None:
        helper = "check_rest" if parameter.captures_rest else "check_parameter"
        name = emitter.name(local, at)
        checked = emitter.call(
            helper,
            emitter.constant(frame.kind, at),
            emitter.constant(parameter.name, at),
            emitter.expression(parameter.type),
            name,
            at=at,
        )
        statement: ast.stmt = ast.Expr(checked, **at)
        fits = None if parameter.captures_rest else type_test(emitter, name, parameter.type)
        if fits is not None:
            statement = ast.If(ast.UnaryOp(ast.Not(), fits, **at), [statement], [], **at)
        frame.statements.append(statement)


def parameter_default(emitter: Emitter, default: Node, statements: list[ast.stmt]) -> ast.expr:
    """The value of a default, whose match variables nothing else sees; ``statements`` come before."""
    frame = emitter.frame
    if reads_captures(default) and frame.outer is not None:
        at = emitter.place(default)
        frame.match = emitter.fresh("match")
        seen = first_match(emitter, frame.outer, frame.kind, at)
        statements.append(emitter.store(frame.match, seen, at))
    found = emitter.expression(default)
    frame.match = None
    return found


def refuse_required(emitter: Emitter, parameter: nodes.Parameter) -> None:
    """A parameter without a default after one that has one is an error, found when called."""
    at = emitter.place(parameter)
    name = emitter.constant(parameter.name, at)
    call = emitter.call("required_after_optional", name, at=at)
    emitter.frame.statements.append(ast.Expr(call, **at))


def caught(
    emitter: Emitter, statements: list[ast.stmt], exception: str, at: Place
) -> list[ast.stmt]:
    """Statements that a control-flow exception ends with its value."""
    value = ast.Attribute(emitter.name("signal", at), "value", ast.Load(), **at)
    handler = ast.ExceptHandler(
        emitter.name(exception, at), "signal", [ast.Return(value, **at)], **at
    )
    return [ast.Try(statements, [handler], [], [], **at)]
