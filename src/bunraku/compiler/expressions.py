"""Emitting literals, variables, operators, calls and lambdas."""

from __future__ import annotations

import ast

from bunraku.base.errors import PuppetError
from bunraku.compiler import issues
from bunraku.compiler.builder import LOAD, STORE
from bunraku.compiler.emitter import (
    Emitter,
    Local,
    Sink,
    expression_of,
    statement_of,
    without_parentheses,
)
from bunraku.compiler.frames import SEES_SCOPE, Frame, target_names
from bunraku.compiler.in_place import (
    among_texts,
    constant_type,
    element_of,
    is_constant_type,
    is_static,
    kept,
    key_of,
    operation,
    pattern_test,
    reference_to,
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

RESERVED = frozenset({"facts", "server_facts", "trusted"})  # assigning them is refused by the scope

# -- literals ------------------------------------------------------------------------------------


@expression_of(nodes.Integer, nodes.Float, nodes.Boolean, nodes.String, nodes.Name)
def constant(
    emitter: Emitter,
    node: nodes.Integer | nodes.Float | nodes.Boolean | nodes.String | nodes.Name,
) -> ast.expr:
    """Return a literal as a Python constant."""
    return emitter.constant(node.value)


@expression_of(nodes.Undef, nodes.Nop)
def undef(emitter: Emitter, _node: Node) -> ast.expr:
    """Emit ``undef``."""
    return emitter.constant(None)


@expression_of(nodes.Default)
def default(emitter: Emitter, _node: nodes.Default) -> ast.expr:
    """Emit ``default``."""
    return emitter.name("DEFAULT")


@expression_of(nodes.Regexp)
def regexp(emitter: Emitter, node: nodes.Regexp) -> ast.expr:
    """Emit ``/pattern/``."""
    pattern = emitter.constant(node.pattern)
    return emitter.made_once("regexp", lambda: emitter.call("regexp", pattern))


@expression_of(nodes.List)
def array(emitter: Emitter, node: nodes.List) -> ast.expr:
    """Emit ``[values]``; ``*value`` is unfolded in place."""
    return emitter.list_of([element(emitter, value) for value in node.values])


def element(emitter: Emitter, node: Node) -> ast.expr:
    """Return an element of an array or an argument; ``*value`` becomes a Python ``*``."""
    inner = without_parentheses(node)
    if isinstance(inner, nodes.Unfold):
        with emitter.at(inner):
            return emitter.stamp(ast.Starred(emitter.value(inner), LOAD))
    return emitter.expression(node)


@expression_of(nodes.Hash)
def hash_(emitter: Emitter, node: nodes.Hash) -> ast.expr:
    """Emit ``{ key => value }``; strings and integers are used as Python keys unchanged."""
    keys: list[ast.expr | None] = []
    values = []
    for entry in node.entries:
        if isinstance(entry.key, nodes.String | nodes.Name | nodes.Integer | nodes.Concatenation):
            keys.append(emitter.expression(entry.key))
        else:
            with emitter.at(entry.key):
                if emitter.names_types and isinstance(entry.key, nodes.Reference):
                    keys.append(emitter.constant(entry.key.value))
                else:
                    keys.append(key_of(emitter, emitter.value(entry.key)))
        values.append(emitter.expression(entry.value))
    return emitter.dict_of(keys, values)


@expression_of(nodes.Concatenation)
def concatenation(emitter: Emitter, node: nodes.Concatenation) -> ast.expr:
    """Emit ``"text ${expression}"``."""
    parts: list[ast.expr] = []
    for segment in node.segments:
        with emitter.at(segment):
            part = emitter.value(segment)
            if not isinstance(segment, nodes.String):
                part = emitter.stamp(ast.FormattedValue(part, -1, None))
            parts.append(part)
    return emitter.stamp(ast.JoinedStr(parts))


@expression_of(nodes.Interpolation)
def interpolation(emitter: Emitter, node: nodes.Interpolation) -> ast.expr:
    """Emit ``${expression}``: its value as text."""
    return text_of(emitter, emitter.expression(node.expression))


@expression_of(nodes.Heredoc)
def heredoc(emitter: Emitter, node: nodes.Heredoc) -> ast.expr:
    """Return the text of a heredoc; its syntax was checked before."""
    return emitter.expression(node.text)


@expression_of(Local)
def local(emitter: Emitter, node: Local) -> ast.expr:
    """Return a value that was computed before."""
    return emitter.name(node.name)


@expression_of(nodes.Reference)
def reference(emitter: Emitter, node: nodes.Reference) -> ast.expr:
    """Emit ``Integer``, ``My::Type``."""
    name = name_of_type(emitter, node)
    helper = "reference_in_alias" if emitter.in_alias else "reference"

    def made() -> ast.expr:
        return emitter.call(helper, emitter.scope(), emitter.constant(name))

    if is_constant_type(emitter, node):
        return constant_type(emitter, node) or emitter.made_once("type", made)
    if emitter.works_in_place and not emitter.in_alias:
        return emitter.call("reference_to", emitter.scope(), emitter.constant((name,)))
    return static(emitter, node, made())


def name_of_type(emitter: Emitter, node: nodes.Reference) -> str:
    """Return the name of a type; a type set can have names of its own for others."""
    first, colons, rest = node.value.partition("::")
    return emitter.type_names.get(first.lower(), first) + colons + rest


# -- variables -----------------------------------------------------------------------------------


@expression_of(nodes.Variable)
def variable(emitter: Emitter, node: nodes.Variable) -> ast.expr:
    """Emit ``$name``."""
    name = node.name
    if name.isdigit():
        cell = emitter.frame.match
        emitter.cells_read.add(cell or "")
        captures = emitter.name(cell) if cell else emitter.constant(None)
        return emitter.call("capture", captures, emitter.constant(int(name)))
    if "::" in name:
        return emitter.call("read_qualified", emitter.scope(), emitter.constant(name))
    return read(emitter, emitter.frame, name)


def read(emitter: Emitter, frame: Frame | None, name: str) -> ast.expr:
    """Return a variable by its simple name: a fast local of this or an outer frame, or a lookup."""
    if frame is None or frame.scope_kept:
        key = emitter.constant(f"${name}")
        return emitter.subscript(emitter.scope(), key)
    if name in frame.awaited:
        parameter = emitter.constant(frame.awaited[name])
        return emitter.call("early_access", parameter, emitter.constant(name))
    if name in frame.definite:
        return emitter.name(frame.local(name))
    if name in frame.possible:
        frame.unset_first.add(name)
        local = frame.local(name)
        is_set = emitter.compare(emitter.name(local), "is not", emitter.name("UNSET"))
        outer = read(emitter, frame.outer, name)
        return emitter.if_else(is_set, emitter.name(local), outer)
    return read(emitter, frame.outer, name)


@expression_of(nodes.Assignment)
def assignment(emitter: Emitter, node: nodes.Assignment) -> ast.expr:
    """Emit ``$x = value`` as a value."""
    value = emitter.expression(node.right)
    if isinstance(node.left, nodes.Access):
        return assign_element(emitter, node.left, value)
    if isinstance(node.left, nodes.Variable):
        if node.operator == "+=":
            key = emitter.constant(f"${node.left.name}")
            return emitter.call("append", emitter.scope(), key, value)
        return assign(emitter, node.left.name, value)
    temporary = emitter.fresh("value")
    names = list(target_names(node.left))
    parts = emitter.fresh("parts")
    steps: list[ast.expr] = [
        emitter.walrus(temporary, value),
        emitter.walrus(parts, destructured(emitter, node, emitter.name(temporary))),
    ]
    for index, name in enumerate(names):
        item = emitter.subscript(emitter.name(parts), emitter.constant(index))
        steps.append(assign(emitter, name, item))
    return emitter.sequence([*steps, emitter.name(temporary)])


def assign_element(emitter: Emitter, target: nodes.Access, value: ast.expr) -> ast.expr:
    """Emit ``$x[key] = value``, for dialects that support it."""
    container = emitter.expression(target.left)
    key = emitter.expression(target.keys[0])
    return emitter.call("assign_element", emitter.scope(), container, key, value)


def destructured(emitter: Emitter, node: nodes.Assignment, value: ast.expr) -> ast.expr:
    """Return the values for the variables in the left side, as one tuple."""
    return emitter.call("destructure", emitter.scope(), value, shape(emitter, node.left))


def shape(emitter: Emitter, target: Node) -> ast.expr:
    """Return the left side as a nested tuple of names."""
    with emitter.at(target):
        if isinstance(target, nodes.Variable):
            return emitter.constant(target.name)
        if isinstance(target, nodes.List):
            return emitter.tuple_of([shape(emitter, item) for item in target.values])
    place = emitter.source.span(target.start, target.end).place
    raise PuppetError(issues.ILLEGAL_ASSIGNMENT.diagnostic(place), phase="parse")


def assign(emitter: Emitter, name: str, value: ast.expr) -> ast.expr:
    """Give a variable its value, as an expression."""
    frame = emitter.frame
    if frame.scope_kept or name in RESERVED:
        key = emitter.constant(f"${name}")
        return emitter.call("assign", emitter.scope(), key, value)
    checked = unassigned_value(emitter, name, value)
    frame.definite.add(name)
    frame.possible.add(name)
    return emitter.walrus(frame.local(name), checked)


def unassigned_value(emitter: Emitter, name: str, value: ast.expr) -> ast.expr:
    """Return the value, with a check that the variable is unassigned where that is uncertain."""
    frame = emitter.frame
    if name not in frame.possible:
        return value
    if name not in frame.definite:
        frame.unset_first.add(name)
    return emitter.call(
        "first_value", emitter.name(frame.local(name)), value, emitter.constant(name)
    )


@statement_of(nodes.Assignment)
def assignment_statement(emitter: Emitter, node: nodes.Assignment, sink: Sink) -> None:
    """``$x = value`` as a statement."""
    frame = emitter.frame
    left = node.left
    # A match variable that is assigned goes to the helper, which refuses it.
    plain = node.operator == "=" and isinstance(left, nodes.Variable) and not left.name.isdigit()
    if sink == "return" or not plain:
        emitter.finish(assignment(emitter, node), sink)
        return
    assert isinstance(left, nodes.Variable)  # it is plain
    name = left.name
    value = emitter.expression(node.right)
    if frame.scope_kept or name in RESERVED:
        key = emitter.constant(f"${name}")
        target = emitter.stamp(ast.Subscript(emitter.scope(), key, STORE))
        frame.statements.append(emitter.assign_to(target, value))
        return
    value = unassigned_value(emitter, name, value)
    frame.definite.add(name)
    frame.possible.add(name)
    frame.statements.append(emitter.assign(frame.local(name), value))


# -- operators -----------------------------------------------------------------------------------


@expression_of(nodes.Parenthesized)
def parenthesized(emitter: Emitter, node: nodes.Parenthesized) -> ast.expr:
    """Emit ``( expression )``."""
    return emitter.expression(node.expression)


@expression_of(nodes.Arithmetic)
def arithmetic(emitter: Emitter, node: nodes.Arithmetic) -> ast.expr:
    """Emit binary operators such as ``left + right``; a long chain is emitted by a loop."""
    return chain(emitter, node, ARITHMETIC)


@expression_of(nodes.Comparison)
def comparison(emitter: Emitter, node: nodes.Comparison) -> ast.expr:
    """Emit comparisons such as ``left == right``."""
    return chain(emitter, node, COMPARISON)


def chain(
    emitter: Emitter, node: nodes.Arithmetic | nodes.Comparison, helpers: dict[str, str]
) -> ast.expr:
    """Return a left-nested chain of operators of one family."""
    spine: list[nodes.Arithmetic | nodes.Comparison] = []
    left: Node = node
    while isinstance(left, nodes.Arithmetic | nodes.Comparison) and left.operator in helpers:
        spine.append(left)
        left = left.left
    value = emitter.expression(left)
    for step in reversed(spine):
        with emitter.at(step):
            value = operation(emitter, step, helpers[step.operator], value)
    return value


@expression_of(nodes.Match)
def match(emitter: Emitter, node: nodes.Match) -> ast.expr:
    """Emit ``left =~ right``; captures go to the cell of the region."""
    left, right = emitter.expression(node.left), node.right
    test = type_test(emitter, left, right)
    if test is not None:
        return asked(emitter, node, test)
    helper = "matches" if node.operator == "=~" else "not_matches"
    captures = cell(emitter)
    if not (emitter.works_in_place and isinstance(right, nodes.Regexp)):
        return emitter.call(helper, left, emitter.expression(right), *captures)
    first, again = kept(emitter, left)
    found = asked(emitter, node, pattern_test(emitter, again, right, captures))
    refused = emitter.call(helper, again, emitter.expression(right), *captures)
    return emitter.if_else(emitter.has_class(first, "str"), found, refused)


def asked(emitter: Emitter, node: nodes.Match, test: ast.expr) -> ast.expr:
    """Return a test as the result of ``=~`` or ``!~``."""
    return test if node.operator == "=~" else emitter.not_(test)


@expression_of(nodes.In)
def contains(emitter: Emitter, node: nodes.In) -> ast.expr:
    """Emit ``left in right``."""
    left, right = emitter.expression(node.left), emitter.expression(node.right)
    further = [right, *cell(emitter)]
    found = among_texts(emitter, node, left, further)
    return found or emitter.call("contains", left, *further)


def cell(emitter: Emitter) -> list[ast.expr]:
    """Return the cell of the current match as a further argument; none where captures are unused."""
    local = emitter.frame.match
    emitter.cells_read.add(local or "")
    return [emitter.name(local)] if local else []


@expression_of(nodes.UnaryMinus)
def minus(emitter: Emitter, node: nodes.UnaryMinus) -> ast.expr:
    """Emit ``- expression``."""
    if isinstance(node.expression, nodes.Integer | nodes.Float):
        return emitter.constant(-node.expression.value)
    return emitter.call("negate", emitter.expression(node.expression))


@expression_of(nodes.Unfold)
def unfold(emitter: Emitter, node: nodes.Unfold) -> ast.expr:
    """Emit ``* expression`` on its own: the array it unfolds to."""
    return emitter.call("unfold", emitter.expression(node.expression))


@expression_of(nodes.Access)
def access(emitter: Emitter, node: nodes.Access) -> ast.expr:
    """Emit ``left[keys]``: an element, a piece of text, or a type with parameters."""
    if isinstance(node.left, nodes.Reference):
        left_type = node.left

        def made() -> ast.expr:
            key_of = class_key if left_type.value.lower() == "class" else element
            keys = [key_of(emitter, key) for key in node.keys]
            type_ = emitter.expression(left_type)
            return emitter.call("parameterize", emitter.scope(), type_, *keys)

        if is_constant_type(emitter, node):
            return constant_type(emitter, node) or emitter.made_once("type", made)
        if not is_static(node):
            return made()
        known = reference_to(emitter, node, name_of_type(emitter, left_type))
        return static(emitter, node, made()) if known is None else known
    left = emitter.expression(node.left)
    keys = [element(emitter, key) for key in node.keys]
    if len(keys) == 1 and not isinstance(keys[0], ast.Starred):
        return element_of(emitter, node, left, keys[0])
    return emitter.call("access_many", emitter.scope(), left, *keys)


def class_key(emitter: Emitter, node: Node) -> ast.expr:
    """Return the key in ``Class[key]``: an unknown type there is a wrong name of a class."""
    if isinstance(node, nodes.Reference):
        return named_type(emitter, node)
    return element(emitter, node)


def named_type(emitter: Emitter, node: Node) -> ast.expr:
    """Return a type by its name, a TypeReference for an unknown one; other expressions as usual."""
    if not isinstance(node, nodes.Reference):
        return emitter.expression(node)
    name = emitter.constant(name_of_type(emitter, node))
    return emitter.call("reference_in_alias", emitter.scope(), name)


# -- calls ---------------------------------------------------------------------------------------


@expression_of(nodes.Call)
def call(emitter: Emitter, node: nodes.Call) -> ast.expr:
    """Emit ``name(arguments) |lambda|`` or ``Type(arguments)``."""
    if not isinstance(node.callee, nodes.Name):
        type_ = emitter.expression(node.callee)
        arguments = [element(emitter, argument) for argument in node.arguments]
        return with_block(
            emitter, emitter.call("new", emitter.scope(), type_, *arguments), node.block
        )
    name = node.callee.value
    if name in CONTROL:
        return control_call(emitter, name, node.arguments)
    helper = "call" if node.value_needed else "call_statement"
    return named_call(emitter, helper, name, node.arguments, node.block)


@expression_of(nodes.MethodCall)
def method_call(emitter: Emitter, node: nodes.MethodCall) -> ast.expr:
    """Emit ``receiver.name(arguments) |lambda|``."""
    assert isinstance(node.name, nodes.Name)  # the parser makes nothing else
    arguments = [node.receiver, *node.arguments]
    if node.name.value in CONTROL:
        return control_call(emitter, node.name.value, arguments, of_receiver=True)
    return named_call(emitter, "call_method", node.name.value, arguments, node.block)


def named_call(
    emitter: Emitter,
    helper: str,
    name: str,
    arguments: list[Node],
    block: nodes.Lambda | None,
) -> ast.expr:
    """Return a call by name; functions that read variables get a scope with the fast locals."""
    values = [element(emitter, argument) for argument in arguments]
    scope: ast.expr = emitter.scope()
    if name.removeprefix("::") in SEES_SCOPE:
        scope = visible_scope(emitter)
    made = emitter.call(helper, scope, emitter.constant(name), *values)
    return with_block(emitter, made, block)


def with_block(emitter: Emitter, made: ast.Call, block: nodes.Lambda | None) -> ast.Call:
    """Return the call with its lambda."""
    if block is not None:
        with emitter.at(block):
            made.keywords.append(emitter.stamp(ast.keyword("block", emitter.value(block))))
    return made


def visible_scope(emitter: Emitter) -> ast.expr:
    """Return the scope for a call of a function that reads variables."""
    frame: Frame | None = emitter.frame
    seen: dict[str, ast.expr] = {}
    while frame is not None and not frame.scope_kept:
        for name in sorted(frame.possible):
            if name not in seen:
                if name not in frame.definite:
                    frame.unset_first.add(name)
                seen[name] = emitter.name(frame.local(name))
        frame = frame.outer
    captures = cell(emitter)
    if not seen and not captures:
        return emitter.scope()
    names: list[ast.expr | None] = [emitter.constant(f"${name}") for name in seen]
    variables = emitter.dict_of(names, list(seen.values()))
    return emitter.call("visible", emitter.scope(), variables, *captures)


CONTROL = {"next": "raise_next", "return": "raise_return", "break": "raise_break"}


def control_call(
    emitter: Emitter, name: str, arguments: list[Node], *, of_receiver: bool = False
) -> ast.expr:
    """Emit ``next(v)``, ``return(v)``, ``break()`` inside an expression: by exception.

    With ``of_receiver``, the first argument may be an object that has an attribute of that name.
    """
    if name == "next" and emitter.frame.kind in ("lambda", "function"):
        emitter.frame.raises_next = True
    elif name in ("next", "return") and emitter.frame.definition().kind != "epp":
        emitter.frame.definition().raises_return = True
    values = [element(emitter, argument) for argument in arguments]
    frame = emitter.frame.definition() if name == "return" else emitter.frame
    kind = emitter.constant(frame.kind)
    if of_receiver:
        return emitter.call("control_method", kind, emitter.constant(name), *values)
    return emitter.call(CONTROL[name], kind, *values)


@statement_of(nodes.Call)
def call_statement(emitter: Emitter, node: nodes.Call, sink: Sink) -> None:
    """Emit a call as a statement; ``next`` and ``return`` leave the Python function if possible."""
    frame = emitter.frame
    name = node.callee.value if isinstance(node.callee, nodes.Name) else ""
    leaves = name == "next" if frame.kind == "lambda" else name in ("next", "return")
    direct = leaves and frame.kind in ("lambda", "function", "class", "define")
    if not direct or len(node.arguments) > 1 or node.block is not None:
        emitter.finish(call(emitter, node), sink)
        return
    argument = node.arguments[0] if node.arguments else None
    if argument is not None and isinstance(without_parentheses(argument), nodes.Unfold):
        emitter.finish(call(emitter, node), sink)
        return
    value = emitter.expression(argument) if argument else emitter.constant(None)
    if name == "return" and frame.checks_result:
        value = emitter.call("ReturnFromFunction", value)
    frame.statements.append(emitter.return_(value))
