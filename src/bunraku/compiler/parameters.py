"""Emitting how a class or defined type gets its parameters.

All parameters of a definition become one Python function, in order: what is declared, else the
default; the test of the type in place; the variable. What comes before and after, and data, are the
matter of :mod:`bunraku.runtime.parameters`. Templates, and older dialects, have a function for each
type and default instead (:func:`parameters_data` in ``emit_definitions``).
"""

from __future__ import annotations

import ast

from bunraku.compiler.emitter import Emitter, Place, arguments_of, function_definition
from bunraku.compiler.frames import Frame, reads_captures
from bunraku.compiler.in_place import is_constant, is_constant_type, is_static, is_type, simple_test
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

LITERALS = (ast.Constant, ast.Name)


def fill_function(emitter: Emitter, parameters: list[nodes.Parameter]) -> ast.expr:
    """A function of scope, attributes, data and problems; None where there is no parameter."""
    if not parameters:
        return emitter.constant(None, emitter.between(0, 0))
    at = emitter.place(parameters[0])
    name = emitter.fresh("default")
    outer = emitter.frame
    frame = emitter.frame = Frame(None, scope_kept=True, kind="parameter")
    try:
        for item in parameters:
            fill_one(emitter, item)
        signature = arguments_of(["scope", "given", "looked_up", "problems"], at)
        made = function_definition(name, signature, frame.statements, frame, at)
        emitter.module.append(made)
    finally:
        emitter.frame = outer
    return emitter.name(name, at)


def types_function(emitter: Emitter, parameters: list[nodes.Parameter]) -> ast.expr:
    """Emit a function of a scope that makes the types of parameters; None where nothing can fail.

    It runs when the definition is registered, as in Puppet: an unknown type is an error even where
    the class is never declared.
    """
    types = [item.type for item in parameters if item.type is not None]
    types = [
        item
        for item in types
        if not (isinstance(item, nodes.Reference) and is_constant_type(emitter, item))
    ]
    if not types:
        return emitter.constant(None, emitter.between(0, 0))
    at = emitter.place(types[0])
    name = emitter.fresh("types")
    outer = emitter.frame
    frame = emitter.frame = Frame(None, scope_kept=True, kind="parameter")
    try:
        for item in types:
            made = emitter.expression(item)
            frame.statements.append(ast.Expr(made, **emitter.place(item)))
        signature = arguments_of(["scope"], at)
        emitter.module.append(function_definition(name, signature, frame.statements, frame, at))
    finally:
        emitter.frame = outer
    return emitter.name(name, at)


def fill_one(emitter: Emitter, item: nodes.Parameter) -> None:
    """The statements for one parameter."""
    at = emitter.place(item)
    frame = emitter.frame
    value = emitter.fresh("value")
    name = emitter.constant(item.name, at)
    found = ast.Attribute(emitter.name("given", at), "get", ast.Load(), **at)
    frame.statements.append(emitter.store(value, ast.Call(found, [name], [], **at), at))
    missing = emitter.is_none(emitter.name(value, at), at)
    if not isinstance(item.value, nodes.Undef):
        frame.statements.append(ast.If(missing, without_value(emitter, item, value), [], **at))
    accepted = accept(emitter, item, value)
    if item.value is None:
        absent = [emitter.name(value, at), emitter.name("MISSING", at)]
        known = ast.Compare(absent[0], [ast.IsNot()], [absent[1]], **at)
        accepted = [ast.If(known, accepted, [], **at)]
    frame.statements.extend(accepted)


def without_value(emitter: Emitter, item: nodes.Parameter, value: str) -> list[ast.stmt]:
    """What a parameter gets that is not given, or given as undef."""
    at = emitter.place(item)
    name = emitter.constant(item.name, at)
    if item.value is None:
        absent = emitter.call(
            "absent_parameter",
            name,
            *(emitter.name(local, at) for local in ("given", "looked_up", "problems")),
            at=at,
        )
        return [emitter.store(value, absent, at)]
    frame = emitter.frame
    before, frame.statements = frame.statements, []
    try:
        default_value(emitter, item.value, value, name)
        return frame.statements
    finally:
        frame.statements = before


