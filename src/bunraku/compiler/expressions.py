"""Emitting literals, variables, operators, calls and lambdas."""

from __future__ import annotations

import ast

from bunraku.base.errors import PuppetError
from bunraku.compiler import issues
from bunraku.compiler.emitter import (
    Emitter,
    Local,
    Place,
    Sink,
    expression_of,
    statement_of,
    without_parentheses,
)
from bunraku.compiler.frames import SEES_SCOPE, Frame, target_names
from bunraku.compiler.in_place import (
    among_texts,
    element_of,
    is_constant_type,
    is_static,
    kept,
    key_of,
    operation,
    pattern_test,
    static,
    text_of,
    type_test,
)
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

ARITHMETIC = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "%": "modulo",
    "<<": "shift_left",
    ">>": "shift_right",
}
COMPARISON = {
    "==": "equal",
    "!=": "unequal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}

RESERVED = frozenset({"facts", "trusted"})  # assigning them is refused by the scope

# -- literals ------------------------------------------------------------------------------------


@expression_of(nodes.Integer, nodes.Float, nodes.Boolean, nodes.String, nodes.Name)
def constant(
    emitter: Emitter,
    node: nodes.Integer | nodes.Float | nodes.Boolean | nodes.String | nodes.Name,
) -> ast.expr:
    """A literal that Python has too."""
    return emitter.constant(node.value, emitter.place(node))


@expression_of(nodes.Undef, nodes.Nop)
def undef(emitter: Emitter, node: Node) -> ast.expr:
    """``undef``."""
    return emitter.constant(None, emitter.place(node))


@expression_of(nodes.Default)
def default(emitter: Emitter, node: nodes.Default) -> ast.expr:
    """``default``."""
    return emitter.name("DEFAULT", emitter.place(node))


@expression_of(nodes.Regexp)
def regexp(emitter: Emitter, node: nodes.Regexp) -> ast.expr:
    """``/pattern/``."""
    at = emitter.place(node)
    pattern = emitter.constant(node.pattern, at)
    return emitter.made_once("regexp", lambda: emitter.call("regexp", pattern, at=at), at)


@expression_of(nodes.List)
def array(emitter: Emitter, node: nodes.List) -> ast.expr:
    """``[values]``; ``*value`` is unfolded in place."""
    at = emitter.place(node)
    return ast.List([element(emitter, value) for value in node.values], ast.Load(), **at)


def element(emitter: Emitter, node: Node) -> ast.expr:
    """An element of an array or an argument: ``*value`` becomes Python's, also in parentheses."""
    inner = without_parentheses(node)
    if isinstance(inner, nodes.Unfold):
        at = emitter.place(inner)
        unfolded = emitter.call("unfold", emitter.expression(inner.expression), at=at)
        return ast.Starred(unfolded, ast.Load(), **at)
    return emitter.expression(node)


@expression_of(nodes.Hash)
def hash_(emitter: Emitter, node: nodes.Hash) -> ast.expr:
    """``{ key => value }``; strings and integers are Python keys as they stand."""
    at = emitter.place(node)
    keys: list[ast.expr | None] = []
    values = []
    for entry in node.entries:
        if isinstance(entry.key, nodes.String | nodes.Name | nodes.Integer | nodes.Concatenation):
            keys.append(emitter.expression(entry.key))
        elif emitter.names_types and isinstance(entry.key, nodes.Reference):
            keys.append(emitter.constant(entry.key.value, emitter.place(entry.key)))
        else:
            place = emitter.place(entry.key)
            keys.append(key_of(emitter, emitter.expression(entry.key), place))
        values.append(emitter.expression(entry.value))
    return ast.Dict(keys, values, **at)


@expression_of(nodes.Concatenation)
def concatenation(emitter: Emitter, node: nodes.Concatenation) -> ast.expr:
    """``"text ${expression}"``."""
    at = emitter.place(node)
    parts: list[ast.expr] = []
    for segment in node.segments:
        if isinstance(segment, nodes.String):
            parts.append(emitter.constant(segment.value, emitter.place(segment)))
        else:
            place = emitter.place(segment)
            parts.append(ast.FormattedValue(emitter.expression(segment), -1, None, **place))
    return ast.JoinedStr(parts, **at)


@expression_of(nodes.Interpolation)
def interpolation(emitter: Emitter, node: nodes.Interpolation) -> ast.expr:
    """``${expression}``: its value as text."""
    return text_of(emitter, emitter.expression(node.expression), emitter.place(node))


@expression_of(nodes.Heredoc)
def heredoc(emitter: Emitter, node: nodes.Heredoc) -> ast.expr:
    """A heredoc is its text; its syntax was checked before."""
    return emitter.expression(node.text)


@expression_of(Local)
def local(emitter: Emitter, node: Local) -> ast.expr:
    """A value worked out before."""
    return emitter.name(node.name, emitter.place(node))


@expression_of(nodes.Reference)
def reference(emitter: Emitter, node: nodes.Reference) -> ast.expr:
    """``Integer``, ``My::Type``."""
    at = emitter.place(node)
    first, colons, rest = node.value.partition("::")
    name = emitter.type_names.get(first.lower(), first) + colons + rest
    helper = "reference_in_alias" if emitter.in_alias else "reference"

    def made() -> ast.expr:
        return emitter.call(helper, emitter.scope(at), emitter.constant(name, at), at=at)

    if is_constant_type(emitter, node):
        return emitter.made_once("type", made, at)
    return static(emitter, node, made())


# -- variables -----------------------------------------------------------------------------------


@expression_of(nodes.Variable)
def variable(emitter: Emitter, node: nodes.Variable) -> ast.expr:
    """``$name``."""
    at = emitter.place(node)
    name = node.name
    if name.isdigit():
        cell = emitter.frame.match
        emitter.cells_read.add(cell or "")
        place = emitter.name(cell, at) if cell else emitter.constant(None, at)
        return emitter.call("capture", place, emitter.constant(int(name), at), at=at)
    if "::" in name:
        return emitter.call("read_qualified", emitter.scope(at), emitter.constant(name, at), at=at)
    return read(emitter, emitter.frame, name, at)


def read(emitter: Emitter, frame: Frame | None, name: str, at: Place) -> ast.expr:
    """A variable by its simple name: a fast local of this or an outer frame, else from the scope."""
    if frame is None or frame.scope_kept:
        key = emitter.constant(f"${name}", at)
        return ast.Subscript(emitter.scope(at), key, ast.Load(), **at)
    if name in frame.awaited:
        parameter = emitter.constant(frame.awaited[name], at)
        return emitter.call("early_access", parameter, emitter.constant(name, at), at=at)
    if name in frame.definite:
        return emitter.name(frame.local(name), at)
    if name in frame.possible:
        frame.unset_first.add(name)
        local = frame.local(name)
        is_set = ast.Compare(
            emitter.name(local, at), [ast.IsNot()], [emitter.name("UNSET", at)], **at
        )
        outer = read(emitter, frame.outer, name, at)
        return ast.IfExp(is_set, emitter.name(local, at), outer, **at)
    return read(emitter, frame.outer, name, at)


@expression_of(nodes.Assignment)
def assignment(emitter: Emitter, node: nodes.Assignment) -> ast.expr:
    """``$x = value`` as a value."""
    at = emitter.place(node)
    value = emitter.expression(node.right)
    if isinstance(node.left, nodes.Access):
        return assign_element(emitter, node.left, value, at)
    if isinstance(node.left, nodes.Variable):
        if node.operator == "+=":
            key = emitter.constant(f"${node.left.name}", at)
            return emitter.call("append", emitter.scope(at), key, value, at=at)
        return assign(emitter, node.left.name, value, at)
    temporary = emitter.fresh("value")
    names = list(target_names(node.left))
    parts = emitter.fresh("parts")
    steps: list[ast.expr] = [
        emitter.walrus(temporary, value, at),
        emitter.walrus(parts, destructured(emitter, node, emitter.name(temporary, at)), at),
    ]
    for index, name in enumerate(names):
        item = ast.Subscript(emitter.name(parts, at), emitter.constant(index, at), ast.Load(), **at)
        steps.append(assign(emitter, name, item, at))
    return emitter.sequence([*steps, emitter.name(temporary, at)], at)


def assign_element(emitter: Emitter, target: nodes.Access, value: ast.expr, at: Place) -> ast.expr:
    """``$x[key] = value``, in the dialects that have it."""
    container = emitter.expression(target.left)
    key = emitter.expression(target.keys[0])
    return emitter.call("assign_element", emitter.scope(at), container, key, value, at=at)


def destructured(emitter: Emitter, node: nodes.Assignment, value: ast.expr) -> ast.expr:
    """The values for the variables in the left side, as one tuple."""
    at = emitter.place(node)
    return emitter.call("destructure", emitter.scope(at), value, shape(emitter, node.left), at=at)


def shape(emitter: Emitter, target: Node) -> ast.expr:
    """The left side as a nested tuple of names."""
    at = emitter.place(target)
    if isinstance(target, nodes.Variable):
        return emitter.constant(target.name, at)
    if isinstance(target, nodes.List):
        return emitter.tuple([shape(emitter, item) for item in target.values], at)
    place = emitter.source.span(target.start, target.end).place
    raise PuppetError(issues.ILLEGAL_ASSIGNMENT.diagnostic(place), phase="parse")


def assign(emitter: Emitter, name: str, value: ast.expr, at: Place) -> ast.expr:
    """Give a variable its value, as an expression."""
    frame = emitter.frame
    if frame.scope_kept or name in RESERVED:
        key = emitter.constant(f"${name}", at)
        return emitter.call("assign", emitter.scope(at), key, value, at=at)
    checked = unassigned_value(emitter, name, value, at)
    frame.definite.add(name)
    frame.possible.add(name)
    return emitter.walrus(frame.local(name), checked, at)


def unassigned_value(emitter: Emitter, name: str, value: ast.expr, at: Place) -> ast.expr:
    """The value, with a check that the variable has none yet where that is not certain."""
    frame = emitter.frame
    if name not in frame.possible:
        return value
    if name not in frame.definite:
        frame.unset_first.add(name)
    return emitter.call(
        "first_value", emitter.name(frame.local(name), at), value, emitter.constant(name, at), at=at
    )


@statement_of(nodes.Assignment)
def assignment_statement(emitter: Emitter, node: nodes.Assignment, sink: Sink) -> None:
    """``$x = value`` as a statement."""
    at = emitter.place(node)
    frame = emitter.frame
    left = node.left
    # A match variable that is assigned goes to the helper, which refuses it.
    plain = node.operator == "=" and isinstance(left, nodes.Variable) and not left.name.isdigit()
    if sink == "return" or not plain:
        emitter.finish(assignment(emitter, node), sink, node)
        return
    assert isinstance(left, nodes.Variable)  # it is plain
    name = left.name
    value = emitter.expression(node.right)
    if frame.scope_kept or name in RESERVED:
        target = ast.Subscript(
            emitter.scope(at), emitter.constant(f"${name}", at), ast.Store(), **at
        )
        frame.statements.append(ast.Assign([target], value, **at))
        return
    value = unassigned_value(emitter, name, value, at)
    frame.definite.add(name)
    frame.possible.add(name)
    frame.statements.append(emitter.store(frame.local(name), value, at))


# -- operators -----------------------------------------------------------------------------------


@expression_of(nodes.Parenthesized)
def parenthesized(emitter: Emitter, node: nodes.Parenthesized) -> ast.expr:
    """``( expression )``."""
    return emitter.expression(node.expression)


@expression_of(nodes.Arithmetic)
def arithmetic(emitter: Emitter, node: nodes.Arithmetic) -> ast.expr:
    """``left + right`` and the like; a long chain is emitted by a loop."""
    return chain(emitter, node, ARITHMETIC)


@expression_of(nodes.Comparison)
def comparison(emitter: Emitter, node: nodes.Comparison) -> ast.expr:
    """``left == right`` and the like."""
    return chain(emitter, node, COMPARISON)


def chain(
    emitter: Emitter, node: nodes.Arithmetic | nodes.Comparison, helpers: dict[str, str]
) -> ast.expr:
    """A left-nested chain of operators of one family."""
    spine: list[nodes.Arithmetic | nodes.Comparison] = []
    left: Node = node
    while isinstance(left, nodes.Arithmetic | nodes.Comparison) and left.operator in helpers:
        spine.append(left)
        left = left.left
    value = emitter.expression(left)
    for step in reversed(spine):
        value = operation(emitter, step, helpers[step.operator], value)
    return value


@expression_of(nodes.Match)
def match(emitter: Emitter, node: nodes.Match) -> ast.expr:
    """``left =~ right``; captures go to the cell of the region."""
    at = emitter.place(node)
    left, right = emitter.expression(node.left), node.right
    test = type_test(emitter, left, right)
    if test is not None:
        return asked(node, test, at)
    helper = "matches" if node.operator == "=~" else "not_matches"
    captures = cell(emitter, at)
    if not (emitter.works_in_place and isinstance(right, nodes.Regexp)):
        return emitter.call(helper, left, emitter.expression(right), *captures, at=at)
    first, again = kept(emitter, left, at)
    found = asked(node, pattern_test(emitter, again, right, captures), at)
    refused = emitter.call(helper, again, emitter.expression(right), *captures, at=at)
    return ast.IfExp(emitter.is_in(first, "str", at), found, refused, **at)


def asked(node: nodes.Match, test: ast.expr, at: Place) -> ast.expr:
    """A test as ``=~`` or ``!~`` wants it."""
    return test if node.operator == "=~" else ast.UnaryOp(ast.Not(), test, **at)


@expression_of(nodes.In)
def contains(emitter: Emitter, node: nodes.In) -> ast.expr:
    """``left in right``."""
    at = emitter.place(node)
    left, right = emitter.expression(node.left), emitter.expression(node.right)
    further = [right, *cell(emitter, at)]
    found = among_texts(emitter, node, left, further)
    return found or emitter.call("contains", left, *further, at=at)


def cell(emitter: Emitter, at: Place) -> list[ast.expr]:
    """The cell of the match at hand as a further argument; none where nobody reads captures."""
    local = emitter.frame.match
    emitter.cells_read.add(local or "")
    return [emitter.name(local, at)] if local else []


@expression_of(nodes.UnaryMinus)
def minus(emitter: Emitter, node: nodes.UnaryMinus) -> ast.expr:
    """``- expression``."""
    if isinstance(node.expression, nodes.Integer | nodes.Float):
        return emitter.constant(-node.expression.value, emitter.place(node))
    return emitter.call("negate", emitter.expression(node.expression), at=emitter.place(node))


@expression_of(nodes.Unfold)
def unfold(emitter: Emitter, node: nodes.Unfold) -> ast.expr:
    """``* expression`` where it stands alone: the array it unfolds to."""
    return emitter.call("unfold", emitter.expression(node.expression), at=emitter.place(node))


@expression_of(nodes.Access)
def access(emitter: Emitter, node: nodes.Access) -> ast.expr:
    """``left[keys]``: an element, a piece of text, or a type with parameters."""
    at = emitter.place(node)
    if isinstance(node.left, nodes.Reference):
        left_type = node.left

        def made() -> ast.expr:
            keys = [element(emitter, key) for key in node.keys]
            type_ = reference(emitter, left_type)
            return emitter.call("parameterize", emitter.scope(at), type_, *keys, at=at)

        if is_constant_type(emitter, node):
            return emitter.made_once("type", made, at)
        return static(emitter, node, made()) if is_static(node) else made()
    left = emitter.expression(node.left)
    keys = [element(emitter, key) for key in node.keys]
    if len(keys) == 1 and not isinstance(keys[0], ast.Starred):
        return element_of(emitter, node, left, keys[0])
    return emitter.call("access_many", emitter.scope(at), left, *keys, at=at)


# -- calls ---------------------------------------------------------------------------------------


@expression_of(nodes.Call)
def call(emitter: Emitter, node: nodes.Call) -> ast.expr:
    """``name(arguments) |lambda|`` or ``Type(arguments)``."""
    at = emitter.place(node)
    if not isinstance(node.callee, nodes.Name):
        type_ = emitter.expression(node.callee)
        arguments = [element(emitter, argument) for argument in node.arguments]
        return with_block(
            emitter, emitter.call("new", emitter.scope(at), type_, *arguments, at=at), node.block
        )
    name = node.callee.value
    if name in CONTROL:
        return control_call(emitter, name, node, at)
    helper = "call" if node.value_needed else "call_statement"
    return named_call(emitter, helper, name, node.arguments, node.block, at)


@expression_of(nodes.MethodCall)
def method_call(emitter: Emitter, node: nodes.MethodCall) -> ast.expr:
    """``receiver.name(arguments) |lambda|``."""
    at = emitter.place(node)
    assert isinstance(node.name, nodes.Name)  # the parser makes nothing else
    arguments = [node.receiver, *node.arguments]
    return named_call(emitter, "call_method", node.name.value, arguments, node.block, at)


def named_call(
    emitter: Emitter,
    helper: str,
    name: str,
    arguments: list[Node],
    block: nodes.Lambda | None,
    at: Place,
) -> ast.expr:
    """A call by name; functions that look at variables get a scope that holds the fast locals."""
    values = [element(emitter, argument) for argument in arguments]
    scope: ast.expr = emitter.scope(at)
    if name.removeprefix("::") in SEES_SCOPE:
        scope = visible_scope(emitter, at)
    made = emitter.call(helper, scope, emitter.constant(name, at), *values, at=at)
    return with_block(emitter, made, block)


def with_block(emitter: Emitter, made: ast.Call, block: nodes.Lambda | None) -> ast.Call:
    """The call with its lambda."""
    if block is not None:
        made.keywords.append(
            ast.keyword("block", emitter.expression(block), **emitter.place(block))
        )
    return made


def visible_scope(emitter: Emitter, at: Place) -> ast.expr:
    """The scope as a function that looks at variables must see it."""
    frame: Frame | None = emitter.frame
    seen: dict[str, ast.expr] = {}
    while frame is not None and not frame.scope_kept:
        for name in sorted(frame.possible):
            if name not in seen:
                if name not in frame.definite:
                    frame.unset_first.add(name)
                seen[name] = emitter.name(frame.local(name), at)
        frame = frame.outer
    captures = cell(emitter, at)
    if not seen and not captures:
        return emitter.scope(at)
    names: list[ast.expr | None] = [emitter.constant(f"${name}", at) for name in seen]
    variables = ast.Dict(names, list(seen.values()), **at)
    return emitter.call("visible", emitter.scope(at), variables, *captures, at=at)


CONTROL = {"next": "raise_next", "return": "raise_return", "break": "raise_break"}


def control_call(emitter: Emitter, name: str, node: nodes.Call, at: Place) -> ast.expr:
    """``next(v)``, ``return(v)``, ``break()`` inside an expression: by exception."""
    if name == "next" and emitter.frame.kind == "lambda":
        emitter.frame.raises_next = True
    elif name in ("next", "return") and emitter.frame.definition().kind != "epp":
        emitter.frame.definition().raises_return = True
    values = [element(emitter, argument) for argument in node.arguments]
    frame = emitter.frame.definition() if name == "return" else emitter.frame
    kind = emitter.constant(frame.kind, at)
    return emitter.call(CONTROL[name], kind, *values, at=at)


@statement_of(nodes.Call)
def call_statement(emitter: Emitter, node: nodes.Call, sink: Sink) -> None:
    """A call as a statement; ``next`` and ``return`` leave the Python function where they can."""
    frame = emitter.frame
    name = node.callee.value if isinstance(node.callee, nodes.Name) else ""
    leaves = name == "next" if frame.kind == "lambda" else name in ("next", "return")
    direct = leaves and frame.kind in ("lambda", "function", "class", "define")
    if not direct or len(node.arguments) > 1 or node.block is not None:
        emitter.finish(call(emitter, node), sink, node)
        return
    at = emitter.place(node)
    argument = node.arguments[0] if node.arguments else None
    if argument is not None and isinstance(without_parentheses(argument), nodes.Unfold):
        emitter.finish(call(emitter, node), sink, node)
        return
    value = emitter.expression(argument) if argument else emitter.constant(None, at)
    frame.statements.append(ast.Return(value, **at))