def default_value(emitter: Emitter, default: Node, value: str, name: ast.expr) -> None:
    """The statements that work out a default."""
    at = emitter.place(default)
    frame = emitter.frame
    if reads_captures(default):
        # Each default starts with the captures of the surroundings.
        frame.match = emitter.fresh("match")
        captures = ast.Attribute(emitter.scope(at), "captures", ast.Load(), **at)
        cell = ast.List([captures], ast.Load(), **at)
        frame.statements.append(emitter.store(frame.match, cell, at))
    frame.raises_return = False
    place = len(frame.statements)
    found = emitter.expression(default)
    frame.match = None
    if not isinstance(found, LITERALS):
        # So that an error can say whose default it is.
        filling = ast.Attribute(emitter.scope(at), "filling", ast.Store(), **at)
        frame.statements.insert(place, ast.Assign([filling], name, **at))
    frame.statements.append(emitter.store(value, found, at))
    if frame.raises_return:
        frame.statements = returned(emitter, frame.statements, value, at)


def returned(emitter: Emitter, statements: list[ast.stmt], value: str, at: Place) -> list[ast.stmt]:
    """The statements of a default in which ``return()`` ends it with a value."""
    given = ast.Attribute(emitter.name("signal", at), "value", ast.Load(), **at)
    handler = ast.ExceptHandler(
        emitter.name("ReturnFromFunction", at), "signal", [emitter.store(value, given, at)], **at
    )
    return [ast.Try(statements, [handler], [], [], **at)]


def accept(emitter: Emitter, item: nodes.Parameter, value: str) -> list[ast.stmt]:
    """The value as the code sees it, once it is checked; it shows in the catalog."""
    at = emitter.place(item)
    local = emitter.name(value, at)
    name = emitter.constant(item.name, at)
    declared = emitter.store(value, emitter.call("declared", local, at=at), at)
    kinds = ast.Attribute(local, "__class__", ast.Load(), **at)
    scalar = ast.Compare(kinds, [ast.NotIn()], [emitter.name("SCALARS", at)], **at)
    key = emitter.constant(f"${item.name}", at)
    statements: list[ast.stmt] = [ast.If(scalar, [declared], [], **at)]
    target = ast.Subscript(emitter.name("given", at), name, ast.Store(), **at)
    kept: ast.stmt = ast.If(
        ast.Compare(local, [ast.IsNot()], [emitter.constant(None, at)], **at),
        [ast.Assign([target], local, **at)],
        [],
        **at,
    )
    if item.type is not None:
        fits, type_ = test_of(emitter, local, item.type, statements)
        problem = emitter.call(
            "parameter_problem", name, type_, local, emitter.name("problems", at), at=at
        )
        good: ast.expr = ast.UnaryOp(ast.Not(), problem, **at)
        if fits is not None:
            good = ast.BoolOp(ast.Or(), [fits, good], **at)
        kept = ast.If(good, [kept], [], **at)
    statements.append(kept)
    put = emitter.call("put", emitter.scope(at), key, local, at=at)
    statements.append(ast.Expr(put, **at))
    return statements


def test_of(
    emitter: Emitter, value: ast.expr, type_: Node, statements: list[ast.stmt]
) -> tuple[ast.expr | None, ast.expr]:
    """The test of a type in place, if it can be made, and the type for the case that it fails.

    Both use one type, which is had before; a test that Python has words for needs none.
    """
    at = emitter.place(type_)
    if not is_type(type_) or not is_static(type_):
        return None, emitter.expression(type_)
    if is_constant(emitter, type_):
        simple = simple_test(emitter, (value, value), type_, at)
        if simple is not None:
            return simple, emitter.not_kept(type_)
    local = emitter.fresh("type")
    statements.append(emitter.store(local, emitter.expression(type_), at))
    known = emitter.name(local, at)
    check = emitter.call("checker", known, at=at)
    return ast.Call(check, [value], [], **at), known
